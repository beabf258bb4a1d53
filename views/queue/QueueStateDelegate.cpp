// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/QueueStateDelegate.h"

#include "views/console/StateBadge.h"

#include <QApplication>
#include <QPainter>

namespace tmx {

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
    painter->save();
    painter->setFont(item.font);
    drawState(*painter, option.rect.adjusted(2, 1, -2, -1), option.palette,
              BuildState::Phase(index.data(m_phaseRole).toInt()), word);
    painter->restore();
}

QSize QueueStateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return stateSize(option.fontMetrics, index.data().toString()) + QSize(4, 2);
}

} // namespace tmx
