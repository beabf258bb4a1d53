// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/BranchReader.h"

#include "model/git/DiskFile.h"
#include "model/git/GitError.h"
#include "model/git/GitFilter.h"
#include "model/git/IndexReader.h"
#include "model/git/PromisedObjects.h"

#include <QFile>
#include <QFileInfo>
#include <QMap>
#include <QSet>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// A file with the data for its status.
struct Entry {
    VersionedFile file;
    bool inHead = false;
    std::optional<git_oid> head; ///< id of the blob
    uint32_t headMode = 0;
    bool onDisk = false;
    const KnownFile *known = nullptr; ///< `file` has no committed text then
};
using Entries = QMap<QString, Entry>;

BlobText readText(git_odb *odb, const git_oid &id)
{
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (git_odb_read_header(&size, &type, odb, &id) < 0)
        return {std::nullopt, FileTrouble::Unreadable};
    if (size > size_t(maxTextBytes))
        return {std::nullopt, FileTrouble::TooLarge};
    GitOdbObject object;
    if (obtain(object, git_odb_read, odb, &id) < 0 || type != GIT_OBJECT_BLOB)
        return {std::nullopt, FileTrouble::Unreadable};
    QByteArray bytes(static_cast<const char *>(git_odb_object_data(object.get())),
                     qsizetype(git_odb_object_size(object.get())));
    if (!isText(bytes))
        return {std::nullopt, FileTrouble::NotText};
    return {std::move(bytes), FileTrouble::None};
}

/// Reads the texts of a commit.
struct BlobSource {
    const OpenRepository &repository;
    BlobTexts *texts = nullptr;
    const KnownFiles *known = nullptr;

    BlobText read(const git_oid &id, const QString &hex) const
    {
        if (texts) {
            if (const std::optional<BlobText> blob = texts->find(hex))
                return *blob;
        }
        GitOdb odb;
        if (obtain(odb, git_repository_odb, repository.git()) < 0)
            return {std::nullopt, FileTrouble::Unreadable};
        const BlobText blob = readText(odb.get(), id);
        // What could not be read may be readable the next time.
        if (texts && blob.trouble != FileTrouble::Unreadable)
            texts->insert(hex, blob, qsizetype(sizeof blob) + blob.text.value_or(QByteArray()).size());
        return blob;
    }
};

/// Fetches the files of a folder all at once, in a partial clone.
void prefetch(const BlobSource &source, const git_tree *tree)
{
    QList<git_oid> ids;
    for (size_t i = 0; source.repository.partial && i < git_tree_entrycount(tree); ++i) {
        const git_tree_entry *item = git_tree_entry_byindex(tree, i);
        if (git_tree_entry_type(item) == GIT_OBJECT_BLOB)
            ids.append(*git_tree_entry_id(item));
    }
    fetchMissing(source.repository, ids);
}

void readBlob(const BlobSource &source, const git_tree_entry *item, Entry &entry)
{
    entry.head = *git_tree_entry_id(item);
    entry.headMode = git_tree_entry_filemode(item);
    entry.file.blob = toHex(*entry.head);
    if (entry.headMode == GIT_FILEMODE_LINK) {
        entry.file.trouble = FileTrouble::Link;
        return;
    }
    const auto known = source.known ? source.known->constFind(entry.file.path) : KnownFiles::const_iterator();
    if (source.known && known != source.known->cend() && known->blob == entry.file.blob) {
        entry.known = &*known;
        return;
    }
    const BlobText blob = source.read(*entry.head, entry.file.blob);
    entry.file.committed = blob.text;
    entry.file.trouble = blob.trouble;
    entry.file.unread = blob.trouble == FileTrouble::Unreadable;
}

void addFromTree(const BlobSource &source, const QString &path, const git_tree_entry *item, Entries &entries)
{
    Entry entry;
    entry.file.path = path;
    entry.inHead = true;
    const git_object_t type = git_tree_entry_type(item);
    if (type == GIT_OBJECT_BLOB)
        readBlob(source, item, entry);
    else
        entry.file.trouble = FileTrouble::Folder; // A submodule is a folder too.
    entries.insert(entries.cend(), path, entry);  // Mostly the place: git sorts its trees.
}

Result<void> readTree(const OpenRepository &repository, const QString &commit, const FileSelection &selection,
                      Entries &entries, BlobTexts *texts, const WorkHooks &hooks)
{
    const BlobSource source{repository, texts, selection.known};
    const int missing = *repository.missing;
    TM_TRY(root, treeOf(repository, commit));
    GitTreeEntry folder;
    const int rc = obtain(folder, git_tree_entry_bypath, root->get(), selection.folder.toUtf8().constData());
    if (rc == GIT_ENOTFOUND)
        return {};
    if (rc == 0 && git_tree_entry_type(folder.get()) == GIT_OBJECT_COMMIT)
        return isRepository(selection.folder);
    GitTree tree;
    if (rc < 0 || (git_tree_entry_type(folder.get()) == GIT_OBJECT_TREE &&
                   obtain(tree, git_tree_lookup, repository.git(), git_tree_entry_id(folder.get())) < 0))
        return readError(repository, missing, Tr::tr("read the recipes of commit"), commit);
    if (!tree)
        return {};

    prefetch(source, tree.get());
    for (size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
        if (hooks.stopped())
            return stoppedError();
        const git_tree_entry *item = git_tree_entry_byindex(tree.get(), i);
        const QString name = QString::fromUtf8(git_tree_entry_name(item));
        const QString path = selection.folder + u'/' + name;
        if (selection.takes(name)) {
            addFromTree(source, path, item, entries);
        } else if (git_tree_entry_type(item) == GIT_OBJECT_TREE && !name.startsWith(u'.')) {
            GitTree inner;
            if (obtain(inner, git_tree_lookup, repository.git(), git_tree_entry_id(item)) < 0)
                return readError(repository, missing, Tr::tr("read"), path);
            if (const auto *file = git_tree_entry_byname(inner.get(), selection.inFolders.toUtf8().constData()))
                addFromTree(source, path + u'/' + selection.inFolders, file, entries);
        }
    }
    return {};
}

Error folderError(const QString &folder, const std::error_code &error)
{
    return {Tr::tr("read the folder"), folder, QString::fromLocal8Bit(error.message().c_str()),
            Tr::tr("Check its permissions.")};
}

/// Paths of the selected files in the working tree. Error: the folder cannot be listed.
Result<QStringList> listDisk(const QString &workTree, const FileSelection &selection)
{
    QStringList paths;
    const QString folder = workTree + u'/' + selection.folder;
    for (const QString &at : {folder, folder.section(u'/', 0, -2)}) {
        if (QFileInfo::exists(at + u"/.git"_s))
            return isRepository(at);
    }
    const DiskFile there = readDiskFile(workTree, selection.folder);
    if (there.present && there.trouble == FileTrouble::Unreadable)
        return Error{Tr::tr("read the folder"), folder, troubleWords(there.trouble), Tr::tr("Check the disk.")};
    if (!there.present || there.trouble != FileTrouble::Folder)
        return paths;
    std::error_code error;
    for (const auto &[name, isFolder] : namesOnDisk(folder, error)) {
        const QString path = selection.folder + u'/' + name;
        struct stat info{};
        if (selection.takes(name))
            paths.append(path);
        else if (isFolder && !name.startsWith(u'.') &&
                 (::lstat(QFile::encodeName(folder + u'/' + name + u'/' + selection.inFolders).constData(), &info) ==
                      0 ||
                  (errno != ENOENT && errno != ENOTDIR)))
            paths.append(path + u'/' + selection.inFolders);
    }
    if (error)
        return folderError(folder, error);
    return paths;
}

bool sameStat(const git_index_entry &entry, const struct stat &info)
{
    return entry.file_size == uint32_t(info.st_size) && entry.mtime.seconds == int32_t(info.st_mtim.tv_sec) &&
           entry.mtime.nanoseconds == uint32_t(info.st_mtim.tv_nsec);
}

/// Compares entries with the index and the working tree.
class DiskMerge
{
public:
    /// `written`: when the index was, at the latest.
    DiskMerge(const OpenRepository &repository, GitIndex index, const timespec &written)
        : m_repository(repository)
        , m_index(std::move(index))
        , m_written(written)
    {
        GitConfig config;
        int on = 1;
        if (obtain(config, git_repository_config_snapshot, repository.git()) == 0 &&
            git_config_get_bool(&on, config.get(), "core.filemode") == 0)
            m_executableBit = on;
        // Attributes may have changed since this handle last read them.
        git_attr_cache_flush(repository.git());
    }

    /// Error: the disk cannot read the file.
    Result<void> add(Entry &entry) const
    {
        VersionedFile &file = entry.file;
        if (entry.known && isUntouched(entry)) {
            entry.onDisk = true;
            return {};
        }
        // A folder is the same for all of its files.
        const QString folder = file.path.left(file.path.lastIndexOf(u'/'));
        const DiskFile disk = folder == m_plainFolder ? readPlainFile(m_repository.workTree, file.path)
                                                      : readDiskFile(m_repository.workTree, file.path);
        TM_CHECK(checkRead(disk, file.path));
        m_plainFolder = disk.present && disk.trouble == FileTrouble::None ? folder : QString();
        entry.onDisk = disk.present;
        if (disk.present) {
            file.trouble = disk.trouble;
            if (disk.trouble == FileTrouble::None)
                file.onDisk = disk.bytes;
        }
        file.status = status(entry, disk);
        file.conflict = inConflict(file.path.toUtf8());
        return {};
    }

private:
    /// Whether git would take the file for as committed without reading it: ie_match_stat() and is_racy_timestamp() in
    /// git's read-cache.c. The size tells that no filter changed the text when it was checked out.
    bool isUntouched(const Entry &entry) const
    {
        const QString &path = entry.file.path;
        const git_index_entry *item = git_index_get_bypath(m_index.get(), path.toUtf8().constData(), 0);
        const QString folder = path.left(path.lastIndexOf(u'/'));
        struct stat info{};
        if (!item || !git_oid_equal(&*entry.head, &item->id) || item->mode != entry.headMode ||
            (folder != m_plainFolder && !checkNoLinkOnTheWay(m_repository.workTree, path)) ||
            ::lstat(QFile::encodeName(m_repository.workTree + u'/' + path).constData(), &info) != 0)
            return false;
        const bool sameMode =
            S_ISREG(info.st_mode) &&
            (!m_executableBit || (item->mode == GIT_FILEMODE_BLOB_EXECUTABLE) == bool(info.st_mode & S_IXUSR));
        const bool sameChange = item->ctime.seconds == int32_t(info.st_ctim.tv_sec) &&
                                item->ctime.nanoseconds == uint32_t(info.st_ctim.tv_nsec) &&
                                item->ino == uint32_t(info.st_ino);
        const auto isOlder = [this](const timespec &time) {
            return std::pair(time.tv_sec, time.tv_nsec) < std::pair(m_written.tv_sec, m_written.tv_nsec);
        };
        if (!sameMode || !sameChange || !isOlder(info.st_mtim) || !isOlder(info.st_ctim) || !sameStat(*item, info) ||
            info.st_size != entry.known->bytes)
            return false;
        m_plainFolder = folder;
        return true;
    }

    FileStatus status(const Entry &entry, const DiskFile &disk) const
    {
        const QByteArray path = entry.file.path.toUtf8();
        const git_index_entry *item = git_index_get_bypath(m_index.get(), path.constData(), 0);
        if (!disk.present)
            return item && (item->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) ? FileStatus::Clean
                                                                                  : FileStatus::Deleted;
        if (!item)
            return inConflict(path) ? FileStatus::Modified : FileStatus::Untracked;
        if (!sameAsIndex(*item, entry.file.path, disk))
            return FileStatus::Modified;
        const bool sameAsHead = entry.head && git_oid_equal(&*entry.head, &item->id) && entry.headMode == item->mode;
        return sameAsHead ? FileStatus::Clean : FileStatus::Staged;
    }

    bool inConflict(const QByteArray &path) const
    {
        const git_index_entry *sides[3] = {};
        return git_index_conflict_get(&sides[0], &sides[1], &sides[2], m_index.get(), path.constData()) == 0;
    }

    bool sameAsIndex(const git_index_entry &item, const QString &path, const DiskFile &disk) const
    {
        switch (disk.trouble) {
        case FileTrouble::Link: return item.mode == GIT_FILEMODE_LINK && sameStat(item, disk.info);
        case FileTrouble::Folder: return item.mode == GIT_FILEMODE_COMMIT;
        case FileTrouble::TooLarge: // Not worth hashing: nobody reads it.
        case FileTrouble::Unreadable: return sameStat(item, disk.info);
        case FileTrouble::None:
        case FileTrouble::NotText: break;
        }
        if (item.mode == GIT_FILEMODE_LINK ||
            (m_executableBit && (item.mode == GIT_FILEMODE_BLOB_EXECUTABLE) != bool(disk.info.st_mode & S_IXUSR)))
            return false;
        // Looking up attributes takes longer than everything else. They cannot change what git would store if the bytes
        // equal those of the index and contain neither a line end to normalise nor a keyword of ident.
        const git_oid raw = blobId(disk.bytes);
        if (git_oid_equal(&raw, &item.id) && !disk.bytes.contains('\r') && !disk.bytes.contains("$Id"))
            return true;
        const Result<QByteArray> stored = toStored(m_repository, path, disk.bytes);
        if (!stored)
            return sameStat(item, disk.info);
        const git_oid id = blobId(*stored);
        return git_oid_equal(&id, &item.id);
    }

    const OpenRepository &m_repository;
    GitIndex m_index;
    timespec m_written;
    bool m_executableBit = true;
    mutable QString m_plainFolder; ///< of the last file: no link and no repository is on the way to it
};

Result<void> mergeDisk(const OpenRepository &repository, const DiskMerge &merge, const FileSelection &selection,
                       Entries &entries, const WorkHooks &hooks)
{
    TM_TRY(paths, listDisk(repository.workTree, selection));
    for (const QString &path : *paths)
        entries[path].file.path = path;
    for (Entry &entry : entries) {
        if (hooks.stopped())
            return stoppedError();
        TM_CHECK(merge.add(entry));
    }
    // Remove files that disappeared after the listing, and names that are not text.
    entries.removeIf([](const auto &entry) { return !entry.value().inHead && !entry.value().onDisk; });
    return {};
}

/// Reads the files that the selected ones may name.
class NamedReader
{
public:
    /// `disk`: null if only the commit is read.
    NamedReader(const OpenRepository &repository, const QString &commit, const FileSelection &selection,
                BlobTexts *texts, const DiskMerge *disk)
        : m_repository(repository)
        , m_selection(selection)
        , m_source{repository, texts, selection.known}
        , m_disk(disk)
    {
        Result<GitTree> root = commit.isEmpty() ? Result<GitTree>(GitTree()) : treeOf(repository, commit);
        if (root)
            m_root = std::move(root).value();
        else
            m_error = root.error();
    }

    /// Error: a folder could not be read.
    Result<Entries> read(const Entries &selected)
    {
        GitTreeEntry folder;
        GitTree tree;
        const QString below = m_selection.folder + u'/';
        if (find(m_selection.folder, folder))
            tree = treeOfEntry(folder.get());
        for (size_t i = 0; tree && i < git_tree_entrycount(tree.get()); ++i)
            addFolder(git_tree_entry_byindex(tree.get(), i), below, Which::Suffix, 0);
        if (m_disk)
            addDiskFolder(m_selection.folder, Which::Suffix, 0);
        m_found.removeIf([&selected](const auto &entry) { return selected.contains(entry.key()); });
        QList<Entry> open = selected.values() + mergedWithDisk(m_found.keys());
        QSet<QString> seen;
        while (!open.isEmpty()) {
            QStringList added;
            for (const Entry &entry : std::as_const(open)) {
                if (!entry.file.path.endsWith(m_selection.suffix))
                    continue;
                for (const QString &path : namesIn(entry)) {
                    // The files in the selected folder are read already.
                    if (!seen.contains(path) && !below.startsWith(path))
                        added += named(path, selected);
                    seen.insert(path);
                }
            }
            open = mergedWithDisk(added);
        }
        m_found.removeIf([](const auto &entry) { return !entry.value().inHead && !entry.value().onDisk; });
        return m_error ? Result<Entries>(*m_error) : m_found;
    }

private:
    enum class Which { Suffix, All };
    static constexpr int maxDepth = 8;
    static constexpr qsizetype most = 5000;

    /// What the committed text and that in the working tree name.
    QStringList namesIn(const Entry &entry) const
    {
        if (!m_selection.namedIn)
            return {};
        const auto &[path, committed, onDisk] = std::tie(entry.file.path, entry.file.committed, entry.file.onDisk);
        QStringList names = entry.known ? entry.known->named : QStringList();
        if (committed)
            names += m_selection.namedIn(path, *committed);
        if (onDisk && onDisk != committed)
            names += m_selection.namedIn(path, *onDisk);
        return names;
    }

    GitTree treeOfEntry(const git_tree_entry *entry)
    {
        GitTree tree;
        if (git_tree_entry_type(entry) == GIT_OBJECT_TREE &&
            obtain(tree, git_tree_lookup, m_repository.git(), git_tree_entry_id(entry)) < 0)
            note(gitError(Tr::tr("read the folder"), QString::fromUtf8(git_tree_entry_name(entry))));
        return tree;
    }

    /// The entry of the commit at a path, if there is one.
    bool find(const QString &path, GitTreeEntry &entry)
    {
        const int rc =
            m_root ? obtain(entry, git_tree_entry_bypath, m_root.get(), path.toUtf8().constData()) : int(GIT_ENOTFOUND);
        if (rc < 0 && rc != GIT_ENOTFOUND)
            note(gitError(Tr::tr("read"), path));
        return rc == 0;
    }

    /// Keeps the first error.
    void note(const Error &error) { m_error = m_error ? m_error : error; }
    void note(const QString &folder, const std::error_code &error)
    {
        // A folder that the user may not read is nobody's import.
        if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory &&
            error != std::errc::permission_denied)
            note(folderError(folder, error));
    }

    /// Adds the files below a folder of the commit; `before`: its path with the slash, without its name.
    void addFolder(const git_tree_entry *entry, const QString &before, Which which, int depth)
    {
        const QString path = before + QString::fromUtf8(git_tree_entry_name(entry));
        const GitTree tree = treeOfEntry(entry);
        if (tree)
            prefetch(m_source, tree.get());
        for (size_t i = 0; tree && i < git_tree_entrycount(tree.get()); ++i) {
            const git_tree_entry *item = git_tree_entry_byindex(tree.get(), i);
            const QString name = QString::fromUtf8(git_tree_entry_name(item));
            if (git_tree_entry_type(item) == GIT_OBJECT_TREE && depth < maxDepth)
                addFolder(item, path + u'/', which, depth + 1);
            else if (git_tree_entry_type(item) == GIT_OBJECT_BLOB &&
                     (which == Which::All || name.endsWith(m_selection.suffix)))
                addBlob(path + u'/' + name, item);
        }
    }

    void addBlob(const QString &path, const git_tree_entry *item)
    {
        if (m_found.size() < most && !m_found.contains(path))
            addFromTree(m_source, path, item, m_found);
    }

    /// Adds what a link leads to, if that is a file beside it.
    void addLinked(const QString &folder, const git_tree_entry *link)
    {
        const git_oid &id = *git_tree_entry_id(link);
        const QByteArray name = git_tree_entry_filemode(link) == GIT_FILEMODE_LINK
                                    ? m_source.read(id, toHex(id)).text.value_or(QByteArray())
                                    : QByteArray();
        const QString target = (folder.isEmpty() ? QString() : folder + u'/') + QString::fromUtf8(name);
        if (GitTreeEntry entry; !name.isEmpty() && !name.contains('/') && find(target, entry) &&
                                git_tree_entry_type(entry.get()) == GIT_OBJECT_BLOB)
            addBlob(target, entry.get());
    }

    /// The same in the working tree. Links are not followed, as in git.
    void addDiskFolder(const QString &path, Which which, int depth)
    {
        const QString folder = m_repository.workTree + u'/' + path;
        int unreadable = 0;
        const Result<void> way = checkNoLinkOnTheWay(m_repository.workTree, path + "/x"_L1, &unreadable);
        if (unreadable != 0)
            note(way.error());
        if (depth > maxDepth || !way)
            return;
        std::error_code error;
        for (const auto &[name, isFolder] : namesOnDisk(folder, error)) {
            // The selected files themselves are read already.
            if (isFolder && !name.startsWith(u'.'))
                addDiskFolder(path + u'/' + name, which, depth + 1);
            else if (!isFolder && path != m_selection.folder &&
                     (which == Which::All || name.endsWith(m_selection.suffix)))
                addPath(path + u'/' + name);
        }
        note(folder, error);
    }

    void addPath(const QString &path)
    {
        if (m_found.size() < most)
            m_found[path].file.path = path;
    }

    /// Adds what a path names: a file, a folder, or the files that begin so. Returns the new paths.
    QStringList named(QString path, const Entries &selected)
    {
        const QStringList before = m_found.keys();
        if (path.endsWith(u'/'))
            path.chop(1);
        const QString parent = path.contains(u'/') ? path.left(path.lastIndexOf(u'/')) : QString();
        const QString name = path.sliced(parent.isEmpty() ? 0 : parent.size() + 1);
        GitTreeEntry entry;
        if (find(path, entry)) {
            if (git_tree_entry_type(entry.get()) == GIT_OBJECT_BLOB) {
                addBlob(path, entry.get());
                addLinked(parent, entry.get());
            } else
                addFolder(entry.get(), parent.isEmpty() ? QString() : parent + u'/', Which::All, 0);
        } else if (GitTreeEntry above; !parent.isEmpty() && find(parent, above)) {
            const GitTree tree = treeOfEntry(above.get());
            for (size_t i = 0; tree && i < git_tree_entrycount(tree.get()); ++i) {
                const git_tree_entry *item = git_tree_entry_byindex(tree.get(), i);
                if (const QString other = QString::fromUtf8(git_tree_entry_name(item));
                    git_tree_entry_type(item) == GIT_OBJECT_BLOB && other.startsWith(name))
                    addBlob(parent + u'/' + other, item);
            }
        }
        if (m_disk)
            addNamedOnDisk(path, parent, name);
        QStringList added = m_found.keys();
        added.removeIf([&](const QString &one) { return before.contains(one); });
        for (const QString &one : std::as_const(added)) {
            if (selected.contains(one))
                m_found.remove(one);
        }
        added.removeIf([&](const QString &one) { return selected.contains(one); });
        return added;
    }

    void addNamedOnDisk(const QString &path, const QString &parent, const QString &name)
    {
        namespace fs = std::filesystem;
        const fs::path place = QFile::encodeName(m_repository.workTree + u'/' + path).toStdString();
        std::error_code error;
        const fs::file_type type = fs::symlink_status(place, error).type();
        if (type == fs::file_type::directory)
            addDiskFolder(path, Which::All, 0);
        else if (type == fs::file_type::none)
            note(path, error);
        else if (type != fs::file_type::not_found)
            addPath(path);
        error.clear();
        for (const auto &[other, isFolder] : namesOnDisk(m_repository.workTree + u'/' + parent, error)) {
            if (!isFolder && other.startsWith(name))
                addPath(parent.isEmpty() ? other : parent + u'/' + other);
        }
        note(parent, error);
    }

    QList<Entry> mergedWithDisk(const QStringList &paths)
    {
        QList<Entry> entries;
        for (const QString &path : paths) {
            Entry &entry = m_found[path];
            if (const Result<void> read = m_disk ? m_disk->add(entry) : Result<void>(); !read)
                note(read.error());
            entries.append(entry);
        }
        return entries;
    }

    const OpenRepository &m_repository;
    const FileSelection &m_selection;
    BlobSource m_source;
    const DiskMerge *m_disk;
    GitTree m_root;
    Entries m_found;
    std::optional<Error> m_error; ///< the first
};

/// Reads what the selected `entries` may name too, and takes all of them. Error: also objects that are missing since
/// `missing` were counted.
Result<BranchFiles> withNamed(const OpenRepository &repository, int missing, const Entries &entries, NamedReader reader,
                              BranchFiles files)
{
    const Result<Entries> named = reader.read(entries);
    if (*repository.missing > missing)
        return notHere(repository, Tr::tr("read the recipes of"), files.title());
    if (!named)
        return named.error();
    for (const Entry &entry : entries)
        files.files.append(entry.file);
    for (const Entry &entry : *named)
        files.imported.append(entry.file);
    return files;
}

} // namespace

Result<BranchFiles> readCommit(const OpenRepository &repository, const QString &commit, const QString &branch,
                               const FileSelection &selection, BlobTexts *texts, const WorkHooks &hooks)
{
    const FetchHooks fetches(hooks);
    const int missing = *repository.missing;
    Entries entries;
    TM_CHECK(readTree(repository, commit, selection, entries, texts, hooks));
    return withNamed(repository, missing, entries, {repository, commit, selection, texts, nullptr},
                     {branch, commit, false, {}});
}

Result<BranchFiles> readBranch(const OpenRepository &repository, const QString &branch, const FileSelection &selection,
                               BlobTexts *texts, const WorkHooks &hooks)
{
    TM_TRY(head, headOf(repository));
    const FetchHooks fetches(hooks);
    const int missing = *repository.missing;
    BranchFiles files;
    files.branch = branch.isEmpty() ? head->branch : branch;
    files.withWorkTree = files.branch == head->branch; // Both are empty for a detached HEAD.
    files.commit = head->commit;
    if (!files.branch.isEmpty()) {
        TM_TRY(tip, branchTip(repository, files.branch));
        files.commit = *tip;
    }

    Entries entries;
    if (!files.commit.isEmpty()) {
        TM_CHECK(readTree(repository, files.commit, selection, entries, texts, hooks));
    }
    std::optional<DiskMerge> merge;
    if (files.withWorkTree) {
        struct stat written{};
        if (::lstat(QFile::encodeName(repository.indexPath()).constData(), &written) != 0)
            written = {};
        TM_TRY(index, readIndex(repository));
        merge.emplace(repository, std::move(index).value(), written.st_mtim);
        TM_CHECK(mergeDisk(repository, *merge, selection, entries, hooks));
    }
    NamedReader reader(repository, files.commit, selection, texts, merge ? &*merge : nullptr);
    return withNamed(repository, missing, entries, std::move(reader), std::move(files));
}

Result<BlobText> readFile(const OpenRepository &repository, const BranchFiles &of, const QString &path,
                          const WorkHooks &hooks)
{
    if (of.withWorkTree) {
        const DiskFile disk = readDiskFile(repository.workTree, path);
        TM_CHECK(checkRead(disk, path));
        if (!disk.present || disk.trouble != FileTrouble::None)
            return BlobText{std::nullopt, disk.present ? disk.trouble : FileTrouble::None};
        return BlobText{disk.bytes};
    }
    if (of.commit.isEmpty())
        return BlobText();
    TM_TRY(root, treeOf(repository, of.commit));
    const int missing = *repository.missing;
    GitTreeEntry item;
    const int rc = obtain(item, git_tree_entry_bypath, root->get(), path.toUtf8().constData());
    if (rc == GIT_ENOTFOUND)
        return BlobText();
    if (rc < 0)
        return readError(repository, missing, Tr::tr("read"), path);
    if (git_tree_entry_type(item.get()) != GIT_OBJECT_BLOB)
        return BlobText{std::nullopt, FileTrouble::Folder};
    if (git_tree_entry_filemode(item.get()) == GIT_FILEMODE_LINK)
        return BlobText{std::nullopt, FileTrouble::Link};
    const FetchHooks fetches(hooks);
    BlobText text = BlobSource{repository}.read(*git_tree_entry_id(item.get()), {});
    if (*repository.missing > missing)
        return notHere(repository, Tr::tr("read the recipes of"), of.title());
    return text;
}

} // namespace tmx
