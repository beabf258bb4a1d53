// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Parse.h"

#include <QString>

namespace tmx::test {

/// What a parse promises about every tree and every error, checked node by node: a tree or an error, spans within the
/// file and within their parents', places that fit their offsets, texts that map back into their literals. Empty when
/// all of it holds.
QString whatIsWrongWith(const nix::ParseResult &result);

/// The same of what the file folds to: values that have what their kind has, nodes of the tree, offsets within the
/// file. Looks at some hundreds of values, functions called with something unknown included.
QString whatIsWrongWithFolding(const nix::ParseResult &result);

} // namespace tmx::test
