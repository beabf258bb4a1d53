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
    /// Locks that a killed process of ours left in it are cleared. Errors: not there, not a repository, bare, owned by
    /// somebody else, not readable.
    static Result<Repository> open(const QString &path);
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

    /// Writes a recipe into the work tree atomically. `path` is ".flox/pkgs/x.nix" or ".flox/pkgs/x/default.nix"; a
    /// link at it or on the way is refused. `expected` is RecipeFile::onDisk as the caller has seen it (nullopt: no
    /// file): if disk holds something else, nothing is written.
    Result<void> writeRecipe(const QString &path, const QByteArray &text,
                             const std::optional<QByteArray> &expected) const;
    /// The same over a text that is there, which is kept first under refs/torch-matrix/saved/ unless HEAD's commit
    /// holds it; `subject` says there what was about to be done. Gives that ref, empty for none: `git show REF:PATH`
    /// prints the text.
    Result<QString> replaceRecipe(const QString &path, const QByteArray &text,
                                  const std::optional<QByteArray> &expected, const QString &subject) const;

    /// Adds the files to the index as they are on disk, a gone one as its removal: `git add --force` (attributes
    /// included; a file that .gitignore names is added all the same, since flox builds tracked files alone). Errors:
    /// locked index, read-only folder, no such file.
    Result<void> stage(const QStringList &paths) const;

    /// Commits exactly `paths` (as they are on disk) on the checked-out branch, with the identity from git config;
    /// whatever else is staged stays staged and out of the commit. `expectedHead` is the commit that the caller has
    /// seen (empty: the branch had none): if HEAD moved meanwhile nothing is done. A chosen file that is gone from disk
    /// is removed by the commit. Honours commit.gpgsign and the hooks pre-commit, prepare-commit-msg, commit-msg by
    /// refusing where they would have to run. Errors: no identity, detached HEAD, HEAD moved, locked index or branch,
    /// nothing to commit, conflict, merge under way, read-only.
    Result<CommitResult> commit(const QStringList &paths, const QString &message, const QString &expectedHead) const;

    /// Commits new recipes to a branch that is not checked out: the tree is built in the object database and the branch
    /// moved with compare-and-swap on `expectedTip`; work tree, index and HEAD are untouched. A path that the branch
    /// already has is refused. Errors: as commit(), and a branch that is checked out here or in another work tree.
    Result<CommitResult> commitToBranch(const QString &branch, const QList<std::pair<QString, QByteArray>> &files,
                                        const QString &message, const QString &expectedTip) const;

    /// Commits all the edits, or none, to a local branch: creations, rewrites and removals in one commit, whether it is
    /// checked out or not.
    ///
    /// Checked out in this work tree: files, index and branch become the new ones together. A kill -9 leaves all of the
    /// old state or, once the program has opened the repository again, all of the new one. Whatever else is staged or
    /// changed stays as it is. A text that is replaced or removed and that no commit holds (work tree's or staged) is
    /// kept first, under refs/torch-matrix/saved/. Any other branch: made in the object database and the branch moved
    /// with compare-and-swap; work tree, index, HEAD are untouched.
    ///
    /// `expectedTip` is the commit that the caller has seen (empty: none yet). Nothing is done where a file is another
    /// than `expected`, where the branch moved, where it is checked out in another work tree, and where commit() would
    /// refuse.
    Result<CommitResult> commitEdits(const QString &branch, const QList<FileEdit> &edits, const QString &message,
                                     const QString &expectedTip) const;

    /// The edits in work tree and index alone, of the branch that is checked out: for files whose new text is what its
    /// commit holds (or that it does not have at all), so that there is nothing to commit. The index holds them as the
    /// commit does afterwards. What commitEdits() would keep is kept first; gives that ref, empty for none. Needs no
    /// identity and runs no hooks. A kill -9 may leave some of the files as they were. Errors: a file is another than
    /// `expected`, the branch moved or is not checked out, locked index, read-only.
    Result<QString> editWorkTree(const QString &branch, const QList<FileEdit> &edits, const QString &subject,
                                 const QString &expectedTip) const;

    /// The commits that apply() made, the oldest first.
    [[nodiscard]] Result<QList<AppliedOperation>> operations() const;
    /// All that is kept under refs/torch-matrix/saved/, the oldest first.
    [[nodiscard]] Result<QList<SavedCommit>> savedCommits() const;

    /// Whether a branch of that name can be made now. Errors: those of commitToNewBranch that are about the name.
    [[nodiscard]] Result<void> checkNewBranch(const QString &name) const;
    /// Makes the branch `name` with one commit: `base` (a commit's id) is its parent, its tree is that of `base` with
    /// the edits, whose `expected` is the text in `base`. Work tree, index and HEAD are untouched. Errors: a name that
    /// git does not allow or that is taken (a branch `a` and one `a/b` exclude each other), else as commitEdits().
    Result<CommitResult> commitToNewBranch(const QString &name, const QString &base, const QList<FileEdit> &edits,
                                           const QString &message) const;

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
