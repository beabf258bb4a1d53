// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/recipe/FileTrouble.h"
#include "model/recipe/RecipeSource.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

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

/// Status of a recipe file in the working tree relative to index and HEAD.
enum class FileStatus {
    Clean,
    Modified,  ///< working tree differs from index
    Staged,    ///< index differs from HEAD, working tree equals index
    Untracked, ///< not in the index; includes files that .gitignore names
    Deleted,   ///< in HEAD, deleted from the working tree
};

/// One recipe of .flox/pkgs, in a commit, in the working tree, or in both: x.nix, or x/default.nix for a recipe in its
/// own folder. Hidden files and files that do not end in .nix are left out.
struct RecipeFile {
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
    bool operator==(const RecipeFile &) const = default;
};

/// A recipe that a commit of a branch deleted.
struct DeletedRecipe {
    QString path;    ///< path in the commit's parent
    QString commit;  ///< 40 digits
    QString parent;  ///< the parent, which still has it
    QString subject; ///< subject of the commit; text from the repository
    QDateTime when;  ///< author's date, in the author's time zone
    bool operator==(const DeletedRecipe &) const = default;
};

/// All recipe files of a branch; with `withWorkTree` merged with the files on disk.
struct BranchContent {
    QString branch; ///< empty for a detached HEAD
    QString commit; ///< empty: the branch has no commit yet
    [[nodiscard]] QString title() const { return branchTitle(branch, commit); }
    bool withWorkTree = false;
    QList<RecipeFile> files; ///< sorted by path
    /// Files that recipes may import, sorted by path: Nix files in the folders of .flox/pkgs, and what paths in them or
    /// in recipes name. Files that git does not track too, although flox does not see them.
    QList<RecipeFile> imported = {};
    /// `files` and `imported` as committed, and as they are in the working tree if that was read. The same object if
    /// there is no difference; null: nothing was read.
    std::shared_ptr<const RecipeFiles> committedFiles = nullptr;
    std::shared_ptr<const RecipeFiles> shownFiles = nullptr;
    std::optional<QByteArray>
        lineFile; ///< torch-matrix.toml at the root: from the working tree if that is read, else from the commit
    FileTrouble lineTrouble = FileTrouble::None; ///< why an existing file was not read
    QList<RecipeFile> torchFiles; ///< for a companions' branch: committed PyTorch recipes of the repository next to it
                                  ///< (TorchSibling.h)
    std::optional<Error> torchUnread = {}; ///< why those, which exist, could not be read
    /// For repositories whose PyTorch recipes are fetched and that have a clone next to this one (FetchedTorch.h):
    /// "NAME"; "NAME@REVISION" if the clone has the commit; and "NAME@REVISION/PATH" with the file's text.
    QHash<QString, QByteArray> fetchedTorch = {};
    /// Recipes that were deleted from the branch; set if its settings are inferred (CommitReader::deletions).
    QList<DeletedRecipe> deleted = {};
    std::optional<Error> deletedUnread = {}; ///< why those, or a text of theirs, could not be read
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
