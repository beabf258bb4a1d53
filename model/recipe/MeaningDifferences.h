// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/RecipeFacts.h"

namespace tmx {

/// One thing that two recipes state differently.
struct MeaningDifference {
    QString path;   ///< of a fact: its id ("gpu_targets"); else of the attribute: "src.rev", "override.gpuTargets",
                    ///< "nixpkgs.config.cudaCapabilities"; of what reaches no build: UnbuiltKind's word
    QString label;  ///< for people: "GPU targets"; the path where that says it all
    QString before; ///< as Nix writes it, texts without quotes; of texts of several lines those that differ; empty: not
                    ///< stated, or a text that is too long to be told
    QString after;
    bool isFact = false;
    bool builds = true; ///< it may reach compiler or output
    bool operator==(const MeaningDifference &) const = default;
};

/// All in which two recipes differ: first the facts (RecipeFacts::rows) in their order; then the attributes that no
/// fact tells of; last what reaches neither compiler nor output. Empty exactly where the recipes are equal (Sameness).
/// Where one has no normal form, its facts and the reason ("problem") are all that is told. Parses both texts again;
/// the facts are those of readFacts().
QList<MeaningDifference> meaningDifferences(const QByteArray &before, const RecipeFacts &factsBefore,
                                            const QByteArray &after, const RecipeFacts &factsAfter);

} // namespace tmx
