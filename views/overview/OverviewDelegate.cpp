// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/overview/ShareBarDelegate.h"

#include "model/matrix/OverviewModel.h"
#include "model/outcome/BuildState.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QPainter>

#include <utility>

namespace tmx {

namespace {

constexpr int barHeight = 4;
constexpr int narrowest = 64;

} // namespace

void ShareBarDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    // The text above the bar: no colour says anything alone.
    item.rect.adjust(0, 0, 0, 0);
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    const auto shares = index.data(OverviewModel::SharesRole).value<QList<int>>();
    int all = 0;
    for (qsizetype i = 1; i < shares.size(); i += 2)
        all += shares.at(i);
    if (all == 0)
        return;
    const QRect bar(option.rect.left() + 3, option.rect.bottom() - barHeight, option.rect.width() - 6, barHeight - 1);
    painter->save();
    painter->setPen(Qt::NoPen);
    int before = 0;
    for (qsizetype i = 0; i + 1 < shares.size(); i += 2) {
        const auto phase = BuildState::Phase(shares.at(i));
        const int begin = bar.left() + bar.width() * before / all;
        before += shares.at(i + 1);
        int end = bar.left() + bar.width() * before / all;
        if (shares.at(i + 1) > 0)
            end = std::max(end, begin + 2); // One failure among hundreds is seen.
        painter->fillRect(QRect(begin, bar.top(), end - begin, bar.height()),
                          phase == BuildState::Phase::None ? option.palette.color(QPalette::Mid)
                                                           : Theme::current(option.palette).build(phase).fill);
    }
    painter->restore();
}

QSize ShareBarDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {std::max(size.width(), narrowest), size.height() + barHeight};
}

} // namespace tmx
