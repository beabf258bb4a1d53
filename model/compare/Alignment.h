// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

namespace tmx {

/// Lines of two texts that stand side by side.
struct AlignedLine {
    int left = 0;  ///< 1-based line of the left text; 0: a gap
    int right = 0; ///< of the right
    bool changed = false;
    bool operator==(const AlignedLine &) const = default;
};

/// Both texts, every line of each once, in order; what is equal stands level, and in a change the first removed line
/// beside the first added.
QList<AlignedLine> alignTexts(const QByteArray &left, const QByteArray &right);

} // namespace tmx
