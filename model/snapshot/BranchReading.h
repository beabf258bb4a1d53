// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/repository/CommitReader.h"
#include "model/snapshot/SnapshotCache.h"

namespace tmx {

/// What one side of a comparison can be.
struct BranchSource {
    enum class Kind { Local, Remote, Commit, WorkTree };
    Kind kind = Kind::Local;
    QString label;  ///< "main", "origin/main", "main~3", "work tree"
    QString branch; ///< whose line it is; empty for a commit that was named by its id
    QString commit; ///< empty for a work tree on a branch without a commit
    bool operator==(const BranchSource &) const = default;
};

/// One branch as it was read.
struct ReadBranch {
    BranchSource source;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QStringList watchPaths = {}; ///< of a side of another repository: what tells that it is old
};

/// All branches at one moment.
struct BranchesReading {
    QString repository;         ///< root of the work tree
    QList<ReadBranch> branches; ///< local ones by name, remote-tracking ones, the work tree last
    QList<Error> errors;        ///< of branches that could not be read, and are not among those
    QStringList
        watchPaths; ///< what tells that this is old: refs, packed-refs, HEAD, and what the work tree's side depends on
    bool stopped = false; ///< `branches` holds what was read until then

    [[nodiscard]] const ReadBranch *find(const QString &label) const;
};

struct WhichBranches {
    bool local = true;
    bool remote = true;
    bool workTree = true;
};

/// Reads all branches of the repository that holds `path`, several at a time, each worker with a libgit2 handle of its
/// own; nothing is checked out. What `cache` has seen is neither read nor judged again. Blocks: for workers. Errors:
/// the repository cannot be opened or its branches not be listed; a single bad branch is one of the reading's `errors`.
Result<BranchesReading> readBranches(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                     SnapshotCache &cache, const WhichBranches &which = {},
                                     const WorkHooks &hooks = {});

/// One side by what a user calls it: a branch, local or remote, "work tree" (`workTreeLabel()`), or any revision.
Result<ReadBranch> readSide(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &revision,
                            SnapshotCache &cache);

/// As readSide, of this repository or another: "main", "." for the work tree, "../build-torchvision@main" (a folder,
/// relative to `base`, and a branch of its repository). The label of the latter is what was written, and it has
/// watchPaths.
Result<ReadBranch> readSideAnywhere(const std::shared_ptr<const Catalog> &catalog, const QString &path,
                                    const QString &words, const QString &base, SnapshotCache &cache);

QString workTreeLabel();

} // namespace tmx
