// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/CommitRules.h"

#include "model/base/Surface.h"
#include "model/git/BranchRefs.h"
#include "model/git/GitError.h"
#include "model/git/WorkTrees.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString operationUnderWay(int state)
{
    switch (state) {
    case GIT_REPOSITORY_STATE_NONE: return {};
    case GIT_REPOSITORY_STATE_MERGE: return Tr::tr("a merge is in progress");
    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE: return Tr::tr("a revert is in progress");
    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE: return Tr::tr("a cherry-pick is in progress");
    case GIT_REPOSITORY_STATE_BISECT: return Tr::tr("a bisect is in progress");
    case GIT_REPOSITORY_STATE_REBASE:
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
    case GIT_REPOSITORY_STATE_REBASE_MERGE: return Tr::tr("a rebase is in progress");
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE: return Tr::tr("a \"git am\" is in progress");
    default: return Tr::tr("another git operation is in progress");
    }
}

} // namespace

Result<void> nothingUnderWay(const OpenRepository &repository, const QString &what)
{
    if (const QString why = operationUnderWay(git_repository_state(repository.git())); !why.isEmpty())
        return Error{what, repository.workTree, why, Tr::tr("Finish it or abort it first.")};
    return {};
}

Result<void> checkNewBranch(const OpenRepository &repository, const QString &name)
{
    const QString what = Tr::tr("create the branch");
    int valid = 0;
    if (git_branch_name_is_valid(&valid, name.toUtf8().constData()) < 0 || !valid)
        return Error{what, name, Tr::tr("git does not allow that name"), Tr::tr("Choose another.")}.ofUsage();
    // git accepts these names, but later commands would resolve them to something else.
    if (name == "@"_L1 || name.startsWith("refs/"_L1))
        return Error{what, name, Tr::tr("git has another meaning for that name"),
                     name.startsWith("refs/heads/"_L1) ? Tr::tr("Leave \"refs/heads/\" out.")
                                                       : Tr::tr("Choose another.")}
            .ofUsage();
    const auto inTheWay = [&](const QString &other) {
        return other == name || other.startsWith(name + u'/') || name.startsWith(other + u'/');
    };
    constexpr QByteArrayView heads{"refs/heads/"};
    TM_TRY(places, branchesCheckedOut(repository));
    TM_TRY(refs, refsBelow(repository, heads.toByteArray()));
    QStringList taken = places->keys(); // They may have no commit yet.
    for (const RefName &ref : std::as_const(refs->refs))
        taken.append(QString::fromUtf8(ref.name.sliced(heads.size())));
    taken.removeIf([&](const QString &other) { return !inTheWay(other); });
    if (taken.isEmpty())
        return {};
    return Error{what, name,
                 taken.constFirst() == name ? Tr::tr("a branch with that name already exists")
                                            : Tr::tr("it conflicts with the branch %1").arg(taken.constFirst()),
                 Tr::tr("Choose another name.")};
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
            forSurface(
                Tr::tr("Set them with: git config --global user.name \"…\" and git config --global user.email \"…\""),
                Tr::tr("Set user.name and user.email in Git's configuration."))};
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
