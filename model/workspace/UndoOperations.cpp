// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/UndoOperations.h"

#include "model/change/ApplyPlan.h"
#include "model/repository/CommitReader.h"
#include "model/repository/RecipePath.h"
#include "model/repository/Repository.h"
#include "model/workspace/Operations.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::UndoOperations)
};

QString undoes()
{
    return Words::tr("undo");
}

/// The texts that were saved when `commit` was made: on the same parent, with the same subject and signature. nullptr:
/// there are none.
const SavedCommit *savedBy(const QList<SavedCommit> &all, const CommitInfo &commit)
{
    const auto found = std::ranges::find_if(all, [&commit](const SavedCommit &saved) {
        return !saved.alone && saved.tip == commit.parent && saved.subject == commit.subject &&
               saved.when == commit.when;
    });
    return found == all.end() ? nullptr : &*found;
}

/// Says which of the saved texts can be put back once the reading's changes are undone: where the file is again as it
/// was committed when the text stood there, or is gone as it was then.
Result<void> addTexts(UndoReading &undo, const CommitReader &reader, const SavedCommit &saved, bool checkedOut)
{
    undo.saved = saved.ref;
    for (const QString &path : saved.paths) {
        const auto keep = [&] { undo.kept.append(saved.ref + u':' + path); };
        const Result<std::optional<QByteArray>> text = reader.fileAt(saved.commit, path);
        if (!text)
            return text.error();
        const auto change = std::ranges::find(undo.changes, path, &CommittedChange::path);
        if (!checkedOut || !checkEditPath(path) || !checkNoLinkOnTheWay(undo.repository, path)) {
            keep();
            continue;
        }
        std::optional<QByteArray> now;
        if (change != undo.changes.end()) {
            now = change->before;
        } else if (const DiskFile file = readDiskFile(undo.repository, path); file.present) {
            if (file.trouble != FileTrouble::None) {
                keep();
                continue;
            }
            now = file.bytes;
        }
        if (now == *text)
            continue; // it is there
        const Result<std::optional<QByteArray>> then =
            saved.tip.isEmpty() ? std::optional<QByteArray>() : reader.fileAt(saved.tip, path);
        if (!then)
            return then.error();
        if (now == *then)
            undo.texts.append({path, *text, now});
        else
            keep();
    }
    return {};
}

Result<void> checkIsIn(const CommitReader &reader, const UndoReading &undo, const QString &commit)
{
    const Result<bool> isIn = reader.contains(undo.tip, commit);
    if (!isIn)
        return isIn.error();
    if (*isIn)
        return {};
    return Error{undoes(), commit.left(10), Words::tr("it is no commit of branch %1").arg(undo.branch),
                 Words::tr("\"git log %1\" lists those that are; --branch names another branch.").arg(undo.branch)};
}

/// With everything but the texts.
Result<void> addCommit(UndoReading &undo, const Repository &repository, const CommitReader &reader,
                       const QString &commit)
{
    if (const Result<void> isIn = checkIsIn(reader, undo, commit); !isIn)
        return isIn;
    undo.commit = commit;
    undo.isTip = commit == undo.tip;
    Result<QList<CommittedChange>> changes = repository.changesOf(commit);
    if (!changes) {
        Error error = changes.error();
        error.remedy = Words::tr("\"git revert\" undoes such a commit.");
        return error;
    }
    undo.changes = std::move(changes).value();
    return {};
}

} // namespace

Result<UndoReading> readUndo(const QString &path, const QString &branch, const QString &commit)
{
    const Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    UndoReading undo;
    undo.repository = opened->info.workTree;
    undo.branch = branch.isEmpty() ? opened->info.headBranch : branch;
    const auto found = std::ranges::find(opened->info.branches, undo.branch, &BranchRef::name);
    if (found == opened->info.branches.end())
        return Error{undoes(), undo.branch, Words::tr("there is no such branch"), {}};
    undo.tip = found->commit;
    const Result<CommitReader> reader = CommitReader::open(path);
    if (!reader)
        return reader.error();
    const Result<QList<SavedCommit>> saved = opened->repository.savedCommits();
    if (!saved)
        return saved.error();

    // What had nothing to commit came after the branch's last commit. Whatever of it is back already was taken back
    // before.
    for (auto it = saved->crbegin(); commit.isEmpty() && found->checkedOut && it != saved->crend(); ++it) {
        if (!it->alone || it->tip != undo.tip)
            continue;
        UndoReading last = undo;
        if (const Result<void> added = addTexts(last, *reader, *it, true); !added)
            return added.error();
        if (!last.texts.isEmpty())
            return last;
    }
    if (undo.tip.isEmpty() && commit.isEmpty())
        return Error{undoes(), undo.branch, Words::tr("it has no commit"), {}};
    const Result<QString> id = reader->commitOf(commit.isEmpty() ? undo.tip : commit);
    if (!id)
        return id.error();
    if (const auto texts = std::ranges::find(*saved, *id, &SavedCommit::commit); texts != saved->end()) {
        if (const Result<void> isIn = texts->tip.isEmpty() ? Result<void>() : checkIsIn(*reader, undo, texts->tip);
            !isIn)
            return isIn.error();
        const Result<void> added = addTexts(undo, *reader, *texts, found->checkedOut);
        return added ? Result<UndoReading>(undo) : added.error();
    }
    if (const Result<void> added = addCommit(undo, opened->repository, *reader, *id); !added)
        return added.error();
    const Result<CommitInfo> made = reader->infoOf(*id);
    if (!made)
        return made.error();
    if (const SavedCommit *texts = savedBy(*saved, *made)) {
        if (const Result<void> added = addTexts(undo, *reader, *texts, found->checkedOut); !added)
            return added.error();
    }
    return undo;
}

Result<UndoResult> applyUndo(const UndoReading &reading, const QString &message)
{
    const Result<Repository> repository = Repository::open(reading.repository);
    if (!repository)
        return repository.error();
    UndoResult result;
    result.branch = reading.branch;
    result.kept = reading.kept;
    QString tip = reading.tip;
    if (!reading.commit.isEmpty()) {
        const QString text = message.isEmpty() ? u"Undo %1\n\nIts files are as they were before commit %2.\n"_s.arg(
                                                     reading.commit.left(10), reading.commit)
                                               : message;
        const Result<CommitResult> done =
            repository->commitEdits(reading.branch, editsThatUndo(reading.changes), text, reading.tip);
        if (!done) {
            Error error = done.error();
            if (error.remedy.contains(u"nothing was changed"))
                error.remedy =
                    Words::tr("Undoing commit %1 would lose that; nothing was changed.").arg(reading.commit.left(10));
            return error;
        }
        result.commit = tip = done->commit;
        result.subject = done->subject;
    } else if (reading.texts.isEmpty()) {
        return Error{Words::tr("put back the texts of"), reading.saved,
                     reading.kept.isEmpty() ? Words::tr("they are there") : Words::tr("newer ones are in their place"),
                     reading.kept.isEmpty()
                         ? QString()
                         : Words::tr("\"%1\" prints the first.").arg(showCommand(reading.kept.constFirst()))};
    }
    // One by one: what somebody has put in the place of one meanwhile does not keep the others away.
    for (const FileEdit &edit : reading.texts) {
        if (repository->editWorkTree(reading.branch, {edit}, u"Undo %1"_s.arg(reading.saved), tip))
            result.restored.append(edit.path);
        else
            result.kept.append(reading.saved + u':' + edit.path);
    }
    if (!result.kept.isEmpty())
        result.saved = reading.saved;
    return result;
}

} // namespace tmx
