// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/IndexUpdate.h"

#include "model/repository/GitError.h"
#include "model/repository/GitFilter.h"
#include "model/repository/RecipePath.h"

#include <QFile>

#include <chrono>
#include <sys/stat.h>
#include <thread>

using namespace Qt::StringLiterals;
using namespace std::chrono;
using namespace std::chrono_literals;

namespace tmx {
namespace {

constexpr int attempts = 5;

QString troubleWords(FileTrouble trouble)
{
    switch (trouble) {
    case FileTrouble::Link: return Tr::tr("it is a link");
    case FileTrouble::Folder: return Tr::tr("it is a folder");
    case FileTrouble::TooLarge: return Tr::tr("it is larger than a recipe can be (1 MiB)");
    case FileTrouble::NotText: return Tr::tr("it is no text");
    case FileTrouble::Unreadable: return Tr::tr("it cannot be read");
    case FileTrouble::None: break;
    }
    return {};
}

/// Two changes of a file within one tick of the file system's clock carry the same time stamp, so the index could take
/// the second for the first. Waits until a change that comes now would show. Linux ticks every 10 ms at most; a file
/// system without fractions of a second ticks every other second.
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

Result<QByteArray> readWhole(const QString &path, const QString &what)
{
    QFile file(path);
    if (!file.exists())
        return QByteArray();
    if (!file.open(QIODevice::ReadOnly))
        return Error{what, path, Tr::tr("it cannot be read"), {}};
    return file.readAll();
}

/// Entries whose file has the time stamp of the index itself could have changed unseen after they were added, so git
/// compares their text each time. In a younger index they would look settled: a size of 0 tells git to go on comparing
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

} // namespace

bool usesExecutableBit(const OpenRepository &repository)
{
    GitConfig config;
    int on = 1;
    if (obtain(config, git_repository_config_snapshot, repository.git()) == 0)
        git_config_get_bool(&on, config.get(), "core.filemode");
    return on;
}

QList<FileChange> withStat(const OpenRepository &repository, const QList<FileChange> &changes)
{
    QList<FileChange> found;
    for (FileChange change : changes) {
        if (change.gone)
            continue;
        letTheClockTick(repository, change.path);
        const DiskFile file = readDiskFile(repository.workTree, change.path);
        const Result<QByteArray> stored = toStored(repository, change.path, file.bytes);
        const git_oid id = stored ? blobId(*stored) : git_oid{};
        if (!file.present || file.trouble != FileTrouble::None || !git_oid_equal(&id, &change.id))
            continue;
        change.info = file.info;
        found.append(change);
    }
    return found;
}

Result<QList<FileChange>> storeFiles(const OpenRepository &repository, const QStringList &paths, const QString &what)
{
    const bool executableBit = usesExecutableBit(repository);
    git_attr_cache_flush(repository.git());
    QList<FileChange> changes;
    for (const QString &path : paths) {
        if (const Result<void> usable = checkRecipePath(path); !usable)
            return usable.error();
        if (const Result<void> usable = checkNoLinkOnTheWay(repository.workTree, path); !usable)
            return usable.error();
        FileChange change;
        change.path = path;
        letTheClockTick(repository, path);
        const DiskFile file = readDiskFile(repository.workTree, path);
        change.gone = !file.present;
        if (!change.gone) {
            if (file.trouble != FileTrouble::None)
                return Error{what, path, troubleWords(file.trouble), {}};
            change.info = file.info;
            change.mode =
                executableBit && (file.info.st_mode & S_IXUSR) ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
            const Result<QByteArray> stored = toStored(repository, path, file.bytes);
            if (!stored)
                return stored.error();
            if (git_blob_create_from_buffer(&change.id, repository.git(), stored->constData(), size_t(stored->size())) <
                0)
                return gitError(what, path);
        }
        changes.append(change);
    }
    return changes;
}

Result<void> applyChange(git_index *index, const FileChange &change, bool withStat)
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
    if (withStat) {
        entry.ctime = {int32_t(change.info.st_ctim.tv_sec), uint32_t(change.info.st_ctim.tv_nsec)};
        entry.mtime = {int32_t(change.info.st_mtim.tv_sec), uint32_t(change.info.st_mtim.tv_nsec)};
        entry.dev = uint32_t(change.info.st_dev);
        entry.ino = uint32_t(change.info.st_ino);
        entry.uid = change.info.st_uid;
        entry.gid = change.info.st_gid;
        entry.file_size = uint32_t(change.info.st_size);
    }
    return git_index_add(index, &entry) < 0 ? Result<void>(gitError(Tr::tr("add"), change.path)) : Result<void>();
}

IndexUpdate::IndexUpdate(const OpenRepository &repository, const Journal &journal, const QString &what)
    : m_repository(repository)
    , m_journal(journal)
    , m_what(what)
{
}

Result<void> IndexUpdate::apply(git_index *index, const QList<FileChange> &changes) const
{
    for (const FileChange &change : changes) {
        const QByteArray path = change.path.toUtf8();
        const git_index_entry *sides[3] = {};
        if (git_index_conflict_get(&sides[0], &sides[1], &sides[2], index, path.constData()) == 0)
            return Error{m_what, change.path, Tr::tr("it is in conflict"), Tr::tr("Resolve the conflict first.")};
        if (change.gone && !change.inHead && !change.untracked && !git_index_get_bypath(index, path.constData(), 0))
            return Error{m_what, change.path, Tr::tr("there is no such file"), {}};
        if (const Result<void> done = applyChange(index, change, true); !done)
            return done;
    }
    return {};
}

Result<void> IndexUpdate::prepare(const QList<FileChange> &changes)
{
    const QString real = m_repository.indexPath();
    struct stat before{};
    const bool present = ::stat(QFile::encodeName(real).constData(), &before) == 0;
    const Result<QByteArray> bytes = readWhole(real, m_what);
    if (!bytes)
        return bytes.error();
    m_read = *bytes;

    // libgit2 writes an index to where it was read from, so it gets a copy of its own.
    QFile::remove(m_journal.indexFile());
    QFile copy(m_journal.indexFile());
    if (present && (!copy.open(QIODevice::WriteOnly) || copy.write(m_read) != m_read.size() || !copy.flush()))
        return Error{m_what, copy.fileName(), copy.errorString(), {}};
    copy.close();

    const Result<GitIndex> index = readIndex(m_journal.indexFile());
    if (!index)
        return index.error();
    m_hasConflicts = git_index_has_conflicts(index->get());
    if (present) {
        if (const Result<void> done = smudgeRacyEntries(index->get(), before); !done)
            return done;
    }
    if (const Result<void> done = apply(index->get(), changes); !done)
        return done;
    if (git_index_write(index->get()) < 0)
        return gitError(m_what, real);
    const mode_t mode = present ? before.st_mode & 0777 : 0644;
    ::chmod(QFile::encodeName(m_journal.indexFile()).constData(), mode);
    return {};
}

Result<bool> IndexUpdate::lock()
{
    Result<HeldLock> held = HeldLock::take(m_journal.indexFile(), m_repository.indexPath(), m_what);
    if (!held)
        return held.error();
    const Result<QByteArray> now = readWhole(m_repository.indexPath(), m_what);
    if (!now)
        return now.error();
    if (*now != m_read)
        return false;
    m_lock = std::move(held).value();
    return true;
}

Result<void> IndexUpdate::publish()
{
    return m_lock.publish(m_what);
}

Result<void> stageFiles(const OpenRepository &repository, const QStringList &paths)
{
    const QString what = Tr::tr("add");
    const Result<Journal> journal = Journal::take(repository, what);
    if (!journal)
        return journal.error();
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const Result<QList<FileChange>> changes = storeFiles(repository, paths, what);
        if (!changes)
            return changes.error();
        IndexUpdate update(repository, *journal, what);
        if (const Result<void> done = update.prepare(*changes); !done)
            return done;
        const Result<bool> locked = update.lock();
        if (!locked)
            return locked.error();
        if (*locked)
            return update.publish();
    }
    return Error{what, repository.indexPath(), Tr::tr("another program keeps changing it"),
                 Tr::tr("Try again when it is done.")};
}

} // namespace tmx
