// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/CommitEdits.h"

#include "model/repository/CommitMaker.h"
#include "model/repository/GitError.h"
#include "model/repository/GitFilter.h"
#include "model/repository/ObjectBatch.h"
#include "model/repository/RecipePath.h"
#include "model/repository/SavedTexts.h"
#include "model/repository/WorkTreeEdits.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int attempts = 5;

Error notAsSeen(const QString &path, bool present, bool expected)
{
    const QString why = !present   ? Tr::tr("the file is gone")
                        : expected ? Tr::tr("another text is there than the one that was looked at")
                                   : Tr::tr("a file of that name is there already");
    return {Tr::tr("write"), path, why, Tr::tr("Look at it again first; nothing was changed.")};
}

Result<void> checkEdits(const CommitMaker &maker, const QList<FileEdit> &edits)
{
    if (edits.isEmpty())
        return maker.refused(Tr::tr("no file was chosen"));
    QSet<QString> paths;
    for (const FileEdit &edit : edits) {
        if (const Result<void> usable = checkEditPath(edit.path); !usable)
            return usable;
        if (paths.contains(edit.path))
            return Error{maker.what(), edit.path, Tr::tr("it is named twice"), {}};
        paths.insert(edit.path);
        if (edit.text && (!isText(*edit.text) || edit.text->size() > maxRecipeBytes))
            return Error{maker.what(), edit.path, Tr::tr("this is no text of at most 1 MiB"), {}};
    }
    return {};
}

/// The edits of a branch that is checked out here: what is on disk, and what it becomes.
class EditsHere
{
public:
    EditsHere(const OpenRepository &repository, const CommitMaker &maker, const Journal &journal, const QString &branch,
              const QList<FileEdit> &edits)
        : m_repository(repository)
        , m_maker(maker)
        , m_journal(journal)
        , m_branch(branch)
        , m_edits(edits)
    {
    }

    /// nullopt: the index changed meanwhile; try again.
    Result<std::optional<CommitResult>> attempt();

private:
    Result<DiskFile> asExpected(const FileEdit &edit) const;
    Result<void> look();
    Result<void> save();
    void refreshStat() const;

    const OpenRepository &m_repository;
    const CommitMaker &m_maker;
    const Journal &m_journal;
    const QString m_branch;
    const QList<FileEdit> &m_edits;
    QList<FileChange> m_changes;
    QList<WorkTreeEdit> m_files;
    QList<SavedText> m_uncommitted;
    QString m_saved;
};

Result<DiskFile> EditsHere::asExpected(const FileEdit &edit) const
{
    if (const Result<void> usable = checkNoLinkOnTheWay(m_repository.workTree, edit.path); !usable)
        return usable.error();
    DiskFile now = readDiskFile(m_repository.workTree, edit.path);
    if (now.present && now.trouble != FileTrouble::None)
        return Error{Tr::tr("write"), edit.path, Tr::tr("what is there is no regular, readable text"),
                     Tr::tr("Move it away first.")};
    if (now.present != edit.expected.has_value())
        return notAsSeen(edit.path, now.present, edit.expected.has_value());
    if (now.present && now.bytes != *edit.expected) {
        // A caller that knows the committed text alone: line ends that attributes change are no difference.
        const Result<QByteArray> stored = toStored(m_repository, edit.path, now.bytes);
        if (!stored || *stored != *edit.expected)
            return notAsSeen(edit.path, true, true);
    }
    return now;
}

/// Compares each file with what is expected, stores the new texts, and lists what no commit holds.
Result<void> EditsHere::look()
{
    const bool executableBit = usesExecutableBit(m_repository);
    git_attr_cache_flush(m_repository.git());
    m_changes.clear();
    m_files.clear();
    m_uncommitted.clear();
    const Result<GitIndex> index = readIndex(m_repository.indexPath());
    if (!index)
        return index.error();
    GitTree tip;
    if (!m_maker.expectedTip().isEmpty()) {
        Result<GitTree> tree = treeOf(m_repository, m_maker.expectedTip());
        if (!tree)
            return tree.error();
        tip = std::move(tree).value();
    }
    for (const FileEdit &edit : m_edits) {
        const Result<DiskFile> now = asExpected(edit);
        if (!now)
            return now.error();
        FileChange change;
        change.path = edit.path;
        change.gone = !edit.text;
        change.untracked = true;
        change.mode = executableBit && now->present && (now->info.st_mode & S_IXUSR) ? GIT_FILEMODE_BLOB_EXECUTABLE
                                                                                     : GIT_FILEMODE_BLOB;
        if (edit.text) {
            const Result<QByteArray> stored = toStored(m_repository, edit.path, *edit.text);
            if (!stored)
                return stored.error();
            if (git_blob_create_from_buffer(&change.id, m_repository.git(), stored->constData(),
                                            size_t(stored->size())) < 0)
                return gitError(m_maker.what(), edit.path);
        }
        m_changes.append(change);
        m_files.append({edit.path, edit.text, now->present ? std::optional(now->bytes) : std::nullopt,
                        mode_t(now->info.st_mode & 07777)});

        const QByteArray path = edit.path.toUtf8();
        GitTreeEntry entry;
        git_oid committed{};
        if (tip && obtain(entry, git_tree_entry_bypath, tip.get(), path.constData()) == 0)
            committed = *git_tree_entry_id(entry.get());
        git_oid onDisk = committed;
        if (now->present) {
            const Result<QByteArray> stored = toStored(m_repository, edit.path, now->bytes);
            if (!stored)
                return stored.error();
            onDisk = blobId(*stored);
            if (!git_oid_equal(&onDisk, &committed) && !git_oid_equal(&onDisk, &change.id)) {
                if (git_blob_create_from_buffer(&onDisk, m_repository.git(), stored->constData(),
                                                size_t(stored->size())) < 0)
                    return gitError(m_maker.what(), edit.path);
                m_uncommitted.append({edit.path, onDisk, change.mode});
            }
        }
        const git_index_entry *staged = git_index_get_bypath(index->get(), path.constData(), 0);
        if (staged && git_index_entry_stage(staged) == 0 && !git_oid_equal(&staged->id, &committed) &&
            !git_oid_equal(&staged->id, &onDisk) && !git_oid_equal(&staged->id, &change.id) &&
            staged->mode != GIT_FILEMODE_COMMIT)
            m_uncommitted.append({u"staged/"_s + edit.path, staged->id, staged->mode});
    }
    return {};
}

Result<void> EditsHere::save()
{
    Result<QString> saved = saveTexts(m_repository, m_journal, m_maker, m_branch, m_uncommitted);
    if (!saved)
        return saved.error();
    m_saved = std::move(saved).value();
    return {};
}

Result<std::optional<CommitResult>> EditsHere::attempt()
{
    const QString &what = m_maker.what();
    ObjectBatch objects(m_repository, m_edits.size());
    if (const Result<void> looked = look(); !looked)
        return looked.error();
    const Result<git_oid> tree = m_maker.makeTree(m_changes, m_branch);
    if (!tree)
        return tree.error();
    IndexUpdate index(m_repository, m_journal, what);
    if (const Result<void> done = index.prepare(m_changes); !done)
        return done.error();
    if (index.hasConflicts())
        return m_maker.refused(Tr::tr("files are in conflict"), Tr::tr("Resolve the conflicts first."));
    const Result<git_oid> commit = m_maker.makeCommit(*tree);
    if (!commit)
        return commit.error();
    if (const Result<void> done = objects.write(what); !done)
        return done.error();
    if (const Result<void> done = m_maker.writeRefFile(m_journal, *commit); !done)
        return done.error();
    if (const Result<void> done = WorkTreeEdits::layDown(m_journal.folder(), m_repository.workTree, m_files, what);
        !done)
        return done.error();

    const Result<HeldLock> headLock = HeldLock::take(m_journal.refFile(), m_repository.gitFolder + u"/HEAD"_s, what);
    if (!headLock)
        return headLock.error();
    Result<HeldLock> branchLock = m_maker.lockBranch(m_journal, m_branch);
    if (!branchLock)
        return branchLock.error();
    if (const Result<QString> same = m_maker.checkHead(m_branch); !same)
        return same.error();
    const Result<bool> locked = index.lock();
    if (!locked)
        return locked.error();
    if (!*locked)
        return std::optional<CommitResult>();
    for (const FileEdit &edit : m_edits) {
        if (const Result<DiskFile> same = asExpected(edit); !same)
            return same.error();
    }
    if (const Result<void> done = save(); !done)
        return done.error();

    m_maker.log(m_branch, *commit, true);
    if (const Result<void> decided = m_journal.decide(what); !decided)
        return decided.error();
    // The commit stands from here on. A file that cannot be changed differs from it afterwards, as git status shows.
    const Result<void> changed = WorkTreeEdits::carryOut(m_journal.folder(), what);
    if (const Result<void> done = index.publish(); !done)
        return done.error();
    if (const Result<void> done = branchLock->publish(what); !done)
        return done.error();
    refreshStat();
    if (!changed) {
        Error error = changed.error();
        error.remedy =
            Tr::tr("The commit %1 was made; \"git restore\" brings that file to it.").arg(toHex(*commit).left(10));
        return error;
    }
    CommitResult result = m_maker.result(*commit, m_branch);
    result.saved = m_saved;
    return std::optional(result);
}

/// The index tells git to compare these files (they were not there when it was made). Spares it that; not worth an
/// error.
void EditsHere::refreshStat() const
{
    const QList<FileChange> settled = withStat(m_repository, m_changes);
    IndexUpdate index(m_repository, m_journal, m_maker.what());
    if (settled.isEmpty() || !index.prepare(settled))
        return;
    if (const Result<bool> locked = index.lock(); locked && *locked)
        static_cast<void>(index.publish());
}

Result<CommitResult> commitHere(const OpenRepository &repository, CommitMaker &maker, const QString &branch,
                                const QList<FileEdit> &edits, const QString &message)
{
    if (const Result<void> quiet = nothingUnderWay(repository); !quiet)
        return quiet.error();
    if (const Result<void> begun = maker.begin(message); !begun)
        return begun.error();
    const Result<Journal> journal = Journal::take(repository, maker.what());
    if (!journal)
        return journal.error();
    if (const Result<QString> same = maker.checkHead(branch); !same)
        return same.error();
    EditsHere here(repository, maker, *journal, branch, edits);
    for (int i = 0; i < attempts; ++i) {
        const Result<std::optional<CommitResult>> outcome = here.attempt();
        if (!outcome)
            return outcome.error();
        if (*outcome)
            return **outcome;
    }
    return Error{maker.what(), repository.indexPath(), Tr::tr("another program keeps changing it"),
                 Tr::tr("Try again when it is done.")};
}

/// The edits as changes of the tree of the commit that the maker expects. Error: a file is not as expected there.
Result<QList<FileChange>> changesIn(const OpenRepository &repository, const CommitMaker &maker, const QString &branch,
                                    const QList<FileEdit> &edits)
{
    GitTree tip;
    if (!maker.expectedTip().isEmpty()) {
        Result<GitTree> tree = treeOf(repository, maker.expectedTip());
        if (!tree)
            return tree.error();
        tip = std::move(tree).value();
    }
    QList<FileChange> changes;
    for (const FileEdit &edit : edits) {
        FileChange change;
        change.path = edit.path;
        change.gone = !edit.text;
        change.mode = GIT_FILEMODE_BLOB;
        GitTreeEntry entry;
        const bool there = tip && obtain(entry, git_tree_entry_bypath, tip.get(), edit.path.toUtf8().constData()) == 0;
        if (there && !edit.expected)
            return Error{maker.what(), edit.path, Tr::tr("the branch %1 has that file already").arg(branch), {}};
        if (!there && edit.expected)
            return Error{maker.what(), edit.path, Tr::tr("the branch %1 has no such file").arg(branch),
                         Tr::tr("Look at it again first.")};
        if (there) {
            change.mode = git_tree_entry_filemode(entry.get());
            if (change.mode != GIT_FILEMODE_BLOB && change.mode != GIT_FILEMODE_BLOB_EXECUTABLE)
                return Error{
                    maker.what(), edit.path, Tr::tr("what the branch %1 has there is no regular file").arg(branch), {}};
            const git_oid expected = blobId(*edit.expected);
            if (!git_oid_equal(&expected, git_tree_entry_id(entry.get())))
                return notAsSeen(edit.path, true, true);
        }
        if (edit.text && git_blob_create_from_buffer(&change.id, repository.git(), edit.text->constData(),
                                                     size_t(edit.text->size())) < 0)
            return gitError(maker.what(), edit.path);
        changes.append(change);
    }
    return changes;
}

Result<CommitResult> commitElsewhere(const OpenRepository &repository, CommitMaker &maker, const QString &branch,
                                     const QList<FileEdit> &edits, const QString &message)
{
    if (const Result<void> begun = maker.begin(message); !begun)
        return begun.error();
    const Result<Journal> journal = Journal::take(repository, maker.what());
    if (!journal)
        return journal.error();
    if (const Result<void> same = maker.checkOtherBranch(branch); !same)
        return same.error();
    ObjectBatch objects(repository, edits.size());
    Result<QList<FileChange>> changes = changesIn(repository, maker, branch, edits);
    if (!changes)
        return changes.error();
    const Result<git_oid> tree = maker.makeTree(*changes, branch);
    if (!tree)
        return tree.error();
    const Result<git_oid> commit = maker.makeCommit(*tree);
    if (!commit)
        return commit.error();
    if (const Result<void> done = objects.write(maker.what()); !done)
        return done.error();
    if (const Result<void> done = maker.writeRefFile(*journal, *commit); !done)
        return done.error();

    Result<HeldLock> lock = maker.lockBranch(*journal, branch);
    if (!lock)
        return lock.error();
    if (const Result<void> same = maker.checkOtherBranch(branch); !same)
        return same.error();
    maker.log(branch, *commit, false);
    if (const Result<void> done = lock->publish(maker.what()); !done)
        return done.error();
    return maker.result(*commit, branch);
}

} // namespace

Result<CommitResult> commitEdits(const OpenRepository &repository, const QString &branch, const QList<FileEdit> &edits,
                                 const QString &message, const QString &expectedTip)
{
    CommitMaker maker(repository, expectedTip);
    if (const Result<void> usable = checkEdits(maker, edits); !usable)
        return usable.error();
    const Result<Head> head = readHead(repository);
    if (!head)
        return head.error();
    const bool here = branch.isEmpty() || (!head->detached && head->branch == branch);
    return here ? commitHere(repository, maker, head->branch, edits, message)
                : commitElsewhere(repository, maker, branch, edits, message);
}

Result<CommitResult> commitToBranch(const OpenRepository &repository, const QString &branch,
                                    const QList<std::pair<QString, QByteArray>> &files, const QString &message,
                                    const QString &expectedTip)
{
    CommitMaker maker(repository, expectedTip);
    QList<FileEdit> edits;
    for (const auto &[path, text] : files) {
        if (const Result<void> usable = checkRecipePath(path); !usable)
            return usable.error();
        edits.append({path, text, std::nullopt});
    }
    if (const Result<void> usable = checkEdits(maker, edits); !usable)
        return usable.error();
    return commitElsewhere(repository, maker, branch, edits, message);
}

Result<CommitResult> commitToNewBranch(const OpenRepository &repository, const QString &name, const QString &base,
                                       const QList<FileEdit> &edits, const QString &message)
{
    CommitMaker maker(repository, base);
    if (const Result<void> usable = checkEdits(maker, edits); !usable)
        return usable.error();
    if (base.isEmpty())
        return maker.refused(Tr::tr("there is no commit to begin at"));
    if (const Result<void> begun = maker.begin(message); !begun)
        return begun.error();
    const Result<Journal> journal = Journal::take(repository, maker.what());
    if (!journal)
        return journal.error();
    if (const Result<void> isFree = maker.checkNewBranch(name); !isFree)
        return isFree.error();
    ObjectBatch objects(repository, edits.size());
    Result<QList<FileChange>> changes = changesIn(repository, maker, name, edits);
    if (!changes)
        return changes.error();
    const Result<git_oid> tree = maker.makeTree(*changes, name);
    if (!tree)
        return tree.error();
    const Result<git_oid> commit = maker.makeCommit(*tree);
    if (!commit)
        return commit.error();
    if (const Result<void> done = objects.write(maker.what()); !done)
        return done.error();
    if (const Result<void> done = maker.writeRefFile(*journal, *commit); !done)
        return done.error();

    Result<HeldLock> lock = maker.lockNewBranch(*journal, name);
    if (!lock)
        return lock.error();
    if (const Result<void> isFree = maker.checkNewBranch(name); !isFree)
        return isFree.error();
    if (const Result<void> done = lock->publish(maker.what()); !done)
        return done.error();
    maker.log(name, *commit, false);
    return maker.result(*commit, name);
}

} // namespace tmx
