// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/Repository.h"

namespace tmx {

/// A source that is read as a branch.
struct BranchSource {
    enum class Kind { Local, Remote, Commit, WorkTree };
    Kind kind = Kind::Local;
    QString label;          ///< "main", "origin/main", "main~3", "working tree", "../build-torchvision@main"
    QString branch;         ///< branch whose settings apply; empty: a commit named by its id, or a detached HEAD
    QString commit;         ///< 40 hexadecimal digits; empty: the working tree of a branch without a commit
    QString repository;     ///< a path in it
    bool elsewhere = false; ///< in another repository than the open one
    bool operator==(const BranchSource &) const = default;
};

/// A branch that cannot be read, with the error.
struct UnreadBranch {
    QString branch;
    Error error;
    [[nodiscard]] QString sentence() const; ///< "main: Could not read ..."
    [[nodiscard]] Error named() const;      ///< "Could not read main: ..."
};

/// The branches of a repository at one time.
struct BranchSources {
    RepositoryInfo info;
    QList<BranchSource> sources; ///< local branches by name, remote-tracking ones, the working tree last
    QList<UnreadBranch> unread;  ///< local branches with a broken ref
    QStringList watchPaths = {}; ///< set by who watches them: watchPathsOf()
};

enum class WorkTreeAs {
    LeftOut, ///< every branch as committed
    Branch,  ///< the checked-out branch with its uncommitted changes, even if it is unborn
    OwnSide, ///< every branch as committed, and the working tree as a separate source
};

/// All branches of the repository that contains `path`. For workers. Errors: as Repository::open; the refs cannot be
/// listed.
Result<BranchSources> branchesOf(const QString &path, WorkTreeAs workTree, bool remotes);

/// A local branch as the grid shows it: with its uncommitted changes if it is checked out. Empty `name`: what is
/// checked out, including a detached HEAD. For workers. Errors: as Repository::open; no such branch.
Result<BranchSource> branchNamed(const QString &path, const QString &name = {});
/// The same of a repository that is open; `path` as it was opened.
Result<BranchSource> branchNamed(const OpenedRepository &opened, const QString &path, const QString &name);

/// A side of a comparison in the user's notation: a branch, "." or workTreeLabel(), or any revision that git
/// understands; each also in another repository: "../build-torchvision@main", with a folder relative to `base`. For
/// workers. Errors: as Repository::open; no such revision.
Result<BranchSource> sideNamed(const QString &path, const QString &words, const QString &base);

/// Paths that change with the source; empty if the repository cannot be read. For workers.
QStringList watchPathsOf(const BranchSource &source);

QString workTreeLabel();

} // namespace tmx
