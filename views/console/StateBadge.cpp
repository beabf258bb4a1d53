// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/StateBadge.h"

#include "views/Theme.h"

#include <QPainter>

namespace tmx {

namespace {

constexpr int padding = 7;
constexpr int gap = 5;

} // namespace

StateBadge::StateBadge(QWidget *parent)
    : QWidget(parent)
{
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateBadge::setState(BuildState::Phase phase, const QString &word)
{
    m_phase = phase;
    m_word = word;
    setAccessibleName(tr("State of the build: %1").arg(word));
    updateGeometry();
    update();
}

QSize StateBadge::sizeHint() const
{
    const QFontMetrics metrics = fontMetrics();
    return {2 * padding + metrics.ascent() + gap + metrics.horizontalAdvance(m_word), metrics.height() + 6};
}

void StateBadge::paintEvent(QPaintEvent *)
{
    const BuildStyle &style = Theme::current(palette()).build(m_phase);
    const int side = fontMetrics().ascent();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.fill);
    painter.drawRoundedRect(QRectF(rect()), 4, 4);
    drawGlyph(painter, style.glyph, QRectF(padding, (height() - side) / 2.0, side, side), style.text);
    painter.setPen(style.text);
    painter.drawText(rect().adjusted(padding + side + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, m_word);
}

} // namespace tmx
