// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PlanOperations.h"

#include "model/change/ApplyPlan.h"
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

/// Whether a commit of the edits would hold anything else than the branch's last does.
bool changesTree(const QList<FileEdit> &edits, const BranchContent &content)
{
    return !content.withWorkTree || std::ranges::any_of(edits, [&content](const FileEdit &edit) {
        const auto file = std::ranges::find(content.files, edit.path, &RecipeFile::path);
        if (file == content.files.end() || file->blob.isEmpty())
            return edit.text.has_value();
        return !file->committed || edit.text != file->committed;
    });
}

/// With the names of the texts that were saved.
Result<CommitResult> withKept(const Repository &repository, Result<CommitResult> done)
{
    if (!done || done->saved.isEmpty())
        return done;
    const Result<QList<SavedCommit>> all = repository.savedCommits();
    if (!all)
        return done; // it is done; the ref alone is known
    if (const auto saved = std::ranges::find(*all, done->saved, &SavedCommit::ref); saved != all->end()) {
        for (const QString &path : saved->paths)
            done->kept.append(saved->ref + u':' + path);
    }
    return done;
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
    const QString text = message.isEmpty() ? commitMessageFor(plan) : message;
    if (changesTree(*edits, *content))
        return withKept(*repository, repository->commitEdits(plan.branch, *edits, text, plan.commit));
    CommitResult done{{}, plan.branch, text.section(u'\n', 0, 0), {}};
    const Result<QString> saved = repository->editWorkTree(plan.branch, *edits, done.subject, plan.commit);
    if (!saved)
        return saved.error();
    done.saved = *saved;
    return withKept(*repository, done);
}

Result<LineWork> readDerivation(const SnapshotReader &reader, const QString &path, const QString &from,
                                const QString &name, const LineChange &change, const WorkHooks &hooks)
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
                               const LineChange &change, const WorkHooks &hooks)
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
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const QList<FileEdit> edits = work.edits();
    if (edits.isEmpty())
        return Error{Words::tr("commit to"), work.branch, Words::tr("there is nothing to do"), {}};
    if (hooks.stopped())
        return stoppedError();
    if (work.newBranch)
        return repository->commitToNewBranch(work.branch, work.fromCommit, edits,
                                             message.isEmpty() ? messageForDeriving(work) : message);
    const QString offered = work.from == work.branch ? messageForMigrating(work) : messageForCopying(work);
    return withKept(*repository,
                    repository->commitEdits(work.branch, edits, message.isEmpty() ? offered : message, work.commit));
}

} // namespace tmx
