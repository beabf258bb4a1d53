// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

#include <memory>

namespace tmx {

class Theme;
struct CellLook;
struct LensFace;
struct MatrixPart;
struct RecipeStyle;

/// Paints a cell of the grid from its parts (PartsRole): a tile in the tint of the face's sign with its glyph and word,
/// the marks in the upper corner; below them the longest detail that fits, or a running build's bar. Where no variant
/// can exist: a hatch with a dash. A cell with several parts shows a tile for each in their order: the glyphs of sign
/// and marks, and the label if there is room. If these do not fit, it shows each sign's glyph with a count.
/// Filtered-out cells are dimmed; rings show selection and focus. Most cells of a grid look like many others: the last
/// pictures are kept, and a cell on whole pixels is a copy of one.
class CellDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit CellDelegate(QObject *parent = nullptr);
    ~CellDelegate() override;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// The smallest size that shows glyphs and numbers. Words that do not fit are left out, never cut.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    /// Index of the part whose mark is at `position`; -1 if there is none, or if the cell has one part.
    [[nodiscard]] static int partAt(const QStyleOptionViewItem &option, const QModelIndex &index,
                                    const QPointF &position);

private:
    class Pictures;
    void paintCell(QPainter &painter, const QStyleOptionViewItem &option, const CellLook &look) const;
    void paintParts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option, const Theme &theme,
                    const QList<MatrixPart> &parts) const;
    void paintMark(QPainter &painter, const QRectF &place, const QFont &font, const Theme &theme,
                   const MatrixPart &part) const;
    void paintCounts(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option, const Theme &theme,
                     const QList<MatrixPart> &parts) const;
    void paintTile(QPainter &painter, const QRectF &tile, const RecipeStyle &style, bool hovered) const;
    void paintFace(QPainter &painter, const QRectF &tile, const QStyleOptionViewItem &option, const Theme &theme,
                   const LensFace &face) const;
    void paintBar(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const Theme &theme,
                  const LensFace &face) const;

    std::unique_ptr<Pictures> m_pictures;
};

} // namespace tmx
