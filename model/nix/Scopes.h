// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

namespace tmx::nix {

/// Binds each variable below `root` like Nix's parser: to the innermost function, let or recursive set that defines it;
/// else to Nix's built-in names; else, inside a `with`, to that; else to nothing. Returns the first undefined variable
/// in the text, or nullptr.
const Variable *bindVariables(const Node *root, const SymbolTable &symbols);

} // namespace tmx::nix
