// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/FittedText.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace tmx {

void drawFitted(QPainter &painter, const QRectF &rect, int alignment, const QString &text, const QFont &font)
{
    QFont fitted = font;
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    if (width > rect.width() && rect.width() > 0)
        fitted.setStretch(int(100 * std::max(rect.width() / width, narrowest)));
    painter.setFont(fitted);
    // One pixel of tolerance: hinted widths are rounded.
    const QString shown = QFontMetricsF(fitted).elidedText(text, Qt::ElideRight, rect.width() + 1);
    painter.drawText(rect.adjusted(0, 0, 1, 0), alignment | Qt::TextSingleLine, shown);
}

bool fits(const QString &text, const QFont &font, double width)
{
    return QFontMetricsF(font).horizontalAdvance(text) * narrowest <= width + 1;
}

QFont smallFont(QFont font)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * 0.85);
    else
        font.setPixelSize(int(font.pixelSize() * 0.85));
    return font;
}

} // namespace tmx
