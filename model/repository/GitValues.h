// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FileTrouble.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace tmx {

/// A local branch. `commit` is empty for the unborn branch of a repository without a commit.
struct BranchRef {
    QString name;                ///< "cuda-13_0"
    QString commit;              ///< 40 hexadecimal digits
    bool checkedOut = false;     ///< in the work tree that was opened
    QString checkedOutElsewhere; ///< path of another work tree that has it checked out; else empty
    QString upstream = {};       ///< branch that it follows, "origin/main"; empty: none, or it is not there
    int ahead = 0;               ///< commits that the upstream lacks; -1: git cannot tell
    int behind = 0;              ///< commits of the upstream that it lacks; -1: git cannot tell
    bool operator==(const BranchRef &) const = default;
};

/// Where a repository is and what is checked out.
struct RepositoryInfo {
    QString workTree;   ///< absolute, without trailing slash
    QString gitFolder;  ///< absolute; of this work tree (".git/worktrees/x" in a linked one)
    QString headBranch; ///< empty when HEAD is detached
    QString headCommit; ///< empty when there is no commit yet
    bool detached = false;
    QList<BranchRef> branches; ///< by name; the unborn branch included
    bool operator==(const RepositoryInfo &) const = default;
};

/// How a recipe file of the work tree stands to index and HEAD.
enum class FileStatus {
    Clean,
    Modified,  ///< work tree differs from index
    Staged,    ///< index differs from HEAD, work tree equals index
    Untracked, ///< not in the index; files that .gitignore names included
    Deleted,   ///< in HEAD, gone from the work tree
};

/// One recipe of .flox/pkgs, in a commit and/or in the work tree: x.nix, or x/default.nix for a recipe in a folder of
/// its own. Dot files and files that do not end in .nix are no entries.
struct RecipeFile {
    QString path; ///< relative to the root: ".flox/pkgs/x.nix"
    std::optional<QByteArray>
        committed; ///< text in the commit, as git stores it (line ends normalised where attributes say so)
    std::optional<QByteArray>
        onDisk; ///< bytes in the work tree; nullopt when absent, troubled, or when only a commit was read
    FileStatus status =
        FileStatus::Clean; ///< line ends that attributes normalise are no difference: a commit would hold none
    FileTrouble trouble =
        FileTrouble::None; ///< of the work tree's file where that was read and is there, else of the commit's
    bool conflict =
        false; ///< a merge of it is not resolved: the index holds several sides, the work tree's text nobody's alone
    QString
        blob; ///< id of the committed text, the same on every branch that holds the same text; empty: not in the commit
    bool unread = false; ///< the committed text is there and could not be read, whatever `trouble` says of the file
    /// Of a working tree that was read: the file is not there any more. One that sparse checkout leaves out is clean.
    [[nodiscard]] bool isGone() const { return !onDisk && trouble == FileTrouble::None && status != FileStatus::Clean; }
    bool operator==(const RecipeFile &) const = default;
};

/// A recipe that a commit of a branch took away.
struct DeletedRecipe {
    QString path;    ///< in the commit's parent
    QString commit;  ///< 40 digits
    QString parent;  ///< that still has it
    QString subject; ///< of the commit; text from the repository
    QDateTime when;  ///< of the author, in their time zone
    bool operator==(const DeletedRecipe &) const = default;
};

/// All recipe files of a branch; with `withWorkTree` merged with what is on disk.
struct BranchContent {
    QString branch; ///< empty: a detached HEAD was read
    QString commit; ///< empty: the branch has none yet
    bool withWorkTree = false;
    QList<RecipeFile> files; ///< by path
    std::optional<QByteArray>
        lineFile; ///< torch-matrix.toml at the root: of the work tree where that is read, else of the commit
    FileTrouble lineTrouble = FileTrouble::None; ///< why it is there and is not read
    QList<RecipeFile> torchFiles; ///< of a companions' branch: PyTorch recipes of the repository beside it
                                  ///< (TorchSibling.h), as committed
    /// Of repositories whose PyTorch recipes are fetched and of which a clone lies beside this one (FetchedTorch.h):
    /// "NAME" and, where the clone has the commit, "NAME@REVISION"; "NAME@REVISION/PATH" and its text.
    QHash<QString, QByteArray> fetchedTorch = {};
    /// Recipes that the branch had, where its settings are inferred (CommitReader::deletions).
    QList<DeletedRecipe> deleted = {};
};

/// What one commit did to one file. nullopt: not there.
struct CommittedChange {
    QString path;
    std::optional<QByteArray> before;
    std::optional<QByteArray> after;
    bool operator==(const CommittedChange &) const = default;
};

/// Texts that no commit of a branch held when this program replaced or removed them, kept under
/// refs/torch-matrix/saved/.
struct SavedCommit {
    QString ref;
    QString commit;
    QString tip;        ///< commit of the branch then; empty: it had none
    QString subject;    ///< of the commit that replaced or removed them
    bool alone = false; ///< there is no such commit: nothing but these texts was touched
    QDateTime when;
    QStringList paths; ///< in its tree: the files' own; below "staged/" for what only the index held
};

/// A commit that Repository::apply() made.
struct AppliedOperation {
    QString id;     ///< "20260131-235959-1a2b3c4d/BRANCH"; refs/torch-matrix/operations/ID names the commit
    QString commit; ///< 40 digits
    QString branch; ///< that the commit was made on
    QDateTime when; ///< in UTC, to the second
    QString saved;  ///< ref of the texts that no commit held and that it replaced, see SavedCommit; empty: none
    bool operator==(const AppliedOperation &) const = default;
};

/// Files that Repository::apply() wrote without a commit. refs/torch-matrix/written/ID/BRANCH names a commit that holds
/// each one's text below "before/" and "after/"; where there was or is no file, that one is left out.
struct WrittenFiles {
    QString commit; ///< 40 digits
    QString branch; ///< that was checked out
    QString tip;    ///< commit of the branch then
    QString subject;
    bool index = false; ///< they were added to the index as well
    QDateTime when;     ///< to the millisecond
    QStringList paths;
};

/// One line of a text difference.
struct DiffLine {
    enum class Kind { Context, Added, Removed, HunkHeader };
    Kind kind = Kind::Context;
    int oldLine = 0; ///< 1-based; 0 = none
    int newLine = 0;
    QString text; ///< without line end
    bool operator==(const DiffLine &) const = default;
};

} // namespace tmx
