// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PlanOperations.h"

#include "model/change/ApplyPlan.h"
#include "model/repository/CommitReader.h"
#include "model/repository/Repository.h"
#include "model/workspace/Operations.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::PlanOperations)
};

Result<void> lineIsKnown(const BranchSnapshot &snapshot, const QString &what)
{
    if (snapshot.lineError.isEmpty())
        return {};
    return Error{what, snapshot.branch, Words::tr("its torch-matrix.toml cannot be read"), snapshot.lineError};
}

/// Error as well: the branch's settings cannot be read.
Result<ReadBranch> readKnown(const SnapshotReader &reader, const QString &path, const QString &branch,
                             const QString &what, const WorkHooks &hooks)
{
    const Result<ReadBranch> read = reader.read(path, branch, hooks);
    if (!read)
        return read.error();
    if (const Result<void> known = lineIsKnown(*read->snapshot, what); !known)
        return known.error();
    return read;
}

QString checkedOut(const QString &path, const QString &branch)
{
    if (!branch.isEmpty())
        return branch;
    const Result<Repository> repository = Repository::open(path);
    const Result<RepositoryInfo> info = repository ? repository->info() : Result<RepositoryInfo>(repository.error());
    return info ? info->headBranch : QString();
}

} // namespace

Result<PlanReading> readPlan(const SnapshotReader &reader, const QString &path, const QString &branch,
                             const WorkHooks &hooks)
{
    const Result<ReadBranch> read = readKnown(reader, path, branch, Words::tr("plan"), hooks);
    if (!read)
        return read.error();
    return PlanReading{read->snapshot, planFor(*reader.catalog(), *read->snapshot)};
}

Result<CommitResult> applyPlan(const QString &path, const Plan &plan, const BranchSnapshot &snapshot,
                               const QString &message, const WorkHooks &hooks)
{
    if (plan.isDone())
        return Error{Words::tr("apply the plan of"), plan.branch, Words::tr("no step is chosen"), {}};
    if (const Result<void> known = lineIsKnown(snapshot, Words::tr("apply the plan of")); !known)
        return known.error();
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<BranchContent> content = repository->readBranch(plan.branch);
    if (!content)
        return content.error();
    if (content->commit != plan.commit)
        return Error{Words::tr("apply the plan of"), plan.branch,
                     Words::tr("it moved meanwhile, from %1 to %2").arg(plan.commit.left(8), content->commit.left(8)),
                     Words::tr("Make the plan anew.")};
    const Result<QList<FileEdit>> edits = editsOf(plan, snapshot, *content);
    if (!edits)
        return edits.error();
    if (hooks.stopped())
        return stoppedError();
    ChangeSet changes;
    changes.branch = plan.branch;
    changes.parentCommit = plan.commit;
    changes.message = message.isEmpty() ? commitMessageFor(plan) : message;
    return applyEdits(path, changes, *edits);
}

Result<LineWork> readDerivation(const SnapshotReader &reader, const QString &path, const QString &from,
                                const QString &name, const SettingsChange &change, const WorkHooks &hooks)
{
    const QString branch = checkedOut(path, from);
    const Result<CommitReader> commits = CommitReader::open(path);
    if (!commits)
        return commits.error();
    const Result<QString> commit = commits->commitOf(branch.isEmpty() ? u"HEAD"_s : branch);
    if (!commit)
        return commit.error();
    const auto content = reader.content({BranchSource::Kind::Commit, branch, branch, *commit, path}, hooks);
    return content ? derivedLine(reader.recipes(), **content, name, change, hooks) : content.error();
}

Result<LineWork> readMigration(const SnapshotReader &reader, const QString &path, const QString &branch,
                               const SettingsChange &change, const WorkHooks &hooks)
{
    const Result<ReadBranch> read = readKnown(reader, path, branch, Words::tr("migrate"), hooks.part(0, 70));
    if (!read)
        return read.error();
    return migratedLine(reader.recipes(), *read->snapshot, *read->content, change, hooks.part(70, 100));
}

Result<LineWork> readCopy(const SnapshotReader &reader, const QString &path, const QString &from, const QString &to,
                          const QStringList &names, const WorkHooks &hooks)
{
    const Result<BranchSource> source = branchNamed(path, from);
    if (!source)
        return source.error();
    const Result<BranchSource> target = branchNamed(path, to);
    if (!target)
        return target.error();
    if (source->branch == target->branch)
        return Error{Words::tr("copy to"), target->branch, Words::tr("that is the branch that it is copied from"), {}};
    const Result<ReadBranch> here = reader.read(*source, hooks.part(0, 50));
    if (!here)
        return here.error();
    const Result<ReadBranch> there = reader.read(*target, hooks.part(50, 100));
    if (!there)
        return there.error();
    return copiedRecipes(reader.recipes(), *here->snapshot, *there->snapshot, names);
}

Result<CommitResult> applyLineWork(const QString &path, const LineWork &work, const QString &message,
                                   const WorkHooks &hooks)
{
    const QList<FileEdit> edits = work.edits();
    if (edits.isEmpty())
        return Error{Words::tr("commit to"), work.branch, Words::tr("there is nothing to do"), {}};
    if (hooks.stopped())
        return stoppedError();
    const QString offered = work.newBranch             ? messageForDeriving(work)
                            : work.from == work.branch ? messageForMigrating(work)
                                                       : messageForCopying(work);
    ChangeSet changes;
    changes.branch = work.branch;
    changes.newBranch = work.newBranch;
    changes.parentCommit = work.newBranch ? work.fromCommit : work.commit;
    changes.message = message.isEmpty() ? offered : message;
    return applyEdits(path, changes, edits);
}

} // namespace tmx
