// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/UndoSteps.h"

#include "model/change/Undo.h"
#include "model/git/Repository.h"

#include <algorithm>
#include <optional>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype most = 100;
constexpr qsizetype digits = 10; ///< of a commit id in a subject
const QLatin1StringView undoPrefix{"Undo "};

constexpr qsizetype mostTexts = 10;

struct Made {
    AppliedOperation operation;
    QString subject;
    bool texts = false;     ///< texts saved without a commit
    QString tip = {};       ///< for files written without a commit: the branch's commit at that time
    QDateTime written = {}; ///< for files written without a commit: the time, to the millisecond
    QStringList paths = {}; ///< for texts and files
};

/// Adds what was done without a commit, in its place by time: what can be taken back now, and what was, which `written`
/// says.
void addTexts(QList<Made> &made, const OpenedRepository &opened, const QList<SavedCommit> &saved,
              const QList<WrittenFiles> &written)
{
    const RepositoryInfo &info = opened.info;
    qsizetype looked = 0;
    QStringList seen;
    for (auto it = saved.crbegin(); it != saved.crend() && looked < mostTexts; ++it) {
        if (!it->alone || info.headBranch.isEmpty())
            continue;
        const bool back = std::ranges::any_of(written, [&](const WrittenFiles &files) {
            return files.branch == info.headBranch && files.subject == undoSubject(it->commit);
        });
        // Texts come back into the working tree, and only where the branch is as it was.
        if (!back && it->tip != info.headCommit)
            continue;
        ++looked;
        // Only a file's last text can be restored; after that, older texts are replaced by a newer one.
        const bool newer = std::ranges::any_of(it->paths, [&](const QString &one) { return seen.contains(one); });
        if (!back && (newer || !undone(opened, {info.headBranch, it->commit})))
            continue;
        if (!back)
            seen += it->paths;
        qsizetype place = made.size();
        while (place > 0 && made.at(place - 1).operation.when > it->when)
            --place;
        made.insert(place, {.operation = {it->ref, it->commit, info.headBranch, it->when, it->ref},
                            .subject = it->subject,
                            .texts = true,
                            .paths = it->paths});
    }
}

/// Inserts files that were written without a commit, after the commits that their branch had then.
void addWritten(QList<Made> &made, const RepositoryInfo &info, const QList<WrittenFiles> &written,
                const CommitReader &reader)
{
    for (const WrittenFiles &files : written.last(std::min(most, written.size()))) {
        if (files.branch != info.headBranch)
            continue;
        const auto isLater = [&](const Made &one) {
            if (!one.tip.isEmpty())
                return one.written > files.when;
            if (one.operation.branch != files.branch)
                return one.operation.when > files.when;
            const Result<bool> before = reader.contains(files.tip, one.operation.commit);
            return before && !*before;
        };
        qsizetype place = made.size();
        while (place > 0 && isLater(made.at(place - 1)))
            --place;
        made.insert(place, {.operation = {files.commit, files.commit, files.branch, files.when, {}},
                            .subject = files.subject,
                            .tip = files.tip,
                            .written = files.when,
                            .paths = files.paths});
    }
}

/// Whether the written files were replaced by a commit or a later step, so that they cannot be undone.
bool isReplaced(const Made &made, const QList<Made> &later, const OpenedRepository &opened)
{
    if (undone(opened, {made.operation.branch, made.operation.commit}))
        return false;
    return made.tip != opened.info.headCommit || std::ranges::any_of(later, [&made](const Made &one) {
               return one.texts &&
                      std::ranges::any_of(made.paths, [&one](const QString &file) { return one.paths.contains(file); });
           });
}

/// Commits that are still in their branches, in the order in which they were made.
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
        // Names of operations have a precision of seconds.
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

/// Removes the step that `subject` says is undone from `steps`.
std::optional<UndoStep> takeUndone(QList<UndoStep> &steps, const QString &subject)
{
    if (!subject.startsWith(undoPrefix))
        return std::nullopt;
    const auto undone =
        std::ranges::find_if(steps, [&subject](const UndoStep &step) { return undoSubject(step.commit) == subject; });
    return undone == steps.end() ? std::nullopt : std::optional(steps.takeAt(undone - steps.begin()));
}

} // namespace

QString undoSubject(const QString &commit)
{
    return undoPrefix + commit.left(digits);
}

Result<UndoSteps> undoSteps(const QString &path)
{
    TM_TRY(opened, openWithInfo(path));
    const Repository &repository = opened->repository;
    TM_TRY(operations, repository.operations());
    TM_TRY(saved, repository.savedCommits());
    TM_TRY(written, repository.writtenFiles());
    QList<Made> all = madeCommits(*operations, repository);
    addWritten(all, opened->info, *written, repository);
    addTexts(all, *opened, *saved, *written);
    UndoSteps steps;
    for (const Made &made : std::as_const(all)) {
        const QString &commit = made.operation.commit;
        const QString &branch = made.operation.branch;
        const bool files = !made.tip.isEmpty();
        if (made.texts) {
            steps.undo.append({commit, branch, made.subject, true});
            steps.redo.clear();
        } else if (const auto redone = takeUndone(steps.redo, made.subject)) {
            steps.undo.append({commit, branch, redone->name, files});
        } else if (const auto undone = takeUndone(steps.undo, made.subject)) {
            steps.redo.append({commit, branch, undone->name, files});
        } else {
            steps.undo.append({commit, branch, made.subject, files});
            steps.redo.clear();
        }
    }
    qsizetype looked = 0;
    for (auto made = all.crbegin(); made != all.crend(); ++made) {
        const auto same = [&made](const UndoStep &step) { return step.commit == made->operation.commit; };
        if (made->tip.isEmpty() || (std::ranges::none_of(steps.undo, same) && std::ranges::none_of(steps.redo, same)))
            continue;
        // Older ones are checked when their turn comes.
        if (++looked > mostTexts)
            break;
        const QList<Made> later(made.base(), all.cend());
        if (!isReplaced(*made, later, *opened))
            continue;
        steps.undo.removeIf(same);
        steps.redo.removeIf(same);
    }
    return steps;
}

} // namespace tmx
