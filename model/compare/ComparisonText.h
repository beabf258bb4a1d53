// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QJsonObject>

namespace tmx {

/// What of a comparison is told.
struct ComparisonFilter {
    bool onlyDifferences = false; ///< cells that are not the same everywhere: facts differ, or a side lacks it
    bool onlyMissing = false;     ///< cells that a side lacks
    QString row;                  ///< "sm90"; empty: all
    QString isa;                  ///< "avx512"; empty: all
    bool accepts(const ComparedCell &cell) const;
    bool operator==(const ComparisonFilter &) const = default;
};

/// "identical", "different", "only pytorch-2.9", "in 3 of 5, different": one cell in a few words; "both" of a package
/// and its companion.
QString cellWords(const Comparison &comparison, const ComparedCell &cell);

/// `compare --json`; its fields are in the man page.
QJsonObject comparisonJson(const Comparison &comparison, const ComparisonFilter &filter = {});

/// Markdown: totals, a grid for each family, Python and toolkit, and of the cells in which the same differs together a
/// table of those facts and the names of the cells.
/// `isas` is the order of the grid's columns (Catalog::isaIds); those that it lacks come last.
QString comparisonMarkdown(const Comparison &comparison, const ComparisonFilter &filter, const QStringList &isas);

/// The same for a terminal: the cells in which the same differs together, the most first, then what a side lacks.
/// `eachCell`: with the names of all of them.
QString comparisonAsText(const Comparison &comparison, const ComparisonFilter &filter = {}, bool eachCell = false);

} // namespace tmx
