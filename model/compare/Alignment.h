// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

namespace tmx {

/// A pair of lines of two texts side by side.
struct AlignedLine {
    int left = 0;  ///< 1-based line of the left text; 0: a gap
    int right = 0; ///< the same for the right text
    bool changed = false;
    bool operator==(const AlignedLine &) const = default;
};

/// Aligns both texts, with every line of each once and in order: equal lines are paired, and in a change the first
/// removed line is paired with the first added one.
QList<AlignedLine> alignTexts(const QByteArray &left, const QByteArray &right);

} // namespace tmx
