// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>

#include <QList>
#include <QVariantMap>

class QAbstractItemView;
class QHeaderView;
class QSize;
class QSplitter;
class QTableView;
class QWidget;

namespace tmx {

/// Common style of all lists, tables and trees: no frame, no grid lines, no editing in place, Tab leaves the view,
/// tooltips are plain text.
void styleView(QAbstractItemView *view);
/// Whether the widget's window is so low that parts which can scroll take fewer lines.
bool isLow(const QWidget *widget);
/// Gives a dialog that size, or less where the window of its parent is smaller.
void resizeWithin(QWidget *dialog, const QSize &size);
/// Height of a line of text in a list or table, in pixels.
int rowHeight(const QWidget *view);
/// A table of texts: styleView(), one line per row, elided in the middle, no row headers.
void styleTextTable(QTableView *table);
/// A column whose text may be elided, and the width in pixels that it keeps.
struct TextColumn {
    int column;
    int least;
    int whole = -1; ///< the width that elides nothing; -1: it is measured
};
/// Gives the columns of the header's view the width that the others leave. The widest give way first; the last one
/// takes what is left over. None gets narrower than its head.
void shareWidth(QHeaderView *header, QList<TextColumn> texts);
/// The height that shows the header and every row of a text table, but at most `most` rows.
int heightForRows(const QTableView *table, int most);

/// Two parts that cannot be collapsed; the second gets the extra room.
QSplitter *makeSplitter(Qt::Orientation orientation, QWidget *first, QWidget *second, const QList<int> &sizes = {});
/// Below this width of the splitter's place its parts stand one above the other.
void turnBelow(QSplitter *splitter, int width);
/// Turns a splitter that has a name. Its sizes side by side are kept, and are those that are saved.
void turn(QSplitter *splitter, Qt::Orientation orientation);
/// The window saves the sizes of splitters that have a name, and can reset them to `sizes`.
void nameSplitter(QSplitter *splitter, const QString &name, const QList<int> &sizes);
/// The sizes of the named splitters in `window` by name, without those that were never shown.
QVariantMap splitterSizes(const QWidget *window);
void setSplitterSizes(const QWidget *window, const QVariantMap &sizes);
void resetSplitters(const QWidget *window);

} // namespace tmx
