// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QFont>

class QPainter;
class QRectF;

namespace tmx {

/// Letters are narrowed to 85 % of their width at most before a word is cut.
inline constexpr double narrowest = 0.85;

/// Draws one line in `rect`. A text that is too wide is drawn in narrower letters; if that is not enough, it is elided.
/// Words of states stay whole in a tight grid.
void drawFitted(QPainter &painter, const QRectF &rect, int alignment, const QString &text, const QFont &font);

/// Whether drawFitted() shows all of the text in `width`.
bool fits(const QString &text, const QFont &font, double width);

/// The font of second lines and badges.
QFont smallFont(QFont font);

} // namespace tmx
