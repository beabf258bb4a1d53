// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <array>

namespace tmx {

/// The recipe half of a cell's state. One word hides no other: where two could be said,
/// the first of Duplicate, Broken, Unsupported, Untracked, Modified wins, and VariantEntry::fileStatus still says how
/// the file stands to git.
enum class RecipeState {
    Unsupported, ///< the variant cannot exist; the reason says why
    NotCovered,  ///< could exist, the line does not promise it
    Missing,     ///< promised, no file
    Current,     ///< committed, the text that the template gives
    Equivalent,  ///< committed, another text with the same build (Sameness)
    Customised,  ///< committed, may build something else; without a finding of severity error
    Modified,    ///< in HEAD, and the work tree or the index differs from it (deleted in the work tree included)
    Untracked,   ///< on disk and not in HEAD: unknown to git, or added and not committed (the reason says which)
    Broken, ///< the audit has a finding of severity error: it cannot be read, does not build, or builds something else
    Duplicate, ///< more than one file for the cell
};

/// Every state, in the order in which counts are told.
inline constexpr std::array allRecipeStates{
    RecipeState::Current,    RecipeState::Equivalent,  RecipeState::Customised, RecipeState::Modified,
    RecipeState::Untracked,  RecipeState::Missing,     RecipeState::Broken,     RecipeState::Duplicate,
    RecipeState::NotCovered, RecipeState::Unsupported,
};

QString toString(RecipeState state); ///< "missing", "current", "not-covered", ...: the words of list --json

} // namespace tmx
