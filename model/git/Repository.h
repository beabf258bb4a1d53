// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/git/CommitReader.h"
#include "model/git/FileChanges.h"

namespace tmx {

/// A build repository, accessed with libgit2; only this folder uses libgit2. Values go in and out; handles stay inside.
/// Not thread-safe: each worker opens its own. Every function may take long: never call it on the GUI thread.
class Repository : public CommitReader
{
public:
    /// Opens the repository that contains `path` (a subfolder or a linked working tree works too). Changes nothing.
    /// Errors: it does not exist, is not a repository, is bare, is owned by another user, or is not readable.
    static Result<Repository> open(const QString &path);

    /// Completes or rolls back a change that a killed process of this program left half-way, and removes the git locks
    /// that it left. Call it before reading. apply() calls it too. False: there was none.
    bool recover() const;

    [[nodiscard]] Result<RepositoryInfo> info() const;

    /// The selected files of a branch from its tree, without a checkout; for the checked-out branch merged with the
    /// working tree and the index. An empty name reads what is checked out, including a detached HEAD. With `texts`,
    /// known blobs are not read again. Errors: no such branch, damaged repository, unreadable index, stoppedError().
    [[nodiscard]] Result<BranchFiles> readBranch(const QString &branch, const FileSelection &selection,
                                                 BlobTexts *texts = nullptr, const WorkHooks &hooks = {}) const;

    /// Applies the chosen files of a change, all or none, in one transaction. The only way to write to a repository.
    ///
    /// If the branch is checked out in this working tree, files, index and branch are updated together, as far as
    /// `until` says. Other staged or uncommitted changes are kept. A replaced or removed text that was never committed
    /// is saved first, under refs/torch-matrix/saved/. For any other branch, the commit is made in the object database
    /// and the branch is moved with compare-and-swap; working tree, index and HEAD do not change.
    ///
    /// A change that does not change the branch's tree creates no commit: only the working tree and the index change.
    /// After a kill at any moment there is either the complete old state or, once git or this program has run again,
    /// the complete new one.
    ///
    /// Errors, which all leave everything unchanged: nothing is chosen; `refusal`; a file differs from `before`; the
    /// branch moved, or is checked out in another working tree; a merge or rebase in progress (checked-out branch
    /// only); no identity; a hook or signature failed, with its output; a locked index; a full disk; read-only.
    ///
    /// If the repository has commit hooks or requires signatures, the git program makes the commit; for a branch that
    /// is not checked out it uses a temporary working tree if there are hooks. Applied::output has their output.
    /// `hooks.stop` stops git and the hooks.
    Result<Applied> apply(const FileChanges &changes, const WorkHooks &hooks = {}) const;
    /// Whether apply() would get as far as writing: what only a hook or a signing program can refuse stays open. Writes
    /// nothing.
    Result<void> checkApply(const FileChanges &changes) const;

    /// The commits that apply() made, the oldest first.
    [[nodiscard]] Result<QList<AppliedOperation>> operations() const;
    /// As parentToReturnTo() in LastCommit.h; empty: there is none.
    [[nodiscard]] QString parentToReturnTo(const QString &branch, const QString &commit) const;
    /// All texts saved under refs/torch-matrix/saved/, the oldest first.
    [[nodiscard]] Result<QList<SavedCommit>> savedCommits() const;
    /// All files that apply() wrote without a commit, the oldest first.
    [[nodiscard]] Result<QList<WrittenFiles>> writtenFiles() const;

    /// Checks whether a branch of that name can be created now. Errors: a name that git does not allow, or that is
    /// taken (a branch `a` and one `a/b` exclude each other).
    [[nodiscard]] Result<void> checkNewBranch(const QString &name) const;
    /// The changes of a commit relative to its parent, by path; a rename is a removal and an addition. Errors: no such
    /// commit, a merge, a file that is not text of at most 1 MiB.
    [[nodiscard]] Result<QList<CommittedChange>> changesOf(const QString &commit) const;

    [[nodiscard]] const QString &gitFolder() const; ///< folder of this working tree, with HEAD and index
    /// Existing folders whose changes mean that HEAD, index, branches or the root of the working tree have changed. For
    /// a QFileSystemWatcher. Call it again after each change, because folders are created and removed.
    [[nodiscard]] QStringList watchPaths() const;

private:
    explicit Repository(OpenRepository opened);
};

/// A repository with its current info, which most actions need first.
struct OpenedRepository {
    Repository repository;
    RepositoryInfo info;
};
/// Errors as Repository::open() and Repository::info().
Result<OpenedRepository> openWithInfo(const QString &path);

/// One branch of a new repository: its only commit. Paths are relative to the root.
struct NewBranch {
    QString name;
    QString message;
    QList<std::pair<QString, QByteArray>> files;
    QString follows = {}; ///< an earlier branch: its commit is the parent, and it is the upstream branch
};
/// Creates a repository with one commit per branch, for the sample; the first branch is checked out. The identity is
/// that of git config or, if it has none, "Torch Matrix": a sample needs no set-up. Runs no hooks and does not sign.
/// Errors: folder not empty or not writable, an invalid name or path.
Result<void> createRepository(const QString &folder, const QList<NewBranch> &branches);

} // namespace tmx
