// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// Corrects a wrong hash that a build found: the recipe's hash is not that of what it fetches (FixRequest::statedHash
/// and rightHash). Every recipe that fetches the same with the same hash is wrong too, and so are settings that name
/// the hash; they are corrected together, each in its own notation. If the commit that a recipe fetches is unknown,
/// only that recipe is corrected. Settings in which the hash cannot be replaced are named in `warnings`. The change's
/// settings have the right hash. Error: the recipe does not state that hash.
Result<ChangeSet> withRightHash(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const BranchContent &content, const VariantEntry &entry, const FixRequest &request);

} // namespace tmx
