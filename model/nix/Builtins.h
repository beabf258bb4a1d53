// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Folder.h"

namespace tmx::nix {

/// A function of `builtins` or of nixpkgs' `lib` that is folded: those that recipes make lists of flags with. It does
/// what the documentation of Nix 2.26 or nixpkgs says, and forces its arguments no earlier.
struct Builtin {
    enum Home : quint8 { InBuiltins = 1, InLib = 2, InBoth = 3 };
    std::string_view name;
    int arity;
    Home home;
    /// The result; nullptr when it cannot be known from these arguments, none of which is forced yet.
    Cell *(*fold)(Folder &folder, std::span<Cell *const> arguments);

    /// nullptr: it is not folded.
    static const Builtin *find(std::string_view name, Home home);
};

} // namespace tmx::nix
