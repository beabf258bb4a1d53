// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Folder.h"

namespace tmx::nix {

/// A function of `builtins` or of nixpkgs' `lib` that is folded: those with which recipes compose lists of flags. It
/// follows the documentation of Nix 2.26 or nixpkgs, and forces its arguments no earlier.
struct Builtin {
    enum Home : quint8 { InBuiltins = 1, InLib = 2, InBoth = 3, InVersions = 4 }; ///< InVersions: lib.versions
    std::string_view name;
    int arity;
    Home home;
    /// The result; nullptr if these arguments do not determine it. The arguments are not forced yet.
    Cell *(*fold)(Folder &folder, std::span<Cell *const> arguments);

    /// nullptr if the function is not folded.
    static const Builtin *find(std::string_view name, Home home);
};

} // namespace tmx::nix
