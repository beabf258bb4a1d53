// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/GitAnswer.h"

#include "model/base/Process.h"
#include "model/base/Programs.h"

using namespace Qt::StringLiterals;

namespace tmx {

std::optional<QByteArray> gitAnswer(const QString &folder, const QStringList &arguments)
{
    const QString program = findProgram(u"git"_s);
    if (program.isEmpty())
        return {};
    const ProcessRun run = runProcess({.program = program,
                                       .arguments = QStringList{u"--no-optional-locks"_s, u"-C"_s, folder} + arguments,
                                       .workingDirectory = folder,
                                       .environment = gitEnvironment(),
                                       .timeout = std::chrono::seconds(60)},
                                      1024 * 1024);
    return run.outcome.succeeded() ? std::optional(run.output) : std::nullopt;
}

bool isTracked(const QString &folder, const QString &path)
{
    return gitAnswer(folder, {u"ls-files"_s, u"--error-unmatch"_s, u"--"_s, u":(literal)"_s + path}).has_value();
}

bool CommittedPaths::has(const QString &folder, const QString &commit, const QString &path) const
{
    auto known = m_paths.constFind(commit);
    if (known == m_paths.cend()) {
        const QByteArrayList paths = gitAnswer(folder, {u"ls-tree"_s, u"-r"_s, u"-t"_s, u"-z"_s, u"--name-only"_s,
                                                        u"--full-tree"_s, commit, u"--"_s, u".flox"_s})
                                         .value_or(QByteArray())
                                         .split('\0');
        known = m_paths.insert(commit, QSet<QByteArray>(paths.begin(), paths.end()));
    }
    return known->contains(path.toUtf8());
}

QStringList uncommittedFiles(const QString &folder)
{
    QStringList files;
    const auto status = gitAnswer(folder, {u"status"_s, u"--porcelain"_s, u"-z"_s, u"--untracked-files=no"_s});
    const QList<QByteArray> entries = status.value_or(QByteArray("?? git status failed")).split('\0');
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QByteArray &entry = entries.at(i);
        if (entry.size() > 3)
            files.append(QString::fromUtf8(entry.sliced(3)));
        if (entry.startsWith('R') || entry.startsWith('C'))
            ++i; // Skip the old name.
    }
    return files;
}

} // namespace tmx
