// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/overview/OverviewDelegate.h"

#include "model/matrix/OverviewModel.h"
#include "model/outcome/BuildState.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

constexpr int barHeight = 4;
constexpr int narrowest = 64;
constexpr int margin = 3; ///< beside the text

OverviewModel::Weight weightOf(const QModelIndex &index)
{
    return index.data(OverviewModel::WeightRole).value<OverviewModel::Weight>();
}

} // namespace

void OverviewDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    QString text = std::exchange(item.text, {});
    item.features.setFlag(QStyleOptionViewItem::HasDisplay, false);
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
    if (!isWhole(text, item)) {
        for (const QString &shorter : index.data(OverviewModel::ShorterRole).toStringList()) {
            text = shorter;
            if (isWhole(text, item))
                break;
        }
    }
    drawText(painter, item, text);
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

/// Where the second line begins: after a blank if the rest then fits, else where the first one takes most; 0: nowhere.
static qsizetype breakOf(const QString &text, const QFontMetrics &metrics, int width)
{
    qsizetype most = 0;
    for (qsizetype end = text.size() - 1; end > 0; --end) {
        const QChar last = text.at(end - 1);
        const bool isBlank = last == u' ';
        if ((!isBlank && last != u'-' && last != u'/' && last != u'_') ||
            metrics.horizontalAdvance(text, int(end)) > width)
            continue;
        if (isBlank && metrics.horizontalAdvance(text.sliced(end)) <= width)
            return end;
        most = std::max(most, end);
    }
    return most;
}

bool OverviewDelegate::isWhole(const QString &text, const QStyleOptionViewItem &item) const
{
    const int width = item.rect.width() - 2 * margin;
    if (widthOf(text, item.font) <= width)
        return true;
    const qsizetype end =
        item.rect.height() >= 2 * item.fontMetrics.height() ? breakOf(text, item.fontMetrics, width) : 0;
    return end > 0 && item.fontMetrics.horizontalAdvance(text.sliced(end)) <= width;
}

/// One line, or two where the row is high. A style would lay out the text twice for it.
void OverviewDelegate::drawText(QPainter *painter, const QStyleOptionViewItem &item, const QString &text) const
{
    const QRect room = item.rect.adjusted(margin, 0, -margin, 0);
    const int width = widthOf(text, item.font);
    const int line = item.fontMetrics.height();
    const qsizetype end =
        width > room.width() && room.height() >= 2 * line ? breakOf(text, item.fontMetrics, room.width()) : 0;
    const QRect place = QStyle::alignedRect(item.direction, item.displayAlignment,
                                            QSize(std::min(width, room.width()), item.fontMetrics.height()), room);
    const auto group = item.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    painter->setFont(item.font);
    painter->setPen(item.palette.color(group, item.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText
                                                                                          : QPalette::Text));
    if (end > 0) {
        const int top = room.top() + (room.height() - 2 * line) / 2 + item.fontMetrics.ascent();
        painter->drawText(room.left(), top, text.first(end));
        painter->drawText(room.left(), top + line,
                          item.fontMetrics.elidedText(text.sliced(end), item.textElideMode, room.width()));
        return;
    }
    painter->drawText(place.left(), place.top() + item.fontMetrics.ascent(),
                      width <= room.width() ? text
                                            : item.fontMetrics.elidedText(text, item.textElideMode, room.width()));
}

int OverviewDelegate::widthOf(const QString &text, const QFont &font) const
{
    QFont plain = font;
    plain.setBold(false);
    if (plain != m_font) {
        m_font = plain;
        m_widths.clear();
    }
    const std::pair key(text, font.bold());
    if (!m_widths.contains(key))
        m_widths.insert(key, new int(QFontMetrics(font).horizontalAdvance(text)));
    return *m_widths.object(key);
}

QSize OverviewDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QFont font = option.font;
    font.setBold(font.bold() || weightOf(index) == OverviewModel::Weight::Error);
    const int width = widthOf(index.data().toString(), font) + 2 * margin;
    return {index.data(OverviewModel::SharesRole).isValid() ? std::max(width, narrowest) : width, 0};
}

void OverviewDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Theme &theme = Theme::current(option->palette);
    const OverviewModel::Weight weight = weightOf(index);
    switch (weight) {
    case OverviewModel::Weight::Plain: return;
    case OverviewModel::Weight::Nothing: option->palette.setColor(QPalette::Text, theme.quietText); return;
    case OverviewModel::Weight::Warning:
    case OverviewModel::Weight::Error:
        option->font.setBold(weight == OverviewModel::Weight::Error);
        option->fontMetrics = QFontMetrics(option->font);
        option->palette.setColor(
            QPalette::Text,
            theme.severity(weight == OverviewModel::Weight::Error ? Severity::Error : Severity::Warning).color);
        return;
    }
}

} // namespace tmx
