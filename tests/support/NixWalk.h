// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Parse.h"

#include <QString>

namespace tmx::test {

/// Checks what a parse guarantees for every tree and every error, node by node: a tree or an error, spans within the
/// file and within their parents' spans, places that match their offsets, texts that map back to their literals.
/// Returns an empty text if everything holds.
QString whatIsWrongWith(const nix::ParseResult &result);

/// The same for folded values: values that match their kind, nodes of the tree, offsets within the file. Checks some
/// hundreds of values, including functions called with something unknown.
QString whatIsWrongWithFolding(const nix::ParseResult &result);

} // namespace tmx::test
