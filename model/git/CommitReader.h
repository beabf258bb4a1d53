// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/git/BlobTexts.h"
#include "model/git/GitValues.h"

#include <QStringList>

#include <functional>
#include <memory>

namespace tmx {

struct OpenRepository;

/// A local or remote-tracking branch and its commit.
struct BranchTip {
    QString ref;    ///< "refs/heads/main", "refs/remotes/origin/main"
    QString name;   ///< name as git shows it: "main", "origin/main"
    QString branch; ///< name without the remote: "main"
    QString commit; ///< 40 hexadecimal digits
    bool remote = false;
    bool operator==(const BranchTip &) const = default;
};

/// A text file of a commit.
struct FileText {
    QString path;
    QString blob;
    QByteArray text;
};

/// Metadata of a commit.
struct CommitInfo {
    QString parent;       ///< the first parent; empty if there is none
    QString subject;      ///< first line of the message
    QString author;       ///< only the name
    QDateTime when;       ///< committer's date
    QString reverts = {}; ///< the commit that it reverts, as its message says in git's words: 40 digits, or empty
};

/// One commit that touched a file.
struct FileRevision {
    QString commit;
    QString subject;
    QString author;
    QDateTime when;                 ///< author's date, in the author's time zone
    QString path;                   ///< path in this commit; if the commit removed the file, in its parent
    QString before;                 ///< path in the parent if it was renamed; else empty
    std::optional<QByteArray> text; ///< nullopt: the commit removed it, or it is not text
    QString after = {};             ///< new path if the commit removed it by a rename; else empty
    bool operator==(const FileRevision &) const = default;
};

/// An entry of a folder in a commit.
struct FolderEntry {
    QString name;
    QString id; ///< of the blob, the tree, or the submodule's commit
    enum class Kind { File, Link, Folder, Submodule } kind = Kind::File;
};

using SameFile = std::function<bool(const QString &path)>;
using TakesItsPlace = std::function<bool(const QString &gone, const QString &come)>;

/// Reads branches, commits and their history from the object database only: no working tree, no index, no checkout. Has
/// one libgit2 handle and is not thread-safe: each worker opens its own. For workers.
class CommitReader
{
public:
    /// Errors: as Repository::open.
    static Result<CommitReader> open(const QString &path);
    ~CommitReader();
    CommitReader(CommitReader &&) noexcept;
    CommitReader &operator=(CommitReader &&) noexcept;

    [[nodiscard]] const QString &workTree() const;
    [[nodiscard]] const QString &commonFolder() const; ///< folder of refs and objects
    /// The name of the folder, and the last words of the remotes' addresses: "build-pytorch".
    [[nodiscard]] QStringList repositoryNames() const;
    /// Local branches by name, then remote-tracking ones. Refs that only point to another branch ("origin/HEAD") are
    /// left out, as are broken ones (RepositoryInfo::broken).
    [[nodiscard]] Result<QList<BranchTip>> tips() const;
    /// The commit that a revision names, with the syntax of "git rev-parse": a branch, a tag, "main~3", an abbreviated
    /// id. Error: no such commit.
    [[nodiscard]] Result<QString> commitOf(const QString &revision) const;
    [[nodiscard]] Result<CommitInfo> infoOf(const QString &commit) const;
    /// Whether `commit` (40 digits) is `tip` or one of its ancestors.
    [[nodiscard]] Result<bool> contains(const QString &tip, const QString &commit) const;
    /// The numbers of commits that `tip` has and `commit` has not, and the other way round.
    [[nodiscard]] Result<std::pair<int, int>> distance(const QString &tip, const QString &commit) const;
    /// The selected files of a commit. `branch` is the branch that they belong to. With `texts`, known blobs are not
    /// read again. Errors include stoppedError().
    [[nodiscard]] Result<BranchFiles> read(const QString &commit, const QString &branch, const FileSelection &selection,
                                           BlobTexts *texts = nullptr, const WorkHooks &hooks = {}) const;
    /// One more file of them: from the working tree if that was read, else from the commit. Without text and trouble if
    /// there is no such file. Error: damaged repository.
    [[nodiscard]] Result<BlobText> readFile(const BranchFiles &of, const QString &path,
                                            const WorkHooks &hooks = {}) const;
    /// Whether the repository has the object (40 digits), without asking a remote for it.
    [[nodiscard]] bool holds(const QString &object) const;
    /// The commits (40 digits) at which the history of a shallow clone ends; empty in a whole clone. What is kept about
    /// a commit's history belongs to them too.
    [[nodiscard]] QStringList historyEnds() const;
    /// What a folder has in a commit, in git's order; empty if there is no such folder. `path` may be empty: the root.
    [[nodiscard]] Result<QList<FolderEntry>> entriesOf(const QString &commit, const QString &path) const;
    /// A file's bytes in a commit; nullopt: no such file. Error: it is a folder or a link, or it cannot be read.
    [[nodiscard]] Result<std::optional<QByteArray>> fileAt(const QString &commit, const QString &path) const;

    /// Calls `take` with each text file of a commit whose path `wanted` accepts, in the order of git's tree. Reads
    /// files of at most 1 MiB.
    [[nodiscard]] Result<void> forEachText(const QString &commit,
                                           const std::function<bool(const QString &path)> &wanted,
                                           const std::function<void(const FileText &)> &take) const;
    /// The commits that touched the file at `path`, the newest first, from `commit` backwards; at most `limit`.
    /// `sameFile` tells whether a path of `among` that a commit removed was this file under an older name; a file with
    /// exactly the same text counts without asking. At a merge, follows the parent that the text came from.
    [[nodiscard]] Result<QList<FileRevision>> history(const QString &commit, const QString &path,
                                                      const SameFile &sameFile, const FileSelection &among, int limit,
                                                      const std::function<bool()> &stop = {}) const;

    /// The files of a folder that were deleted by commits from `commit` backwards and do not exist now, each with the
    /// last commit that deleted it; the newest first. Visits at most `limit` commits, at a merge only the first parent,
    /// and compares names only if the folder changed. Leaves out a file whose text the same commit adds under another
    /// name, and one for which `takesItsPlace` returns true. Ends early if `stop` returns true.
    [[nodiscard]] Result<QList<DeletedFile>> deletions(const QString &commit, const FileSelection &among,
                                                       const TakesItsPlace &takesItsPlace, int limit,
                                                       const std::function<bool()> &stop = {}) const;

protected:
    explicit CommitReader(OpenRepository opened);
    std::unique_ptr<const OpenRepository> m_opened;
};

/// Folders and files whose changes mean that a branch, local or remote, moved, was created or was deleted: for a
/// QFileSystemWatcher. Call it again after each change.
QStringList branchWatchPaths(const QString &gitFolder, const QString &commonFolder);

} // namespace tmx
