// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/MatrixView.h"

#include "model/matrix/MatrixRoles.h"
#include "model/matrix/StateWords.h"
#include "views/grid/CellDelegate.h"
#include "views/grid/FittedText.h"
#include "views/grid/MatrixHeader.h"
#include "views/theme/Theme.h"
#include "views/widgets/Views.h"

#include <QAbstractButton>
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

constexpr int comfortableRow = 60; // taller rows would pull the grid apart, unless the view is high
constexpr int mostRowsOfView = 11; // a row takes no more of its height
constexpr int linesToLend = 3;     // a notice of two lines with its margins
constexpr int wideView = 1000;     // narrower ones keep one slice
constexpr int compactWidth = 620;  // width of the view; below it row names are short

/// The key if it is G, C or B without modifiers.
int actionKey(const QKeyEvent *event)
{
    const bool plain = !(event->modifiers() & ~Qt::KeypadModifier);
    return plain && (event->key() == Qt::Key_G || event->key() == Qt::Key_C || event->key() == Qt::Key_B) ? event->key()
                                                                                                          : 0;
}

} // namespace

MatrixView::MatrixView(QWidget *parent)
    : QTableView(parent)
    , m_rows(new MatrixHeader(Qt::Vertical, this))
    , m_columns(new MatrixHeader(Qt::Horizontal, this))
{
    setVerticalHeader(m_rows);
    setHorizontalHeader(m_columns);
    setItemDelegate(new CellDelegate(this));
    styleView(this);
    setBackgroundRole(QPalette::Base); // background of the corner between the headers
    setAutoFillBackground(true);
    setMouseTracking(true);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    m_rows->setSectionResizeMode(QHeaderView::Fixed);
    m_columns->setSectionResizeMode(QHeaderView::Stretch);
    setAccessibleName(tr("Grid of variants, GPU by instruction set"));
    connect(this, &QAbstractItemView::doubleClicked, this, &MatrixView::opened);
}

void MatrixView::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    fitSections();
    spanRows();
    // Rows are inserted and removed around the current cell without changing it.
    for (const auto moved : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved,
                             &QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved}) {
        connect(model, moved, this, &MatrixView::markCurrent);
        connect(model, moved, this, &MatrixView::spanRows);
    }
    connect(model, &QAbstractItemModel::modelReset, this, &MatrixView::spanRows);
}

void MatrixView::spanRows()
{
    clearSpans();
    const int columns = model()->columnCount();
    for (int first = 0, end = 0; first < columns; first = end) {
        do
            ++end;
        while (end < columns && !beginsGroup(end));
        for (int row = 0; end - first > 1 && row < model()->rowCount(); ++row) {
            if (model()->index(row, first).data(SpansRowRole).toBool())
                setSpan(row, first, 1, end - first);
        }
    }
}

bool MatrixView::beginsGroup(int column) const
{
    const auto group = [this](int of) { return model()->headerData(of, Qt::Horizontal, GroupRole); };
    return column > 0 && group(column) != group(column - 1);
}

void MatrixView::markCurrent()
{
    m_rows->setCurrentSection(currentIndex().row());
    m_columns->setCurrentSection(currentIndex().column());
}

void MatrixView::setEmptyText(const QString &text)
{
    if (text == m_emptyText)
        return;
    m_emptyText = text;
    viewport()->update();
}

QSize MatrixView::narrowestCell() const
{
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    return itemDelegate()->sizeHint(option, {});
}

int MatrixView::slicesThatFit(int columns) const
{
    const int legible = narrowestCell().width() + fontMetrics().horizontalAdvance(stateWord(RecipeState::Missing));
    const int room = width() - MatrixHeader::widestRow - verticalScrollBar()->sizeHint().width();
    return columns > 0 && width() >= wideView ? room / (columns * std::max(legible, m_columns->narrowestSection())) : 0;
}

void MatrixView::setColumnsInView(int columns)
{
    if (columns == m_inView)
        return;
    m_inView = columns;
    fitSections();
}

void MatrixView::lend(int height)
{
    if (std::exchange(m_lent, height) != height)
        fitSections();
}

void MatrixView::fitSections()
{
    const QSize cell = narrowestCell();
    const int rows = model() ? model()->rowCount() : 0;
    const int whole = viewport()->height() + std::max(0, m_lent);
    const int left = m_lent < 0 ? whole : whole - std::max(m_lent, linesToLend * fontMetrics().lineSpacing());
    const int tallest = std::max({comfortableRow, whole / mostRowsOfView, cell.height()});
    const int height = rows > 0 ? std::clamp(left / rows, cell.height(), tallest) : cell.height();
    // Also where rows just fit: columns would move if it came and went with what the view lends to.
    if (const auto bar = m_lent >= 0 && rows * height > left ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAsNeeded;
        bar != verticalScrollBarPolicy())
        setVerticalScrollBarPolicy(bar);
    const int columns = model() ? model()->columnCount() : 0;
    int narrowestColumn = std::max(cell.width(), m_columns->narrowestSection());
    if (m_inView > 0 && m_inView < columns)
        narrowestColumn = std::max(narrowestColumn, viewport()->width() / m_inView);
    if (m_columns->minimumSectionSize() != narrowestColumn)
        m_columns->setMinimumSectionSize(narrowestColumn);
    // Prefer short row names to columns out of view.
    const int wide = MatrixHeader::widestRow +
                     (m_inView > 0 ? std::min(m_inView, columns) : columns) * narrowestColumn +
                     verticalScrollBar()->sizeHint().width();
    m_rows->setCompact(width() < qMax(compactWidth, wide));
    if (m_rows->minimumSectionSize() != cell.height())
        m_rows->setMinimumSectionSize(cell.height());
    if (m_rows->defaultSectionSize() != height)
        m_rows->setDefaultSectionSize(height);
}

void MatrixView::updateGeometries()
{
    fitSections();
    QTableView::updateGeometries();
    // The corner would look like a button, but it is none.
    if (auto *corner = findChild<QAbstractButton *>(QString(), Qt::FindDirectChildrenOnly))
        corner->hide();
}

void MatrixView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    Q_EMIT resized();
}

bool MatrixView::event(QEvent *event)
{
    // The window's menus have G, C and B as well. Here the grid takes them, so that they are never ambiguous.
    if (event->type() == QEvent::ShortcutOverride && actionKey(static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    return QTableView::event(event);
}

void MatrixView::keyPressEvent(QKeyEvent *event)
{
    // A letter that continues a jump is not a command: after "sm", "c" is a command only if no row begins with "smc".
    const bool typing = !m_typed.isEmpty() && !m_lastKey.hasExpired(QApplication::keyboardInputInterval()) &&
                        !event->text().isEmpty() && rowBeginningWith(m_typed + event->text(), 0) >= 0;
    m_lastKey.start();
    if (!typing)
        m_typed.clear();
    switch (typing ? 0 : actionKey(event)) {
    case Qt::Key_G: Q_EMIT generatePressed(); return;
    case Qt::Key_C: Q_EMIT commitPressed(); return;
    case Qt::Key_B: Q_EMIT buildPressed(); return;
    default: break;
    }
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (opens && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        Q_EMIT opened(currentIndex());
        return;
    }
    // The key of keyboards without a menu key, which Qt does not take on X11.
    if (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier) {
        QContextMenuEvent menu(QContextMenuEvent::Keyboard, {}, {});
        contextMenuEvent(&menu);
        return;
    }
    if (event->matches(QKeySequence::Copy)) {
        Q_EMIT copyPressed();
        return;
    }
    QTableView::keyPressEvent(event);
}

void MatrixView::tellPart(const QPointF &position)
{
    const QModelIndex index = indexAt(position.toPoint());
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    if (const int part = index.isValid() ? CellDelegate::partAt(option, index, position) : -1; part >= 0)
        Q_EMIT partPressed(index, part);
}

void MatrixView::mousePressEvent(QMouseEvent *event)
{
    tellPart(event->position());
    QTableView::mousePressEvent(event);
}

void MatrixView::mouseDoubleClickEvent(QMouseEvent *event)
{
    tellPart(event->position());
    QTableView::mouseDoubleClickEvent(event);
}

int MatrixView::rowBeginningWith(const QString &text, int from) const
{
    const int rows = model() ? model()->rowCount() : 0;
    for (int i = 0; i < rows; ++i) {
        const int row = (from + i) % rows;
        const QString id = model()->headerData(row, Qt::Vertical, AxisIdRole).toString();
        const QString title = model()->headerData(row, Qt::Vertical).toString();
        const QString generation = title.sliced(title.startsWith(id) ? std::min(id.size() + 1, title.size()) : 0);
        if (id.startsWith(text, Qt::CaseInsensitive) || generation.startsWith(text, Qt::CaseInsensitive))
            return row;
    }
    return -1;
}

void MatrixView::keyboardSearch(const QString &text)
{
    if (!model() || model()->columnCount() == 0 || text.trimmed().isEmpty())
        return;
    // Repeating a letter moves on, as in a list; more letters narrow the search.
    m_typed += text;
    const int current = currentIndex().row();
    const int row = rowBeginningWith(m_typed, m_typed.size() == 1 ? current + 1 : std::max(current, 0));
    if (row < 0) {
        m_typed.clear();
        return;
    }
    setCurrentIndex(model()->index(row, std::max(currentIndex().column(), 0)));
}

void MatrixView::contextMenuEvent(QContextMenuEvent *event)
{
    QPoint position = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        if (!currentIndex().isValid())
            return;
        scrollTo(currentIndex());
        position = viewport()->mapToGlobal(visualRect(currentIndex()).center());
    } else if (!indexAt(event->pos()).isValid()) {
        return;
    }
    Q_EMIT menuRequested(position);
}

void MatrixView::paintEvent(QPaintEvent *event)
{
    const Theme &theme = Theme::current(palette());
    if (model() && model()->rowCount() > 0 && model()->columnCount() > 0) {
        QTableView::paintEvent(event);
        QPainter painter(viewport());
        for (int column = 1; column < model()->columnCount(); ++column) {
            if (beginsGroup(column))
                paintGroupBegin(painter, column);
        }
        return;
    }
    QPainter painter(viewport());
    painter.setPen(theme.quietText);
    painter.drawText(viewport()->rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

/// A line, and in rows that stand in another group the words where.
void MatrixView::paintGroupBegin(QPainter &painter, int column) const
{
    const Theme &theme = Theme::current(palette());
    painter.fillRect(QRect(columnViewportPosition(column) - 1, 0, 2, viewport()->height()), theme.barTrack);
    painter.setPen(theme.quietText);
    painter.setFont(smallFont(font()));
    int end = column + 1;
    while (end < model()->columnCount() && !beginsGroup(end))
        ++end;
    const int right = columnViewportPosition(end - 1) + columnWidth(end - 1);
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QModelIndex index = model()->index(row, column);
        const QRect place(QPoint(columnViewportPosition(column) + 8, rowViewportPosition(row)),
                          QPoint(right - 8, rowViewportPosition(row) + rowHeight(row) - 1));
        if (index.data(ElsewhereRole).toBool())
            painter.drawText(
                place, Qt::AlignLeft | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(index.data(ReasonRole).toString(), Qt::ElideRight, place.width()));
    }
}

void MatrixView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitSections();
}

void MatrixView::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    markCurrent();
    Q_EMIT currentMoved(current);
}

} // namespace tmx
