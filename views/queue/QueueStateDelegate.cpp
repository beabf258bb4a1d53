// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/QueueStateDelegate.h"

#include "views/Theme.h"

#include <QApplication>
#include <QPainter>

namespace tmx {

namespace {

constexpr int padding = 6;
constexpr int gap = 5;

} // namespace

QueueStateDelegate::QueueStateDelegate(int phaseRole, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_phaseRole(phaseRole)
{
}

void QueueStateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString word = std::exchange(item.text, QString());
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const BuildStyle &style = Theme::current(option.palette).build(BuildState::Phase(index.data(m_phaseRole).toInt()));
    const int side = option.fontMetrics.ascent();
    const QRect place = option.rect.adjusted(2, 1, -2, -1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(style.fill);
    painter->drawRoundedRect(QRectF(place), 4, 4);
    drawGlyph(*painter, style.glyph,
              QRectF(place.left() + padding, place.top() + (place.height() - side) / 2.0, side, side), style.text);
    painter->setPen(style.text);
    painter->drawText(place.adjusted(padding + side + gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
    painter->restore();
}

QSize QueueStateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize plain = QStyledItemDelegate::sizeHint(option, index);
    return {plain.width() + 2 * padding + gap + option.fontMetrics.ascent() + 4, plain.height() + 4};
}

} // namespace tmx
