// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitValues.h"

#include <QStringList>

#include <memory>

namespace tmx {

/// A build repository through libgit2; the only place that talks to it. Values go in and out, handles stay inside. Not thread-safe: a
/// worker opens its own. Every function may take long: never on the window's thread.
class Repository
{
public:
    /// Opens the repository that holds `path` (a subfolder and a linked work tree serve as well).
    /// Errors: not there, not a repository, bare, owned by somebody else, not readable.
    static Result<Repository> open(const QString &path);
    ~Repository();
    Repository(Repository &&) noexcept;
    Repository &operator=(Repository &&) noexcept;

    [[nodiscard]] Result<RepositoryInfo> info() const;

    /// Recipes (.flox/pkgs/*) of a branch from its tree, without checkout; for the checked-out branch merged with the work tree and index.
    [[nodiscard]] Result<BranchContent> readBranch(const QString &branch) const;

    /// Writes a recipe into the work tree atomically. `path` is relative and must lie in .flox/pkgs; links that leave the repository are
    /// refused. `expected` is the text that the caller has seen there (nullopt: no file): if disk holds another one, nothing is written.
    Result<void> writeRecipe(const QString &path, const QByteArray &text, const std::optional<QByteArray> &expected) const;

    /// Adds the files to the index, as `git add` does (attributes and filters included). Errors: locked index, read-only folder.
    Result<void> stage(const QStringList &paths) const;

    /// Commits exactly `paths` (as they are on disk) on the checked-out branch, with the identity from git config; whatever else is staged
    /// stays staged and out of the commit. `expectedHead` is the commit that the caller has seen: if HEAD moved meanwhile nothing is done.
    /// Honours commit.gpgsign and the hooks pre-commit and commit-msg by refusing with the reason where they would have to run.
    /// Errors: no identity, detached HEAD, HEAD moved, locked index or branch, nothing to commit, conflict, read-only.
    Result<CommitResult> commit(const QStringList &paths, const QString &message, const QString &expectedHead) const;

    /// Commits new recipes to a branch that is not checked out: the tree is built in the object database and the branch moved with
    /// compare-and-swap on `expectedTip`; work tree, index and HEAD are untouched. A path that the branch already has is refused.
    /// Errors: as commit(), and a branch that is checked out here or in another work tree.
    Result<CommitResult> commitToBranch(const QString &branch, const QList<std::pair<QString, QByteArray>> &files, const QString &message,
                                        const QString &expectedTip) const;

    /// Paths whose changes tell that the state has moved: work tree's .flox/pkgs, HEAD, index, refs. For a QFileSystemWatcher.
    [[nodiscard]] QStringList watchPaths() const;

private:
    struct Private;
    explicit Repository(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Makes a new repository with one commit a branch, for the sample. `branches`: name -> (path -> content); the first is checked out.
struct NewBranch {
    QString name;
    QString message;
    QList<std::pair<QString, QByteArray>> files;
};
Result<void> createRepository(const QString &folder, const QList<NewBranch> &branches);

} // namespace tmx
