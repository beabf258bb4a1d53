// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/matrix/Lens.h"

#include <QBitArray>
#include <QStringList>

namespace tmx {

/// What the grid is filtered by.
struct MatrixSearch {
    QStringList words;    ///< without blanks; all must be found, in any order and case
    std::set<Sign> signs; ///< see hasSigns(); empty: all but what cannot exist

    [[nodiscard]] bool isActive() const { return !words.isEmpty() || !signs.empty(); }
    /// Whether a word asks for findings of a rule ("rule:magma") or for recipes that import a file ("uses:lib/isa.nix")
    /// rather than for text.
    [[nodiscard]] static bool isMark(const QString &word);
    /// Whether a part of a cell can be left at all, whatever its text.
    [[nodiscard]] bool allows(const std::set<Sign> &ofPart, bool possible) const;
    /// Whether every word is in the part's line of SearchTextRole, or in a mark of its line of MarksRole.
    [[nodiscard]] bool finds(const QString &text, const QString &marks) const;
    bool operator==(const MatrixSearch &) const = default;
};

/// What a search leaves of a grid.
struct MatrixMatches {
    int rows = 0;
    int columns = 0;
    QBitArray cells; ///< row after row
    int parts = 0;   ///< of cells; a cell that spans its row counts once
    [[nodiscard]] bool has(int row, int column) const { return cells.testBit(qsizetype(row) * columns + column); }
};

} // namespace tmx
