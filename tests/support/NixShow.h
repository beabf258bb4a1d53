// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"

namespace tmx::test {

/// A tree in the output format of `nix-instantiate --parse`, without the newline: parentheses around everything,
/// attributes merged and sorted, operators that are functions written as calls. If two parsers give the same output for
/// a file, they understood it alike. `folder` and `home` make paths absolute.
QByteArray showAsNix(const nix::Tree &tree, const QByteArray &folder, const QByteArray &home);

} // namespace tmx::test
