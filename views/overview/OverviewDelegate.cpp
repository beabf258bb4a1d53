// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/overview/OverviewDelegate.h"

#include "model/matrix/OverviewModel.h"
#include "model/outcome/BuildState.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

constexpr int barHeight = 4;
constexpr int mostLetters = 40; ///< width of a bar
constexpr int narrowest = 64;
constexpr int margin = 3; ///< beside the text
constexpr int gap = 8;    ///< more of it after a number, so that it is not read on in a column that begins with one

int marginsOf(Qt::Alignment alignment)
{
    return 2 * margin + (alignment.testFlag(Qt::AlignRight) ? gap : 0);
}

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
    const QSize room(item.rect.width() - marginsOf(item.displayAlignment), item.rect.height());
    if (!isWhole(text, item.font, room)) {
        for (const QString &shorter : index.data(OverviewModel::ShorterRole).toStringList()) {
            text = shorter;
            if (isWhole(text, item.font, room))
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
    const int widest = mostLetters * item.fontMetrics.averageCharWidth(); // so that its parts are seen together
    const QRect bar(option.rect.left() + 3, option.rect.bottom() - barHeight, std::min(option.rect.width() - 6, widest),
                    barHeight - 1);
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
                          phase == BuildState::Phase::None
                              ? mix(option.palette.color(QPalette::Base), option.palette.color(QPalette::Text), 0.4)
                              : Theme::current(option.palette).build(phase).fill);
    }
    painter->restore();
}

/// Where the next line begins: after a blank if the rest then fits, else where the first one takes most; 0: nowhere.
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

QStringList OverviewDelegate::linesOf(const QString &text, const QFont &font, int width, int most) const
{
    if (most < 2 || widthOf(text, font) <= width)
        return {text};
    const QFontMetrics metrics(font);
    QStringList lines;
    QString rest = text;
    while (lines.size() + 1 < most && metrics.horizontalAdvance(rest) > width) {
        const qsizetype end = breakOf(rest, metrics, width);
        if (end == 0)
            break;
        lines.append(rest.first(end));
        rest.remove(0, end);
    }
    return lines << rest;
}

bool OverviewDelegate::isWhole(const QString &text, const QFont &font, QSize room) const
{
    const QString last = linesOf(text, font, room.width(), room.height() / QFontMetrics(font).height()).constLast();
    return widthOf(last, font) <= room.width();
}

bool OverviewDelegate::isWhole(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    return isWhole(item.text, item.font, {item.rect.width() - marginsOf(item.displayAlignment), item.rect.height()});
}

/// As many lines as the row is high for. A style would lay out the text twice for it.
void OverviewDelegate::drawText(QPainter *painter, const QStyleOptionViewItem &item, const QString &text) const
{
    const QRect room = item.rect.adjusted(margin, 0, margin - marginsOf(item.displayAlignment), 0);
    const int line = item.fontMetrics.height();
    const QStringList lines = linesOf(text, item.font, room.width(), room.height() / line);
    const auto group = item.state.testFlag(QStyle::State_Active) ? QPalette::Active : QPalette::Inactive;
    painter->setFont(item.font);
    painter->setPen(item.palette.color(group, item.state.testFlag(QStyle::State_Selected) ? QPalette::HighlightedText
                                                                                          : QPalette::Text));
    const int width = widthOf(lines.constLast(), item.font);
    const QString last = width <= room.width()
                             ? lines.constLast()
                             : item.fontMetrics.elidedText(lines.constLast(), item.textElideMode, room.width());
    if (lines.size() == 1) {
        const QRect place = QStyle::alignedRect(item.direction, item.displayAlignment,
                                                QSize(std::min(width, room.width()), line), room);
        painter->drawText(place.left(), place.top() + item.fontMetrics.ascent(), last);
        return;
    }
    int baseline = room.top() + (room.height() - int(lines.size()) * line) / 2 + item.fontMetrics.ascent();
    for (const QString &one : lines.first(lines.size() - 1)) {
        painter->drawText(room.left(), baseline, one);
        baseline += line;
    }
    painter->drawText(room.left(), baseline, last);
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
    const Qt::Alignment alignment(index.data(Qt::TextAlignmentRole).toInt());
    const int width = widthOf(index.data().toString(), font) + marginsOf(alignment);
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
