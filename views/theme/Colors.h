// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

class QPalette;

namespace tmx {

/// Contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance).
double contrast(const QColor &a, const QColor &b);
/// Whether light text is readable on it.
bool isDark(const QColor &background);
/// Makes `color` darker or lighter until its contrast on `background` is at least `ratio`.
QColor legible(QColor color, const QColor &background, double ratio = 4.5);
/// Mixes `share` (0 to 1) of `top` over `bottom`.
QColor mix(const QColor &bottom, const QColor &top, double share);
/// Colour of secondary text on the palette's window colour; its contrast is still 4.5 to 1.
QColor mutedText(const QPalette &palette);

} // namespace tmx
