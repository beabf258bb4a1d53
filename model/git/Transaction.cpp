// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/Transaction.h"

#include "model/base/AtomicFile.h"
#include "model/base/Surface.h"
#include "model/git/DiskFile.h"
#include "model/git/EditPath.h"
#include "model/git/GitError.h"
#include "model/git/GitFilter.h"
#include "model/git/IndexReader.h"
#include "model/git/LastCommit.h"
#include "model/git/ObjectBatch.h"
#include "model/git/Recovery.h"
#include "model/git/Reflog.h"
#include "model/git/TemporaryWorkTree.h"
#include "model/git/WorkTreeFiles.h"
#include "model/git/WorkTrees.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr int attempts = 5;

QString shortId(const QString &commit)
{
    return commit.isEmpty() ? Tr::tr("no commit") : commit.left(8);
}

Error notAsSeen(const QString &path, bool present, bool expected)
{
    const QString why = !present   ? Tr::tr("the file is gone")
                        : expected ? Tr::tr("it has changed since it was read")
                                   : Tr::tr("a file with that name already exists");
    return {Tr::tr("write"), path, why, Tr::tr("Check it again first; nothing was changed.")};
}

Result<git_oid> storeBlob(const OpenRepository &repository, const QString &path, const QByteArray &bytes)
{
    git_oid id{};
    if (git_blob_create_from_buffer(&id, repository.git(), bytes.constData(), size_t(bytes.size())) < 0)
        return gitError(Tr::tr("store"), path);
    return id;
}

bool usesExecutableBit(const OpenRepository &repository)
{
    GitConfig config;
    int on = 1;
    if (obtain(config, git_repository_config_snapshot, repository.git()) == 0)
        git_config_get_bool(&on, config.get(), "core.filemode");
    return on;
}

/// The user's identity; if git has none, the program's own: saving texts needs no set-up.
Result<Identity> identityOrOurs(const OpenRepository &repository)
{
    if (Result<Identity> own = identityOf(repository))
        return own;
    Identity identity;
    if (obtain(identity.author, git_signature_now, "Torch Matrix", "torch-matrix@localhost") < 0 ||
        obtain(identity.committer, git_signature_dup, identity.author.get()) < 0)
        return gitError(Tr::tr("write"), repository.workTree);
    return identity;
}

bool isFile(uint32_t mode)
{
    return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
}

/// The mode of a file as it is staged, else as it is committed. Each may be null.
std::optional<uint32_t> knownMode(const git_index_entry *staged, const git_tree_entry *committed)
{
    if (staged && isFile(staged->mode))
        return staged->mode;
    if (committed && isFile(git_tree_entry_filemode(committed)))
        return git_tree_entry_filemode(committed);
    return {};
}

} // namespace

bool Transaction::staysWith(const Edit &edit, const OnDisk &disk, const std::optional<QByteArray> &text)
{
    // If the caller changes nothing, the bytes on disk are kept, whatever attributes would make of them.
    return disk.bytes ? text && (text == disk.bytes || text == edit.before) : !text;
}

Transaction::Transaction(const OpenRepository &repository, const FileChanges &changes, const WorkHooks &hooks)
    : m_repository(repository)
    , m_changes(changes)
    , m_git(repository, hooks)
    , m_until(changes.until)
    , m_branch(changes.branch)
    , m_parent(changes.parentCommit)
{
}

Error Transaction::refused(const QString &why, const QString &remedy) const
{
    return {m_what, m_repository.workTree, why, remedy};
}

Error Transaction::moved(const QString &now) const
{
    return refused(
        Tr::tr("the branch %1 moved meanwhile, from %2 to %3").arg(m_branch, shortId(m_parent), shortId(now)),
        Tr::tr("Check it, then commit again."));
}

/// Decides where the change belongs.
Result<void> Transaction::begin()
{
    m_what = Tr::tr("write");
    if (m_changes.refusal)
        return *m_changes.refusal;
    if (const QStringList errors = m_changes.chosenErrors(); !errors.isEmpty() && !m_changes.forced)
        return refused(Tr::tr("the audit finds errors in the new text"), errors.constFirst());
    TM_TRY(head, readHead(m_repository));
    const bool here = m_branch.isEmpty() || (!head->detached && head->branch == m_branch);
    m_place = m_changes.newBranch ? Place::New : here ? Place::Here : Place::Elsewhere;
    if (m_place != Place::Here && m_until != FileChanges::Until::Commit)
        return Error{m_what, m_branch, Tr::tr("that branch is no longer checked out"), {}};
    if (m_until == FileChanges::Until::Commit)
        m_what = Tr::tr("commit in");
    if (m_place == Place::Here)
        m_branch = head->branch;
    return readChange();
}

Result<void> Transaction::check()
{
    TM_CHECK(begin());
    TM_CHECK(checkPlace());
    if (m_until == FileChanges::Until::Commit)
        TM_CHECK(beginCommit());
    QStringList locks{u"%1/refs/heads/%2.lock"_s.arg(m_repository.commonFolder, m_branch)};
    QStringList folders{m_repository.commonFolder, m_repository.commonFolder + u"/objects"_s};
    if (m_place == Place::Here) {
        locks += {m_repository.indexPath() + u".lock"_s, m_repository.gitFolder + u"/HEAD.lock"_s};
        folders.append(m_repository.gitFolder);
        TM_TRY(index, readIndex(m_repository));
        if (git_index_has_conflicts(index->get()) != 0)
            return refused(Tr::tr("files are in conflict"), Tr::tr("Resolve the conflicts first."));
        for (const Edit &edit : std::as_const(m_edits)) {
            TM_CHECK(asExpected(edit));
            if (const QString folder = QFileInfo(m_repository.workTree + u'/' + edit.path).path();
                QFileInfo::exists(folder) && !folders.contains(folder))
                folders.append(folder);
        }
    }
    for (const QString &lock : std::as_const(locks)) {
        if (QFileInfo::exists(lock))
            return refused(Tr::tr("another git process holds %1").arg(lock), Tr::tr("Try again when it is done."));
    }
    for (const QString &folder : std::as_const(folders)) {
        if (::access(QFile::encodeName(folder).constData(), W_OK) != 0)
            return Error{m_what, folder, QString::fromLocal8Bit(std::strerror(errno)).toLower(), {}};
    }
    return {};
}

Result<Applied> Transaction::run()
{
    TM_CHECK(begin());
    TM_TRY(journal, Journal::take(m_repository, m_what));
    m_journal.emplace(std::move(journal).value());
    m_git.noteIn(&*m_journal);
    for (int i = 0; i < attempts; ++i) {
        m_operation = newOperation(m_branch);
        if (m_until != FileChanges::Until::Commit) {
            TM_TRY(now, readHead(m_repository));
            m_parent = now->commit;
        }
        TM_CHECK(checkPlace());
        const Result<bool> done = attempt();
        m_locks.clear();
        if (!done)
            return done.error();
        if (*done)
            return applied();
    }
    return Error{m_what, m_repository.indexPath(), Tr::tr("another program keeps changing it"),
                 Tr::tr("Try again when it is done.")};
}

Result<void> Transaction::readChange()
{
    if (!fromHex(m_parent))
        return refused(Tr::tr("\"%1\" is not a commit").arg(m_parent));
    if (m_place == Place::New && m_parent.isEmpty())
        return refused(Tr::tr("there is no commit to start from"));
    for (const ChangedFile &file : m_changes.files) {
        if (!file.chosen || file.action == ChangeAction::Keep)
            continue;
        if (file.action == ChangeAction::Rename) {
            m_edits.append({file.path, file.before, std::nullopt, std::nullopt});
            m_edits.append({file.newPath, std::nullopt, file.after, file.uncommitted});
        } else {
            m_edits.append({file.path, file.before, file.after, file.uncommitted});
        }
    }
    if (m_edits.isEmpty())
        return refused(Tr::tr("no file was chosen"));
    QSet<QString> paths;
    for (const Edit &edit : std::as_const(m_edits)) {
        TM_CHECK(checkEditPath(edit.path));
        if (paths.contains(edit.path))
            return Error{m_what, edit.path, Tr::tr("it is named twice"), {}};
        paths.insert(edit.path);
        for (const std::optional<QByteArray> &text : {edit.after, edit.uncommitted}) {
            if (text && (!isText(*text) || text->size() > maxTextBytes))
                return Error{m_what, edit.path, Tr::tr("it is not text, or is larger than 1 MiB"), {}};
        }
    }
    return {};
}

/// Whether the branch is still at the expected commit. Checked again while the locks are held.
Result<void> Transaction::checkPlace() const
{
    if (m_place == Place::New)
        return checkNewBranch(m_repository, m_branch);
    if (m_place == Place::Elsewhere) {
        TM_TRY(tip, branchTip(m_repository, m_branch));
        // Index and files there would no longer match the branch.
        TM_TRY(places, branchesCheckedOut(m_repository));
        if (const QString place = places->value(m_branch); !place.isEmpty())
            return refused(Tr::tr("the branch %1 is checked out in %2").arg(m_branch, place),
                           Tr::tr("Commit to it there."));
        return *tip == m_parent ? Result<void>() : moved(*tip);
    }
    TM_TRY(head, readHead(m_repository));
    if (m_until == FileChanges::Until::Commit && head->detached) {
        TM_CHECK(nothingUnderWay(m_repository, m_what)); // A rebase has detached it, and must not lose its place.
        return refused(
            Tr::tr("HEAD is detached: no branch is checked out"),
            forSurface(Tr::tr("Check out a branch first: git switch BRANCH"), Tr::tr("Check out a branch first.")));
    }
    if (head->branch != m_branch)
        return refused(Tr::tr("the branch %1 was checked out meanwhile").arg(head->branch),
                       Tr::tr("Check it, then commit again."));
    return head->commit == m_parent ? Result<void>() : moved(head->commit);
}

/// Returns false if the index changed meanwhile.
Result<bool> Transaction::attempt()
{
    m_fileChanges.clear();
    m_indexChanges.clear();
    m_onDisk.clear();
    m_lost.clear();
    m_written.clear();
    m_noted.clear();
    m_changesFiles = false;
    m_changesTree = false;
    m_moves = false;
    m_steps = {};
    m_plan = {};
    m_output.clear();
    m_parentTree.reset();
    if (!m_parent.isEmpty()) {
        TM_TRY(tree, treeOf(m_repository, m_parent));
        m_parentTree = std::move(tree).value();
    }
    ObjectBatch objects(m_repository, *m_journal, m_edits.size());
    TM_CHECK(m_place == Place::Here ? lookAtWorkTree() : lookAtBranch());
    if (m_until == FileChanges::Until::Commit)
        TM_CHECK(makeTree());
    IndexUpdate index(m_repository, *m_journal, m_what);
    if (writesIndex())
        TM_CHECK(index.prepare(m_indexChanges));
    if (m_until == FileChanges::Until::Commit && !m_changesTree &&
        (m_place != Place::Here || (!m_changesFiles && !index.changes())))
        return refused(Tr::tr("there is nothing to commit: the branch %1 already has these files").arg(m_branch));
    if (m_changesTree) {
        TM_CHECK(beginCommit());
        if (index.hasConflicts())
            return refused(Tr::tr("files are in conflict"), Tr::tr("Resolve the conflicts first."));
        m_plan.operation = m_operation;
        m_plan.parent = m_parent;
    }
    m_plan.workTree = m_place == Place::Here ? workTreeName(m_repository) : QString();
    m_plan.index = writesIndex();
    // What the next commit of an operation under way contains is the user's to choose.
    if (writesIndex() && m_until != FileChanges::Until::Commit)
        TM_CHECK(nothingUnderWay(m_repository, m_what));
    const bool usesHooks = m_changesTree && (m_steps.commitHooks || m_steps.referenceHook);
    if (usesHooks || (m_changesTree && m_steps.signature))
        TM_CHECK(objects.write(m_what));
    if (usesHooks && m_place == Place::Here)
        return commitInWorkTree(index);
    if (m_changesTree && !m_moves) {
        TM_TRY(commit, makeCommit());
        m_commit = *commit;
    }
    TM_CHECK(objects.write(m_what));
    return carryOut(index);
}

/// The file on disk. Error: it differs from what the caller saw.
Result<DiskFile> Transaction::asExpected(const Edit &edit) const
{
    TM_CHECK(checkNoLinkOnTheWay(m_repository.workTree, edit.path));
    DiskFile now = readDiskFile(m_repository.workTree, edit.path);
    if (now.present && now.trouble != FileTrouble::None)
        return Error{Tr::tr("write"), edit.path, troubleWords(now.trouble), Tr::tr("Move it away first.")};
    if (now.present != edit.before.has_value())
        return notAsSeen(edit.path, now.present, edit.before.has_value());
    if (now.present && now.bytes != *edit.before) {
        // The caller may know only the committed text: line ends that attributes change do not count as a difference.
        const Result<QByteArray> stored = toStored(m_repository, edit.path, now.bytes, Filters::ByGit);
        if (!stored || *stored != *edit.before)
            return notAsSeen(edit.path, true, true);
    }
    return now;
}

/// Stores a text that an undo needs.
Result<void> Transaction::storeWritten(const QString &name, const std::optional<QByteArray> &text)
{
    if (!text)
        return {};
    TM_TRY(id, storeBlob(m_repository, name.section(u'/', 1), *text));
    m_written.append({name, *id});
    return {};
}

/// Compares each file with what the caller saw, stores the new texts, and collects the texts that would be lost.
Result<void> Transaction::lookAtWorkTree()
{
    const bool executableBit = usesExecutableBit(m_repository);
    git_attr_cache_flush(m_repository.git());
    TM_TRY(index, readIndex(m_repository));
    for (const Edit &edit : std::as_const(m_edits)) {
        TM_TRY(now, asExpected(edit));
        const QByteArray path = edit.path.toUtf8();
        const git_index_entry *staged = git_index_get_bypath(index->get(), path.constData(), 0);
        GitTreeEntry entry;
        const bool committed =
            m_parentTree && obtain(entry, git_tree_entry_bypath, m_parentTree.get(), path.constData()) == 0;
        if (!now->present && !edit.after && !edit.uncommitted && !committed && !staged)
            return Error{m_what, edit.path, Tr::tr("there is no such file"), {}};

        FileChange change;
        change.path = edit.path;
        change.gone = !edit.after;
        if (executableBit)
            change.mode =
                now->present && (now->info.st_mode & S_IXUSR) ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
        else
            change.mode = knownMode(staged, committed ? entry.get() : nullptr).value_or(change.mode);
        git_oid onDisk{};
        if (now->present) {
            TM_TRY(stored, toStored(m_repository, edit.path, now->bytes, Filters::ByGit));
            onDisk = blobId(*stored);
        }
        if (edit.after) {
            TM_TRY(stored, toStored(m_repository, edit.path, *edit.after, Filters::ByGit));
            TM_TRY(id, m_until == FileChanges::Until::WorkTree ? Result<git_oid>(blobId(*stored))
                                                               : storeBlob(m_repository, edit.path, *stored));
            change.id = *id;
        }
        m_fileChanges.append(change);
        // Without a commit, only files that git does not track yet are added: the next commit must not contain changes
        // that the user has not staged, nor lose those that he has.
        const bool intoIndex = m_until == FileChanges::Until::Commit ||
                               (m_until == FileChanges::Until::Index && (change.gone ? !committed : !staged));
        if (intoIndex)
            m_indexChanges.append(change);

        const OnDisk disk{now->present ? std::optional(now->bytes) : std::nullopt, mode_t(now->info.st_mode & 07777)};
        m_onDisk.append(disk);
        const bool stays = staysWith(edit, disk, edit.uncommitted ? edit.uncommitted : edit.after);
        m_changesFiles |= !stays;
        if (!stays)
            TM_CHECK(checkWritable(m_repository.workTree, edit.path, Tr::tr("write")));
        if (!stays && notesWritten()) {
            TM_CHECK(storeWritten(u"before/"_s + edit.path, disk.bytes));
            TM_CHECK(storeWritten(u"after/"_s + edit.path, edit.after));
        }
        const git_oid head = committed ? *git_tree_entry_id(entry.get()) : git_oid{};
        // Texts that an undo of such texts removes are stored with them.
        const bool kept = notesWritten() && !m_changes.undoes.isEmpty();
        if (now->present && !stays && !kept && !git_oid_equal(&onDisk, &head) &&
            (m_until == FileChanges::Until::WorkTree || !git_oid_equal(&onDisk, &change.id))) {
            const Result<QByteArray> stored = toStored(m_repository, edit.path, now->bytes, Filters::ByGit);
            TM_TRY(id, storeBlob(m_repository, edit.path, *stored));
            m_lost.append({edit.path, *id, change.mode});
        }
        if (intoIndex && staged && isFile(staged->mode) && !git_oid_equal(&staged->id, &head) &&
            !git_oid_equal(&staged->id, &onDisk) && !git_oid_equal(&staged->id, &change.id))
            m_lost.append({u"staged/"_s + edit.path, staged->id, staged->mode});
    }
    return {};
}

Result<void> Transaction::lookAtBranch()
{
    for (const Edit &edit : std::as_const(m_edits)) {
        FileChange change;
        change.path = edit.path;
        change.gone = !edit.after;
        GitTreeEntry entry;
        const bool there = m_parentTree && obtain(entry, git_tree_entry_bypath, m_parentTree.get(),
                                                  edit.path.toUtf8().constData()) == 0;
        if (there && !edit.before)
            return Error{m_what, edit.path, Tr::tr("the branch %1 has that file already").arg(m_branch), {}};
        if (!there && (edit.before || !edit.after))
            return Error{m_what, edit.path, Tr::tr("the branch %1 has no such file").arg(m_branch),
                         Tr::tr("Check it again first.")};
        if (there) {
            change.mode = git_tree_entry_filemode(entry.get());
            if (!isFile(change.mode))
                return Error{m_what, edit.path, Tr::tr("in the branch %1 it is not a regular file").arg(m_branch), {}};
            const git_oid expected = blobId(*edit.before);
            if (!git_oid_equal(&expected, git_tree_entry_id(entry.get())))
                return notAsSeen(edit.path, true, true);
        }
        if (edit.after) {
            TM_TRY(id, storeBlob(m_repository, edit.path, *edit.after));
            change.id = *id;
        }
        m_fileChanges.append(change);
    }
    return {};
}

/// Creates the parent's tree with the changes.
Result<void> Transaction::makeTree()
{
    GitIndex index;
    if (obtain(index, git_index_new) < 0 || (m_parentTree && git_index_read_tree(index.get(), m_parentTree.get()) < 0))
        return gitError(m_what, m_repository.workTree);
    for (const FileChange &change : std::as_const(m_fileChanges))
        TM_CHECK(applyChange(index.get(), change));
    if (git_index_write_tree_to(&m_tree, index.get(), m_repository.git()) < 0)
        return gitError(m_what, m_repository.workTree);
    m_changesTree =
        m_parentTree ? !git_oid_equal(&m_tree, git_tree_id(m_parentTree.get())) : git_index_entrycount(index.get()) > 0;
    return {};
}

/// Whether the branch can go to FileChanges::movesTo: that has exactly the new tree, and the branch gains or loses one
/// commit, which nothing else has.
bool Transaction::canMove() const
{
    const std::optional<git_oid> to = fromHex(m_changes.movesTo);
    const std::optional<git_oid> from = fromHex(m_parent);
    GitCommit after;
    // A hook for ref updates requires that git moves the branch.
    if (!m_changesTree || m_changes.movesTo.isEmpty() || m_steps.referenceHook || !to || !from ||
        obtain(after, git_commit_lookup, m_repository.git(), &*to) < 0 ||
        !git_oid_equal(git_commit_tree_id(after.get()), &m_tree))
        return false;
    const bool forth =
        git_commit_parentcount(after.get()) == 1 && git_oid_equal(git_commit_parent_id(after.get(), 0), &*from);
    const std::optional<git_oid> back = forth ? std::nullopt : parentToReturnTo(m_repository, m_branch, *from);
    return forth || (back && git_oid_equal(&*back, &*to));
}

/// The change as the commit contains it: a file that the parent does not have is neither rewritten nor deleted by it.
FileChanges Transaction::inCommit() const
{
    FileChanges changes = m_changes;
    for (ChangedFile &file : changes.files) {
        GitTreeEntry entry;
        const bool there = m_parentTree && obtain(entry, git_tree_entry_bypath, m_parentTree.get(),
                                                  file.path.toUtf8().constData()) == 0;
        if (there || !file.chosen)
            continue;
        file.chosen = file.action != ChangeAction::Delete;
        file.action = ChangeAction::Create;
    }
    return changes.isEmpty() ? m_changes : changes;
}

/// The steps that only a commit needs.
Result<void> Transaction::beginCommit()
{
    if (m_place == Place::Here)
        TM_CHECK(nothingUnderWay(m_repository, m_what));
    m_message = tidyMessage(inCommit().commitMessage());
    if (m_message.isEmpty())
        return refused(Tr::tr("the message is empty"));
    TM_TRY(steps, commitSteps(m_repository));
    m_steps = *steps;
    m_moves = canMove();
    if (m_moves) {
        m_steps = {};
        m_commit = *fromHex(m_changes.movesTo);
    }
    TM_TRY(identity, identityOf(m_repository));
    m_identity = std::move(identity).value();
    return {};
}

Result<void> Transaction::writeMessage() const
{
    return m_journal->write(u"message"_s, m_message, 0, m_what);
}

/// Creates the commit object, which nothing refers to yet.
Result<git_oid> Transaction::makeCommit()
{
    if (m_steps.commitHooks)
        return commitInTemporaryWorkTree();
    if (m_steps.signature) {
        TM_CHECK(writeMessage());
        QStringList arguments{u"commit-tree"_s, u"-S"_s, u"-F"_s, m_journal->path(u"message"_s)};
        if (!m_parent.isEmpty())
            arguments += {u"-p"_s, m_parent};
        TM_TRY(output, m_git.run(m_what, arguments + QStringList{toHex(m_tree)}, m_repository.workTree));
        // Signing programs may print something before the id.
        const QByteArray id = output->trimmed().split('\n').constLast();
        const std::optional<git_oid> commit = id.isEmpty() ? std::nullopt : fromHex(QString::fromLatin1(id));
        return commit ? Result<git_oid>(*commit)
                      : refused(Tr::tr("git names no commit: %1").arg(QString::fromUtf8(id)));
    }
    GitTree tree;
    GitCommit parent;
    const std::optional<git_oid> expected = fromHex(m_parent);
    git_oid id{};
    if (obtain(tree, git_tree_lookup, m_repository.git(), &m_tree) < 0 ||
        (!m_parent.isEmpty() && obtain(parent, git_commit_lookup, m_repository.git(), &*expected) < 0))
        return gitError(m_what, m_repository.workTree);
    const git_commit *parents[] = {parent.get()};
    if (git_commit_create(&id, m_repository.git(), nullptr, m_identity.author.get(), m_identity.committer.get(),
                          nullptr, m_message.constData(), tree.get(), parent ? 1 : 0, parents) < 0)
        return gitError(m_what, m_repository.workTree);
    return id;
}

/// Writes the new files, index and branch as files of the journal.
Result<void> Transaction::layDown()
{
    // What is committed or noted is an object of git; what stays uncommitted is nowhere else.
    const bool inGit = m_until == FileChanges::Until::Commit || notesWritten();
    const auto write = [&](QLatin1StringView kind, qsizetype number, const std::optional<QByteArray> &text) {
        const bool kept = inGit && text != m_edits.at(number).uncommitted;
        return text ? m_journal->write(draftName(kind, number), *text, m_onDisk.at(number).mode, m_what,
                                       kept ? Journal::Sync::LeftToKernel : Journal::Sync::Now)
                    : Result<void>();
    };
    m_plan.files.clear();
    for (qsizetype i = 0; i < m_onDisk.size(); ++i) {
        const Edit &edit = m_edits.at(i);
        const OnDisk &disk = m_onDisk.at(i);
        // The git program's hooks must see the committed text; a text that stays uncommitted is written afterwards.
        const bool later = m_plan.byGit && edit.uncommitted;
        const std::optional<QByteArray> &text = edit.uncommitted && !later ? edit.uncommitted : edit.after;
        const bool stays = staysWith(edit, disk, text);
        const QString before = hashOf(disk.bytes);
        m_plan.files.append(
            {edit.path, before, stays ? before : hashOf(text), later ? hashOf(edit.uncommitted) : QString()});
        TM_CHECK(write("text"_L1, i, stays ? std::nullopt : text));
        if (!m_plan.byGit)
            continue;
        TM_CHECK(write("old"_L1, i, disk.bytes));
        TM_CHECK(write("then"_L1, i, edit.uncommitted));
    }
    if (!m_changesTree)
        return {};
    if (m_plan.byGit && m_place == Place::Here)
        return writeMessage();
    const QByteArray id = toHex(m_commit).toLatin1() + '\n';
    TM_CHECK(m_journal->write(u"ref"_s, id, 0, m_what));
    return m_journal->write(u"operation"_s, m_moves ? m_changes.undoes.toLatin1() + '\n' : id, 0, m_what);
}

/// Takes git's locks in git's order, and checks again. Returns false if the index changed meanwhile.
Result<bool> Transaction::lockAll(const IndexUpdate &index)
{
    const auto take = [this](const QString &target) -> Result<void> {
        TM_TRY(lock, HeldLock::take(*m_journal, target, m_what));
        m_locks.push_back(std::move(lock).value());
        return {};
    };
    if (m_plan.head)
        TM_CHECK(take(m_repository.gitFolder + u"/HEAD"_s));
    if (!m_plan.branch.isEmpty()) {
        const QString file = m_repository.commonFolder + u'/' + branchRef();
        // A packed branch has no file, and possibly no folder.
        if (!m_plan.byGit) {
            QDir().mkpath(QFileInfo(file).absolutePath());
            TM_CHECK(take(file));
        }
        GitReference reference;
        if (m_place != Place::New && !m_parent.isEmpty() &&
            (obtain(reference, git_reference_lookup, m_repository.git(), branchRef().toUtf8().constData()) < 0 ||
             git_reference_type(reference.get()) != GIT_REFERENCE_DIRECT))
            return refused(Tr::tr("%1 is a symbolic ref to another branch").arg(m_branch),
                           Tr::tr("Choose the branch that it points to."));
    }
    if (m_until != FileChanges::Until::Commit) {
        const Result<Head> head = readHead(m_repository);
        if (head && head->branch == m_branch && head->commit != m_parent)
            return false;
    }
    TM_CHECK(checkPlace());
    if (m_plan.index) {
        TM_CHECK(take(m_repository.indexPath()));
        const Result<bool> same = index.isUnchanged();
        if (!same || !*same)
            return same;
    }
    for (const Edit &edit : std::as_const(m_edits)) {
        if (m_place != Place::Here)
            break;
        TM_CHECK(asExpected(edit));
    }
    return true;
}

/// Saves the texts that would be lost: whatever ends this process, every text is stored somewhere.
Result<void> Transaction::save()
{
    if (m_lost.isEmpty() && m_written.isEmpty())
        return {};
    if (!m_changesTree) {
        TM_TRY(identity, identityOrOurs(m_repository));
        m_identity = std::move(identity).value();
    }
    const bool alone = m_until == FileChanges::Until::Commit && !m_changesTree;
    const SavedOccasion occasion{m_operation, m_parent, m_branch, m_changes.subject(), alone};
    if (!m_written.isEmpty()) {
        TM_TRY(noted, noteWritten(m_repository, *m_journal, occasion, m_plan.index, m_identity, m_written));
        m_noted = *noted;
    }
    return m_lost.isEmpty() ? Result<void>() : saveTexts(m_repository, *m_journal, occasion, m_identity, m_lost);
}

void Transaction::log() const
{
    QByteArray message = m_parent.isEmpty() ? "commit (initial): " : "commit: ";
    if (m_moves)
        message = "reset: moving to " + toHex(m_commit).toLatin1(); // as git does
    else
        message += m_message.left(m_message.indexOf('\n'));
    appendReflog(m_repository, m_branch, m_place == Place::Here, m_parent, m_commit, *m_identity.committer, message);
}

/// Rolls back what carryOut() did before it failed: files, index. Returns false if the branch has moved, or if a file
/// cannot be restored.
bool Transaction::takenBack()
{
    const bool moved = m_plan.byGit || (!m_plan.branch.isEmpty() && !m_journal->has(u"ref"_s));
    if (moved)
        return false;
    if (m_plan.index && !m_journal->has(u"index"_s) && m_journal->has(u"index.old"_s))
        ::rename(QFile::encodeName(m_journal->path(u"index.old"_s)).constData(),
                 QFile::encodeName(m_repository.indexPath()).constData());
    if (!restoreFiles(m_repository, *m_journal, m_plan))
        return false;
    m_journal->forget();
    return true;
}

Result<bool> Transaction::carryOut(IndexUpdate &index)
{
    m_plan.head = m_place == Place::Here;
    if (m_changesTree)
        m_plan.branch = m_branch;
    // A hook for ref updates requires that git moves the branch.
    m_plan.byGit = m_changesTree && m_steps.referenceHook;
    TM_CHECK(layDown());
    if (const Result<bool> locked = lockAll(index); !locked || !*locked)
        return locked;
    TM_CHECK(save());
    if (m_changesTree && !m_plan.byGit && m_place != Place::New)
        log();
    TM_CHECK(m_journal->decide(m_plan, m_what));
    if (m_plan.byGit)
        TM_CHECK(moveBranchByGit());
    // If a file cannot be written, the change is rolled back. If git has moved the branch already, the change stays,
    // and the file differs from it, as git status shows.
    const Result<void> written = writeFiles(m_repository, *m_journal, m_plan, m_what);
    if (!written && takenBack())
        return written.error();
    if (m_plan.index)
        static_cast<void>(index.prepareWithStat(m_indexChanges)); // saves git a comparison
    const bool savesIndex = m_plan.index && !m_plan.branch.isEmpty();
    if (savesIndex && ::link(QFile::encodeName(m_repository.indexPath()).constData(),
                             QFile::encodeName(m_journal->path(u"index.old"_s)).constData()) != 0)
        keepIndex(); // no hard links
    if (const Result<void> done = publish(m_repository, *m_journal, m_plan, m_what); !done) {
        takenBack();
        return done.error();
    }
    m_journal->forget();
    if (m_place == Place::New && !m_plan.byGit)
        log();
    if (written)
        return true;
    Error error = written.error();
    if (m_changesTree)
        error.remedy = forSurface(Tr::tr("The commit %1 was created; \"git restore\" updates that file."),
                                  Tr::tr("The commit %1 was created. Discard the changes of that file to update it."))
                           .arg(toHex(m_commit).left(10));
    return error;
}

/// Keeps a copy of the index for takenBack(); without it the index stays if the branch cannot be moved.
void Transaction::keepIndex() const
{
    if (const auto index = readFile(m_repository.indexPath(), m_what); index && *index)
        static_cast<void>(m_journal->write(u"index.old"_s, **index, 0, m_what, Journal::Sync::LeftToKernel));
}

/// Moves a branch that is not checked out to the commit, atomically.
Result<void> Transaction::moveBranchByGit()
{
    const QString subject = QString::fromUtf8(m_message.left(m_message.indexOf('\n')));
    const QString before = m_place == Place::New ? QString(GIT_OID_SHA1_HEXSIZE, u'0') : m_parent;
    const Result<QByteArray> output =
        m_git.run(m_what, {u"update-ref"_s, u"-m"_s, u"commit: "_s + subject, branchRef(), toHex(m_commit), before},
                  m_repository.workTree);
    if (!output) {
        m_journal->forget();
        return output.error();
    }
    m_output += *output;
    return {};
}

/// The git program commits on the checked-out branch with a separate index, so that all hooks run there. Other staged
/// changes stay: the working tree's index is locked meanwhile, and updated after the commit.
Result<bool> Transaction::commitInWorkTree(IndexUpdate &index)
{
    m_plan.byGit = true;
    m_plan.branch = m_branch;
    TM_CHECK(layDown());
    TM_CHECK(index.prepareCommit(m_parentTree.get(), m_fileChanges));
    if (const Result<bool> locked = lockAll(index); !locked || !*locked)
        return locked;
    TM_CHECK(save());
    TM_CHECK(m_journal->decide(m_plan, m_what));
    const Result<void> written = writeFiles(m_repository, *m_journal, m_plan, m_what);
    if (!written) {
        takeBack(m_repository, *m_journal, m_plan, HooksTexts::InIndex);
        m_journal->forget();
        return written.error();
    }
    const Result<QByteArray> output =
        m_git.run(m_what, {u"commit"_s, u"--quiet"_s, u"-F"_s, m_journal->path(u"message"_s)}, m_repository.workTree,
                  {{u"GIT_INDEX_FILE"_s, m_journal->path(u"commit-index"_s)},
                   {u"GIT_REFLOG_ACTION"_s, QString::fromUtf8(reflogAction(m_operation))}});
    const std::optional<git_oid> commit = commitOf(m_repository, m_plan);
    if (!commit) {
        const Result<void> saved = saveHooksTexts();
        takeBack(m_repository, *m_journal, m_plan, saved ? HooksTexts::All : HooksTexts::InIndex);
        m_journal->forget();
        return output ? refused(Tr::tr("git made no commit")) : output.error();
    }
    m_commit = *commit;
    m_output += output ? *output : QByteArray();
    const Result<void> followed = followCommit(m_repository, *m_journal, m_plan, *commit, m_what);
    m_journal->forget();
    if (followed)
        return true;
    Error error = followed.error();
    error.remedy = forSurface(Tr::tr("The commit %1 was created; \"git status\" shows what differs from it."),
                              Tr::tr("The commit %1 was created. Refresh to see what differs from it."))
                       .arg(toHex(m_commit).left(10));
    return error;
}

/// Saves what a hook made of the files before it or another hook refused the commit.
Result<void> Transaction::saveHooksTexts()
{
    QList<SavedText> texts;
    for (const JournalPlan::File &file : std::as_const(m_plan.files)) {
        const DiskFile now = readDiskFile(m_repository.workTree, file.path);
        const QString hash = hashOf(now.present ? std::optional(now.bytes) : std::nullopt);
        if (!now.present || now.trouble != FileTrouble::None || hash == file.before || hash == file.after)
            continue;
        const Result<QByteArray> stored = toStored(m_repository, file.path, now.bytes, Filters::ByGit);
        TM_TRY(id, stored ? storeBlob(m_repository, file.path, *stored) : stored.error());
        texts.append({file.path, *id, GIT_FILEMODE_BLOB});
    }
    if (texts.isEmpty())
        return {};
    return saveTexts(m_repository, *m_journal, {newOperation(m_branch), m_parent, m_branch, m_changes.subject(), true},
                     m_identity, texts);
}

/// The commit for a branch that is not checked out, if hooks need files.
Result<git_oid> Transaction::commitInTemporaryWorkTree()
{
    TemporaryWorkTree place(m_repository, *m_journal);
    TM_CHECK(place.make(m_git, m_what, m_parent, toHex(m_tree)));
    TM_CHECK(writeMessage());
    TM_TRY(output, m_git.run(m_what, {u"commit"_s, u"--quiet"_s, u"-F"_s, m_journal->path(u"message"_s)},
                             place.folder(), {{u"GIT_REFLOG_ACTION"_s, QString::fromUtf8(reflogAction(m_operation))}}));
    m_output += *output;
    const Result<OpenRepository> there = openRepository(place.folder());
    TM_TRY(head, there ? readHead(*there) : Result<Head>(there.error()));
    GitCommit commit;
    const std::optional<git_oid> id = fromHex(head->commit);
    if (!id || obtain(commit, git_commit_lookup, m_repository.git(), &*id) < 0 ||
        git_commit_parentcount(commit.get()) != 1 || toHex(*git_commit_parent_id(commit.get(), 0)) != m_parent)
        return refused(Tr::tr("git made no commit"));
    return *id;
}

Applied Transaction::applied() const
{
    Applied applied;
    applied.branch = m_branch;
    applied.subject = m_changesTree ? inCommit().subject() : m_changes.subject();
    applied.output = m_output;
    for (const FileChange &change : m_indexChanges) {
        if (m_until == FileChanges::Until::Index && !change.gone)
            applied.added.append(change.path);
    }
    for (const ChangedFile &file : m_changes.files) {
        if (file.chosen && file.action != ChangeAction::Keep)
            applied.written.append(file.name.isEmpty() ? file.path : file.name);
    }
    if (!m_lost.isEmpty()) {
        applied.saved = savedRef(m_operation);
        for (const SavedText &text : m_lost)
            applied.kept.append(applied.saved + u':' + text.path);
    }
    applied.undo = m_moves             ? m_changes.undoes
                   : m_changesTree     ? toHex(m_commit)
                   : m_noted.isEmpty() ? applied.saved
                                       : m_noted;
    for (const ChangedFile &file : m_changes.files) {
        if (file.chosen && file.uncommitted)
            applied.restored.append(file.path);
        if (m_changes.saved.isEmpty() || file.action != ChangeAction::Keep)
            continue;
        applied.saved = m_changes.saved;
        applied.kept.append(applied.saved + u':' + file.path);
    }
    if (!m_changesTree)
        return applied;
    applied.operation = m_operation;
    if (m_moves) {
        applied.movedTo = toHex(m_commit);
        return applied;
    }
    applied.commit = toHex(m_commit);
    GitCommit commit; // A hook may have changed the message.
    if (obtain(commit, git_commit_lookup, m_repository.git(), &m_commit) == 0)
        applied.subject = QString::fromUtf8(git_commit_message(commit.get())).section(u'\n', 0, 0);
    return applied;
}

} // namespace tmx
