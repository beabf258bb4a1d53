// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/repository/GitValues.h"

namespace tmx {

/// One thing that is read as a branch.
struct BranchSource {
    enum class Kind { Local, Remote, Commit, WorkTree };
    Kind kind = Kind::Local;
    QString label;          ///< "main", "origin/main", "main~3", "work tree", "../build-torchvision@main"
    QString branch;         ///< whose settings it has; empty: a commit that was named by its id, a detached HEAD
    QString commit;         ///< 40 hexadecimal digits; empty: a work tree on a branch without a commit
    QString repository;     ///< a path in it
    bool elsewhere = false; ///< of another repository than the one that is open
    bool operator==(const BranchSource &) const = default;
};

/// A branch that cannot be read, and why.
struct UnreadBranch {
    QString branch;
    Error error;
    [[nodiscard]] QString sentence() const; ///< "main: Could not read ..."
    [[nodiscard]] Error named() const;      ///< "Could not read main: ..."
};

/// The branches of a repository at one moment.
struct BranchSources {
    RepositoryInfo info;
    QList<BranchSource> sources; ///< local branches by name, remote-tracking ones, the work tree last
    QList<UnreadBranch> unread;  ///< local branches whose ref is broken
    QStringList watchPaths;      ///< what changes when a source does: refs, packed-refs, HEAD, files of the work tree
};

enum class WorkTreeAs {
    LeftOut, ///< every branch as it is committed
    Branch,  ///< the checked-out branch is read with its uncommitted changes, an unborn one too
    OwnSide, ///< every branch as it is committed, and the work tree as a source of its own
};

/// All branches of the repository that holds `path`. For workers. Errors: as Repository::open; refs that cannot be
/// listed.
Result<BranchSources> branchesOf(const QString &path, WorkTreeAs workTree, bool remotes);

/// A local branch as the grid shows it: with its uncommitted changes where it is checked out. Empty: what is checked
/// out, a detached HEAD included. For workers. Errors: as Repository::open; no such branch.
Result<BranchSource> branchNamed(const QString &path, const QString &name = {});

/// A side of a comparison as a user names it: a branch, "." or workTreeLabel(), any revision that git reads, each also
/// of another repository: "../build-torchvision@main", a folder relative to `base`. For workers. Errors: as
/// Repository::open; no such revision.
Result<BranchSource> sideNamed(const QString &path, const QString &words, const QString &base);

/// What changes when the source does; empty where the repository cannot be read. For workers.
QStringList watchPathsOf(const BranchSource &source);

QString workTreeLabel();

} // namespace tmx
