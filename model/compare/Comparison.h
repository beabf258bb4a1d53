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

/// How alike the recipes are that the sides hold of a cell, by what they mean (model/recipe/Meaning): the least of
/// every two of them.
enum class Likeness {
    Identical, ///< the same text, byte for byte
    Equal,     ///< the same derivation
    SameBuild, ///< they differ in what reaches neither compiler nor output
    Alike,     ///< they differ in facts that do not count alone (CountedFacts)
    Different, ///< they may build something else, or one cannot be read
    Alone,     ///< one side alone holds it
};
inline constexpr std::array allLikenesses{Likeness::Identical, Likeness::Equal,     Likeness::SameBuild,
                                          Likeness::Alike,     Likeness::Different, Likeness::Alone};
/// "identical", "equal", "same-build", "alike", "different", "alone": the words of compare --json
QString toString(Likeness likeness);
/// "identical", "same build", "different": for people.
QString likenessWord(Likeness likeness);

/// One fact, or one attribute that no fact tells of, side by side.
struct FactDifference {
    QString id; ///< of a fact, or MeaningDifference::path
    QString label;
    QStringList values;   ///< by side; empty: not stated, or no recipe
    bool differs = false; ///< among the sides that hold the cell
    bool builds = true;   ///< the difference may reach compiler or output
    bool operator==(const FactDifference &) const = default;
};

/// One cell over all sides.
struct ComparedCell {
    Variant variant;                     ///< what the match leaves out is empty
    QList<const VariantEntry *> entries; ///< by side; null: not there. They live as long as the comparison's snapshots
    QList<int>
        groups; ///< by side: equal numbers build the same, counted from 0 in the order of the sides; -1: not there
    Likeness likeness = Likeness::Alone;
    /// ownDifferences(), where whoever made the cell has asked for them already; else null.
    std::shared_ptr<const QList<FactDifference>> differences;

    [[nodiscard]] int held() const; ///< by how many sides
    [[nodiscard]] bool isEverywhere() const { return held() == entries.size(); }
    [[nodiscard]] int firstHolder() const; ///< index of the first side that holds it
    /// The canonical name where all sides bear the same, else what they have in common: "pytorch sm90 avx512".
    [[nodiscard]] QString title() const;
};

struct ComparisonTotals {
    int cells = 0;
    int everywhere = 0;                                                    ///< held by all sides
    int identical = 0, equal = 0, sameBuild = 0, alike = 0, different = 0; ///< of those that two sides or more hold
    QList<int> only;                                                       ///< by side: held only by it
    QList<int> held;                                                       ///< by side
    bool operator==(const ComparisonTotals &) const = default;
};

/// Two or more sides, cell by cell, in grid order.
struct Comparison {
    QList<ComparedSide> sides;
    CellMatch match;
    QList<ComparedCell> cells;
    QList<QStringList> families; ///< by side: those that are compared; none: all

    [[nodiscard]] ComparisonTotals totals() const;
    /// Whether the sides hold different families: packages and their companions, which are never the same recipe.
    [[nodiscard]] bool isOfCompanions() const { return !match.family; }
    /// "62 in both: 44 identical, 4 with the same build, 14 different. 9 only in pytorch-2.9."
    [[nodiscard]] QString summary() const;
    [[nodiscard]] const ComparedCell *find(const Variant &variant) const;
};

/// What every side has one of, and not all the same one, is no part of a cell.
CellMatch automaticMatch(const QList<ComparedSide> &sides);

/// Pure. A file that a branch does not promise counts as one that it does; one with a suffix (-magma) is no cell's
/// recipe. Sides of different repositories are compared in the families that each of them has; where they have none in
/// common, or each is there for another one (build-pytorch and build-torchvision), in the one that most of its recipes
/// are of.
Comparison compareSides(const QList<ComparedSide> &sides, const std::optional<CellMatch> &match = {});

/// Every fact that one of the sides states, in the order in which recipes tell them, and every attribute in which they
/// differ that no fact tells of; the differing ones marked. Those with effect come first among the attributes.
QList<FactDifference> factDifferences(const ComparedCell &cell);

/// Those of factDifferences() that differ in more than the cell's own name. A value that holds the name of the cell's
/// variant has "\u2039name\u203a" in its place, so that `pname = "NAME"` is one difference in all cells.
QList<FactDifference> ownDifferences(const ComparedCell &cell);
/// The same, of factDifferences() that are there already.
QList<FactDifference> ownDifferences(const ComparedCell &cell, QList<FactDifference> facts);

/// Cells in which the same differs in the same way.
struct DifferenceGroup {
    QList<FactDifference> facts; ///< those that differ and build
    QList<const ComparedCell *> cells;
    bool sameBuild = false; ///< they differ in what has no effect
};

/// The Different and SameBuild cells by their ownDifferences(), the largest group first.
QList<DifferenceGroup> differenceGroups(const QList<const ComparedCell *> &cells);

} // namespace tmx
