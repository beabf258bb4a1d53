// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/Colors.h"

#include <QList>

class QPalette;

namespace tmx {

/// The colours of code views, worked out from a palette so that they follow light, dark and a user's own.
struct CodeColors {
    explicit CodeColors(const QPalette &palette);

    QColor background;
    QColor text;
    QColor gutterText;
    QColor currentLine;
    QColor match;        ///< behind each search hit
    QColor currentMatch; ///< behind the one that the caret is on
    QColor accent;       ///< outline of the current match, bar of the current change
    QColor added;
    QColor addedWord;
    QColor removed;
    QColor removedWord;
    QColor hunk;

    /// What coloured text can stand on.
    [[nodiscard]] QList<QColor> grounds() const { return {background, currentLine, added, removed}; }
};

} // namespace tmx
