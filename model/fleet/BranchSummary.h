// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Companions.h"
#include "model/job/BuildStates.h"
#include "model/snapshot/PinUses.h"

namespace tmx {

/// A recipe without its text.
struct RecipeSummary {
    Variant variant;
    QString package;
    QStringList files;      ///< paths of the recipe and of what it imports
    QStringList identities; ///< shownIdentities()
    StatedTorch torch;
    bool operator==(const RecipeSummary &) const = default;
};

/// A version that a recipe shows a nixpkgs revision to have: the recipe builds it from there, from no other source.
struct PinnedVersion {
    QString revision;
    QString family; ///< "pytorch", without version and pairing
    QString version;
    auto operator<=>(const PinnedVersion &) const = default;
};

/// What is shown of a branch beside others: a snapshot takes a hundred times as much memory.
struct BranchSummary {
    bool matrix = false;
    QString settingsError;               ///< why torch-matrix.toml could not be read; else empty
    QMap<QString, QStringList> versions; ///< by family, sorted; empty: unknown
    QStringList pythons;                 ///< "python313", the newest first
    QStringList toolkits;                ///< "12.8", ascending
    QList<PinUse> pins;                  ///< the most used first
    QList<PinnedVersion> pinnedVersions; ///< sorted, without duplicates
    int missing = 0;                     ///< covered variants without a recipe
    int holes = 0;                       ///< variants without a recipe that similar ones have
    QList<Variant> gaps;                 ///< those of both
    ProblemCounts problems;              ///< of the recipes and of files that are none
    QList<RecipeSummary> recipes;        ///< the existing ones
    bool operator==(const BranchSummary &) const = default;

    static BranchSummary of(const Catalog &catalog, const BranchSnapshot &snapshot);
    [[nodiscard]] QByteArray toBytes() const;
    /// nullopt: these are not the bytes of a summary.
    static std::optional<BranchSummary> fromBytes(const QByteArray &bytes);

    [[nodiscard]] bool hasTorch() const; ///< it has recipes of PyTorch itself
};

} // namespace tmx
