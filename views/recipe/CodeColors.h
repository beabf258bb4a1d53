// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/theme/Colors.h"

#include <QList>

class QPalette;

namespace tmx {

/// The colours of code views, computed from a palette so that they follow light, dark and custom palettes.
struct CodeColors {
    explicit CodeColors(const QPalette &palette);

    QColor background;
    QColor text;
    QColor gutterText;
    QColor currentLine;
    QColor match;        ///< behind each match
    QColor currentMatch; ///< behind the match at the caret
    QColor accent;       ///< outline of the current match, bar of the current change
    QColor added;
    QColor addedWord;
    QColor removed;
    QColor removedWord;
    QColor hunk;

    /// All backgrounds that coloured text can have.
    [[nodiscard]] QList<QColor> grounds() const { return {background, currentLine, added, removed}; }
};

} // namespace tmx
