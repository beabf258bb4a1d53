// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Builtins.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tmx::nix {

// What the functions in Builtins.cpp and LibraryBuiltins.cpp read of their arguments, and those of the second file.

using Arguments = std::span<Cell *const>;

/// nullopt if it is unknown or not a boolean.
std::optional<bool> truth(Folder &folder, Cell *cell);
/// The list, if its elements can be accessed; else nullptr.
const Cell *listOf(Folder &folder, Cell *cell);
/// The list, if all of its elements are known to be elements; else nullptr.
const Cell *wholeList(Folder &folder, Cell *cell);
/// The bytes of all elements; nullopt unless all are known texts.
std::optional<std::vector<std::string_view>> textsOf(Folder &folder, Cell *cell);
/// The entries of a set, if there are certainly no others.
std::optional<std::vector<NamedCell>> entriesOf(Folder &folder, Cell *cell);
/// `function name value`
Cell *delayCall(Folder &folder, Cell *function, std::string_view name, Cell *value);

/// "12" and "pre" of "12pre.1", one call after the other: digits, or what is neither a digit nor a separator.
std::string_view nextComponent(std::string_view &version);

/// The functions that LibraryBuiltins.cpp folds.
std::span<const Builtin> libraryBuiltins();

} // namespace tmx::nix
