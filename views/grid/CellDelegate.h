// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStyledItemDelegate>

#include <memory>

namespace tmx {

class Theme;
struct CellLook;
struct MatrixPart;
struct RecipeStyle;

/// Paints a cell of the grid from MatrixRoles: a tile in the recipe state's tint with its glyph and word; below them
/// the build's badge, or its bar with per cent. Where no variant can exist: a hatch with a dash. With FitRole the tile
/// shows the fit, and the recipe's state is small on the second line if no build is shown there. Problems of the audit
/// are at the end of the second line. A cell with several parts (PartsRole) shows a mark for each in their order: the
/// state's glyph on its tint, the glyphs of build and problems, and the label if there is room. If the marks do not
/// fit, it shows each state's glyph with a count. Filtered-out cells are dimmed; rings show selection and focus. Most
/// cells of a grid look like many others: the last pictures are kept, and a cell on whole pixels is a copy of one.
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
    void paintWord(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const RecipeStyle &style,
                   const QString &word) const;
    void paintState(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const RecipeStyle &state,
                    const QColor &ink, const QString &word) const;
    /// The audit's problems: glyph and words, or glyph and number if something else is at the line's start.
    void paintProblems(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const Theme &theme,
                       const QColor &ink, const CellLook &look, bool shared) const;
    void paintBuild(QPainter &painter, const QRectF &line, const QStyleOptionViewItem &option, const Theme &theme,
                    const CellLook &look) const;

    std::unique_ptr<Pictures> m_pictures;
};

} // namespace tmx
