// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/Preflight.h"
#include "model/fleet/Fleet.h"

namespace tmx {

/// Builds of what is built against other builds, in any repository.
struct DependentBuilds {
    QList<Job> jobs;      ///< with Job::after
    QStringList notes;    ///< a sentence for each recipe, or branch, that is left out
    QStringList warnings; ///< a sentence for what may make builds fail
    QStringList troubles; ///< a sentence for each repository or branch that cannot be read
};

/// The builds of the recipes in `fleet` whose torch is one of `jobs`; of `jobs` themselves, those that need others of
/// them come later, with Job::after. `read`: the snapshot of a branch of a repository. For workers.
DependentBuilds
dependentBuilds(const Catalog &catalog, const Fleet &fleet, QList<Job> &jobs, const BuildWish &wish, const Queue &queue,
                const std::function<Result<std::shared_ptr<const BranchSnapshot>>(const FleetBranch &)> &read,
                const std::function<PreflightProbes(BuildEngine)> &probe = probeMachine);

} // namespace tmx
