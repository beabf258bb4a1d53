// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Tree.h"

namespace tmx::test {

/// A tree in the words of `nix-instantiate --parse`, without the newline: parentheses around everything, attributes
/// merged and sorted, operators that are functions written as such. Two parsers that say the same of a file understood
/// it alike. `folder` and `home` make paths absolute.
QByteArray showAsNix(const nix::Tree &tree, const QByteArray &folder, const QByteArray &home);

} // namespace tmx::test
