// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileTrouble.h"
#include "model/base/Result.h"

#include <QByteArray>
#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <utility>

namespace tmx {

/// What sentences call a branch: its name, or for a detached HEAD the commit's short name.
inline QString branchTitle(const QString &branch, const QString &commit)
{
    return branch.isEmpty() ? commit.left(10) : branch;
}

/// A local branch. `commit` is empty for the unborn branch of a repository without a commit.
struct BranchRef {
    QString name;                ///< "cuda-13_0"
    QString commit;              ///< 40 hexadecimal digits
    bool checkedOut = false;     ///< in the working tree that was opened
    QString checkedOutElsewhere; ///< path of another working tree that has it checked out; else empty
    QString upstream = {};       ///< its upstream branch, "origin/main"; empty if there is none, or if it does not
                                 ///< exist
    int ahead = 0;               ///< number of commits that the upstream lacks; -1: unknown
    int behind = 0;              ///< number of the upstream's commits that it lacks; -1: unknown
    bool operator==(const BranchRef &) const = default;
};

/// A repository's folders and what is checked out.
struct RepositoryInfo {
    QString workTree;   ///< absolute, without a trailing slash
    QString gitFolder;  ///< absolute; of this working tree (".git/worktrees/x" in a linked one)
    QString headBranch; ///< empty if HEAD is detached
    QString headCommit; ///< empty if there is no commit yet
    bool detached = false;
    QList<BranchRef> branches; ///< sorted by name; includes the unborn branch
    /// The local branches with a broken ref (not a commit's id, a link to a missing branch), each with git's message
    /// and how to restore it; and "packed-refs" if that file is damaged.
    QList<std::pair<QString, Error>> broken = {};
    bool operator==(const RepositoryInfo &) const = default;
};

/// Status of a file in the working tree relative to index and HEAD.
enum class FileStatus {
    Clean,
    Modified,  ///< working tree differs from index
    Staged,    ///< index differs from HEAD, working tree equals index
    Untracked, ///< not in the index; includes files that .gitignore names
    Deleted,   ///< in HEAD, deleted from the working tree
};

/// One file of a branch: in a commit, in the working tree, or in both.
struct VersionedFile {
    QString path; ///< relative to the root: ".flox/pkgs/x.nix"
    std::optional<QByteArray>
        committed; ///< text in the commit, as git stores it (with line ends normalised by attributes)
    std::optional<QByteArray>
        onDisk; ///< bytes in the working tree; nullopt if absent, if there is trouble, or if only a commit was read
    FileStatus status = FileStatus::Clean;   ///< line ends that attributes normalise do not count as a difference
    FileTrouble trouble = FileTrouble::None; ///< trouble of the file in the working tree if that was read and the file
                                             ///< exists, else of the commit's file
    bool conflict =
        false; ///< an unresolved merge: the index has several versions, and the text in the working tree may mix them
    QString blob; ///< id of the committed text, equal on every branch with the same text; empty: not in the commit
    bool unread = false; ///< the committed text exists but could not be read, whatever `trouble` says about the file
    /// Whether the file was deleted from a working tree that was read. Files left out by sparse checkout count as
    /// clean.
    [[nodiscard]] bool isGone() const { return !onDisk && trouble == FileTrouble::None && status != FileStatus::Clean; }
    bool operator==(const VersionedFile &) const = default;
};

/// A file that a commit of a branch deleted.
struct DeletedFile {
    QString path;    ///< path in the commit's parent
    QString commit;  ///< 40 digits
    QString parent;  ///< the parent, which still has it
    QString subject; ///< subject of the commit; text from the repository
    QDateTime when;  ///< author's date, in the author's time zone
    bool operator==(const DeletedFile &) const = default;
};

/// A file that was read before.
struct KnownFile {
    QString blob;      ///< id of the committed text
    qint64 bytes = 0;  ///< its size
    QStringList named; ///< what FileSelection::namedIn() finds in it
    bool operator==(const KnownFile &) const = default;
};
using KnownFiles = QHash<QString, KnownFile>; ///< by path

/// Which files of a branch are read: those of `folder` that end in `suffix`, and of each folder in it the one called
/// `inFolders`. None that begins with a dot.
struct FileSelection {
    QString folder;    ///< ".flox/pkgs"
    QString suffix;    ///< ".nix"
    QString inFolders; ///< "default.nix"
    /// Paths from the root that a file's text names: files, folders, and beginnings of paths.
    std::function<QStringList(const QString &path, const QByteArray &text)> namedIn = {};
    /// The committed text of these is not read, and that in the working tree only where git would read it to know
    /// whether it changed. For uses that need no texts.
    const KnownFiles *known = nullptr;
    [[nodiscard]] bool takes(QStringView name) const
    {
        return name.size() > suffix.size() && name.endsWith(suffix) && !name.startsWith(u'.');
    }
};

/// The selected files of a branch; with `withWorkTree` merged with the files on disk.
struct BranchFiles {
    QString branch; ///< empty for a detached HEAD
    QString commit; ///< empty: the branch has no commit yet
    [[nodiscard]] QString title() const { return branchTitle(branch, commit); }
    bool withWorkTree = false;
    QList<VersionedFile> files; ///< sorted by path
    /// Files that `files` may import, sorted by path: those with the suffix in the folders of the selected one, and
    /// what FileSelection::namedIn() finds in them or in `files`. Files that git does not track too.
    QList<VersionedFile> imported = {};
};

/// The change of one file by one commit. nullopt: the file does not exist.
struct CommittedChange {
    QString path;
    std::optional<QByteArray> before;
    std::optional<QByteArray> after;
    bool operator==(const CommittedChange &) const = default;
};

/// Texts that were never committed and that this program replaced or removed, stored under refs/torch-matrix/saved/.
struct SavedCommit {
    QString ref;
    QString commit;
    QString tip;        ///< the branch's commit at that time; empty: it had none
    QString subject;    ///< subject of the commit that replaced or removed them
    bool alone = false; ///< there is no such commit: only these texts were changed
    QDateTime when;
    QStringList paths; ///< paths in its tree: the files' own; below "staged/" for texts that were only in the index
};

/// A commit that Repository::apply() made, or took away or brought back: then there are several for it, in turn.
struct AppliedOperation {
    QString id;     ///< "20260131-235959.123-1a2b3c4d/BRANCH"; refs/torch-matrix/operations/ID names the commit
    QString commit; ///< 40 digits
    QString branch; ///< the branch that was committed to
    QDateTime when; ///< in UTC; those of earlier versions have no milliseconds
    QString saved;  ///< ref of the replaced texts that were never committed, see SavedCommit; empty if there are none
    bool operator==(const AppliedOperation &) const = default;
};

/// Files that Repository::apply() wrote without a commit. refs/torch-matrix/written/ID/BRANCH points to a commit with
/// each file's text below "before/" and "after/"; a text is missing if the file did not or does not exist.
struct WrittenFiles {
    QString commit; ///< 40 digits
    QString branch; ///< the branch that was checked out
    QString tip;    ///< the branch's commit at that time
    QString subject;
    bool index = false; ///< they were added to the index too
    QDateTime when;     ///< with a precision of milliseconds
    QStringList paths;
};

/// One line of a diff.
struct DiffLine {
    enum class Kind { Context, Added, Removed, HunkHeader };
    Kind kind = Kind::Context;
    int oldLine = 0; ///< 1-based; 0 = none
    int newLine = 0;
    QString text; ///< without its newline
    bool operator==(const DiffLine &) const = default;
};

} // namespace tmx
