// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <array>

namespace tmx {

/// The recipe part of a cell's state. If several states apply, the first of Duplicate, Broken, Unsupported, Untracked,
/// Modified wins; VariantEntry::fileStatus still has the file's status in git.
enum class RecipeState {
    Unsupported, ///< the variant cannot exist; the reason says why
    NotCovered,  ///< could exist, but the settings do not cover it
    Missing,     ///< covered, but there is no file
    Current,     ///< committed, with the template's text
    Equivalent,  ///< committed, with another text for the same build (Sameness)
    Customised,  ///< committed, may build something else; without a finding of severity error
    Modified,    ///< in HEAD, but changed in the working tree or the index (or deleted in the working tree)
    Untracked,   ///< on disk but not in HEAD: untracked, or added and not committed (the reason says which)
    Broken, ///< the audit has a finding of severity error: it cannot be read, does not build, or builds something else
    Duplicate, ///< more than one file for the cell
};

/// Every state, in the order in which counts are shown.
inline constexpr std::array allRecipeStates{
    RecipeState::Current,    RecipeState::Equivalent,  RecipeState::Customised, RecipeState::Modified,
    RecipeState::Untracked,  RecipeState::Missing,     RecipeState::Broken,     RecipeState::Duplicate,
    RecipeState::NotCovered, RecipeState::Unsupported,
};

QString toString(RecipeState state); ///< "missing", "current", "not-covered", ...: the words of list --json

} // namespace tmx
