// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace tmx {

/// Paints a cell of the comparison from ComparisonRoles: a tile in the likeness's tint with its glyph. For two sides it
/// adds the words, for more sides one square each. What most cells have is neither tinted nor worded. Cells that do not
/// pass the filter are dimmed.
class ComparisonDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setSides(qsizetype sides) { m_sides = sides; }
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    qsizetype m_sides = 0;
};

} // namespace tmx
