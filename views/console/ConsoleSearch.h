// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/log/LogSearch.h"
#include "views/console/ConsoleCursor.h"

#include <QObject>

#include <atomic>
#include <deque>
#include <memory>

namespace tmx {

class LogFile;

/// Searches a log in a worker, one stretch at a time, and continues as the log grows. Keeps and counts at most a
/// million matches.
class ConsoleSearch : public QObject
{
    Q_OBJECT
public:
    explicit ConsoleSearch(const LogFile &log, QObject *parent = nullptr);
    ~ConsoleSearch() override;

    /// Searches from the start. The first match at or after `from` becomes the current one, else the first of all. An
    /// empty pattern ends the search.
    void start(const LogPattern &pattern, LogPosition from);
    void logGrew();
    void logCleared();

    void next();
    void previous();
    [[nodiscard]] bool isActive() const { return !m_pattern.isEmpty(); }
    [[nodiscard]] bool isComplete() const { return !m_working; }
    [[nodiscard]] int count() const { return int(m_matches.size()); }
    [[nodiscard]] int current() const { return m_current; }                 ///< 0-based; -1 = none
    [[nodiscard]] std::pair<LogPosition, LogPosition> currentMatch() const; ///< from, to
    [[nodiscard]] const LogPattern &pattern() const { return m_pattern; }

Q_SIGNALS:
    void changed();        ///< the count or the current match changed
    void currentChanged(); ///< the current match is a different one: show it

private:
    void searchOn();
    void take(const LogMatches &found, qsizetype end);
    void setCurrent(int index);
    [[nodiscard]] bool isFull() const;

    const LogFile &m_log;
    LogPattern m_pattern;
    std::deque<LogMatch> m_matches;
    LogPosition m_from;
    std::shared_ptr<std::atomic_bool> m_stop;
    qsizetype m_next = 0; ///< next line to search
    int m_current = -1;
    bool m_working = false;
    bool m_grew = false; ///< since the current stretch was cut
};

} // namespace tmx
