// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// The recipe half of a cell's state (DESIGN: the state of a cell).
enum class RecipeState {
    Unsupported, ///< the variant cannot exist; the reason says why
    NotCovered,  ///< could exist, the line does not promise it
    Missing,     ///< promised, no file
    Current,     ///< committed and equal to what the line's template gives
    Customised,  ///< committed and different, nothing wrong with it
    Modified,    ///< work tree differs from HEAD
    Untracked,
    Broken,      ///< cannot be read as a recipe, or findings of severity error
    Duplicate,   ///< more than one file for the cell
};

QString toString(RecipeState state); ///< "missing", "current", "not-covered", ...: the words of list --json

} // namespace tmx
