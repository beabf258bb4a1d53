// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QHash>
#include <QJsonArray>

namespace tmx {

/// The number of cells in which a fact differs, and whether the fact counts.
struct FactCount {
    QString id; ///< FactDifference::id
    QString label;
    int cells = 0;
    bool builds = false; ///< in one of them the difference may affect the compiler or the output
    bool counts = false;
    QString values = {}; ///< "fe5e41d → 0182a36": what most of these cells have by side; empty if there is no such
    int alike = 0;       ///< number of cells that have these values
    bool operator==(const FactCount &) const = default;
};

/// A comparison in which the user chooses which facts count. By default those count that may affect the compiler or the
/// output; names do not. Differences in a cell's own name never count.
class CountedFacts
{
public:
    using Choices = QHash<QString, bool>; ///< whether a fact counts, by id; others have the default

    /// Parses the differing recipes again: for workers. For companions there are no facts, because their recipes never
    /// equal.
    explicit CountedFacts(std::shared_ptr<const Comparison> comparison);

    [[nodiscard]] const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }
    /// Facts that may affect the build first, then by number of cells.
    [[nodiscard]] QList<FactCount> facts(const Choices &choices = {}) const;
    /// Whether a difference in a cell makes its recipes different.
    [[nodiscard]] bool counts(const FactDifference &fact, const Choices &choices) const;
    /// The comparison with each cell judged by the counting facts. A cell that differs only in other facts is
    /// Likeness::Alike.
    [[nodiscard]] std::shared_ptr<const Comparison> counted(const Choices &choices = {}) const;

private:
    struct Cell {
        qsizetype place; ///< index in Comparison::cells
        std::shared_ptr<const QList<FactDifference>> differences;
    };
    void judge(ComparedCell &cell, const QList<FactDifference> &counting) const;
    static void findExceptions(QList<ComparedCell> &cells, const QHash<qsizetype, QList<FactDifference>> &counting);

    std::shared_ptr<const Comparison> m_comparison;
    QList<Cell> m_cells;
    QList<FactCount> m_facts; ///< with the default for `counts`
};

/// "What differs, in how many cells: nixpkgs 58, base 58. Not counted: pname 12." Empty if nothing differs.
QString factsAsText(const QList<FactCount> &facts);
/// "nixpkgs fe5e41d → 0182a36 in all 42, base a → b in 36": those that count, with their values and in how many of the
/// different cells, then without values, then their names alone. Empty if none does.
QStringList changeForms(const QList<FactCount> &facts, int different);
QJsonArray factsJson(const QList<FactCount> &facts);

} // namespace tmx
