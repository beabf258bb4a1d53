// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Folder.h"

namespace tmx::nix {

/// `left == right`; nullopt if it is unknown.
std::optional<bool> equal(Folder &folder, Cell *left, Cell *right);
/// `left op right` of forced numbers, or a comparison of them or of texts; nullptr if that is not determined.
Cell *binaryOf(Folder &folder, BinaryOperator op, Cell *left, Cell *right);
Cell *foldUnary(Folder &folder, const Unary &node, const Frame *frame);
Cell *foldBinary(Folder &folder, const Binary &node, const Frame *frame);

} // namespace tmx::nix
