// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

namespace tmx {

/// Why a file under .flox/pkgs cannot be read as a recipe.
enum class FileTrouble { None, Link, Folder, TooLarge, NotText, Unreadable };

} // namespace tmx
