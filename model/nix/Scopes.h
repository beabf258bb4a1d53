// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

namespace tmx::nix {

/// Fills in, for each variable below `root`, where its value is found, as Nix does when it parses: the innermost
/// function, let or recursive set that defines it; else Nix's own names; else, within a `with`, that; else nothing.
/// Gives the first in the text that nothing defines, or nullptr.
const Variable *bindVariables(const Node *root, const SymbolTable &symbols);

} // namespace tmx::nix
