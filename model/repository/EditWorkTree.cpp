// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/EditWorkTree.h"

#include "model/repository/CommitMaker.h"
#include "model/repository/GitError.h"
#include "model/repository/RecipePath.h"
#include "model/repository/SavedTexts.h"
#include "model/repository/WorkTreeEdits.h"

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int attempts = 5;

/// What becomes of work tree and index, and the texts that nothing else holds.
struct Outlook {
    QList<WorkTreeEdit> files;
    QList<FileChange> staged;
    QList<SavedText> uncommitted;
};

Result<DiskFile> asExpected(const QString &workTree, const FileEdit &edit)
{
    if (const Result<void> usable = checkEditPath(edit.path); !usable)
        return usable.error();
    if (const Result<void> usable = checkNoLinkOnTheWay(workTree, edit.path); !usable)
        return usable.error();
    DiskFile now = readDiskFile(workTree, edit.path);
    if (now.present && now.trouble != FileTrouble::None)
        return Error{Tr::tr("write"), edit.path, Tr::tr("what is there is no regular, readable text"),
                     Tr::tr("Move it away first.")};
    if (now.present != edit.expected.has_value() || (now.present && now.bytes != *edit.expected))
        return Error{Tr::tr("write"), edit.path, Tr::tr("it is another file than the one that was looked at"),
                     Tr::tr("Look at it again first; nothing was changed.")};
    return now;
}

Result<Outlook> lookAt(const OpenRepository &repository, const QList<FileEdit> &edits, const QString &tip)
{
    const Result<GitIndex> index = readIndex(repository.indexPath());
    if (!index)
        return index.error();
    GitTree tree;
    if (!tip.isEmpty()) {
        Result<GitTree> found = treeOf(repository, tip);
        if (!found)
            return found.error();
        tree = std::move(found).value();
    }
    Outlook outlook;
    for (const FileEdit &edit : edits) {
        const Result<DiskFile> now = asExpected(repository.workTree, edit);
        if (!now)
            return now.error();
        outlook.files.append({edit.path, edit.text, edit.expected, mode_t(now->info.st_mode & 07777)});
        const bool replaced = edit.expected && edit.expected != edit.text;
        const Result<QList<SavedText>> uncommitted =
            uncommittedTexts(repository, tree.get(), index->get(), edit.path, replaced ? edit.expected : std::nullopt);
        if (!uncommitted)
            return uncommitted.error();
        outlook.uncommitted.append(*uncommitted);

        // The index holds such a file as the commit does, so that what was only added to it is gone from there as well.
        FileChange change;
        change.path = edit.path;
        change.untracked = true;
        GitTreeEntry entry;
        change.gone = !tree || obtain(entry, git_tree_entry_bypath, tree.get(), edit.path.toUtf8().constData()) != 0;
        const git_index_entry *staged = git_index_get_bypath(index->get(), edit.path.toUtf8().constData(), 0);
        if (!change.gone) {
            change.id = *git_tree_entry_id(entry.get());
            change.mode = git_tree_entry_filemode(entry.get());
        }
        if (change.gone ? staged != nullptr : !staged || !git_oid_equal(&staged->id, &change.id))
            outlook.staged.append(change);
    }
    return outlook;
}

/// nullopt: the index changed meanwhile; try again.
Result<std::optional<QString>> attempt(const OpenRepository &repository, const Journal &journal,
                                       const CommitMaker &maker, const QString &branch, const QList<FileEdit> &edits,
                                       const QString &subject)
{
    const QString what = Tr::tr("write");
    if (const Result<QString> same = maker.checkHead(branch); !same)
        return same.error();
    const Result<Outlook> outlook = lookAt(repository, edits, maker.expectedTip());
    if (!outlook)
        return outlook.error();
    if (const Result<void> done = WorkTreeEdits::layDown(journal.folder(), repository.workTree, outlook->files, what);
        !done)
        return done.error();
    IndexUpdate index(repository, journal, what);
    if (!outlook->staged.isEmpty()) {
        if (const Result<void> done = index.prepare(outlook->staged); !done)
            return done.error();
        const Result<bool> locked = index.lock();
        if (!locked)
            return locked.error();
        if (!*locked)
            return std::optional<QString>();
    }
    // Kept before the first file changes: whatever ends this, every text is somewhere.
    Result<QString> saved =
        saveWithoutCommit(repository, journal, branch, maker.expectedTip(), subject, outlook->uncommitted);
    if (!saved)
        return saved.error();
    const Result<void> changed = WorkTreeEdits::carryOut(journal.folder(), what);
    if (!outlook->staged.isEmpty()) {
        if (const Result<void> done = index.publish(); !done)
            return done.error();
    }
    if (!changed)
        return changed.error();
    return std::optional(std::move(saved).value());
}

} // namespace

Result<QString> editWorkTree(const OpenRepository &repository, const QString &branch, const QList<FileEdit> &edits,
                             const QString &subject, const QString &expectedTip)
{
    const CommitMaker maker(repository, expectedTip);
    const Result<Journal> journal = Journal::take(repository, Tr::tr("write"));
    if (!journal)
        return journal.error();
    for (int i = 0; i < attempts; ++i) {
        Result<std::optional<QString>> saved = attempt(repository, *journal, maker, branch, edits, subject);
        if (!saved)
            return saved.error();
        if (*saved)
            return **saved;
    }
    return Error{Tr::tr("write"), repository.indexPath(), Tr::tr("another program keeps changing it"),
                 Tr::tr("Try again when it is done.")};
}

} // namespace tmx
