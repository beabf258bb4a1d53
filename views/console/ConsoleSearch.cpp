// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/console/ConsoleSearch.h"

#include "model/log/LogFile.h"

#include <QtConcurrent>

#include <algorithm>

namespace tmx {

namespace {

constexpr qsizetype mostMatches = 1'000'000;
constexpr qsizetype stretchLines = 100'000; // between two updates of the count

LogPosition positionOf(const LogMatch &match)
{
    return {match.line, match.span.column};
}

} // namespace

ConsoleSearch::ConsoleSearch(const LogFile &log, QObject *parent)
    : QObject(parent)
    , m_log(log)
{
}

ConsoleSearch::~ConsoleSearch()
{
    if (m_stop)
        *m_stop = true;
}

void ConsoleSearch::start(const LogPattern &pattern, LogPosition from)
{
    if (m_stop)
        *m_stop = true;
    m_stop = std::make_shared<std::atomic_bool>(false);
    m_pattern = pattern;
    m_matches.clear();
    m_from = from;
    m_next = m_log.firstLine();
    m_current = -1;
    m_working = false;
    if (!pattern.isEmpty())
        searchOn();
    Q_EMIT changed();
}

void ConsoleSearch::logGrew()
{
    m_grew = true;
    if (isActive() && !m_working && !isFull())
        searchOn();
}

void ConsoleSearch::logCleared()
{
    if (isActive())
        start(m_pattern, {});
}

bool ConsoleSearch::isFull() const
{
    return count() >= mostMatches;
}

void ConsoleSearch::searchOn()
{
    m_working = true;
    m_grew = false;
    // The last line may have grown since the search.
    while (!m_matches.empty() && m_matches.back().line >= m_next)
        m_matches.pop_back();
    if (m_current >= count())
        m_current = -1;
    const LogIndex index = m_log.index();
    QtConcurrent::run([path = m_log.path(), index, pattern = m_pattern, from = m_next, most = mostMatches - count(),
                       stop = m_stop] {
        return searchLog(path, index, pattern, from, stretchLines, most, [&stop] { return stop->load(); });
    }).then(this, [this, end = index.lineCount(), stop = m_stop](const LogMatches &found) {
        if (!*stop)
            take(found, end);
    });
}

void ConsoleSearch::take(const LogMatches &found, qsizetype end)
{
    m_matches.insert(m_matches.end(), found.matches.begin(), found.matches.end());
    const bool complete = found.next >= end || isFull();
    m_next = found.next > 0 && found.next >= end && !m_log.isLineEnded(found.next - 1) ? found.next - 1 : found.next;
    m_working = false;
    if (!isFull() && (!complete || m_grew))
        searchOn();
    if (m_current < 0 && !m_matches.empty()) {
        const auto at = std::lower_bound(m_matches.begin(), m_matches.end(), m_from,
                                         [](const LogMatch &match, LogPosition p) { return positionOf(match) < p; });
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
    const LogMatch &match = m_matches.at(size_t(m_current));
    return {positionOf(match), {match.line, match.span.column + match.span.length}};
}

} // namespace tmx
