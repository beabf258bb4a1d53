// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/compare/SideView.h"

#include "views/recipe/ChangedSpan.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

namespace tmx {

namespace {
constexpr int sidePadding = 10;
constexpr int bar = 3; // width of the bar at the current change
} // namespace

SideView::SideView(Side side, QWidget *parent)
    : CodeArea(parent)
    , m_side(side)
{
    updateGutter();
}

void SideView::setTexts(const QByteArray &text, const QByteArray &other, const QList<AlignedLine> &lines)
{
    const QStringList mine = QString::fromUtf8(text).split(QLatin1Char('\n'));
    const QStringList theirs = QString::fromUtf8(other).split(QLatin1Char('\n'));
    m_shown.clear();
    QStringList shown;
    bool any = false;
    for (const AlignedLine &line : lines) {
        const int here = m_side == Side::Left ? line.left : line.right;
        const int there = m_side == Side::Left ? line.right : line.left;
        Shown one{here, line.changed, 0, 0};
        if (line.changed && here > 0 && there > 0) {
            const ChangedSpan span = changedSpan(mine.value(here - 1), theirs.value(there - 1));
            one.start = span.oldStart;
            one.length = span.oldLength;
        }
        any = any || here > 0;
        m_shown.append(one);
        shown.append(here > 0 ? mine.value(here - 1) : QString());
    }
    // A side of gaps only has no text: the placeholder says why.
    if (!any) {
        m_shown.clear();
        shown.clear();
    }
    m_last = -1;
    setLines(shown.join(QLatin1Char('\n')));
    startHighlighting();
    updateGutter();
}

void SideView::setCurrentChange(int first, int last)
{
    m_first = first;
    m_last = last;
    updateGutter();
    viewport()->update();
}

void SideView::keyPressEvent(QKeyEvent *event)
{
    // Alt with an arrow key belongs to the surrounding page; a scroll area would scroll.
    if (event->modifiers().testFlag(Qt::AltModifier))
        event->ignore();
    else
        CodeArea::keyPressEvent(event);
}

int SideView::gutterWidth() const
{
    const int digits = std::max(3, int(QString::number(m_shown.size()).size()));
    return bar + 2 * sidePadding + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void SideView::paintGutter(QPainter &painter, int line, const QRect &rect) const
{
    if (line >= m_shown.size())
        return;
    if (const QColor color = lineColor(line); color.isValid())
        painter.fillRect(rect, color);
    if (line >= m_first && line <= m_last)
        painter.fillRect(QRect(rect.left(), rect.top(), bar, rect.height()), colors().accent);
    if (m_shown.at(line).number == 0)
        return;
    painter.setPen(m_shown.at(line).changed ? colors().text : colors().gutterText);
    painter.drawText(rect.adjusted(0, 0, -sidePadding, 0), Qt::AlignRight | Qt::AlignTop,
                     QString::number(m_shown.at(line).number));
}

QColor SideView::lineColor(int line) const
{
    if (line >= m_shown.size() || !m_shown.at(line).changed)
        return {};
    if (m_shown.at(line).number == 0)
        return mix(colors().background, colors().text, 0.06);
    return m_side == Side::Left ? colors().removed : colors().added;
}

QList<CodeArea::Mark> SideView::marks(int line) const
{
    if (line >= m_shown.size() || m_shown.at(line).length == 0)
        return {};
    return {{m_shown.at(line).start, m_shown.at(line).length,
             m_side == Side::Left ? colors().removedWord : colors().addedWord}};
}

void SideView::restartHighlighting()
{
    m_nextLine = 0;
    m_state = {};
}

bool SideView::highlightNext()
{
    const QTextBlock block = document()->findBlockByNumber(m_nextLine);
    if (!block.isValid() || m_nextLine >= m_shown.size())
        return false;
    const Shown &shown = m_shown.at(m_nextLine);
    if (shown.number > 0) {
        Highlighter::Formats formats = m_highlighter.highlight(block.text(), m_state);
        // A syntax colour may lack contrast on the mark behind a changed word.
        if (shown.length > 0) {
            QTextCharFormat plain;
            plain.setForeground(colors().text);
            formats.append({shown.start, shown.length, plain});
        }
        applyFormats(block, formats);
    }
    ++m_nextLine;
    return block.next().isValid();
}

} // namespace tmx
