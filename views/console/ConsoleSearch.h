// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/console/ConsoleCursor.h"

#include <QObject>
#include <QStringMatcher>
#include <QTimer>

#include <deque>

namespace tmx {

/// Searches a log in slices of a few milliseconds, so that the window stays responsive however long the log is, and
/// goes on as it grows. A million matches are kept; beyond them nobody counts.
class ConsoleSearch : public QObject
{
    Q_OBJECT
public:
    explicit ConsoleSearch(const LogLines &log, QObject *parent = nullptr);

    /// From the start; the first match at or after `from` becomes the current one, or the first of all. An empty needle
    /// ends the search.
    void start(const QString &needle, Qt::CaseSensitivity sensitivity, LogPosition from);
    void logGrew();
    void logCleared();

    void next();
    void previous();
    [[nodiscard]] bool isActive() const { return !m_matcher.pattern().isEmpty(); }
    [[nodiscard]] bool isComplete() const { return !m_slices.isActive(); }
    [[nodiscard]] int count() const { return int(m_matches.size()); }
    [[nodiscard]] bool isFull() const;
    [[nodiscard]] int current() const { return m_current; }                 ///< 0-based; -1 = none
    [[nodiscard]] std::pair<LogPosition, LogPosition> currentMatch() const; ///< from, to
    [[nodiscard]] const QStringMatcher &matcher() const { return m_matcher; }

Q_SIGNALS:
    void changed();        ///< the count or the current match
    void currentChanged(); ///< the current match is another one: show it

private:
    void searchSlice();
    void searchLine(qsizetype line);
    void dropGone();
    void setCurrent(int index);

    const LogLines &m_log;
    QStringMatcher m_matcher;
    QTimer m_slices;
    std::deque<LogPosition> m_matches;
    LogPosition m_from;
    qsizetype m_next = 0; ///< line to search next
    int m_current = -1;
};

} // namespace tmx
