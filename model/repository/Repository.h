// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/repository/BlobTexts.h"
#include "model/repository/ChangeSet.h"
#include "model/repository/GitValues.h"

#include <QStringList>

#include <memory>

namespace tmx {

/// A build repository through libgit2; the only place that talks to it. Values go in and out, handles stay inside. Not
/// thread-safe: a worker opens its own. Every function may take long: never on the window's thread.
class Repository
{
public:
    /// Opens the repository that holds `path` (a subfolder and a linked work tree serve as well).
    /// Changes nothing. Errors: not there, not a repository, bare, owned by somebody else, not readable.
    static Result<Repository> open(const QString &path);

    /// Whether a killed process of ours left a change half-way.
    [[nodiscard]] bool wasInterrupted() const;
    /// Carries such a change through or takes it back, and clears the locks of git's that it left: for whoever is about
    /// to write, before it reads. apply() does so as well.
    void recover() const;
    ~Repository();
    Repository(Repository &&) noexcept;
    Repository &operator=(Repository &&) noexcept;

    [[nodiscard]] const QString &workTree() const; ///< absolute, without trailing slash
    [[nodiscard]] Result<RepositoryInfo> info() const;

    /// Recipes (.flox/pkgs/*) of a branch from its tree, without checkout; for the checked-out branch merged with the
    /// work tree and index. An empty name reads what is checked out, a detached HEAD included. Errors: no such branch,
    /// damaged repository, unreadable index, stoppedError(). With `texts` a blob that is known is not read again.
    [[nodiscard]] Result<BranchContent> readBranch(const QString &branch, BlobTexts *texts = nullptr,
                                                   const WorkHooks &hooks = {}) const;

    /// Makes the chosen files of a change, all of them or none, in one transaction. The only way to write to a
    /// repository.
    ///
    /// Checked out in this work tree: files, index and branch become the new ones together, as far as `until` says.
    /// Whatever else is staged or changed stays as it is. A text that is replaced or removed and that no commit holds
    /// is saved first, under refs/torch-matrix/saved/. Any other branch: the commit is made in the object database and
    /// the branch moved with compare-and-swap; work tree, index and HEAD are untouched.
    ///
    /// A change that leaves the branch's tree as it is makes no commit: work tree and index alone change.
    /// A kill at any moment leaves all of the old state or, once git or this program has run again, all of the new one.
    ///
    /// Errors, each of which leaves everything as it was: nothing is chosen; `refusal`; a file that is another than
    /// `before`; a branch that moved, or is checked out in another work tree; a merge or rebase under way (checked-out
    /// branch alone); no identity; a hook or a signature that failed, with its text; a locked index; a full disk;
    /// read-only.
    ///
    /// Where the repository has commit hooks or wants signatures, the git program makes the commit; on a branch that is
    /// not checked out in a temporary work tree, if there are hooks. What they print is in Applied::output.
    /// `hooks.stop` stops git and them.
    Result<Applied> apply(const ChangeSet &changes, const WorkHooks &hooks = {}) const;

    /// The commits that apply() made, the oldest first.
    [[nodiscard]] Result<QList<AppliedOperation>> operations() const;
    /// All that is kept under refs/torch-matrix/saved/, the oldest first.
    [[nodiscard]] Result<QList<SavedCommit>> savedCommits() const;
    /// What apply() wrote without a commit, the oldest first.
    [[nodiscard]] Result<QList<WrittenFiles>> writtenFiles() const;

    /// Whether a branch of that name can be made now. Errors: a name that git does not allow or
    /// that is taken (a branch `a` and one `a/b` exclude each other).
    [[nodiscard]] Result<void> checkNewBranch(const QString &name) const;
    /// What a commit changed against its parent, by path; a rename is a removal and an addition. Errors: no such
    /// commit, a merge, a file that is no text of at most 1 MiB.
    [[nodiscard]] Result<QList<CommittedChange>> changesOf(const QString &commit) const;

    /// Existing files and folders whose changes tell that the state has moved: recipes, HEAD, index, branches. For a
    /// QFileSystemWatcher; ask again after each change, since files and folders come and go.
    [[nodiscard]] QStringList watchPaths() const;

private:
    struct Private;
    explicit Repository(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// A repository and what it says of itself at that moment: what most actions begin with.
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
};
/// Makes a new repository with one commit a branch, for the sample; the first branch is checked out. The identity is
/// that of git config or, where it has none, "Torch Matrix": a sample needs no set-up. Hooks and signing are passed
/// over. Errors: folder not empty or not writable, a name or path that cannot be used.
Result<void> createRepository(const QString &folder, const QList<NewBranch> &branches);

} // namespace tmx
