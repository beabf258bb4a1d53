// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"
#include "model/hardware/MachinePicks.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/BranchRecipes.h"

namespace tmx {

/// What a branch has to pick from: its recipes, what its settings cover, and what they could generate. `others`: the
/// recipes of all branches, where they were read.
PickChoice choiceOf(const BranchSnapshot &snapshot, const std::shared_ptr<const BranchRecipes> &others = {});
/// Several branches together: the choice between them.
PickChoice choiceOf(const QList<std::shared_ptr<const BranchSnapshot>> &snapshots);

/// Adds to each pick what its branch knows of it: whether its recipe is there and sound, and what an earlier build left
/// (`builds`, of the checked-out branch's working tree alone). The best pick says that publishing was not asked about.
/// Pure.
void tellOfRecipes(MachinePicks &picks, const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

} // namespace tmx
