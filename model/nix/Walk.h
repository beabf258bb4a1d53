// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Ast.h"

#include <functional>

namespace tmx::nix {

/// Calls `visit` with every expression that is written below `root`, itself included, each once and a parent before its
/// parts. A name of `inherit` is a Variable of its own. Does not recurse, however deep the tree is.
void forEachNode(const Node *root, const std::function<void(const Node &)> &visit);

/// Calls `visit` with every binding that is written below `root`: of sets and of let, `inherit` included.
void forEachBinding(const Node *root, const std::function<void(const Binding &)> &visit);

} // namespace tmx::nix
