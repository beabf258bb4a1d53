// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"
#include "model/hardware/MachinePicks.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// Adds to each pick what its branch knows of it: whether its recipe is there and sound, and what an earlier build left
/// (`builds`, of the checked-out branch's work tree alone). Whether it is published is asked of nobody: the best pick
/// says so. Pure.
void tellOfRecipes(MachinePicks &picks, const BranchSnapshot &snapshot, const QHash<QString, BuildState> &builds);

} // namespace tmx
