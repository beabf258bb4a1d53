// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/nix/Folder.h"

#include <vector>

namespace tmx::nix {

// What the functions that are folded share. They look at their arguments as little as the real ones do.

/// Nothing when it is not known, or no truth value.
std::optional<bool> truth(Folder &folder, Cell *cell);

/// The elements, not forced; nothing when the list is not wholly known.
std::optional<std::vector<Cell *>> knownElements(Folder &folder, Cell *list);

/// A list of just these.
Cell *listOf(Folder &folder, std::span<Cell *const> elements);

/// Calls take(elements) when the list is wholly known.
template <class Take>
Cell *withElements(Folder &folder, Cell *list, Take take)
{
    const auto elements = knownElements(folder, list);
    return elements ? take(*elements) : nullptr;
}

/// Those of sets and of texts; those of lists are in FolderBuiltins.cpp.
std::span<const Builtin> setBuiltins();
std::span<const Builtin> textBuiltins();

} // namespace tmx::nix
