// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/QueueStateDelegate.h"

#include "views/theme/Theme.h"

#include <QApplication>
#include <QPainter>

namespace tmx {

namespace {

constexpr int glyphGap = 5; ///< before the glyph, and behind it

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
    // The glyph has the colour: a filled badge in every line would outweigh the texts.
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    const QColor text = item.palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const BuildStyle &style = Theme::current(option.palette).build(BuildState::Phase(index.data(m_phaseRole).toInt()));
    const int side = item.fontMetrics.ascent();
    const QRect rect = option.rect.adjusted(glyphGap, 0, -2, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    drawGlyph(*painter, style.glyph, QRectF(rect.left(), rect.center().y() - side / 2.0 + 0.5, side, side),
              selected ? text : style.fill);
    painter->setFont(item.font);
    painter->setPen(text);
    painter->drawText(rect.adjusted(side + glyphGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(word, Qt::ElideRight, rect.width() - side - glyphGap));
    painter->restore();
}

QSize QueueStateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int width = option.fontMetrics.horizontalAdvance(index.data().toString());
    return {2 * glyphGap + option.fontMetrics.ascent() + width + 6, option.fontMetrics.height() + 8};
}

} // namespace tmx
