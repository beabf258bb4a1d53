// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/fleet/BranchSummary.h"
#include "model/snapshot/BranchSource.h"

namespace tmx {

class DiskCache;

/// Numbers of the variants of a branch by the state of their builds.
struct BuildCounts {
    int built = 0;     ///< or published
    int published = 0; ///< of them
    int failed = 0;
    int stale = 0;        ///< another text of it was built, or of its torch
    int running = 0;      ///< or queued
    int builtByTeam = 0;  ///< and not here
    int failedByTeam = 0; ///< and built nowhere
    QDateTime last;       ///< the end of the last build, here or in the team; invalid: none
    bool operator==(const BuildCounts &) const = default;
};

/// One local branch of one repository.
struct FleetBranch {
    QString repository; ///< working tree
    BranchRef ref;
    std::shared_ptr<const BranchSummary> summary; ///< never null
    BuildCounts builds;

    [[nodiscard]] QString repositoryName() const; ///< the folder's name
    [[nodiscard]] QString label() const;          ///< "build-pytorch@main"
};

/// A repository that cannot be read, or a branch of it.
struct FleetTrouble {
    QString repository;
    QString branch; ///< empty: the repository
    Error error;
    [[nodiscard]] QString sentence() const; ///< "build-vllm@main: Could not read ..."
};

/// How many variants of a branch have their torch on another branch.
struct TorchCoverage {
    int needed = 0;        ///< variants that are built against a torch
    int covered = 0;       ///< those whose torch is on `branch`
    int samePin = 0;       ///< those of them with the same nixpkgs revision
    int unknown = 0;       ///< of the others those with one there of which that is not known
    qsizetype branch = -1; ///< of the fleet: the one with most of them, known or not; -1: none has any
};

/// The branches of several repositories, in the order in which the repositories were named.
struct Fleet {
    QStringList repositories; ///< working trees
    QList<FleetBranch> branches;
    QList<FleetTrouble> troubles;
    QList<TorchCoverage> coverage; ///< torchCoverage() by branch, for who shows it; empty after readFleet()
    bool stopped = false;          ///< `branches` has what was read before the stop
    /// The folder's name, with as many of the folders above it as tell it from the others: "b/build-pytorch".
    [[nodiscard]] QString nameOf(const QString &repository) const;

    /// The branches of a repository with that working tree.
    [[nodiscard]] QList<const FleetBranch *> of(const QString &repository) const;
    /// A sentence for each of `troubles`, and for each branch whose settings cannot be read.
    [[nodiscard]] QStringList sentences() const;
};

/// Reads the local branches of repositories, each named by a path in it; the checked-out branch with its uncommitted
/// changes. If the same program summarised a branch before with the same recipes, its summary comes from `cache`; the
/// catalog is loaded only if a branch is not there. Snapshots are freed once they are summarised. `hooks` gets numbers
/// of branches. While branches are read that are not in the cache, `early` gets those that are known, without builds,
/// at most five times a second and from one thread at a time. Blocks: for workers. Error: the catalog is broken.
Result<Fleet> readFleet(const std::function<Result<std::shared_ptr<const Catalog>>()> &loadCatalog,
                        const QStringList &paths, const DiskCache &cache, const WorkHooks &hooks = {},
                        const std::function<void(const Fleet &)> &early = {});

/// The torch versions that recipes of the branches show nixpkgs revisions to have, of those branches that are in the
/// cache of readFleet(). Blocks: for workers.
VersionsOfPins knownVersionsOfPins(const QStringList &paths, const DiskCache &cache);

/// Compares all branches with all that have recipes of PyTorch, by branch of `fleet`.
QList<TorchCoverage> torchCoverage(const Fleet &fleet);

} // namespace tmx
