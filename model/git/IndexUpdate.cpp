// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/IndexUpdate.h"

#include "model/base/AtomicFile.h"
#include "model/git/DiskFile.h"
#include "model/git/GitError.h"
#include "model/git/GitFilter.h"
#include "model/git/IndexReader.h"

#include <QFile>

#include <chrono>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono;
using namespace std::chrono_literals;

namespace tmx {
namespace {

/// A file with the same time stamp as the index may have changed unnoticed after it was added, so git compares its text
/// each time. In a newer index such an entry would look clean: setting its size to 0 makes git continue to compare
/// ("racily smudged").
Result<void> smudgeRacyEntries(git_index *index, const struct stat &before)
{
    for (size_t i = 0; i < git_index_entrycount(index); ++i) {
        const git_index_entry *entry = git_index_get_byindex(index, i);
        const bool racy = std::pair(entry->mtime.seconds, entry->mtime.nanoseconds) >=
                          std::pair(int32_t(before.st_mtim.tv_sec), uint32_t(before.st_mtim.tv_nsec));
        if (!racy || entry->file_size == 0 || git_index_entry_stage(entry) != 0)
            continue;
        git_index_entry copy = *entry;
        copy.file_size = 0;
        if (git_index_add(index, &copy) < 0)
            return gitError(Tr::tr("write"), Tr::tr("the index"));
    }
    return {};
}

bool sameEntry(const git_index_entry *entry, const FileChange &change)
{
    return change.gone ? entry == nullptr
                       : entry && git_oid_equal(&entry->id, &change.id) && entry->mode == change.mode &&
                             (entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) == 0;
}

} // namespace

/// Two changes of a file within one tick of the file system's clock have the same time stamp, so the index could
/// mistake the second for the first. Linux ticks at least every 10 ms; a file system without fractions of a second
/// ticks every other second.
void letTheClockTick(const OpenRepository &repository, const QString &path)
{
    struct stat info{};
    struct timespec now{};
    if (::lstat(QFile::encodeName(repository.workTree + u'/' + path).constData(), &info) != 0 ||
        ::clock_gettime(CLOCK_REALTIME, &now) != 0)
        return;
    const auto age = seconds(now.tv_sec - info.st_mtim.tv_sec) + nanoseconds(now.tv_nsec - info.st_mtim.tv_nsec);
    const nanoseconds tick = info.st_mtim.tv_nsec == 0 ? nanoseconds(2s) : nanoseconds(20ms);
    if (age >= 0s && age < tick)
        std::this_thread::sleep_for(tick - age);
}

Result<void> applyChange(git_index *index, const FileChange &change)
{
    const QByteArray path = change.path.toUtf8();
    if (change.gone) {
        const int rc = git_index_remove(index, path.constData(), 0);
        return rc < 0 && rc != GIT_ENOTFOUND ? Result<void>(gitError(Tr::tr("remove"), change.path)) : Result<void>();
    }
    git_index_entry entry{};
    entry.path = path.constData();
    entry.id = change.id;
    entry.mode = change.mode;
    entry.ctime = {int32_t(change.info.st_ctim.tv_sec), uint32_t(change.info.st_ctim.tv_nsec)};
    entry.mtime = {int32_t(change.info.st_mtim.tv_sec), uint32_t(change.info.st_mtim.tv_nsec)};
    entry.dev = uint32_t(change.info.st_dev);
    entry.ino = uint32_t(change.info.st_ino);
    entry.uid = change.info.st_uid;
    entry.gid = change.info.st_gid;
    entry.file_size = uint32_t(change.info.st_size);
    return git_index_add(index, &entry) < 0 ? Result<void>(gitError(Tr::tr("add"), change.path)) : Result<void>();
}

IndexUpdate::IndexUpdate(const OpenRepository &repository, const Journal &journal, const QString &what)
    : m_repository(repository)
    , m_journal(journal)
    , m_what(what)
{
}

/// libgit2 writes an index back to the path that it was read from, so it gets a copy.
Result<GitIndex> IndexUpdate::copyOfReal(const QString &name)
{
    const QString real = m_repository.indexPath();
    struct stat before{};
    TM_TRY(bytes, readFile(real, m_what));
    const bool present = bytes->has_value();
    m_read = bytes->value_or(QByteArray());
    if (present && ::stat(QFile::encodeName(real).constData(), &before) != 0)
        return Error{m_what, real, qt_error_string(errno), {}};
    TM_TRY(plain, plainIndex(m_repository, m_read));
    m_journal.remove(name);
    m_journal.remove(name + u".lock"_s); // Left by a process that was killed while libgit2 wrote.
    if (present)
        TM_CHECK(m_journal.write(name, *plain, before.st_mode & 0777, m_what));
    TM_TRY(index, readIndex(m_journal.path(name)));
    m_hasConflicts = git_index_has_conflicts(index->get());
    if (present)
        TM_CHECK(smudgeRacyEntries(index->get(), before));
    return index;
}

Result<void> IndexUpdate::prepare(const QList<FileChange> &changes)
{
    // Under another name first: a recovery must not find an incomplete file under the final name.
    TM_TRY(index, copyOfReal(u"index.new"_s));
    m_changes = false;
    for (const FileChange &change : changes) {
        const QByteArray path = change.path.toUtf8();
        const git_index_entry *sides[3] = {};
        if (git_index_conflict_get(&sides[0], &sides[1], &sides[2], index->get(), path.constData()) == 0)
            return Error{m_what, change.path, Tr::tr("it is in conflict"), Tr::tr("Resolve the conflict first.")};
        m_changes |= !sameEntry(git_index_get_bypath(index->get(), path.constData(), 0), change);
        TM_CHECK(applyChange(index->get(), change));
    }
    if (git_index_write(index->get()) < 0)
        return gitError(m_what, m_repository.indexPath());
    const QByteArray draft = QFile::encodeName(m_journal.path(u"index.new"_s));
    if (m_read.isEmpty())
        ::chmod(draft.constData(), 0644);
    if (::rename(draft.constData(), QFile::encodeName(m_journal.path(u"index"_s)).constData()) != 0)
        return Error{m_what, m_repository.indexPath(), qt_error_string(errno), {}};
    return {};
}

Result<void> IndexUpdate::prepareWithStat(QList<FileChange> changes)
{
    for (FileChange &change : changes) {
        if (change.gone)
            continue;
        letTheClockTick(m_repository, change.path);
        const DiskFile file = readDiskFile(m_repository.workTree, change.path);
        const Result<QByteArray> stored = toStored(m_repository, change.path, file.bytes, Filters::ByGit);
        const git_oid id = stored ? blobId(*stored) : git_oid{};
        if (file.present && file.trouble == FileTrouble::None && git_oid_equal(&id, &change.id))
            change.info = file.info;
    }
    return prepare(changes);
}

Result<void> IndexUpdate::prepareCommit(const git_tree *parent, const QList<FileChange> &changes)
{
    TM_TRY(index, copyOfReal(u"commit-index"_s));
    // Entries that are equal in the tree and the index keep their time stamps.
    const int rc = parent ? git_index_read_tree(index->get(), parent) : git_index_clear(index->get());
    if (rc < 0)
        return gitError(m_what, m_repository.workTree);
    for (const FileChange &change : changes)
        TM_CHECK(applyChange(index->get(), change));
    return git_index_write(index->get()) < 0 ? Result<void>(gitError(m_what, m_repository.workTree)) : Result<void>();
}

Result<bool> IndexUpdate::isUnchanged() const
{
    TM_TRY(now, readFile(m_repository.indexPath(), m_what));
    return now->value_or(QByteArray()) == m_read;
}

} // namespace tmx
