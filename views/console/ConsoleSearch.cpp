// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleSearch.h"

#include "model/build/LogLines.h"

#include <QElapsedTimer>

#include <algorithm>

namespace tmx {

namespace {

constexpr size_t mostMatches = 1000000;
constexpr qint64 sliceMilliseconds = 6;

} // namespace

ConsoleSearch::ConsoleSearch(const LogLines &log, QObject *parent)
    : QObject(parent)
    , m_log(log)
{
    connect(&m_slices, &QTimer::timeout, this, &ConsoleSearch::searchSlice);
}

void ConsoleSearch::start(const QString &needle, Qt::CaseSensitivity sensitivity, LogPosition from)
{
    m_matcher = QStringMatcher(needle, sensitivity);
    m_matches.clear();
    m_from = from;
    m_next = m_log.firstLine();
    m_current = -1;
    if (needle.isEmpty()) {
        m_slices.stop();
        Q_EMIT changed();
        return;
    }
    m_slices.start();
    searchSlice();
}

void ConsoleSearch::logGrew()
{
    if (isActive() && !m_slices.isActive() && !isFull())
        m_slices.start();
}

void ConsoleSearch::logCleared()
{
    if (isActive())
        start(m_matcher.pattern(), m_matcher.caseSensitivity(), {});
}

bool ConsoleSearch::isFull() const
{
    return m_matches.size() >= mostMatches;
}

void ConsoleSearch::searchLine(qsizetype line)
{
    const QString text = m_log.text(line);
    const qsizetype length = m_matcher.pattern().size();
    for (qsizetype at = m_matcher.indexIn(text); at >= 0; at = m_matcher.indexIn(text, at + length))
        m_matches.push_back({line, at});
}

void ConsoleSearch::dropGone()
{
    while (!m_matches.empty() && m_matches.front().line < m_log.firstLine()) {
        m_matches.pop_front();
        m_current = std::max(m_current - 1, -1);
    }
}

void ConsoleSearch::searchSlice()
{
    QElapsedTimer clock;
    clock.start();
    dropGone();
    // The last line may have grown since it was searched.
    while (!m_matches.empty() && m_matches.back().line >= m_next)
        m_matches.pop_back();
    if (m_current >= count())
        m_current = -1;
    qsizetype line = std::max(m_next, m_log.firstLine());
    while (line < m_log.endLine() && !isFull()) {
        searchLine(line++);
        if (line % 64 == 0 && clock.elapsed() >= sliceMilliseconds)
            break;
    }
    const bool complete = line >= m_log.endLine() || isFull();
    m_next = line > 0 && line == m_log.endLine() && !m_log.isLineEnded(line - 1) ? line - 1 : line;
    if (complete)
        m_slices.stop();
    if (m_current < 0 && !m_matches.empty()) {
        const auto at = std::lower_bound(m_matches.begin(), m_matches.end(), m_from);
        if (at != m_matches.end())
            setCurrent(int(at - m_matches.begin()));
        else if (complete)
            setCurrent(0);
    }
    Q_EMIT changed();
}

void ConsoleSearch::setCurrent(int index)
{
    m_current = index;
    Q_EMIT currentChanged();
}

void ConsoleSearch::next()
{
    if (m_matches.empty())
        return;
    setCurrent((m_current + 1) % count());
    Q_EMIT changed();
}

void ConsoleSearch::previous()
{
    if (m_matches.empty())
        return;
    setCurrent(m_current <= 0 ? count() - 1 : m_current - 1);
    Q_EMIT changed();
}

std::pair<LogPosition, LogPosition> ConsoleSearch::currentMatch() const
{
    if (m_current < 0 || m_current >= count())
        return {};
    const LogPosition from = m_matches.at(size_t(m_current));
    return {from, {from.line, from.column + m_matcher.pattern().size()}};
}

} // namespace tmx
