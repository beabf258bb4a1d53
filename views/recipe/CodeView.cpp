// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/CodeView.h"

#include <QPainter>
#include <QTextBlock>

namespace tmx {

namespace {
constexpr int padding = 10;
constexpr int fewestDigits = 3; // so that the text does not jump between a recipe of 99 lines and one of 100
}

CodeView::CodeView(QWidget *parent)
    : CodeArea(parent)
{
    updateGutter();
}

void CodeView::setCode(const QByteArray &text)
{
    if (text == m_code)
        return;
    m_code = text;
    QString lines = QString::fromUtf8(text);
    if (lines.endsWith(QLatin1Char('\n')))
        lines.chop(1);
    setLines(lines);
    startHighlighting();
}

int CodeView::gutterWidth() const
{
    const int digits = std::max(fewestDigits, int(QString::number(blockCount()).size()));
    return 2 * padding + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void CodeView::paintGutter(QPainter &painter, int line, const QRect &rect) const
{
    const bool current = line == textCursor().blockNumber();
    if (current)
        painter.fillRect(rect, colors().currentLine);
    painter.setPen(current ? colors().text : colors().gutterText);
    painter.drawText(rect.adjusted(0, 0, -padding, 0), Qt::AlignRight | Qt::AlignTop, QString::number(line + 1));
}

QColor CodeView::lineColor(int) const
{
    return {};
}

QList<CodeArea::Mark> CodeView::marks(int) const
{
    return {};
}

void CodeView::restartHighlighting()
{
    m_nextLine = 0;
    m_state = {};
}

bool CodeView::highlightNext()
{
    // By number, never a kept QTextBlock: the text may be another one by the time of the next slice.
    const QTextBlock block = document()->findBlockByNumber(m_nextLine);
    if (!block.isValid())
        return false;
    applyFormats(block, m_highlighter.highlight(block.text(), m_state));
    ++m_nextLine;
    return block.next().isValid();
}

} // namespace tmx
