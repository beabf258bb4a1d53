// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/UndoSteps.h"

#include "model/repository/CommitReader.h"
#include "model/repository/Repository.h"

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype most = 100;
constexpr qsizetype digits = 10; ///< of a commit in a subject
const QLatin1StringView undoes{"Undo "};

struct Made {
    AppliedOperation operation;
    QString subject;
};

/// Those that their branches hold, in the order in which they were made.
QList<Made> madeCommits(const QList<AppliedOperation> &operations, const CommitReader &reader)
{
    QHash<QString, QString> tips;
    for (const BranchTip &tip : reader.tips()) {
        if (!tip.remote)
            tips.insert(tip.name, tip.commit);
    }
    QList<Made> made;
    for (const AppliedOperation &operation : operations.last(std::min(most, operations.size()))) {
        const Result<bool> there = reader.contains(tips.value(operation.branch), operation.commit);
        const Result<CommitInfo> info = reader.infoOf(operation.commit);
        if (!there || !*there || !info)
            continue;
        qsizetype place = made.size();
        // Names of operations are exact to the second.
        while (place > 0 && made.at(place - 1).operation.when == operation.when &&
               made.at(place - 1).operation.branch == operation.branch) {
            const Result<bool> older = reader.contains(made.at(place - 1).operation.commit, operation.commit);
            if (!older || !*older)
                break;
            --place;
        }
        made.insert(place, {operation, info->subject});
    }
    return made;
}

/// Takes the step that `subject` says is undone out of `steps`.
std::optional<UndoStep> takeUndone(QList<UndoStep> &steps, const QString &subject)
{
    if (!subject.startsWith(undoes))
        return std::nullopt;
    const auto undone =
        std::ranges::find_if(steps, [&subject](const UndoStep &step) { return undoSubject(step.commit) == subject; });
    return undone == steps.end() ? std::nullopt : std::optional(steps.takeAt(undone - steps.begin()));
}

} // namespace

QString undoSubject(const QString &commit)
{
    return undoes + commit.left(digits);
}

Result<UndoSteps> undoSteps(const QString &path)
{
    const Result<Repository> repository = Repository::open(path);
    if (!repository)
        return repository.error();
    const Result<QList<AppliedOperation>> operations = repository->operations();
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!operations || !reader)
        return operations ? reader.error() : operations.error();
    UndoSteps steps;
    for (const Made &made : madeCommits(*operations, *reader)) {
        const QString &commit = made.operation.commit;
        const QString &branch = made.operation.branch;
        if (const auto redone = takeUndone(steps.redo, made.subject)) {
            steps.undo.append({commit, branch, redone->name});
        } else if (const auto undone = takeUndone(steps.undo, made.subject)) {
            steps.redo.append({commit, branch, undone->name});
        } else {
            steps.undo.append({commit, branch, made.subject});
            steps.redo.clear();
        }
    }
    return steps;
}

} // namespace tmx
