// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/repository/BlobTexts.h"
#include "model/repository/GitValues.h"

#include <QStringList>

#include <functional>
#include <memory>

namespace tmx {

/// A branch, local or remote-tracking, and where it stands.
struct BranchTip {
    QString ref;    ///< "refs/heads/main", "refs/remotes/origin/main"
    QString name;   ///< as git shows it: "main", "origin/main"
    QString branch; ///< without the remote: "main"
    QString commit; ///< 40 hexadecimal digits
    bool remote = false;
    bool operator==(const BranchTip &) const = default;
};

/// What a commit says of itself.
struct CommitInfo {
    QString parent;  ///< the first; empty: none
    QString subject; ///< first line of the message
    QString author;  ///< the name alone
    QDateTime when;  ///< of the committer
};

/// One commit that touched a recipe.
struct RecipeRevision {
    QString commit;
    QString subject;
    QString author;
    QDateTime when;                 ///< of the author, in their time zone
    QString path;                   ///< in this commit; in its parent where the commit removed it
    QString before;                 ///< path in the parent when it was another one (a rename); else empty
    std::optional<QByteArray> text; ///< nullopt: the commit removed it, or it is no text
    QString after = {};             ///< where the commit removed it by giving it another name: that; else empty
    bool operator==(const RecipeRevision &) const = default;
};

/// Reads branches, commits and their history from the object database alone: no work tree, no index, no checkout. One
/// libgit2 handle, so not thread-safe: each worker opens its own. For workers.
class CommitReader
{
public:
    /// Errors: as Repository::open.
    static Result<CommitReader> open(const QString &path);
    ~CommitReader();
    CommitReader(CommitReader &&) noexcept;
    CommitReader &operator=(CommitReader &&) noexcept;

    [[nodiscard]] const QString &workTree() const;
    [[nodiscard]] const QString &commonFolder() const; ///< where refs and objects lie
    /// Local branches by name, then remote-tracking ones; what merely points to another branch ("origin/HEAD") is left
    /// out.
    [[nodiscard]] QList<BranchTip> tips() const;
    /// The commit that a revision names, as "git rev-parse" reads it: a branch, a tag, "main~3", an abbreviated id.
    /// Error: there is none.
    [[nodiscard]] Result<QString> commitOf(const QString &revision) const;
    [[nodiscard]] Result<CommitInfo> infoOf(const QString &commit) const;
    /// Whether a commit (40 digits) is `tip` or came before it.
    [[nodiscard]] Result<bool> contains(const QString &tip, const QString &commit) const;
    /// The local branches that git cannot read, since their ref is broken (no commit's id, a link to no branch), each
    /// with what git says of it and how to restore it; and "packed-refs" where that file is damaged. tips() leaves them
    /// out.
    [[nodiscard]] QList<std::pair<QString, Error>> brokenBranches() const;
    /// The recipes of a commit. `branch` is what the content is said to be of: the line is found by it. With `texts` a
    /// blob that is known is not read again. Error as well: stoppedError().
    [[nodiscard]] Result<BranchContent> readCommit(const QString &commit, const QString &branch,
                                                   BlobTexts *texts = nullptr, const WorkHooks &hooks = {}) const;
    /// What all of a commit's recipes come to: equal for two commits whose .flox/pkgs and torch-matrix.toml are equal,
    /// and whose `branch` finds the same PyTorch recipes beside this repository.
    [[nodiscard]] Result<QString> recipesId(const QString &commit, const QString &branch) const;
    /// A file's bytes in a commit; nullopt: no such file. Error: it is a folder or a link, or cannot be read.
    [[nodiscard]] Result<std::optional<QByteArray>> fileAt(const QString &commit, const QString &path) const;

    /// The text files of a commit, outside of .flox, that hold one of `words` as a word of its own, with those that
    /// they hold. Looks at files of 1 MiB at most.
    [[nodiscard]] Result<QMap<QString, QStringList>> filesNaming(const QString &commit, const QStringList &words) const;

    /// Commits that touched the recipe at `path`, newest first, back from `commit`; at most `limit`. `sameRecipe` says
    /// whether another path that a commit removed was this recipe under an older name; a file with the very same text
    /// is taken for it without asking. Of a merge the side is followed that the text came from. `stop` is asked now and
    /// then.
    [[nodiscard]] Result<QList<RecipeRevision>> history(const QString &commit, const QString &path,
                                                        const std::function<bool(const QString &)> &sameRecipe,
                                                        int limit, const std::function<bool()> &stop = {}) const;

    /// The recipes that commits back from `commit` took away and that are not there now, each with the last commit that
    /// did; the newest first. Looks at `limit` commits at most, of a merge at the first side; only where the folder of
    /// recipes changed does it compare names. Not meant is a recipe of which the same commit brings the text under
    /// another name, or one that `takesItsPlace`. Cut short where `stop` says so.
    [[nodiscard]] Result<QList<DeletedRecipe>>
    deletions(const QString &commit, const std::function<bool(const QString &gone, const QString &come)> &takesItsPlace,
              int limit, const std::function<bool()> &stop = {}) const;

private:
    struct Private;
    explicit CommitReader(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// Folders and files whose changes tell that a branch moved, came or went, local or remote: for a QFileSystemWatcher,
/// asked again after each change.
QStringList branchWatchPaths(const QString &gitFolder, const QString &commonFolder);

} // namespace tmx
