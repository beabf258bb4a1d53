// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/StateBadge.h"

#include "views/theme/Theme.h"

#include <QPainter>

namespace tmx {

namespace {

constexpr int badgePadding = 7;
constexpr int badgeGap = 5;

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
    return stateSize(fontMetrics(), m_word);
}

void StateBadge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    drawState(painter, rect(), palette(), m_phase, m_word);
}

void drawState(QPainter &painter, const QRect &rect, const QPalette &palette, BuildState::Phase phase,
               const QString &word)
{
    const BuildStyle &style = Theme::current(palette).build(phase);
    const int side = painter.fontMetrics().ascent();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.fill);
    painter.drawRoundedRect(QRectF(rect), 4, 4);
    drawGlyph(painter, style.glyph,
              QRectF(rect.left() + badgePadding, rect.top() + (rect.height() - side) / 2.0, side, side), style.text);
    painter.setPen(style.text);
    painter.drawText(rect.adjusted(badgePadding + side + badgeGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
}

QSize stateSize(const QFontMetrics &metrics, const QString &word)
{
    return {2 * badgePadding + metrics.ascent() + badgeGap + metrics.horizontalAdvance(word), metrics.height() + 6};
}

} // namespace tmx
