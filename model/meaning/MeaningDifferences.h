// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// One difference between two recipes.
struct MeaningDifference {
    QString path;   ///< for a fact, its id ("gpu_targets"); else the attribute: "src.rev", "override.gpuTargets",
                    ///< "nixpkgs.config.cudaCapabilities"; for statements without effect, the word of UnbuiltKind
    QString label;  ///< readable: "GPU targets"; the path if that is readable
    QString before; ///< in Nix syntax, texts without quotes; for texts of several lines, the differing ones; empty: not
                    ///< stated, or a text that is too long
    QString after;
    bool isFact = false;
    bool builds = true; ///< it may affect the compiler or the output
    bool operator==(const MeaningDifference &) const = default;
};

/// All differences between two recipes: first the facts (RecipeFacts::rows) in their order; then attributes without a
/// fact; last the statements that affect neither compiler nor output. Empty if and only if the recipes are equal
/// (Sameness). If one has no normal form, only the facts and the reason ("problem") are reported. Parses both texts
/// again; the facts must come from readFacts().
QList<MeaningDifference> meaningDifferences(const RecipeSource &before, const RecipeFacts &factsBefore,
                                            const RecipeSource &after, const RecipeFacts &factsAfter);

} // namespace tmx
