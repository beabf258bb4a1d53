// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace tmx {

/// Paints a cell of the comparison from ComparisonRoles: a tile in the likeness's tint with its glyph. For two sides it
/// adds the words, for more sides the numbers of those that differ from the others, or lack the recipe. What most cells
/// have is not tinted, and of two sides not worded. Cells that do not pass the filter are dimmed.
class ComparisonDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setSides(qsizetype sides) { m_sides = sides; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintSides(QPainter &painter, const QRectF &place, const QModelIndex &index, const QColor &text,
                    const QStyleOptionViewItem &option) const;
    qsizetype m_sides = 0;
};

} // namespace tmx
