// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"
#include "views/Theme.h"

class QPainter;

namespace tmx {

/// How one likeness looks: what is the same recedes, what differs stands out.
RecipeStyle likenessStyle(Likeness likeness, const Theme &theme);

/// Draws one square for each side: filled and lettered by what it holds (equal letters: the same facts), hollow where
/// the side lacks it.
void drawPips(QPainter &painter, const QRectF &place, const QList<int> &groups, const Theme &theme, const QFont &font);
/// The width that they take at their best size.
double pipsWidth(qsizetype sides);

} // namespace tmx
