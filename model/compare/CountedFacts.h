// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"

#include <QHash>
#include <QJsonArray>

namespace tmx {

/// In how many cells the sides differ in a fact, and whether that makes them different.
struct FactCount {
    QString id; ///< FactDifference::id
    QString label;
    int cells = 0;
    bool builds = false; ///< the difference may reach compiler or output in one of them
    bool counts = false;
    bool operator==(const FactCount &) const = default;
};

/// A comparison by fact, in which some facts count and others do not. Those count by default that may reach compiler or
/// output; names do not. In what a cell's own name is part of, that name never counts.
class CountedFacts
{
public:
    using Choices = QHash<QString, bool>; ///< by id: whether a fact counts; what is not in it counts by default

    /// Reads the recipes that differ again: for workers. Companions are never the same recipe; of them there are no
    /// facts.
    explicit CountedFacts(std::shared_ptr<const Comparison> comparison);

    [[nodiscard]] const std::shared_ptr<const Comparison> &comparison() const { return m_comparison; }
    /// Those that may build first, then by the number of cells.
    [[nodiscard]] QList<FactCount> facts(const Choices &choices = {}) const;
    /// Whether a difference of a cell makes its recipes different.
    [[nodiscard]] bool counts(const FactDifference &fact, const Choices &choices) const;
    /// The comparison with each cell judged by the facts that count. One that differs in no other is Likeness::Alike.
    [[nodiscard]] std::shared_ptr<const Comparison> counted(const Choices &choices = {}) const;

private:
    struct Cell {
        qsizetype place; ///< in Comparison::cells
        std::shared_ptr<const QList<FactDifference>> differences;
    };
    void judge(ComparedCell &cell, const QList<FactDifference> &counting) const;

    std::shared_ptr<const Comparison> m_comparison;
    QList<Cell> m_cells;
    QList<FactCount> m_facts; ///< `counts` by default
};

/// "What differs, in how many cells: nixpkgs 58, base 58. Not counted: pname 12." Empty where nothing differs.
QString factsAsText(const QList<FactCount> &facts);
QJsonArray factsJson(const QList<FactCount> &facts);

} // namespace tmx
