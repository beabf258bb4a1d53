// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Companions.h"

namespace tmx {

/// One of the compared branches (working trees, commits).
struct ComparedSide {
    QString label; ///< "pytorch-2.9", "working tree"
    std::shared_ptr<const BranchSnapshot> snapshot;
};

/// Defines which recipes belong to the same cell. Automatic: the whole name, except parts of which every side has one
/// value but not all the same. That way two branches with one toolkit each are compared cell by cell, and so is
/// torchvision's branch with PyTorch's.
struct CellMatch {
    bool family = true;
    bool python = true;
    bool cuda = true;
    bool operator==(const CellMatch &) const = default;
};

/// How similar the sides' recipes for a cell are by meaning (model/meaning/Meaning): the least similar pair counts.
enum class Likeness {
    Identical, ///< the same text, byte by byte
    Equal,     ///< the same derivation
    SameBuild, ///< they differ only in what affects neither compiler nor output
    Alike,     ///< they differ only in facts that do not count (CountedFacts)
    Different, ///< they may build different things, or one cannot be read
    Alone,     ///< only one side has it
};
inline constexpr std::array allLikenesses{Likeness::Identical, Likeness::Equal,     Likeness::SameBuild,
                                          Likeness::Alike,     Likeness::Different, Likeness::Alone};
/// "identical", "equal", "same-build", "alike", "different", "alone": the words used in compare --json
QString toString(Likeness likeness);
/// "identical", "same build", "different": words for people.
QString likenessWord(Likeness likeness);

/// The values of one fact, or of one attribute without a fact, side by side.
struct FactDifference {
    QString id; ///< id of a fact, or MeaningDifference::path
    QString label;
    QStringList values;   ///< by side; empty: not stated, or no recipe
    bool differs = false; ///< among the sides that have the cell
    bool builds = true;   ///< the difference may affect the compiler or the output
    bool operator==(const FactDifference &) const = default;
};

/// Of sides with these groups (ComparedCell::groups) those that have another build than most of them; empty: all have
/// the same, or no build is that of most.
QList<int> oddSides(const QList<int> &groups);

/// One cell on all sides.
struct ComparedCell {
    Variant variant;                     ///< parts that the match ignores are empty
    QList<const VariantEntry *> entries; ///< by side; null: missing. They live as long as the comparison's snapshots
    QList<int>
        groups; ///< by side: equal numbers have the same build, counted from 0 in the order of the sides; -1: missing
    Likeness likeness = Likeness::Alone;
    /// ownDifferences(), if they were computed already; else null.
    std::shared_ptr<const QList<FactDifference>> differences;
    bool asMost = false; ///< Different in the same facts, with the same values, as most different cells (CountedFacts)
    QStringList unlike;  ///< of a Different cell: the facts in which most do not differ like this; empty: no such most

    [[nodiscard]] int held() const; ///< number of sides that have it
    [[nodiscard]] bool isEverywhere() const { return held() == entries.size(); }
    [[nodiscard]] int firstHolder() const; ///< index of the first side that has it
    [[nodiscard]] QList<int> odd() const { return oddSides(groups); }
    /// The canonical name if it is the same on all sides, else its common parts: "pytorch sm90 avx512".
    [[nodiscard]] QString title() const;
};

/// A package that is no variant, on the sides of one repository.
struct ComparedPackage {
    QString name;
    Likeness likeness = Likeness::Alone; ///< Alone: a side does not have it
    bool operator==(const ComparedPackage &) const = default;
};

struct ComparisonTotals {
    int cells = 0;
    int everywhere = 0;                                                    ///< number of cells that all sides have
    int identical = 0, equal = 0, sameBuild = 0, alike = 0, different = 0; ///< among the cells that at least two sides
                                                                           ///< have
    QList<int> only;                                                       ///< by side: cells that only it has
    QList<int> held;                                                       ///< by side
    bool operator==(const ComparisonTotals &) const = default;
};

/// What the sides build, or have: a row of the table over a comparison.
struct ComparedPart {
    QString label;            ///< "CUDA", "lacks"
    QStringList values;       ///< by side; empty: none, or not known
    QList<QStringList> forms; ///< by side: the value in ever shorter forms, the first one whole; empty: it has one
    bool isBuilt = true;      ///< false: a number of recipes, or which they are
    [[nodiscard]] bool differs() const;
    [[nodiscard]] bool standsOut(qsizetype side) const; ///< its value is not that of most sides
};

/// A comparison in a few lines.
struct ComparisonHead {
    QStringList headline;      ///< what differs, in one sentence, in ever shorter forms; empty if the sides build alike
    QStringList shared;        ///< how many cells they share, how, and what differs: in ever shorter forms
    QString common;            ///< "The same in both: Python 3.13.", and what is said of packages that are no variants
    QList<ComparedPart> parts; ///< in which the sides differ
    QStringList sides;         ///< the same as a line for each that differs from the others
};

/// A comparison of two or more sides, cell by cell, in grid order.
struct Comparison {
    QList<ComparedSide> sides;
    CellMatch match;
    QList<ComparedCell> cells;
    QList<QStringList> families;     ///< by side: the families that are compared; empty: all
    QList<ComparedPackage> packages; ///< if all sides are of one repository
    QStringList versions;            ///< "pytorch 2.8.0 → 2.9.1": families of which each side builds another version
    QList<QStringList> sideVersions; ///< by side, for each family: "pytorch 2.8.0", "pytorch" if that is not known
    int otherPins = 0;               ///< cells of companions whose torch has another nixpkgs revision
    /// By side: cells of packages without a torch, for some of which it is not known whether it fits.
    QList<int> unknownFits = {0, 0};

    [[nodiscard]] ComparisonTotals totals() const;
    /// Whether the sides have different families: packages and their companions, whose recipes never equal.
    [[nodiscard]] bool isOfCompanions() const { return !match.family; }
    /// "62 in both: 44 identical, 4 with the same build, 14 different. 9 only in pytorch-2.9."
    [[nodiscard]] QString summary() const; ///< sentences() as one text
    /// What the sides share, what differs in it, what a side alone has, what it lacks.
    [[nodiscard]] QStringList sentences() const;
    /// "42 cells in both: 42 different", "The same in both: Python 3.13." and "1. main: CUDA 12.8, nixpkgs fe5e41d;
    /// lacks 8: all of sm103", "2. next: CUDA 12.9, nixpkgs 0182a36". `changes`: changeForms(). `names`: of the recipes
    /// that a side alone has or lacks; else their number.
    [[nodiscard]] ComparisonHead head(const QStringList &changes = {}, bool names = true) const;
    [[nodiscard]] const ComparedCell *find(const Variant &variant) const;
};

/// A match that ignores each part of the name of which every side has one value, but not all the same.
CellMatch automaticMatch(const QList<ComparedSide> &sides);

/// Pure. A package and PyTorch are compared by what belongs together: the recipe of the same row, instruction set,
/// Python and toolkit whose torch version agrees (Companions.h); others are cells of their own. A file that a branch
/// does not cover counts like a covered one; a file with a suffix (-magma) is not a cell's recipe. Sides of different
/// repositories are compared in the families that all have. If they have none in common, or each is mainly for another
/// one (build-pytorch and build-torchvision), each side's most frequent family is compared. `known`: the versions of
/// nixpkgs revisions that other recipes show.
Comparison compareSides(const QList<ComparedSide> &sides, const std::optional<CellMatch> &match = {},
                        const VersionsOfPins &known = {});

/// Every fact that a side states, in the order of facts in recipes, and every differing attribute without a fact;
/// differing ones are marked. Among the attributes, those with an effect come first.
QList<FactDifference> factDifferences(const ComparedCell &cell);

/// The factDifferences() that differ in more than the cell's own name. In values, the name of the cell's variant is
/// replaced by "\u2039name\u203a", so that `pname = "NAME"` is the same difference in all cells.
QList<FactDifference> ownDifferences(const ComparedCell &cell);
/// The same for factDifferences() that were computed already.
QList<FactDifference> ownDifferences(const ComparedCell &cell, QList<FactDifference> facts);

/// Cells with the same differences.
struct DifferenceGroup {
    QList<FactDifference> facts; ///< facts that differ and affect the build
    QList<const ComparedCell *> cells;
    bool sameBuild = false; ///< they only differ in what has no effect
};

/// The Different and SameBuild cells grouped by their ownDifferences(), the largest group first.
QList<DifferenceGroup> differenceGroups(const QList<const ComparedCell *> &cells);

} // namespace tmx
