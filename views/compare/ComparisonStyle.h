// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"
#include "views/theme/Theme.h"

class QPainter;

namespace tmx {

/// How one likeness looks: equal cells recede, differing cells stand out.
RecipeStyle likenessStyle(Likeness likeness, const Theme &theme);

/// Draws one square for each side: filled and lettered by its group (equal letters mean the same facts), hollow if the
/// side has no recipe.
void drawPips(QPainter &painter, const QRectF &place, const QList<int> &groups, const Theme &theme, const QFont &font);
/// The square of a side, with its number: filled, or dotted if the side has no recipe. A side of -1 is any.
void drawSide(QPainter &painter, const QRectF &square, int side, bool there, const Theme &theme, const QFont &font);
inline constexpr double sideSquare = 15; ///< its width, where there is room
/// Their least width with readable letters.
double narrowestPips(qsizetype sides);

} // namespace tmx
