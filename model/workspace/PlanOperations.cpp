// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PlanOperations.h"

#include "model/plan/ApplyPlan.h"
#include "model/repository/CommitReader.h"
#include "model/repository/Repository.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::PlanOperations)
};

struct ReadContent {
    QString repository;
    BranchContent content;
};

Result<ReadContent> readContent(const QString &path, const QString &branch)
{
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<RepositoryInfo> info = repository->info();
    if (!info)
        return info.error();
    Result<BranchContent> content = repository->readBranch(branch.isEmpty() ? info->headBranch : branch);
    if (!content)
        return content.error();
    return ReadContent{info->workTree, std::move(content).value()};
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

Result<PlanReading> readPlan(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch)
{
    Result<ReadContent> read = readContent(path, branch);
    if (!read)
        return read.error();
    auto snapshot = std::make_shared<const BranchSnapshot>(makeSnapshot(catalog, read->repository, read->content));
    if (!snapshot->lineError.isEmpty())
        return Error{Words::tr("plan"), snapshot->branch, Words::tr("its torch-matrix.toml cannot be read"), snapshot->lineError};
    Plan plan = planFor(*catalog, *snapshot);
    return PlanReading{read->repository, std::move(snapshot), std::move(read->content), std::move(plan)};
}

Result<CommitResult> applyPlan(const PlanReading &reading, const Plan &plan, const QString &message)
{
    const Result<QList<FileEdit>> edits = editsOf(plan, *reading.snapshot, reading.content);
    if (!edits)
        return edits.error();
    if (edits->isEmpty())
        return Error{Words::tr("carry out the plan for"), plan.branch, Words::tr("no step is chosen"), {}};
    const Result<Repository> repository = Repository::open(reading.repository);
    if (!repository)
        return repository.error();
    return repository->commitEdits(plan.branch, *edits, message.isEmpty() ? commitMessageFor(plan) : message, plan.commit);
}

Result<UndoReading> readUndo(const QString &path, const QString &branch, const QString &commit)
{
    const QString what = Words::tr("undo");
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<RepositoryInfo> info = repository->info();
    if (!info)
        return info.error();
    UndoReading undo;
    undo.repository = info->workTree;
    undo.branch = branch.isEmpty() ? info->headBranch : branch;
    const auto found = std::ranges::find(info->branches, undo.branch, &BranchRef::name);
    if (found == info->branches.end() || found->commit.isEmpty())
        return Error{what, undo.branch, Words::tr("there is no such branch, or it has no commit"), {}};
    undo.tip = found->commit;
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<QString> id = reader->commitOf(commit.isEmpty() ? undo.tip : commit);
    if (!id)
        return id.error();
    undo.commit = *id;
    undo.isTip = undo.commit == undo.tip;
    Result<QList<CommittedChange>> changes = repository->changesOf(undo.commit);
    if (!changes) {
        Error error = changes.error();
        error.remedy = Words::tr("\"git revert\" undoes such a commit.");
        return error;
    }
    undo.changes = std::move(changes).value();
    return undo;
}

Result<CommitResult> applyUndo(const UndoReading &reading, const QString &message)
{
    const Result<Repository> repository = Repository::open(reading.repository);
    if (!repository)
        return repository.error();
    const QString text = message.isEmpty() ? u"Undo %1\n\nIts files are as they were before commit %2.\n"_s.arg(reading.commit.left(10), reading.commit) : message;
    Result<CommitResult> done = repository->commitEdits(reading.branch, editsThatUndo(reading.changes), text, reading.tip);
    if (done)
        return done;
    Error error = done.error();
    if (error.remedy.contains(u"nothing was changed"))
        error.remedy = Words::tr("Undoing commit %1 would lose that; nothing was changed.").arg(reading.commit.left(10));
    return error;
}

Result<LineWork> readDerivation(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &from, const QString &name,
                                const LineChange &change)
{
    const QString branch = checkedOut(path, from);
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<QString> commit = reader->commitOf(branch.isEmpty() ? u"HEAD"_s : branch);
    if (!commit)
        return commit.error();
    const Result<BranchContent> content = reader->readCommit(*commit, branch);
    if (!content)
        return content.error();
    return derivedLine(catalog, *content, name, change);
}

Result<LineWork> readMigration(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch,
                               const LineChange &change)
{
    const Result<ReadContent> read = readContent(path, branch);
    if (!read)
        return read.error();
    const BranchSnapshot snapshot = makeSnapshot(catalog, read->repository, read->content);
    if (!snapshot.lineError.isEmpty())
        return Error{Words::tr("migrate"), snapshot.branch, Words::tr("its torch-matrix.toml cannot be read"), snapshot.lineError};
    return migratedLine(catalog, snapshot, read->content, change);
}

Result<LineWork> readCopy(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &from, const QString &to,
                          const QStringList &names)
{
    const Result<ReadContent> source = readContent(path, from);
    if (!source)
        return source.error();
    const Result<ReadContent> target = readContent(path, to);
    if (!target)
        return target.error();
    if (source->content.branch == target->content.branch)
        return Error{Words::tr("copy to"), target->content.branch, Words::tr("that is the branch that it is copied from"), {}};
    return copiedRecipes(catalog, makeSnapshot(catalog, source->repository, source->content),
                         makeSnapshot(catalog, target->repository, target->content), names);
}

Result<CommitResult> applyLineWork(const QString &path, const LineWork &work, const QString &message)
{
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const QList<FileEdit> edits = work.edits();
    if (edits.isEmpty())
        return Error{Words::tr("commit to"), work.branch, Words::tr("there is nothing to do"), {}};
    if (work.newBranch)
        return repository->commitToNewBranch(work.branch, work.fromCommit, edits, message.isEmpty() ? messageForDeriving(work) : message);
    const QString offered = work.from == work.branch ? messageForMigrating(work) : messageForCopying(work);
    return repository->commitEdits(work.branch, edits, message.isEmpty() ? offered : message, work.commit);
}

} // namespace tmx
