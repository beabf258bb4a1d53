// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitProgram.h"

#include "model/base/Programs.h"
#include "model/git/GitError.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr qsizetype maxOutput = qsizetype(64) * 1024;
constexpr qsizetype maxErrorText = qsizetype(4) * 1024;
constexpr auto timeLimit = 30min; // a hook may build or download something

/// The folder of hooks. core.hooksPath may begin with ~, and is relative to the working tree, in which hooks run.
QString hooksFolder(const OpenRepository &repository, const git_config *config)
{
    GitBuffer path;
    if (git_config_get_path(&path, config, "core.hooksPath") == 0)
        return QDir(repository.workTree).absoluteFilePath(QFile::decodeName(path.ptr));
    return repository.commonFolder + u"/hooks"_s;
}

/// The program that git would use to ask for a passphrase; empty if there is none.
QString askPass(const OpenRepository &repository, const QProcessEnvironment &environment)
{
    if (const QString own = environment.value(u"GIT_ASKPASS"_s); !own.isEmpty())
        return own;
    GitConfig config;
    GitBuffer path;
    if (obtain(config, git_repository_config_snapshot, repository.git()) == 0 &&
        git_config_get_path(&path, config.get(), "core.askPass") == 0)
        return QFile::decodeName(path.ptr);
    return environment.value(u"SSH_ASKPASS"_s);
}

QProcessEnvironment environmentFor(const OpenRepository &repository, const QMap<QString, QString> &variables)
{
    QProcessEnvironment environment = gitEnvironment();
    environment.insert(u"GIT_TERMINAL_PROMPT"_s, u"0"_s);
    environment.insert(u"GIT_EDITOR"_s, u":"_s);
    // ssh-keygen, which signs, only knows SSH_ASKPASS.
    if (const QString program = askPass(repository, environment); !program.isEmpty()) {
        environment.insert(u"SSH_ASKPASS"_s, program);
        environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
    }
    for (auto [name, value] : variables.asKeyValueRange())
        environment.insert(name, value);
    return environment;
}

} // namespace

Result<CommitSteps> commitSteps(const OpenRepository &repository)
{
    GitConfig config;
    if (obtain(config, git_repository_config_snapshot, repository.git()) < 0)
        return gitError(Tr::tr("commit in"), repository.workTree);
    int sign = 0;
    const int rc = git_config_get_bool(&sign, config.get(), "commit.gpgsign");
    if (rc < 0 && rc != GIT_ENOTFOUND)
        return gitError(Tr::tr("commit in"), repository.workTree);
    const QDir hooks(hooksFolder(repository, config.get()));
    const auto has = [&hooks](const QString &name) {
        const QFileInfo hook(hooks.filePath(name));
        return hook.isFile() && hook.isExecutable();
    };
    const QStringList commitHooks{u"pre-commit"_s, u"prepare-commit-msg"_s, u"commit-msg"_s, u"post-commit"_s};
    return CommitSteps{std::ranges::any_of(commitHooks, has), repository.refTables || has(u"reference-transaction"_s),
                       sign != 0};
}

QMap<QString, QString> forRemotes()
{
    QMap<QString, QString> variables{{u"LC_ALL"_s, u"C.UTF-8"_s}};
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")) {
        for (const QString &name : {u"GIT_ASKPASS"_s, u"SSH_ASKPASS"_s})
            variables.insert(name, QString());
        variables.insert(u"SSH_ASKPASS_REQUIRE"_s, u"never"_s);
    }
    return variables;
}

ProcessRun GitProgram::start(const QStringList &arguments, const QString &folder,
                             const QMap<QString, QString> &variables,
                             const std::function<void(const QByteArray &)> &heard) const
{
    ProcessRequest request;
    request.program = u"git"_s;
    // A garbage collection would continue after git has ended, and block the folder.
    request.arguments = QStringList{u"-c"_s, u"gc.auto=0"_s,
                                    u"-c"_s, u"maintenance.auto=false"_s,
                                    u"-c"_s, u"i18n.commitEncoding=UTF-8"_s} +
                        arguments;
    request.workingDirectory = folder;
    request.environment = environmentFor(m_repository, variables);
    request.timeout = timeLimit;
    request.beforeStart = [this](qint64 pid) {
        if (m_journal)
            static_cast<void>(m_journal->write(u"git"_s, processMark(pid), 0, {}));
    };
    return runProcess(request, maxOutput, m_hooks.stop, heard);
}

Result<QByteArray> GitProgram::run(const QString &what, const QStringList &arguments, const QString &folder,
                                   const QMap<QString, QString> &variables) const
{
    const ProcessRun done = start(arguments, folder, variables);
    if (done.outcome.succeeded())
        return done.output;
    if (done.outcome.stopped)
        return stoppedError();
    QString why = done.outcome.error;
    if (done.outcome.timedOut)
        why = Tr::tr("git or a hook ran for more than %n minutes", nullptr, int(timeLimit.count()));
    else if (done.outcome.started)
        why = Tr::tr("git or a hook refused (exit code %1)").arg(done.outcome.exitCode);
    if (const QString text = QString::fromUtf8(done.output.last(qMin(done.output.size(), maxErrorText))).trimmed();
        !text.isEmpty())
        why = Tr::tr("%1: %2", "why git failed, what it printed").arg(why, text);
    return Error{what, m_repository.workTree, why, Tr::tr("Nothing was changed.")};
}

} // namespace tmx
