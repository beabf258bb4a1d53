// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QJsonObject>

namespace tmx {

/// Which part of a comparison is shown.
struct ComparisonFilter {
    bool onlyDifferences = false; ///< cells that differ: in facts, or because a side does not have them
    bool onlyMissing = false;     ///< cells that a side does not have
    QString row;                  ///< "sm90"; empty: all
    QString isa;                  ///< "avx512"; empty: all
    bool accepts(const ComparedCell &cell) const;
    bool operator==(const ComparisonFilter &) const = default;
};

/// "identical", "different", "only pytorch-2.9", "in 3 of 5, different": one cell in a few words; "both" for a package
/// and its companion.
QString cellWords(const Comparison &comparison, const ComparedCell &cell);

/// `compare --json`; the man page describes its fields.
QJsonObject comparisonJson(const Comparison &comparison, const ComparisonFilter &filter = {});

/// Markdown: totals, a grid for each family, Python and toolkit, and for each group of cells with the same differences
/// a table of these facts and the names of the cells. `isas` is the order of the grid's columns (Catalog::isaIds);
/// unknown ones come last.
QString comparisonMarkdown(const Comparison &comparison, const ComparisonFilter &filter, const QStringList &isas);

/// The same for a terminal: the groups of cells with the same differences, the largest first, then what a side does not
/// have. `eachCell`: lists the names of all cells.
QString comparisonAsText(const Comparison &comparison, const ComparisonFilter &filter = {}, bool eachCell = false);

} // namespace tmx
