// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/audit/FindingDelegate.h"

#include "model/matrix/StateWords.h"
#include "views/audit/FindingsModel.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int findingMargin = 12;
constexpr int findingPadding = 8;
constexpr int side = 16;          // side of the glyph
constexpr int findingSpacing = 8; // between glyph and text
constexpr int findingLineGap = 3;

/// Breaks between words; within a word only if it is longer than the line.
QTextOption wrapping()
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

int heightOf(const QString &text, const QFont &font, int width)
{
    QTextLayout layout(text, font);
    layout.setTextOption(wrapping());
    layout.beginLayout();
    qreal height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        height += line.height();
    }
    layout.endLayout();
    return int(std::ceil(height));
}

/// Positions of an item's parts for a given width.
struct Layout {
    QRect head, sentence, advice;
    int height = 0;
};

Layout layOut(const QStyleOptionViewItem &option, const QModelIndex &index, int width)
{
    const int left = findingMargin + side + findingSpacing;
    const int room = qMax(60, width - left - findingMargin);
    const auto wrapped = [&option, room](const QString &text) { return heightOf(text, option.font, room); };
    Layout layout;
    int y = findingPadding;
    layout.head = QRect(left, y, room, option.fontMetrics.height());
    y += layout.head.height() + findingLineGap;
    layout.sentence = QRect(left, y, room, wrapped(index.data().toString()));
    y += layout.sentence.height();
    if (const QString advice = index.data(FindingsModel::AdviceRole).toString(); !advice.isEmpty()) {
        y += findingLineGap;
        layout.advice = QRect(left, y, room, wrapped(advice));
        y += layout.advice.height();
    }
    layout.height = y + findingPadding;
    return layout;
}

int widthOf(const QStyleOptionViewItem &option)
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    return view ? view->viewport()->width() : option.rect.width();
}

} // namespace

void FindingDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = Theme::current(option.palette);
    const SeverityStyle &style = theme.severity(Severity(index.data(FindingsModel::SeverityRole).toInt()));
    const bool selected = option.state & QStyle::State_Selected;
    const Layout layout = layOut(option, index, option.rect.width());
    const QPoint origin = option.rect.topLeft();

    painter->save();
    // A tint and a bar instead of the style's highlight, so that the severity's colour does not change.
    if (selected) {
        painter->fillRect(option.rect, mix(theme.base, theme.selection, 0.16));
        painter->fillRect(QRect(origin, QSize(3, option.rect.height())), theme.selection);
    }
    painter->fillRect(
        QRect(option.rect.left() + findingMargin, option.rect.bottom(), option.rect.width() - 2 * findingMargin, 1),
        theme.line);
    drawGlyph(*painter, style.glyph,
              QRectF(origin.x() + findingMargin, origin.y() + findingPadding + (layout.head.height() - side) / 2.0,
                     side, side),
              style.color);
    QFont bold = option.font;
    bold.setBold(true);
    painter->setFont(bold);
    painter->setPen(style.color);
    const QString word = severityWord(Severity(index.data(FindingsModel::SeverityRole).toInt()));
    const QRect head = layout.head.translated(origin);
    QRect rest = head;
    painter->drawText(head, Qt::AlignLeft | Qt::AlignVCenter, word, &rest);
    rest = QRect(QPoint(rest.right() + findingMargin, head.top()), head.bottomRight());
    painter->setFont(option.font);
    painter->setPen(theme.quietText);
    QStringList aside;
    if (const QString place = index.data(FindingsModel::PlaceRole).toString(); !place.isEmpty())
        aside.append(place);
    if (index.data(FindingsModel::FixableRole).toBool())
        aside.append(tr("can be fixed"));
    painter->drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(aside.join(u" · "_s), Qt::ElideLeft, rest.width()));
    painter->setPen(theme.text);
    painter->drawText(QRectF(layout.sentence.translated(origin)), index.data().toString(), wrapping());
    painter->setPen(theme.quietText);
    painter->drawText(QRectF(layout.advice.translated(origin)), index.data(FindingsModel::AdviceRole).toString(),
                      wrapping());
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(QPen(theme.selection, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize FindingDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int width = widthOf(option);
    return {width, layOut(option, index, width).height};
}

} // namespace tmx
