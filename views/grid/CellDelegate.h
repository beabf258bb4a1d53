// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace tmx {

class Theme;
struct RecipeStyle;

/// Paints a cell of the grid from MatrixRoles: a tile in the recipe state's tint with its glyph and word; below them
/// the badge of the build, or its bar with per cent; a hatch with a dash where no variant can exist. With FitRole the
/// tile is the fit's instead, and the recipe's state goes small to the second line, where no build is told. What the
/// audit finds is told on the second line too, at its end. Dimmed when filtered out; rings for selection and focus.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The least that shows glyphs and numbers; words are left out where they do not fit, never cut.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    void paintTile(QPainter &painter, const QRectF &tile, const RecipeStyle &style, bool hovered) const;
    void paintWord(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const RecipeStyle &style,
                   const QString &word) const;
    void paintState(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const RecipeStyle &state,
                    const QColor &ink, const QString &word) const;
    /// The audit's problems: glyph and words, or glyph and number where something else has the line's beginning.
    void paintProblems(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const Theme &theme,
                       const QColor &ink, const QModelIndex &index, bool shared) const;
    void paintBuild(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const Theme &theme,
                    const QModelIndex &index) const;
};

} // namespace tmx
