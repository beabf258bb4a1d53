// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"
#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// Reads what can be said of a file wherever it stands in it: hashes that are empty, commits that are fetched, packages
/// of the caller's nixpkgs. In the order of the text.
void scanRecipe(const nix::Tree &tree, const FactPlaces &places, RecipeFacts &facts);

} // namespace tmx
