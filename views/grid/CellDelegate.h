// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

namespace tmx {

class Theme;
struct MatrixPart;
struct RecipeStyle;

/// Paints a cell of the grid from MatrixRoles: a tile in the recipe state's tint with its glyph and word; below them
/// the badge of the build, or its bar with per cent; a hatch with a dash where no variant can exist. With FitRole the
/// tile is the fit's instead, and the recipe's state goes small to the second line, where no build is told. What the
/// audit finds is told on the second line too, at its end. A cell with several parts (PartsRole) shows a mark for each,
/// in their order: the glyph of its state on its tint, those of build and problems, and its label, as far as there is
/// room; where there is none for the marks, each state's glyph with a count. Dimmed when filtered out; rings for
/// selection and focus.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The least that shows glyphs and numbers; words are left out where they do not fit, never cut.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Which of a cell's parts has its mark at `position`; -1: none, or the cell has one part.
    [[nodiscard]] static int partAt(const QStyleOptionViewItem &option, const QModelIndex &index,
                                    const QPointF &position);

private:
    void paintParts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option, const Theme &theme,
                    const QList<MatrixPart> &parts) const;
    void paintMark(QPainter &painter, const QRectF &place, const QFont &font, const Theme &theme,
                   const MatrixPart &part) const;
    void paintCounts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option, const Theme &theme,
                     const QList<MatrixPart> &parts) const;
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
