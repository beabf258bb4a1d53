// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/Commit.h"

#include "model/repository/CommitMaker.h"
#include "model/repository/GitError.h"
#include "model/repository/RecipePath.h"
#include "model/repository/WorkTrees.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int attempts = 5;

/// The branch that HEAD names, if it still is at the expected commit (and the same branch as before, if one is given).
Result<QString> checkHead(const OpenRepository &repository, const CommitMaker &maker, const QString &before = {})
{
    const Result<Head> head = readHead(repository);
    if (!head)
        return head.error();
    if (head->detached)
        return maker.refused(Tr::tr("HEAD is detached: no branch is checked out"), Tr::tr("Check out a branch first: git switch BRANCH"));
    if (!before.isEmpty() && head->branch != before)
        return maker.refused(Tr::tr("the branch %1 was checked out meanwhile").arg(head->branch), Tr::tr("Look at it, then commit again."));
    if (head->commit != maker.expectedTip())
        return maker.moved(head->branch, head->commit);
    return head->branch;
}

/// nullopt: the index changed meanwhile; try again.
Result<std::optional<CommitResult>> attempt(const OpenRepository &repository, const CommitMaker &maker, const Journal &journal,
                                            const QString &branch, const QStringList &paths)
{
    const QString &what = maker.what();
    Result<QList<FileChange>> changes = storeFiles(repository, paths, what);
    if (!changes)
        return changes.error();
    const Result<git_oid> tree = maker.makeTree(*changes, branch);
    if (!tree)
        return tree.error();
    IndexUpdate index(repository, journal, what);
    if (const Result<void> done = index.prepare(*changes); !done)
        return done.error();
    if (index.hasConflicts())
        return maker.refused(Tr::tr("files are in conflict"), Tr::tr("Resolve the conflicts first."));
    const Result<git_oid> commit = maker.makeCommit(*tree);
    if (!commit)
        return commit.error();
    if (const Result<void> done = maker.writeRefFile(journal, *commit); !done)
        return done.error();

    // git's own locks, in git's own order. Under them HEAD, branch and index are what was looked at, or nothing is done.
    const Result<HeldLock> headLock = HeldLock::take(journal.refFile(), repository.gitFolder + u"/HEAD"_s, what);
    if (!headLock)
        return headLock.error();
    Result<HeldLock> branchLock = maker.lockBranch(journal, branch);
    if (!branchLock)
        return branchLock.error();
    if (const Result<QString> same = checkHead(repository, maker, branch); !same)
        return same.error();
    const Result<bool> locked = index.lock();
    if (!locked)
        return locked.error();
    if (!*locked)
        return std::optional<CommitResult>();

    maker.log(branch, *commit, true);
    if (const Result<void> decided = journal.decide(what); !decided)
        return decided.error();
    // The index first: were the branch ahead of it, the next `git commit` would undo this one.
    if (const Result<void> done = index.publish(); !done)
        return done.error();
    if (const Result<void> done = branchLock->publish(what); !done)
        return done.error();
    return std::optional(maker.result(*commit, branch));
}

/// The texts as blobs. Error: a path that cannot be used, no text.
Result<QList<FileChange>> storeTexts(const OpenRepository &repository, const CommitMaker &maker,
                                     const QList<std::pair<QString, QByteArray>> &files)
{
    QList<FileChange> changes;
    for (const auto &[path, text] : files) {
        if (const Result<void> usable = checkRecipePath(path); !usable)
            return usable.error();
        if (!isText(text) || text.size() > maxRecipeBytes)
            return Error{maker.what(), path, Tr::tr("this is no text of a recipe"), {}};
        FileChange change;
        change.path = path;
        change.mode = GIT_FILEMODE_BLOB;
        if (git_blob_create_from_buffer(&change.id, repository.git(), text.constData(), size_t(text.size())) < 0)
            return gitError(maker.what(), path);
        changes.append(change);
    }
    return changes;
}

/// Error: the branch moved, or is checked out in a work tree, where index and files would no longer fit it.
Result<void> checkOtherBranch(const OpenRepository &repository, const CommitMaker &maker, const QString &branch)
{
    const Result<QString> tip = branchTip(repository, branch);
    if (!tip)
        return tip.error();
    const QString place = branchesCheckedOut(repository).value(branch);
    if (!place.isEmpty())
        return maker.refused(Tr::tr("the branch %1 is checked out in %2").arg(branch, place), Tr::tr("Commit to it there."));
    if (*tip != maker.expectedTip())
        return maker.moved(branch, *tip);
    return {};
}

} // namespace

Result<CommitResult> commitFiles(const OpenRepository &repository, const QStringList &paths, const QString &message,
                                 const QString &expectedHead)
{
    CommitMaker maker(repository, expectedHead);
    QStringList chosen = paths;
    chosen.removeDuplicates();
    if (chosen.isEmpty())
        return maker.refused(Tr::tr("no file was chosen"));
    if (const Result<void> quiet = nothingUnderWay(repository); !quiet)
        return quiet.error();
    if (const Result<void> begun = maker.begin(message); !begun)
        return begun.error();
    const Result<Journal> journal = Journal::take(repository, maker.what());
    if (!journal)
        return journal.error();
    const Result<QString> branch = checkHead(repository, maker);
    if (!branch)
        return branch.error();
    for (int i = 0; i < attempts; ++i) {
        const Result<std::optional<CommitResult>> outcome = attempt(repository, maker, *journal, *branch, chosen);
        if (!outcome)
            return outcome.error();
        if (*outcome)
            return **outcome;
    }
    return Error{maker.what(), repository.indexPath(), Tr::tr("another program keeps changing it"), Tr::tr("Try again when it is done.")};
}

Result<CommitResult> commitToBranch(const OpenRepository &repository, const QString &branch,
                                    const QList<std::pair<QString, QByteArray>> &files, const QString &message, const QString &expectedTip)
{
    CommitMaker maker(repository, expectedTip);
    if (files.isEmpty())
        return maker.refused(Tr::tr("no file was chosen"));
    if (const Result<void> begun = maker.begin(message); !begun)
        return begun.error();
    const Result<Journal> journal = Journal::take(repository, maker.what());
    if (!journal)
        return journal.error();
    if (const Result<void> same = checkOtherBranch(repository, maker, branch); !same)
        return same.error();
    Result<QList<FileChange>> changes = storeTexts(repository, maker, files);
    if (!changes)
        return changes.error();
    const Result<git_oid> tree = maker.makeTree(*changes, branch);
    for (const FileChange &change : std::as_const(*changes)) {
        if (change.inHead)
            return Error{maker.what(), change.path, Tr::tr("the branch %1 has that file already").arg(branch), {}};
    }
    if (!tree)
        return tree.error();
    const Result<git_oid> commit = maker.makeCommit(*tree);
    if (!commit)
        return commit.error();
    if (const Result<void> done = maker.writeRefFile(*journal, *commit); !done)
        return done.error();

    Result<HeldLock> lock = maker.lockBranch(*journal, branch);
    if (!lock)
        return lock.error();
    if (const Result<void> same = checkOtherBranch(repository, maker, branch); !same)
        return same.error();
    maker.log(branch, *commit, false);
    if (const Result<void> done = lock->publish(maker.what()); !done)
        return done.error();
    return maker.result(*commit, branch);
}

} // namespace tmx
