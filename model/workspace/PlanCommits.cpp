// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/PlanCommits.h"

#include "model/plan/ApplyPlan.h"
#include "model/repository/Repository.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::PlanCommits)
};

Result<WriteReport> committed(const Repository &repository, const QString &branch, const QList<FileEdit> &edits, const QString &message, const QString &tip)
{
    const Result<CommitResult> done = repository.commitEdits(branch, edits, message, tip);
    if (!done)
        return done.error();
    WriteReport report;
    report.branch = branch;
    for (const FileEdit &edit : edits)
        report.written.append(edit.path.section(u'/', -1));
    report.commit = done->commit;
    report.subject = done->subject;
    return report;
}

} // namespace

Result<WriteReport> commitPlan(const QString &path, const Plan &plan, const BranchSnapshot &snapshot)
{
    if (plan.isDone())
        return Error{Text::tr("apply"), Text::tr("the plan of %1").arg(plan.branch), Text::tr("no step of it is chosen"), {}};
    if (!snapshot.lineError.isEmpty())
        return Error{Text::tr("apply"), Text::tr("the plan of %1").arg(plan.branch), Text::tr("its line is not known"), snapshot.lineError};
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<BranchContent> content = repository->readBranch(plan.branch);
    if (!content)
        return content.error();
    const Result<QList<FileEdit>> edits = editsOf(plan, snapshot, *content);
    if (!edits)
        return edits.error();
    return committed(*repository, plan.branch, *edits, commitMessageFor(plan), plan.commit);
}

Result<WriteReport> commitUndoOf(const QString &path, const QString &branch, const QString &commit)
{
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<QList<CommittedChange>> changes = repository->changesOf(commit);
    if (!changes)
        return changes.error();
    const Result<BranchContent> content = repository->readBranch(branch);
    if (!content)
        return content.error();
    return committed(*repository, branch, editsThatUndo(*changes), u"Undo %1\n"_s.arg(commit.left(12)), content->commit);
}

} // namespace tmx
