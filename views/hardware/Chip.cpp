// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/hardware/Chip.h"

#include "views/theme/Colors.h"

#include <QPainter>

namespace tmx {

Chip::Chip(const QString &text, Kind kind)
    : Label(text)
    , m_kind(kind)
{
    const int side = fontMetrics().height() / 2;
    setContentsMargins(side, 2, side, 3);
}

void Chip::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

void Chip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor window = palette().color(QPalette::Window);
    const bool strong = m_kind == Kind::Strong;
    const QColor over = palette().color(strong ? QPalette::Highlight : QPalette::WindowText);
    const QColor fill = mix(window, over, strong ? 0.24 : 0.06);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(mix(window, over, strong ? 0.60 : 0.28), 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
    painter.setPen(legible(palette().color(QPalette::WindowText), fill));
    painter.drawText(contentsRect(), Qt::AlignCenter, text());
}

} // namespace tmx
