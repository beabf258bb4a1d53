// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/DiffView.h"

#include "views/recipe/ChangedSpan.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>

namespace tmx {

namespace {

constexpr int diffPadding = 10;
constexpr int signGap = 6;
constexpr int bar = 3; // width of the bar at the change with the caret

using Kind = DiffLine::Kind;

bool isChange(const DiffLine &line)
{
    return line.kind == Kind::Added || line.kind == Kind::Removed;
}

QString sign(Kind kind)
{
    switch (kind) {
    case Kind::Context: return QStringLiteral(" ");
    case Kind::Added: return QStringLiteral("+");
    case Kind::Removed: return QStringLiteral("-");
    case Kind::HunkHeader: return {};
    }
    Q_UNREACHABLE_RETURN({});
}

// `formats`, with [start, start + length) replaced by `top`.
Highlighter::Formats overlaid(const Highlighter::Formats &formats, int start, int length, const QTextCharFormat &top)
{
    Highlighter::Formats result;
    const int end = start + length;
    for (const QTextLayout::FormatRange &range : formats) {
        const int rangeEnd = range.start + range.length;
        if (range.start < start)
            result.append({range.start, std::min(rangeEnd, start) - range.start, range.format});
        if (rangeEnd > end) {
            const int from = std::max(range.start, end);
            result.append({from, rangeEnd - from, range.format});
        }
    }
    result.append({start, length, top});
    return result;
}

} // namespace

DiffView::DiffView(QWidget *parent)
    : CodeArea(parent)
{
    updateGutter();
}

void DiffView::setDiff(const QList<DiffLine> &lines, const QByteArray &after)
{
    if (lines == m_lines && after == m_after)
        return;
    m_lines = lines;
    m_after = after;
    m_afterLines = QString::fromUtf8(after).split(QLatin1Char('\n'));
    m_highestNumber = 0;
    QStringList text;
    text.reserve(lines.size());
    for (const DiffLine &line : lines) {
        text.append(sign(line.kind) + line.text);
        m_highestNumber = std::max({m_highestNumber, line.oldLine, line.newLine});
    }
    findChanges();
    setLines(text.join(QLatin1Char('\n')));
    startHighlighting();
    updateGutter();
}

// Changes

void DiffView::findChanges()
{
    m_changes.clear();
    m_words.clear();
    for (int i = 0; i < m_lines.size(); ++i) {
        if (!isChange(m_lines.at(i)))
            continue;
        if (m_changes.isEmpty() || m_changes.constLast().last != i - 1)
            m_changes.append({i, i});
        m_changes.last().last = i;
    }
    for (const Change &change : std::as_const(m_changes))
        markWords(change);
}

void DiffView::markWords(const Change &change)
{
    // A unified difference lists removed lines before added ones; pair the first of each as versions of one line, then
    // the second, and so on.
    int added = change.first;
    while (added <= change.last && m_lines.at(added).kind == Kind::Removed)
        ++added;
    for (int removed = change.first, i = added;
         removed < added && i <= change.last && m_lines.at(i).kind == Kind::Added; ++removed, ++i) {
        const ChangedSpan span = changedSpan(m_lines.at(removed).text, m_lines.at(i).text);
        if (span.oldLength > 0)
            m_words.insert(removed, {span.oldStart, span.oldLength});
        if (span.newLength > 0)
            m_words.insert(i, {span.newStart, span.newLength});
    }
}

int DiffView::currentChange() const
{
    const int line = textCursor().blockNumber();
    return int(std::ranges::upper_bound(m_changes, line, {}, &Change::first) - m_changes.begin());
}

void DiffView::nextChange()
{
    const int current = currentChange();
    if (current < changeCount())
        goToChange(m_changes.at(current));
}

void DiffView::previousChange()
{
    const int current = currentChange();
    if (current == 0)
        return;
    // From below or inside a change, go to its beginning first.
    const Change &here = m_changes.at(current - 1);
    if (textCursor().blockNumber() > here.first)
        goToChange(here);
    else if (current > 1)
        goToChange(m_changes.at(current - 2));
}

void DiffView::goToChange(const Change &change)
{
    goToLine(change.first);
    // Behind the sign, which the caret would hide.
    QTextCursor cursor = textCursor();
    cursor.movePosition(QTextCursor::Right);
    setTextCursor(cursor);
}

void DiffView::keyPressEvent(QKeyEvent *event)
{
    // Alt with an arrow key belongs to the surrounding page; a scroll area would scroll.
    if (event->modifiers().testFlag(Qt::AltModifier))
        event->ignore();
    else
        CodeArea::keyPressEvent(event);
}

// Painting

int DiffView::numberWidth() const
{
    const int digits = std::max(3, int(QString::number(m_highestNumber).size()));
    return digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

int DiffView::gutterWidth() const
{
    return bar + 3 * diffPadding + 2 * numberWidth();
}

void DiffView::paintGutter(QPainter &painter, int line, const QRect &rect) const
{
    if (line >= m_lines.size())
        return;
    if (const QColor color = lineColor(line); color.isValid())
        painter.fillRect(rect, color);
    const int change = currentChange();
    if (change > 0 && line >= m_changes.at(change - 1).first && line <= m_changes.at(change - 1).last)
        painter.fillRect(QRect(rect.left(), rect.top(), bar, rect.height()), colors().accent);
    const DiffLine &shown = m_lines.at(line);
    painter.setPen(line == textCursor().blockNumber() || isChange(shown) ? colors().text : colors().gutterText);
    // A hunk's header has the numbers of its first line, which the line itself shows again.
    const auto number = [&](int value, int right) {
        if (value > 0 && shown.kind != Kind::HunkHeader)
            painter.drawText(QRect(rect.left(), rect.top(), right, rect.height()), Qt::AlignRight | Qt::AlignTop,
                             QString::number(value));
    };
    number(shown.oldLine, bar + diffPadding + numberWidth());
    number(shown.newLine, bar + 2 * diffPadding + 2 * numberWidth());
}

QColor DiffView::lineColor(int line) const
{
    if (line >= m_lines.size())
        return {};
    switch (m_lines.at(line).kind) {
    case Kind::Context: return {};
    case Kind::Added: return colors().added;
    case Kind::Removed: return colors().removed;
    case Kind::HunkHeader: return colors().hunk;
    }
    Q_UNREACHABLE_RETURN({});
}

QList<CodeArea::Mark> DiffView::marks(int line) const
{
    const auto word = m_words.constFind(line);
    if (word == m_words.constEnd())
        return {};
    const QColor color = m_lines.at(line).kind == Kind::Added ? colors().addedWord : colors().removedWord;
    return {{word->start + 1, word->length, color}}; // + 1 for the sign
}

// Colours

void DiffView::restartHighlighting()
{
    m_nextLine = 0;
    m_afterLine = 0;
    m_otherFile = false;
    m_state = {};
    m_oldState = {};
}

bool DiffView::highlightNext()
{
    if (m_nextLine >= m_lines.size())
        return false;
    const DiffLine &line = m_lines.at(m_nextLine);
    // Process lines of the new side that the difference omits, only to get their state.
    if (!m_otherFile && line.newLine > 0 && m_afterLine < line.newLine - 1 && m_afterLine < m_afterLines.size()) {
        m_highlighter.highlight(m_afterLines.at(m_afterLine++), m_state);
        return true;
    }
    const QTextBlock block = document()->findBlockByNumber(m_nextLine);
    if (!block.isValid())
        return false;
    applyFormats(block, formatsOf(line));
    ++m_nextLine;
    return m_nextLine < m_lines.size();
}

Highlighter::Formats DiffView::formatsOf(const DiffLine &line)
{
    Highlighter::Formats formats;
    switch (line.kind) {
    case Kind::HunkHeader: {
        if (line.newLine == 0 && line.oldLine == 0) { // the name of another file
            m_otherFile = true;
            m_state = {};
        }
        QTextCharFormat quiet;
        quiet.setForeground(legible(colors().gutterText, colors().hunk));
        return {{0, int(line.text.size()), quiet}};
    }
    case Kind::Removed:
        // Removed lines precede the added ones at the same place, so they begin in the state after the line above.
        if (m_nextLine == 0 || m_lines.at(m_nextLine - 1).kind != Kind::Removed)
            m_oldState = m_state;
        formats = m_highlighter.highlight(line.text, m_oldState);
        break;
    case Kind::Added:
    case Kind::Context:
        formats = m_highlighter.highlight(line.text, m_state);
        m_afterLine = line.newLine;
        break;
    }
    for (QTextLayout::FormatRange &range : formats)
        range.start += 1;
    // A syntax colour may lack contrast on the mark behind a changed word.
    if (const auto word = m_words.constFind(m_nextLine); word != m_words.constEnd()) {
        QTextCharFormat plain;
        plain.setForeground(colors().text);
        formats = overlaid(formats, word->start + 1, word->length, plain);
    }
    // Separated by letter spacing, not by a blank, so that copied text is a difference that patch(1) accepts.
    QTextCharFormat signFormat;
    signFormat.setFontWeight(QFont::Bold);
    signFormat.setFontLetterSpacingType(QFont::AbsoluteSpacing);
    signFormat.setFontLetterSpacing(signGap);
    formats.prepend({0, 1, signFormat});
    return formats;
}

} // namespace tmx
