// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleCursor.h"

#include "model/log/LogFile.h"
#include "views/console/LogFolds.h"

#include <QTextBoundaryFinder>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostCopied = 32 * 1024 * 1024; // A log may be larger than memory.

/// A double click selects a whole path, derivation or flag.
bool isWord(QChar c)
{
    return c.isLetterOrNumber() || c.isMark() || c.isSurrogate() || u"/._-+=~@%"_s.contains(c);
}

qsizetype nextCharacter(const QString &text, qsizetype column, int direction)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(column);
    const qsizetype next = direction > 0 ? finder.toNextBoundary() : finder.toPreviousBoundary();
    return next < 0 ? (direction > 0 ? text.size() : 0) : next;
}

qsizetype nextWord(const QString &text, qsizetype column)
{
    while (column < text.size() && isWord(text.at(column)))
        ++column;
    while (column < text.size() && !isWord(text.at(column)))
        ++column;
    return column;
}

qsizetype previousWord(const QString &text, qsizetype column)
{
    while (column > 0 && !isWord(text.at(column - 1)))
        --column;
    while (column > 0 && isWord(text.at(column - 1)))
        --column;
    return column;
}

} // namespace

LogPosition ConsoleCursor::clipped(LogPosition position) const
{
    if (m_log->isEmpty())
        return {m_log->firstLine(), 0};
    if (position.line < m_log->firstLine())
        return {m_log->firstLine(), 0};
    if (position.line >= m_log->endLine()) {
        const qsizetype last = m_log->endLine() - 1;
        return {last, m_log->text(last).size()};
    }
    return {position.line, std::clamp<qsizetype>(position.column, 0, m_log->text(position.line).size())};
}

LogPosition ConsoleCursor::moved(Move move, qsizetype pageLines)
{
    const LogPosition at = position();
    const auto shown = [this](qsizetype line) { return m_folds->line(m_folds->row(line)); };
    const qsizetype last = shown(std::max(m_log->endLine() - 1, m_log->firstLine()));
    const auto beside = [&](qsizetype rows) {
        return std::clamp(m_folds->line(std::max<qsizetype>(m_folds->row(at.line) + rows, 0)), m_log->firstLine(),
                          last);
    };
    const auto vertical = [&](qsizetype rows) {
        const qsizetype line = beside(rows);
        return LogPosition{line, std::min(std::max(m_wishedColumn, at.column), m_log->text(line).size())};
    };
    const QString text = m_log->text(at.line);
    switch (move) {
    case Move::Left:
    case Move::WordLeft:
        if (at.column == 0)
            return at.line > m_log->firstLine() ? LogPosition{beside(-1), m_log->text(beside(-1)).size()} : at;
        return {at.line, move == Move::Left ? nextCharacter(text, at.column, -1) : previousWord(text, at.column)};
    case Move::Right:
    case Move::WordRight:
        if (at.column >= text.size())
            return at.line < last ? LogPosition{beside(1), 0} : at;
        return {at.line, move == Move::Right ? nextCharacter(text, at.column, 1) : nextWord(text, at.column)};
    case Move::Up: return vertical(-1);
    case Move::Down: return vertical(1);
    case Move::PageUp: return vertical(-pageLines);
    case Move::PageDown: return vertical(pageLines);
    case Move::LineStart: return {at.line, 0};
    case Move::LineEnd: return {at.line, text.size()};
    case Move::Start: return {m_log->firstLine(), 0};
    case Move::End: return {last, m_log->text(last).size()};
    }
    Q_UNREACHABLE_RETURN({});
}

void ConsoleCursor::move(Move move, bool select, qsizetype pageLines)
{
    const bool vertical = move == Move::Up || move == Move::Down || move == Move::PageUp || move == Move::PageDown;
    const qsizetype wished = std::max(m_wishedColumn, position().column);
    moveTo(moved(move, pageLines), select);
    m_wishedColumn = vertical ? wished : m_position.column;
}

void ConsoleCursor::moveTo(LogPosition position, bool select)
{
    m_position = clipped(position);
    m_wishedColumn = m_position.column;
    if (!select)
        m_anchor = m_position;
}

void ConsoleCursor::select(LogPosition from, LogPosition to)
{
    moveTo(from, false);
    moveTo(to, true);
}

void ConsoleCursor::selectAll()
{
    select({m_log->firstLine(), 0}, {m_log->endLine(), 0});
}

void ConsoleCursor::selectWordAt(LogPosition position)
{
    const LogPosition at = clipped(position);
    const QString text = m_log->text(at.line);
    qsizetype from = at.column;
    qsizetype to = at.column;
    while (from > 0 && isWord(text.at(from - 1)))
        --from;
    while (to < text.size() && isWord(text.at(to)))
        ++to;
    if (from == to && to < text.size())
        to = nextCharacter(text, to, 1);
    select({at.line, from}, {at.line, to});
}

void ConsoleCursor::selectLine(qsizetype line)
{
    if (line + 1 < m_log->endLine())
        select({line, 0}, {line + 1, 0});
    else
        select({line, 0}, {line, m_log->text(line).size()});
}

std::pair<LogPosition, LogPosition> ConsoleCursor::selection() const
{
    const LogPosition a = clipped(m_anchor);
    const LogPosition b = position();
    return {std::min(a, b), std::max(a, b)};
}

QString ConsoleCursor::selectedText() const
{
    const auto [from, to] = selection();
    if (from.line == to.line)
        return m_log->text(from.line).sliced(from.column, to.column - from.column);
    QString text = m_log->text(from.line).sliced(from.column) + u'\n';
    for (qsizetype line = from.line + 1; line < to.line; ++line) {
        if (text.size() > mostCopied)
            return text;
        text += m_log->text(line) + u'\n';
    }
    return text + m_log->text(to.line).first(to.column);
}

} // namespace tmx
