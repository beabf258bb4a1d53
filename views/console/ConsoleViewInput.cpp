// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleView.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

namespace tmx {

namespace {

struct Key {
    QKeySequence::StandardKey move;
    QKeySequence::StandardKey select;
    ConsoleCursor::Move what;
};

using Move = ConsoleCursor::Move;
constexpr Key keys[] = {
    {QKeySequence::MoveToPreviousChar, QKeySequence::SelectPreviousChar, Move::Left},
    {QKeySequence::MoveToNextChar, QKeySequence::SelectNextChar, Move::Right},
    {QKeySequence::MoveToPreviousWord, QKeySequence::SelectPreviousWord, Move::WordLeft},
    {QKeySequence::MoveToNextWord, QKeySequence::SelectNextWord, Move::WordRight},
    {QKeySequence::MoveToPreviousLine, QKeySequence::SelectPreviousLine, Move::Up},
    {QKeySequence::MoveToNextLine, QKeySequence::SelectNextLine, Move::Down},
    {QKeySequence::MoveToPreviousPage, QKeySequence::SelectPreviousPage, Move::PageUp},
    {QKeySequence::MoveToNextPage, QKeySequence::SelectNextPage, Move::PageDown},
    {QKeySequence::MoveToStartOfLine, QKeySequence::SelectStartOfLine, Move::LineStart},
    {QKeySequence::MoveToEndOfLine, QKeySequence::SelectEndOfLine, Move::LineEnd},
    {QKeySequence::MoveToStartOfDocument, QKeySequence::SelectStartOfDocument, Move::Start},
    {QKeySequence::MoveToEndOfDocument, QKeySequence::SelectEndOfDocument, Move::End},
};

} // namespace

void ConsoleView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        return copy();
    if (event->matches(QKeySequence::SelectAll))
        return selectAll();
    if (event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (const LogPhase *const phase = m_folds.around(m_cursor.position().line))
            toggle(*phase);
        return;
    }
    for (const Key &key : keys) {
        const bool select = event->matches(key.select);
        if (!select && !event->matches(key.move))
            continue;
        // The caret may be far outside the visible part, at the position where it was set.
        const LogPosition at = m_cursor.position();
        const qsizetype row = m_folds.row(at.line);
        if (!m_cursor.hasSelection() && (row < topRow() || row >= topRow() + pageLines()))
            m_cursor.moveTo({m_following ? m_folds.line(endRow() - 1) : topLine(), 0}, false);
        m_cursor.move(key.what, select, std::max<qsizetype>(1, pageLines() - 1));
        cursorMoved();
        if (key.what == Move::End && !select)
            setFollowing(true);
        return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void ConsoleView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const LogPosition at = positionAt(event->position());
    const LogPhase *const phase = event->modifiers() == Qt::NoModifier ? m_folds.at(at.line) : nullptr;
    const bool onArrow = event->position().x() < m_margin;
    m_pressedPhase = phase && (onArrow || m_folds.isFolded(*phase)) ? phase->line : -1;
    if (m_doubleClick.isValid() && m_doubleClick.elapsed() < QApplication::doubleClickInterval() &&
        (event->position() - m_lastPoint).manhattanLength() < QApplication::startDragDistance()) {
        m_cursor.selectLine(at.line); // the third click
        m_doubleClick.invalidate();
    } else {
        m_cursor.moveTo(at, event->modifiers().testFlag(Qt::ShiftModifier));
        m_dragging = true;
    }
    m_lastPoint = event->position();
    viewport()->update();
    Q_EMIT selectionChanged();
}

void ConsoleView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_cursor.selectWordAt(positionAt(event->position()));
    m_doubleClick.start();
    m_lastPoint = event->position();
    setFollowing(false);
    viewport()->update();
    Q_EMIT selectionChanged();
}

void ConsoleView::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_dragging)
        return;
    m_lastPoint = event->position();
    const bool outside = !viewport()->rect().contains(event->position().toPoint());
    if (outside && !m_autoScroll.isActive())
        m_autoScroll.start();
    else if (!outside)
        m_autoScroll.stop();
    m_cursor.moveTo(positionAt(event->position()), true);
    cursorMoved();
}

void ConsoleView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragging = false;
    m_autoScroll.stop();
    const LogPhase *const phase = m_folds.at(std::exchange(m_pressedPhase, -1));
    if (phase && !m_cursor.hasSelection())
        toggle(*phase);
    QClipboard *clipboard = QGuiApplication::clipboard();
    if (m_cursor.hasSelection() && clipboard->supportsSelection())
        clipboard->setText(m_cursor.selectedText(), QClipboard::Selection);
}

void ConsoleView::contextMenuEvent(QContextMenuEvent *event)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction *copyAction = menu->addAction(tr("&Copy"), QKeySequence::Copy, this, &ConsoleView::copy);
    copyAction->setEnabled(hasSelection());
    menu->addAction(tr("Select &All"), QKeySequence::SelectAll, this, &ConsoleView::selectAll)
        ->setEnabled(!m_log.isEmpty());
    menu->addSeparator();
    menu->addAction(tr("&Find\u2026"), QKeySequence::Find, this, &ConsoleView::findRequested)
        ->setEnabled(!m_log.isEmpty());
    menu->addSeparator();
    if (!m_folds.isEmpty()) {
        menu->addAction(tr("Fold All &Phases"), this, [this] { setAllFolded(true); });
        menu->addAction(tr("&Open All Phases"), this, [this] { setAllFolded(false); });
        menu->addSeparator();
    }
    menu->addAction(tr("&Save As\u2026"), this, &ConsoleView::saveRequested)->setEnabled(!m_log.path().isEmpty());
    menu->addAction(tr("&Open Folder"), this, &ConsoleView::folderRequested)->setEnabled(!m_log.path().isEmpty());
    menu->addAction(tr("C&lear"), this, &ConsoleView::clear)->setEnabled(!m_log.isEmpty());
    menu->popup(event->globalPos());
}

void ConsoleView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void ConsoleView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace tmx
