// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

class QPalette;

namespace tmx {

/// Contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance).
double contrast(const QColor &a, const QColor &b);
/// `color` made darker or lighter until it has at least `ratio` on `background`.
QColor legible(QColor color, const QColor &background, double ratio = 4.5);
/// `share` (0 to 1) of `top` over `bottom`.
QColor mix(const QColor &bottom, const QColor &top, double share);
/// Text of second rank on the palette's window colour: still 4.5 to 1.
QColor mutedText(const QPalette &palette);

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
};

} // namespace tmx
