// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/MachinePicks.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/BranchRecipes.h"

namespace tmx {

/// What can be picked from a branch: its recipes, what its settings cover, and what they could generate. `others`: the
/// recipes of all branches, if they were read.
PickChoice choiceOf(const Catalog &catalog, const BranchSnapshot &snapshot,
                    const std::shared_ptr<const BranchRecipes> &others = {});

/// The best variant of each branch that uses the machine's GPU or, without one, its CPU: of the shown branch (first)
/// and of all others, which were read by their names. Branches without any that runs are left out. Pure.
QList<Pick> bestOfBranches(const Catalog &catalog, const BranchSnapshot &shown,
                           const std::shared_ptr<const BranchRecipes> &others, const HostReport &host,
                           Workload workload);

/// Adds to each pick what its branch knows: whether its recipe exists and has no errors, and the result of an earlier
/// build (`builds`: of the checked-out branch's working tree only). The best pick notes that it was not checked whether
/// it is published.
void tellOfRecipes(MachinePicks &picks, const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

} // namespace tmx
