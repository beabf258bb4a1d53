// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Requests.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// What a build found out: the hash that a recipe states is not that of what it fetches (FixRequest::statedHash and
/// rightHash). Every recipe that fetches the same with the same hash is wrong in the same way, and so are settings that
/// name it, so they are corrected together, each in the notation that it uses. A recipe of whose fetch the commit is
/// not known is corrected alone. Settings that name the hash in a way that cannot be exchanged are named in `warnings`.
/// The change's settings are those with the right hash. Error: the recipe does not state that hash.
Result<ChangeSet> withRightHash(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const BranchContent &content, const VariantEntry &entry, const FixRequest &request);

} // namespace tmx
