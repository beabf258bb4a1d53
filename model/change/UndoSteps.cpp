// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/UndoSteps.h"

#include "model/change/Undo.h"
#include "model/git/Repository.h"

#include <QHash>
#include <QSet>

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
    QString reverts = {};   ///< CommitInfo::reverts
    bool texts = false;     ///< texts saved without a commit
    QString tip = {};       ///< for files written without a commit: the branch's commit at that time
    QStringList paths = {}; ///< for texts, files and commits that were taken away
    bool gone = false;      ///< taken away and cannot come back: it only cleared the redo list
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

/// Inserts files that were written without a commit.
void addWritten(QList<Made> &made, const RepositoryInfo &info, const QList<WrittenFiles> &written)
{
    for (const WrittenFiles &files : written.last(std::min(most, written.size()))) {
        if (files.branch != info.headBranch)
            continue;
        qsizetype place = made.size();
        while (place > 0 && made.at(place - 1).operation.when > files.when)
            --place;
        made.insert(place, {.operation = {files.commit, files.commit, files.branch, files.when, {}},
                            .subject = files.subject,
                            .tip = files.tip,
                            .paths = files.paths});
    }
}

/// Whether the written files were replaced by a commit, also one that was taken away, or by a later step, so that they
/// cannot be undone.
bool isReplaced(const Made &made, const QList<Made> &later, const OpenedRepository &opened)
{
    if (undone(opened, {made.operation.branch, made.operation.commit}))
        return false;
    return made.tip != opened.info.headCommit || std::ranges::any_of(later, [&made](const Made &one) {
               return one.tip.isEmpty() &&
                      std::ranges::any_of(made.paths, [&one](const QString &file) { return one.paths.contains(file); });
           });
}

/// Adds to `tips` the commits that were taken away and can come back onto a branch, one after the other. `times`: how
/// often each commit was made, taken away or brought back.
void addTakenAway(QHash<QString, QSet<QString>> &tips, const QList<AppliedOperation> &operations,
                  const QHash<QString, int> &times, const Repository &repository)
{
    for (const AppliedOperation &operation : operations) { // A parent was made before its child.
        const auto tip = tips.find(operation.branch);
        if (tip == tips.end() || times.value(operation.commit) % 2 != 0)
            continue;
        if (const auto info = repository.infoOf(operation.commit); info && tip->contains(info->parent))
            tip->insert(operation.commit);
    }
}

/// Commits that are in their branches, and those that were taken away, in the order in which that was done.
Result<QList<Made>> madeCommits(const Repository &repository, const QList<AppliedOperation> &operations)
{
    const QList<AppliedOperation> recent = operations.last(std::min(most, operations.size()));
    QHash<QString, int> times;
    for (const AppliedOperation &operation : recent)
        ++times[operation.commit];
    QHash<QString, QString> tips;
    QHash<QString, QSet<QString>> away;
    TM_TRY(found, repository.tips());
    for (const BranchTip &tip : std::as_const(*found)) {
        if (tip.remote)
            continue;
        tips.insert(tip.name, tip.commit);
        away.insert(tip.name, {tip.commit});
    }
    addTakenAway(away, recent, times, repository);
    QList<Made> made;
    QHash<QString, int> seen;
    for (const AppliedOperation &operation : recent) {
        const QString &commit = operation.commit;
        if (!tips.contains(operation.branch))
            continue;
        TM_TRY(there, repository.contains(tips.value(operation.branch), commit));
        const bool last = ++seen[commit] == times.value(commit);
        const bool isEven = times.value(commit) % 2 == 0;
        const bool gone = !*there && !away.value(operation.branch).contains(commit);
        // If git brought it back, it was not taken away.
        if ((*there && last && isEven) || (gone && (seen[commit] > 1 || !isEven)))
            continue;
        TM_TRY(info, repository.infoOf(commit));
        if (gone && !info->reverts.isEmpty())
            continue;
        made.append({.operation = operation, .subject = info->subject, .reverts = info->reverts, .gone = gone});
        if (!*there && !gone)
            made.last().paths = pathsOf(repository, commit);
    }
    return made;
}

/// Removes the step that `made` undid, or that is itself taken away or brought back, from `steps`.
std::optional<UndoStep> takeUndone(QList<UndoStep> &steps, const Made &made)
{
    const CommitInfo info{{}, made.subject, {}, {}, made.reverts};
    const auto undone = std::ranges::find_if(steps, [&](const UndoStep &step) {
        return step.commit == made.operation.commit || isUndoOf(info, step.commit);
    });
    return undone == steps.end() ? std::nullopt : std::optional(steps.takeAt(undone - steps.begin()));
}

} // namespace

QString undoSubject(const QString &commit)
{
    return undoPrefix + commit.left(digits);
}

QString revertMessage(const QString &subject, const QString &commit)
{
    const QString reverted = u"Revert \""_s;
    const bool isRevert = subject.startsWith(reverted) && !subject.sliced(reverted.size()).startsWith(reverted);
    const QString own = isRevert ? u"Reapply \""_s + subject.sliced(reverted.size()) : reverted + subject + u'"';
    return u"%1\n\nThis reverts commit %2.\n"_s.arg(own, commit);
}

bool isTakenAway(const QList<AppliedOperation> &operations, const QString &commit)
{
    const auto times = std::ranges::count(operations, commit, &AppliedOperation::commit);
    return times > 0 && times % 2 == 0;
}

QStringList pathsOf(const Repository &repository, const QString &commit)
{
    QStringList paths;
    if (const auto changes = repository.changesOf(commit)) {
        for (const CommittedChange &change : *changes)
            paths.append(change.path);
    }
    return paths;
}

bool isUndoOf(const CommitInfo &info, const QString &commit)
{
    return (!info.reverts.isEmpty() && info.reverts == commit) || info.subject == undoSubject(commit);
}

Result<QList<BranchCommit>> commitsOf(const QString &path, const QString &branch, qsizetype most)
{
    TM_TRY(repository, Repository::open(path));
    TM_TRY(operations, repository->operations());
    TM_TRY(tip, repository->commitOf(u"refs/heads/"_s + branch));
    QList<BranchCommit> commits;
    for (QString commit = *tip; !commit.isEmpty() && commits.size() < most;) {
        const Result<CommitInfo> info = repository->infoOf(commit);
        if (!info && commits.isEmpty())
            return info.error();
        if (!info)
            break; // A shallow or damaged clone ends here.
        const bool own = std::ranges::find(*operations, commit, &AppliedOperation::commit) != operations->end();
        commits.append({commit, *info, own});
        commit = info->parent;
    }
    return commits;
}

Result<UndoSteps> undoSteps(const QString &path)
{
    TM_TRY(opened, openWithInfo(path));
    return stepsOf(*opened);
}

Result<UndoSteps> stepsOf(const OpenedRepository &opened)
{
    const Repository &repository = opened.repository;
    TM_TRY(operations, repository.operations());
    TM_TRY(saved, repository.savedCommits());
    TM_TRY(written, repository.writtenFiles());
    TM_TRY(made, madeCommits(repository, *operations));
    QList<Made> all = std::move(made).value();
    addWritten(all, opened.info, *written);
    addTexts(all, opened, *saved, *written);
    UndoSteps steps;
    for (const Made &made : std::as_const(all)) {
        const QString &commit = made.operation.commit;
        const QString &branch = made.operation.branch;
        const bool files = !made.tip.isEmpty();
        if (made.gone) {
            steps.redo.clear();
        } else if (made.texts) {
            steps.undo.append({commit, branch, made.subject, true});
            steps.redo.clear();
        } else if (const auto redone = takeUndone(steps.redo, made)) {
            steps.undo.append({commit, branch, redone->name, files});
        } else if (const auto undone = takeUndone(steps.undo, made)) {
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
        if (!isReplaced(*made, later, opened))
            continue;
        steps.undo.removeIf(same);
        steps.redo.removeIf(same);
    }
    for (QList<UndoStep> *list : {&steps.undo, &steps.redo}) {
        if (list->isEmpty() || list->constLast().texts)
            continue;
        UndoStep &next = list->last();
        if (!repository.parentToReturnTo(next.branch, next.commit).isEmpty())
            next.way = UndoStep::Way::Back;
        else if (isTakenAway(*operations, next.commit))
            next.way = UndoStep::Way::Forth;
    }
    return steps;
}

} // namespace tmx
