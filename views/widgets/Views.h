// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <Qt>

#include <QList>
#include <QVariantMap>

class QAbstractItemView;
class QSplitter;
class QTableView;
class QWidget;

namespace tmx {

/// What all lists, tables and trees of the program have in common: no frame, no lines between cells, nothing that is
/// edited in place, Tab leaves the view, tooltips are plain text.
void styleView(QAbstractItemView *view);
/// Of a line of text in a list or table, in pixels.
int rowHeight(const QWidget *view);
/// A table of texts: styleView(), one line a row, cut in the middle, no names of rows.
void styleTextTable(QTableView *table);
/// The height that shows the header and every row of a text table, and no more than `most` rows.
int heightForRows(const QTableView *table, int most);

/// Two parts, neither of which can be folded away; the second takes what room there is more of.
QSplitter *makeSplitter(Qt::Orientation orientation, QWidget *first, QWidget *second, const QList<int> &sizes = {});
/// The window remembers the places of splitters that have a name, and can put them back to `sizes`.
void nameSplitter(QSplitter *splitter, const QString &name, const QList<int> &sizes);
/// The sizes of the named splitters in `window` by name, those that were never shown left out.
QVariantMap splitterSizes(const QWidget *window);
void setSplitterSizes(const QWidget *window, const QVariantMap &sizes);
void resetSplitters(const QWidget *window);

} // namespace tmx
