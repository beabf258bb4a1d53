// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"
#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// Reads facts that may be anywhere in a file: empty hashes, fetched commits, packages of the caller's nixpkgs. In the
/// order of the text.
void scanRecipe(const nix::Tree &tree, const FactPlaces &places, RecipeFacts &facts);

} // namespace tmx
