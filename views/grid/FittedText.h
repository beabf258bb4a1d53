// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

class QPainter;
class QRectF;

namespace tmx {

/// As narrow as letters may become before a word is cut: 85 % of their width.
inline constexpr double narrowest = 0.85;

/// One line in `rect`: a text that is too wide is drawn in narrower letters, and only past that cut with an ellipsis.
/// Words of states stay whole in a tight grid.
void drawFitted(QPainter &painter, const QRectF &rect, int alignment, const QString &text, const QFont &font);

/// Whether drawFitted() shows all of the text in `width`.
bool fits(const QString &text, const QFont &font, double width);

/// The font of second lines and badges.
QFont smallFont(QFont font);

} // namespace tmx
