// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/CommitRules.h"

#include "model/repository/GitError.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString operationUnderWay(int state)
{
    switch (state) {
    case GIT_REPOSITORY_STATE_NONE: return {};
    case GIT_REPOSITORY_STATE_MERGE: return Tr::tr("a merge is under way");
    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE: return Tr::tr("a revert is under way");
    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE: return Tr::tr("a cherry-pick is under way");
    case GIT_REPOSITORY_STATE_BISECT: return Tr::tr("a bisect is under way");
    case GIT_REPOSITORY_STATE_REBASE:
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
    case GIT_REPOSITORY_STATE_REBASE_MERGE: return Tr::tr("a rebase is under way");
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE: return Tr::tr("a \"git am\" is under way");
    default: return Tr::tr("another operation of git is under way");
    }
}

/// The folder of the hooks. core.hooksPath may begin with ~ and is relative to the work tree, where hooks run.
QString hooksFolder(const OpenRepository &repository, const git_config *config)
{
    GitBuffer path;
    if (git_config_get_path(&path, config, "core.hooksPath") == 0)
        return QDir(repository.workTree).absoluteFilePath(QFile::decodeName(path.ptr));
    return repository.commonFolder + u"/hooks"_s;
}

} // namespace

Result<void> nothingUnderWay(const OpenRepository &repository)
{
    if (const QString why = operationUnderWay(git_repository_state(repository.git())); !why.isEmpty())
        return Error{Tr::tr("commit in"), repository.workTree, why, Tr::tr("Finish it or abort it first.")};
    return {};
}

Result<void> mayCommit(const OpenRepository &repository)
{
    const QString what = Tr::tr("commit in");
    const QString byHand = Tr::tr("Commit with the git program.");

    GitConfig config;
    if (obtain(config, git_repository_config_snapshot, repository.git()) < 0)
        return gitError(what, repository.workTree);
    int sign = 0;
    const int rc = git_config_get_bool(&sign, config.get(), "commit.gpgsign");
    if (rc < 0 && rc != GIT_ENOTFOUND)
        return gitError(what, repository.workTree);
    if (sign)
        return Error{what, repository.workTree,
                     Tr::tr("commit.gpgsign asks for signed commits, which this program does not make"), byHand};

    const QString hooks = hooksFolder(repository, config.get());
    for (const QString &name :
         {u"pre-commit"_s, u"prepare-commit-msg"_s, u"commit-msg"_s, u"reference-transaction"_s}) {
        const QFileInfo hook(hooks + u'/' + name);
        if (hook.isFile() && hook.isExecutable())
            return Error{what, repository.workTree,
                         Tr::tr("the hook %1 would have to run, which this program does not do").arg(hook.filePath()),
                         byHand};
    }
    return {};
}

Result<Identity> identityOf(const OpenRepository &repository)
{
    Identity identity;
    git_signature *author = nullptr;
    git_signature *committer = nullptr;
    const int rc = git_signature_default_from_env(&author, &committer, repository.git());
    identity.author.reset(author);
    identity.committer.reset(committer);
    if (rc == GIT_ENOTFOUND)
        return Error{
            Tr::tr("commit in"), repository.workTree, Tr::tr("git does not know your name and e-mail address"),
            Tr::tr("Set them with: git config --global user.name \"…\" and git config --global user.email \"…\"")};
    if (rc < 0)
        return gitError(Tr::tr("commit in"), repository.workTree,
                        Tr::tr("Check user.name and user.email in git config."));
    return identity;
}

QByteArray tidyMessage(const QString &message)
{
    GitBuffer tidy;
    if (git_message_prettify(&tidy, message.toUtf8().constData(), 0, '#') < 0)
        return {};
    return QByteArray(tidy.ptr, qsizetype(tidy.size));
}

} // namespace tmx
