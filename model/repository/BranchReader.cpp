// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/BranchReader.h"

#include "model/repository/FetchedTorch.h"
#include "model/repository/GitError.h"
#include "model/repository/GitFilter.h"
#include "model/repository/LineFileReader.h"
#include "model/repository/RecipePath.h"
#include "model/repository/TorchSibling.h"

#include <QFile>
#include <QFileInfo>
#include <QMap>

#include <filesystem>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// A recipe file with the data for its status.
struct Entry {
    RecipeFile file;
    bool inHead = false;
    std::optional<git_oid> head; ///< id of the blob
    uint32_t headMode = 0;
    bool onDisk = false;
};
using Entries = QMap<QString, Entry>;

QString pathOf(const QString &name)
{
    return recipeFolder + u'/' + name;
}

BlobText readText(git_odb *odb, const git_oid &id)
{
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (git_odb_read_header(&size, &type, odb, &id) < 0)
        return {std::nullopt, FileTrouble::Unreadable};
    if (size > size_t(maxRecipeBytes))
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
    BlobTexts *known = nullptr;

    BlobText read(const git_oid &id, const QString &hex) const
    {
        if (known) {
            if (const std::optional<BlobText> blob = known->find(hex))
                return *blob;
        }
        GitOdb odb;
        if (obtain(odb, git_repository_odb, repository.git()) < 0)
            return {std::nullopt, FileTrouble::Unreadable};
        const BlobText blob = readText(odb.get(), id);
        // What could not be read may be readable the next time.
        if (known && blob.trouble != FileTrouble::Unreadable)
            known->insert(hex, blob, qsizetype(sizeof blob) + blob.text.value_or(QByteArray()).size());
        return blob;
    }
};

void readBlob(const BlobSource &source, const git_tree_entry *item, Entry &entry)
{
    entry.head = *git_tree_entry_id(item);
    entry.headMode = git_tree_entry_filemode(item);
    entry.file.blob = toHex(*entry.head);
    if (entry.headMode == GIT_FILEMODE_LINK) {
        entry.file.trouble = FileTrouble::Link;
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
    entries.insert(path, entry);
}

Result<void> readTree(const OpenRepository &repository, const QString &commit, Entries &entries, BlobTexts *texts,
                      const WorkHooks &hooks)
{
    const BlobSource source{repository, texts};
    const Result<GitTree> root = treeOf(repository, commit);
    if (!root)
        return root.error();
    GitTreeEntry folder;
    const int rc = obtain(folder, git_tree_entry_bypath, root->get(), recipeFolder.data());
    if (rc == GIT_ENOTFOUND)
        return {};
    if (rc == 0 && git_tree_entry_type(folder.get()) == GIT_OBJECT_COMMIT)
        return isRepository(recipeFolder);
    GitTree tree;
    if (rc < 0 || (git_tree_entry_type(folder.get()) == GIT_OBJECT_TREE &&
                   obtain(tree, git_tree_lookup, repository.git(), git_tree_entry_id(folder.get())) < 0))
        return gitError(Tr::tr("read the recipes of commit"), commit,
                        Tr::tr("\"git fsck\" checks whether the repository is damaged."));
    if (!tree)
        return {};

    for (size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
        if (hooks.stopped())
            return stoppedError();
        const git_tree_entry *item = git_tree_entry_byindex(tree.get(), i);
        const QString name = QString::fromUtf8(git_tree_entry_name(item));
        if (isRecipeName(name)) {
            addFromTree(source, pathOf(name), item, entries);
        } else if (git_tree_entry_type(item) == GIT_OBJECT_TREE && !name.startsWith(u'.')) {
            GitTree inner;
            const git_tree_entry *recipe = nullptr;
            if (obtain(inner, git_tree_lookup, repository.git(), git_tree_entry_id(item)) == 0)
                recipe = git_tree_entry_byname(inner.get(), "default.nix");
            if (recipe)
                addFromTree(source, pathOf(name) + u"/default.nix"_s, recipe, entries);
        }
    }
    return {};
}

/// Paths of recipes in the working tree. Error: the folder cannot be listed.
Result<QStringList> listDisk(const QString &workTree)
{
    namespace fs = std::filesystem;
    QStringList paths;
    const QString folder = workTree + u'/' + recipeFolder;
    for (const QString &at : {folder, folder.section(u'/', 0, -2)}) {
        if (QFileInfo::exists(at + u"/.git"_s))
            return isRepository(at);
    }
    if (!checkNoLinkOnTheWay(workTree, pathOf(u"x"_s)) || !QFileInfo(folder).isDir())
        return paths;
    // QDir would return an empty list for an unreadable folder.
    std::error_code error;
    for (fs::directory_iterator entry(QFile::encodeName(folder).toStdString(), error);
         !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const QString name = QFile::decodeName(entry->path().filename().c_str());
        std::error_code ignored;
        if (isRecipeName(name))
            paths.append(pathOf(name));
        else if (!name.startsWith(u'.') && !entry->is_symlink(ignored) && entry->is_directory(ignored) &&
                 fs::symlink_status(entry->path() / "default.nix", ignored).type() != fs::file_type::not_found)
            paths.append(pathOf(name) + u"/default.nix"_s);
    }
    if (error)
        return Error{Tr::tr("read the folder"), folder, QString::fromLocal8Bit(error.message().c_str()),
                     Tr::tr("Check its permissions.")};
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
    DiskMerge(const OpenRepository &repository, GitIndex index)
        : m_repository(repository)
        , m_index(std::move(index))
    {
        GitConfig config;
        int on = 1;
        if (obtain(config, git_repository_config_snapshot, repository.git()) == 0 &&
            git_config_get_bool(&on, config.get(), "core.filemode") == 0)
            m_executableBit = on;
        // Attributes may have changed since this handle last read them.
        git_attr_cache_flush(repository.git());
    }

    void add(Entry &entry) const
    {
        RecipeFile &file = entry.file;
        const DiskFile disk = readDiskFile(m_repository.workTree, file.path);
        entry.onDisk = disk.present;
        if (disk.present) {
            file.trouble = disk.trouble;
            if (disk.trouble == FileTrouble::None)
                file.onDisk = disk.bytes;
        }
        file.status = status(entry, disk);
        file.conflict = inConflict(file.path.toUtf8());
    }

private:
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
        case FileTrouble::TooLarge: // Not worth hashing: it cannot be a recipe.
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
    bool m_executableBit = true;
};

Result<void> mergeDisk(const OpenRepository &repository, Entries &entries, const WorkHooks &hooks)
{
    const Result<QStringList> paths = listDisk(repository.workTree);
    if (!paths)
        return paths.error();
    for (const QString &path : *paths)
        entries[path].file.path = path;
    Result<GitIndex> index = readIndex(repository.indexPath());
    if (!index)
        return index.error();
    const DiskMerge merge(repository, std::move(index).value());
    for (Entry &entry : entries) {
        if (hooks.stopped())
            return stoppedError();
        merge.add(entry);
    }
    // Remove files that disappeared after the listing, and names that are not text.
    entries.removeIf([](const auto &entry) { return !entry.value().inHead && !entry.value().onDisk; });
    return {};
}

} // namespace

Result<BranchContent> readCommitAlone(const OpenRepository &repository, const QString &commit, const QString &branch,
                                      BlobTexts *texts, const WorkHooks &hooks)
{
    BranchContent content;
    content.branch = branch;
    content.commit = commit;
    Entries entries;
    if (const Result<void> done = readTree(repository, commit, entries, texts, hooks); !done)
        return done.error();
    for (const Entry &entry : std::as_const(entries))
        content.files.append(entry.file);
    if (const Result<void> done = readLineFileOf(repository, content); !done)
        return done.error();
    return content;
}

Result<BranchContent> readCommit(const OpenRepository &repository, const QString &commit, const QString &branch,
                                 BlobTexts *texts, const WorkHooks &hooks)
{
    Result<BranchContent> content = readCommitAlone(repository, commit, branch, texts, hooks);
    if (content) {
        addTorchSibling(repository, *content);
        addFetchedTorch(repository, *content);
    }
    return content;
}

Result<BranchContent> readBranch(const OpenRepository &repository, const QString &branch, BlobTexts *texts,
                                 const WorkHooks &hooks)
{
    const Result<Head> head = headOf(repository);
    if (!head)
        return head.error();
    BranchContent content;
    content.branch = branch.isEmpty() ? head->branch : branch;
    content.withWorkTree = content.branch == head->branch; // Both are empty for a detached HEAD.
    content.commit = head->commit;
    if (!content.branch.isEmpty()) {
        const Result<QString> tip = branchTip(repository, content.branch);
        if (!tip)
            return tip.error();
        content.commit = *tip;
    }

    Entries entries;
    if (!content.commit.isEmpty()) {
        if (const Result<void> done = readTree(repository, content.commit, entries, texts, hooks); !done)
            return done.error();
    }
    if (content.withWorkTree) {
        if (const Result<void> done = mergeDisk(repository, entries, hooks); !done)
            return done.error();
    }
    for (const Entry &entry : std::as_const(entries))
        content.files.append(entry.file);
    if (const Result<void> done = readLineFileOf(repository, content); !done)
        return done.error();
    addTorchSibling(repository, content);
    addFetchedTorch(repository, content);
    return content;
}

} // namespace tmx
