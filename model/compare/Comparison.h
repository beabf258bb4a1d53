// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// One of the branches (work trees, commits) that are compared.
struct ComparedSide {
    QString label; ///< "pytorch-2.9", "work tree"
    std::shared_ptr<const BranchSnapshot> snapshot;
};

/// What makes two recipes the same cell. Automatic: the name, but what every side has one of, and not all the same one,
/// is left out. Two lines with one toolkit each are so compared cell by cell, and torchvision's branch with PyTorch's.
struct CellMatch {
    bool family = true;
    bool python = true;
    bool cuda = true;
    bool operator==(const CellMatch &) const = default;
};

/// Whether the sides that hold a cell mean the same.
enum class Likeness {
    Identical, ///< the same text, byte for byte
    SameFacts, ///< other words; every fact is equal
    Differ,    ///< the facts differ, or one cannot be read
    Alone,     ///< one side alone holds it
};
inline constexpr std::array allLikenesses{Likeness::Identical, Likeness::SameFacts, Likeness::Differ, Likeness::Alone};
QString toString(Likeness likeness); ///< "identical", "same-facts", "differ", "alone": the words of compare --json

/// One cell over all sides.
struct ComparedCell {
    Variant variant;                     ///< what the match leaves out is empty
    QList<const VariantEntry *> entries; ///< by side; null: not there. They live as long as the comparison's snapshots
    QList<int>
        groups; ///< by side: equal numbers hold the same facts, counted from 0 in the order of the sides; -1: not there
    Likeness likeness = Likeness::Alone;

    [[nodiscard]] int held() const; ///< by how many sides
    [[nodiscard]] bool isEverywhere() const { return held() == entries.size(); }
    [[nodiscard]] int firstHolder() const; ///< index of the first side that holds it
    /// The canonical name where all sides bear the same, else what they have in common: "pytorch sm90 avx512".
    [[nodiscard]] QString title() const;
};

/// One fact, side by side.
struct FactDifference {
    QString id;
    QString label;
    QStringList values;   ///< by side; empty: not stated, or no recipe
    bool differs = false; ///< among the sides that hold the cell
    bool operator==(const FactDifference &) const = default;
};

struct ComparisonTotals {
    int cells = 0;
    int everywhere = 0;                           ///< held by all sides
    int identical = 0, sameFacts = 0, differ = 0; ///< of those that two sides or more hold
    QList<int> only;                              ///< by side: held by it alone
    QList<int> held;                              ///< by side
    bool operator==(const ComparisonTotals &) const = default;
};

/// Two or more sides, cell by cell, in grid order.
struct Comparison {
    QList<ComparedSide> sides;
    CellMatch match;
    QList<ComparedCell> cells;

    [[nodiscard]] ComparisonTotals totals() const;
    /// "62 in both: 44 identical, 4 in other words, 14 differ. 9 only in pytorch-2.9."
    [[nodiscard]] QString summary() const;
    [[nodiscard]] const ComparedCell *find(const Variant &variant) const;
};

/// What every side has one of, and not all the same one, is no part of a cell.
CellMatch automaticMatch(const QList<ComparedSide> &sides);

/// Pure. A file that a branch does not promise counts as one that it does; one with a suffix (-magma) is no cell's
/// recipe.
Comparison compareSides(const QList<ComparedSide> &sides, const std::optional<CellMatch> &match = {});

/// Every fact that one of the sides states, in the order in which recipes tell them, the differing ones marked.
QList<FactDifference> factDifferences(const ComparedCell &cell);

} // namespace tmx
