// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QElapsedTimer>
#include <QTableView>

namespace tmx {

class MatrixHeader;

/// The table of the grid. Arrows, Home and End move (with Shift they extend the selection), Ctrl+A selects all, letters
/// jump to a row ("sm1", "hopper"), Enter and Space open the cell. G, C and B request to generate, commit and build;
/// the Menu key opens the cell's menu; Ctrl+C requests a copy. Cells share the width and show only their glyphs if
/// words do not fit; rows grow with the height up to a comfortable size.
class MatrixView : public QTableView
{
    Q_OBJECT
public:
    explicit MatrixView(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    void keyboardSearch(const QString &text) override;
    /// Shown in the middle if there are no cells.
    void setEmptyText(const QString &text);
    /// How many slices of `columns` each can stand side by side with their words legible.
    [[nodiscard]] int slicesThatFit(int columns) const;
    /// The width holds as many columns; the others are scrolled to. 0: all.
    void setColumnsInView(int columns);
    /// Something below the view takes that much of its height. The cells stay where they are: from the first call on,
    /// the rows leave some room.
    void lend(int height);

Q_SIGNALS:
    void opened(const QModelIndex &index); ///< Enter, Space or double click
    /// The mouse was pressed on the mark of one of the cell's parts; sent before the cell becomes the current one.
    void partPressed(const QModelIndex &index, int part);
    void generatePressed();
    void commitPressed();
    void buildPressed();
    void copyPressed(); ///< Ctrl+C
    void menuRequested(const QPoint &globalPosition);
    void currentMoved(const QModelIndex &current);
    void resized();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void currentChanged(const QModelIndex &current, const QModelIndex &previous) override;
    void updateGeometries() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QSize narrowestCell() const;
    void fitSections();
    void paintGroupBegin(QPainter &painter, int column) const;
    [[nodiscard]] bool beginsGroup(int column) const;
    void spanRows();
    void markCurrent();
    void tellPart(const QPointF &position);
    [[nodiscard]] int rowBeginningWith(const QString &text, int from) const;

    MatrixHeader *m_rows;
    MatrixHeader *m_columns;
    int m_inView = 0;
    int m_lent = -1;
    QString m_emptyText;
    QString m_typed; ///< letters typed so far to jump to a row
    QElapsedTimer m_lastKey;
};

} // namespace tmx
