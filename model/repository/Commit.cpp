// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/Commit.h"

#include "model/repository/CommitMaker.h"
#include "model/repository/GitError.h"
#include "model/repository/ObjectBatch.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int attempts = 5;

/// nullopt: the index changed meanwhile; try again.
Result<std::optional<CommitResult>> attempt(const OpenRepository &repository, const CommitMaker &maker,
                                            const Journal &journal, const QString &branch, const QStringList &paths)
{
    const QString &what = maker.what();
    ObjectBatch objects(repository, paths.size());
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
    if (const Result<void> done = objects.write(what); !done)
        return done.error();
    if (const Result<void> done = maker.writeRefFile(journal, *commit); !done)
        return done.error();

    // git's own locks, in git's own order. Under them HEAD, branch and index are what was looked at, or nothing is
    // done.
    const Result<HeldLock> headLock = HeldLock::take(journal.refFile(), repository.gitFolder + u"/HEAD"_s, what);
    if (!headLock)
        return headLock.error();
    Result<HeldLock> branchLock = maker.lockBranch(journal, branch);
    if (!branchLock)
        return branchLock.error();
    if (const Result<QString> same = maker.checkHead(branch); !same)
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
    const Result<QString> branch = maker.checkHead();
    if (!branch)
        return branch.error();
    for (int i = 0; i < attempts; ++i) {
        const Result<std::optional<CommitResult>> outcome = attempt(repository, maker, *journal, *branch, chosen);
        if (!outcome)
            return outcome.error();
        if (*outcome)
            return **outcome;
    }
    return Error{maker.what(), repository.indexPath(), Tr::tr("another program keeps changing it"),
                 Tr::tr("Try again when it is done.")};
}

} // namespace tmx
