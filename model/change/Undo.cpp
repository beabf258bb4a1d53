// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Undo.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/change/BranchFile.h"
#include "model/change/Change.h"
#include "model/change/Check.h"
#include "model/change/Preparation.h"
#include "model/change/UndoSteps.h"
#include "model/git/DiskFile.h"
#include "model/git/EditPath.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString undoing()
{
    return Tr::tr("undo");
}

/// Prepares one undo.
class Undoing
{
public:
    Undoing(const OpenedRepository &opened, const BranchRef &branch)
        : m_opened(opened)
        , m_checkedOut(branch.checkedOut)
    {
        m_changes.branch = branch.name;
        m_changes.parentCommit = branch.commit;
    }

    Result<QList<ChangeSet>> undo(const QString &commit);

private:
    Result<bool> addLastTexts(const QList<SavedCommit> &saved, const QList<WrittenFiles> &written);
    Result<void> addWritten(const WrittenFiles &written);
    Result<QString> addCommit(const QString &commit);
    Result<void> addFiles(const QString &commit, const QString &saved, bool back);
    Result<void> addTexts(const SavedCommit &saved);
    Result<void> checkIsIn(const QString &commit) const;
    [[nodiscard]] QString lastStep() const;
    [[nodiscard]] QStringList takenAway(const QList<AppliedOperation> &operations, const QDateTime &after) const;
    Result<std::optional<QByteArray>> asLeft(const CommittedChange &change, const QString &saved) const;

    const OpenedRepository &m_opened;
    const bool m_checkedOut;
    ChangeSet m_changes;
};

Result<void> Undoing::checkIsIn(const QString &commit) const
{
    TM_TRY(isIn, m_opened.repository.contains(m_changes.parentCommit, commit));
    if (*isIn)
        return {};
    const QString &branch = m_changes.branch;
    return Error{undoing(), commit.left(10), Tr::tr("it is not a commit of branch %1").arg(branch),
                 Tr::tr("\"git log %1\" lists its commits; --branch selects another branch.").arg(branch)};
}

/// The commit of a ref; empty: none.
QString commitNamed(const QString &ref, const Repository &reader)
{
    const Result<QString> commit = ref.isEmpty() ? Result<QString>(QString()) : reader.commitOf(ref);
    return commit ? *commit : QString();
}

/// Of the operation whose commit `made` took back: the commit that holds the texts it replaced; empty:
/// none.
QString savedOfUndone(const CommitInfo &made, const QList<AppliedOperation> &operations, const Repository &reader)
{
    const auto undone = std::ranges::find_if(
        operations, [&made](const AppliedOperation &operation) { return isUndoOf(made, operation.commit); });
    return undone == operations.end() ? QString() : commitNamed(undone->saved, reader);
}

/// The file as the commit left it, in the branch and in the work tree; there it may be a text of `saved`, which the
/// commit put back.
Result<std::optional<QByteArray>> Undoing::asLeft(const CommittedChange &change, const QString &saved) const
{
    TM_TRY(now, m_opened.repository.fileAt(m_changes.parentCommit, change.path));
    if (m_checkedOut && *now == change.after) {
        const DiskFile file = readDiskFile(m_opened.info.workTree, change.path);
        now = file.present ? std::optional(file.bytes) : std::nullopt;
        if (!saved.isEmpty() && *now) {
            const Result<std::optional<QByteArray>> text = m_opened.repository.fileAt(saved, change.path);
            if (text && sameText(*text, *now))
                return now;
        }
    }
    if (sameText(*now, change.after))
        return change.after;
    return Error{
        undoing(), change.path, *now ? Tr::tr("it has changed since that commit") : Tr::tr("the file is gone"),
        Tr::tr("Undoing commit %1 would lose that change; nothing was changed.").arg(m_changes.undoes.left(10))};
}

/// Adds the files of a commit: with their texts from before, or as it left them if it comes `back`. `saved`: texts that
/// may be in the working tree instead of those.
Result<void> Undoing::addFiles(const QString &commit, const QString &saved, bool back)
{
    Result<QList<CommittedChange>> changes = m_opened.repository.changesOf(commit);
    if (!changes) {
        Error error = changes.error();
        error.remedy = Tr::tr("\"git revert\" undoes such a commit.");
        return error;
    }
    for (CommittedChange &change : *changes) {
        if (back)
            std::swap(change.before, change.after);
        TM_TRY(now, asLeft(change, saved));
        m_changes.files.append(
            {.action = !change.before ? ChangeAction::Delete
                       : !*now        ? ChangeAction::Create
                                      : ChangeAction::Rewrite,
             .path = change.path,
             .before = *now,
             .after = change.before,
             .reason = back ? Tr::tr("As the commit left it.") : Tr::tr("Restored to its text before the commit."),
             .chosen = true});
    }
    return {};
}

/// The command that undoes the last change of this program on the branch; empty: there is none.
QString Undoing::lastStep() const
{
    const Result<UndoSteps> steps = stepsOf(m_opened);
    const QList<UndoStep> undo = steps ? steps->undo : QList<UndoStep>();
    const auto last = std::ranges::find(undo.crbegin(), undo.crend(), m_changes.branch, &UndoStep::branch);
    if (last != undo.crend())
        return forSurface(Tr::tr("\"plan --undo --commit %1\" undoes the last change of this program: %2.")
                              .arg(last->commit.left(10), last->name),
                          {});
    return {};
}

/// Adds the files of the commit with their texts from before. Returns the ref of the replaced texts that were never
/// committed; empty if there were none.
Result<QString> Undoing::addCommit(const QString &commit)
{
    const Result<QList<AppliedOperation>> operations = m_opened.repository.operations();
    const Result<CommitInfo> made = m_opened.repository.infoOf(commit);
    if (!operations || !made)
        return operations ? made.error() : operations.error();
    const auto operation = std::ranges::find(*operations, commit, &AppliedOperation::commit);
    const Result<void> isIn = checkIsIn(commit);
    m_changes.undoes = commit;
    if (!isIn && operation != operations->end() && operation->branch == m_changes.branch &&
        isTakenAway(*operations, commit)) {
        if (made->parent != m_changes.parentCommit)
            return Error{undoing(), commit.left(10),
                         Tr::tr("it was taken away, and branch %1 has moved since").arg(m_changes.branch),
                         Tr::tr("\"git cherry-pick %1\" brings it back.").arg(commit.left(10))};
        m_changes.movesTo = commit;
        m_changes.message = made->subject + u'\n';
        TM_CHECK(addFiles(commit, commitNamed(operation->saved, m_opened.repository), true));
        return QString();
    }
    if (!isIn)
        return isIn.error();
    if (operation == operations->end())
        return Error{undoing(), commit.left(10),
                     Tr::tr("this program did not make it: \"%1\" is a commit by %2").arg(made->subject, made->author),
                     joinedSentences({Tr::tr("\"git revert %1\" undoes it.").arg(commit.left(10)), lastStep()})};
    TM_CHECK(addFiles(commit, savedOfUndone(*made, *operations, m_opened.repository), false));
    m_changes.message = revertMessage(made->subject, commit);
    m_changes.movesTo = m_opened.repository.parentToReturnTo(m_changes.branch, commit);
    return operation->saved;
}

/// Restores saved texts if the file will again have the committed text that it had then, or will be missing as it was
/// then. Other texts are listed and stay saved.
Result<void> Undoing::addTexts(const SavedCommit &saved)
{
    m_changes.saved = saved.ref;
    if (m_changes.undoes.isEmpty()) {
        m_changes.undoes = saved.ref;
        m_changes.until = ChangeSet::Until::WorkTree;
        m_changes.message = undoSubject(saved.commit) + u'\n';
    }
    // Then it is noted like all that is written without a commit, so that it can be undone in its turn.
    const bool alone = m_changes.undoes == saved.ref;
    for (const QString &path : saved.paths) {
        const auto keep = [&] {
            m_changes.files.append({.path = path,
                                    .reason = path.startsWith("staged/"_L1)
                                                  ? Tr::tr("It was staged and is not staged again.")
                                                  : Tr::tr("Not restored: the file has changed since."),
                                    .possible = false});
        };
        const Result<std::optional<QByteArray>> text = m_opened.repository.fileAt(saved.commit, path);
        const Result<std::optional<QByteArray>> then =
            saved.tip.isEmpty() ? std::optional<QByteArray>() : m_opened.repository.fileAt(saved.tip, path);
        if (!text || !then)
            return text ? then.error() : text.error();
        if (!m_checkedOut || !checkEditPath(path) || !checkNoLinkOnTheWay(m_opened.info.workTree, path)) {
            keep();
            continue;
        }
        const auto undone = std::ranges::find(m_changes.files, path, &ChangedFile::path);
        const DiskFile disk = readDiskFile(m_opened.info.workTree, path);
        if (disk.present && disk.trouble == FileTrouble::Unreadable)
            return Error{undoing(), path, troubleWords(disk.trouble), Tr::tr("Check its permissions and the disk.")};
        std::optional<QByteArray> now = disk.present ? std::optional(disk.bytes) : std::nullopt;
        if (undone != m_changes.files.end())
            now = undone->after;
        else if (disk.present && disk.trouble != FileTrouble::None)
            now = *text ? std::nullopt : std::optional<QByteArray>("");
        if (now == *text)
            continue; // It is there.
        if (now != *then)
            keep();
        else if (undone != m_changes.files.end())
            undone->uncommitted = *text;
        else
            m_changes.files.append({.action = now ? ChangeAction::Rewrite : ChangeAction::Create,
                                    .path = path,
                                    .before = now,
                                    .after = alone ? *text : now,
                                    .uncommitted = *text,
                                    .reason = Tr::tr("It was not committed."),
                                    .chosen = true});
    }
    return {};
}

/// Adds files that were written without a commit with their texts from before, only in the working tree (and the
/// index).
Result<void> Undoing::addWritten(const WrittenFiles &written)
{
    const auto refused = [](const QString &path, const QString &why, const QString &remedy) {
        return Error{undoing(), path, why, remedy};
    };
    if (!m_checkedOut)
        return refused(written.branch, Tr::tr("the branch is not checked out"), Tr::tr("Check it out first."));
    m_changes.undoes = written.commit;
    m_changes.until = written.index ? ChangeSet::Until::Index : ChangeSet::Until::WorkTree;
    m_changes.message = undoSubject(written.commit) + u'\n';
    for (const QString &path : written.paths) {
        const Result<std::optional<QByteArray>> before =
            m_opened.repository.fileAt(written.commit, u"before/"_s + path);
        const Result<std::optional<QByteArray>> after = m_opened.repository.fileAt(written.commit, u"after/"_s + path);
        const Result<std::optional<QByteArray>> then = m_opened.repository.fileAt(written.tip, path);
        const Result<std::optional<QByteArray>> committed = m_opened.repository.fileAt(m_changes.parentCommit, path);
        for (const auto *text : {&before, &after, &then, &committed}) {
            if (!*text)
                return text->error();
        }
        if (*then != *committed)
            return refused(path, Tr::tr("it has been committed since"), Tr::tr("\"git revert\" undoes a commit."));
        const DiskFile disk = readDiskFile(m_opened.info.workTree, path);
        const std::optional<QByteArray> now = disk.present ? std::optional(disk.bytes) : std::nullopt;
        if (!sameText(now, *after))
            return refused(path,
                           now      ? Tr::tr("it has changed since it was written")
                           : *after ? Tr::tr("the file is gone")
                                    : Tr::tr("the file exists again"),
                           Tr::tr("Undoing \"%1\" would lose that change; nothing was changed.").arg(written.subject));
        m_changes.files.append({.action = !now       ? ChangeAction::Create
                                          : !*before ? ChangeAction::Delete
                                                     : ChangeAction::Rewrite,
                                .path = path,
                                .before = now,
                                .after = *before,
                                .reason = Tr::tr("Restored to its text before it was written."),
                                .chosen = true});
    }
    return {};
}

/// The paths of commits that were taken away from the branch's last one after that time.
QStringList Undoing::takenAway(const QList<AppliedOperation> &operations, const QDateTime &after) const
{
    QStringList paths;
    for (const AppliedOperation &operation : operations) {
        if (operation.when < after || operation.branch != m_changes.branch ||
            !isTakenAway(operations, operation.commit))
            continue;
        const Result<CommitInfo> info = m_opened.repository.infoOf(operation.commit);
        if (info && info->parent == m_changes.parentCommit)
            paths += pathsOf(m_opened.repository, operation.commit);
    }
    return paths;
}

/// Handles steps without a commit after the branch's last commit. Returns false if nothing can be restored. Error: what
/// was written last has changed since.
Result<bool> Undoing::addLastTexts(const QList<SavedCommit> &saved, const QList<WrittenFiles> &written)
{
    const ChangeSet before = m_changes;
    TM_TRY(operations, m_opened.repository.operations());
    QStringList later; // paths of later steps that are restored already
    auto texts = saved.crbegin();
    auto files = written.crbegin();
    while (m_checkedOut && (texts != saved.crend() || files != written.crend())) {
        const bool isFiles = files != written.crend() && (texts == saved.crend() || files->when >= texts->when);
        if (isFiles && files->branch == m_changes.branch && files->tip == m_changes.parentCommit) {
            const Result<void> added = addWritten(*files);
            if (added)
                return true;
            const QStringList replaced = later + takenAway(*operations, files->when);
            if (std::ranges::none_of(files->paths, [&](const QString &path) { return replaced.contains(path); }))
                return added.error();
        } else if (!isFiles && texts->alone && texts->tip == m_changes.parentCommit) {
            TM_CHECK(addTexts(*texts));
            if (!m_changes.isEmpty())
                return true;
            later += texts->paths;
        }
        m_changes = before;
        if (isFiles)
            ++files;
        else
            ++texts;
    }
    return false;
}

Result<QList<ChangeSet>> Undoing::undo(const QString &commit)
{
    const Result<QList<SavedCommit>> saved = m_opened.repository.savedCommits();
    const Result<QList<WrittenFiles>> written = m_opened.repository.writtenFiles();
    if (!saved || !written)
        return saved ? written.error() : saved.error();
    if (commit.isEmpty()) {
        TM_TRY(last, addLastTexts(*saved, *written));
        if (*last)
            return QList{m_changes};
        if (m_changes.parentCommit.isEmpty())
            return Error{undoing(), m_changes.branch, Tr::tr("it has no commit"), {}};
    }
    TM_TRY(id, m_opened.repository.commitOf(commit.isEmpty() ? m_changes.parentCommit : commit));
    if (const auto files = std::ranges::find(*written, *id, &WrittenFiles::commit); files != written->end()) {
        const Result<void> added = addWritten(*files);
        return added ? Result<QList<ChangeSet>>(QList{m_changes}) : added.error();
    }
    const SavedCommit *texts = nullptr;
    if (const auto found = std::ranges::find(*saved, *id, &SavedCommit::commit); found != saved->end()) {
        texts = &*found;
        TM_CHECK(texts->tip.isEmpty() ? Result<void>() : checkIsIn(texts->tip));
    } else {
        TM_TRY(ref, addCommit(*id));
        if (const auto its = std::ranges::find(*saved, *ref, &SavedCommit::ref); its != saved->end())
            texts = &*its;
    }
    TM_CHECK(texts ? addTexts(*texts) : Result<void>());
    if (!m_changes.isEmpty())
        return QList{m_changes};
    const bool newer = !m_changes.files.isEmpty();
    return Error{Tr::tr("restore the texts of"), m_changes.saved,
                 newer ? Tr::tr("the files have changed since") : Tr::tr("the files already contain them"),
                 newer ? Tr::tr("\"%1\" prints the first of them.")
                             .arg(showCommand(m_changes.saved + u':' + m_changes.files.constFirst().path))
                       : QString()};
}

} // namespace

Result<QList<ChangeSet>> undone(const OpenedRepository &opened, const UndoRequest &request)
{
    const QString name = request.branch.isEmpty() ? opened.info.headBranch : request.branch;
    const auto branch = std::ranges::find(opened.info.branches, name, &BranchRef::name);
    if (branch == opened.info.branches.end())
        return Error{undoing(), name, Tr::tr("there is no such branch"), {}};
    QString commit = request.commit;
    if (request.redo) {
        TM_TRY(steps, stepsOf(opened));
        const auto last = std::find_if(steps->redo.crbegin(), steps->redo.crend(),
                                       [&name](const UndoStep &step) { return step.branch == name; });
        if (last == steps->redo.crend())
            return Error{Tr::tr("redo"), name, Tr::tr("nothing was undone last"), {}};
        commit = last->commit;
    }
    return Undoing(opened, *branch).undo(commit);
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const UndoRequest &request)
{
    Result<QList<ChangeSet>> changes = undone(preparation.opened, request);
    if (!changes || std::ranges::none_of(changes->constFirst().files, removes))
        return changes;
    TM_TRY(read, preparation.read(request.branch, preparation.hooks));
    preparation.nameBereaved(changes->first(), *read->snapshot);
    return changes;
}

} // namespace tmx
