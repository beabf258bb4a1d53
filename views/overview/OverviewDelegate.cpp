// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/overview/OverviewDelegate.h"

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

void OverviewDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
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

QSize OverviewDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return index.data(OverviewModel::SharesRole).isValid()
               ? QSize(std::max(size.width(), narrowest), size.height() + barHeight)
               : size;
}

void OverviewDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme &theme = Theme::current(option->palette);
    const auto weight = index.data(OverviewModel::WeightRole).value<OverviewModel::Weight>();
    switch (weight) {
    case OverviewModel::Weight::Plain: return;
    case OverviewModel::Weight::Nothing: option->palette.setColor(QPalette::Text, theme.quietText); return;
    case OverviewModel::Weight::Warning:
    case OverviewModel::Weight::Error:
        option->font.setBold(weight == OverviewModel::Weight::Error);
        option->palette.setColor(
            QPalette::Text,
            theme.severity(weight == OverviewModel::Weight::Error ? Severity::Error : Severity::Warning).color);
        return;
    }
}

} // namespace tmx
