// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/MarkedScrollBar.h"

#include "views/theme/Theme.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

namespace tmx {

void MarkedScrollBar::setMarks(const QList<double> &places)
{
    m_marks = places;
    setAccessibleDescription(places.isEmpty() ? QString() : tr("%n errors are marked.", nullptr, int(places.size())));
    update();
}

void MarkedScrollBar::paintEvent(QPaintEvent *event)
{
    QScrollBar::paintEvent(event);
    if (m_marks.isEmpty())
        return;
    QStyleOptionSlider option;
    initStyleOption(&option);
    const QRect groove = style()->subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarGroove, this);
    QPainter painter(this);
    const QColor color = Theme::current(palette()).severity(Severity::Error).color;
    for (const double place : m_marks)
        painter.fillRect(QRectF(1, groove.top() + place * (groove.height() - 2), width() - 2, 2), color);
}

} // namespace tmx
