// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// Findings of a rule that say the same.
struct EqualFindings {
    QString sentence;
    QString advice;
    QStringList recipes; ///< names of variants
    bool operator==(const EqualFindings &) const = default;
};

/// Everything that a rule finds on a branch, without notes.
struct RuleProblems {
    Rule rule;        ///< its severity is the gravest of the findings
    int findings = 0; ///< what is in a file that several import counts once
    int fixable = 0;
    QStringList recipes;         ///< names of variants
    QList<EqualFindings> groups; ///< the largest first
};

/// Errors first, then by the number of recipes.
QList<RuleProblems> problemsByRule(const BranchSnapshot &snapshot);

/// The cells of variants: a small map of the grid.
struct CellMap {
    QStringList rows; ///< ids, in the catalog's order: of all recipes of the branch
    QStringList columns;
    QList<QStringList> names; ///< by row, then column: the variants there, of those asked for; mostly none
    [[nodiscard]] const QStringList &at(qsizetype row, qsizetype column) const
    {
        return names.at(row * columns.size() + column);
    }
};
CellMap cellMap(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &variants);
CellMap cellMap(const Catalog &catalog, const QList<Variant> &variants); ///< of these alone

} // namespace tmx
