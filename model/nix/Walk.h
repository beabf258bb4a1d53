// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

#include <functional>

namespace tmx::nix {

/// Calls `visit` with `root` and every expression below it, each once and parents before their parts. Each name of an
/// `inherit` counts as a Variable. Does not recurse, so the depth of the tree does not matter.
void forEachNode(const Node *root, const std::function<void(const Node &)> &visit);

/// Calls `visit` with every binding below `root`: of sets and of let, including `inherit`.
void forEachBinding(const Node *root, const std::function<void(const Binding &)> &visit);

} // namespace tmx::nix
