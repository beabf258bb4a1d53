// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

#include <memory>

class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace tmx {

class BuildConsole;
class Label;
class PastBuildsView;
class QueueView;
class ScheduleChart;
struct Estimate;

/// Everything about builds: the last and the next day by machine, the queue or the past builds, and the log of one.
class BuildsView : public QWidget
{
    Q_OBJECT
public:
    explicit BuildsView(QWidget *parent = nullptr);

    [[nodiscard]] QueueView *queue() const { return m_queue; }
    [[nodiscard]] PastBuildsView *pastBuilds() const { return m_pastBuilds; }
    [[nodiscard]] BuildConsole *console() const { return m_console; }
    [[nodiscard]] ScheduleChart *schedule() const { return m_schedule; }
    void setEstimate(const std::shared_ptr<const Estimate> &estimate); ///< null: not known yet
    void setNow(const QString &line); ///< what runs and waits, and until when: the first line; empty: nothing
    void showList(QWidget *list);     ///< the queue or the past builds

Q_SIGNALS:
    void appeared(); ///< it became visible
    void gridRequested();
    void buildRequested(); ///< what was never built

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] QString queueTitle() const;
    void showAny();
    void arrangeLists();
    void turnBody();
    [[nodiscard]] bool isInFront(const QWidget *list) const;
    void showDay();
    void showChart();
    void choose(const QString &job);

    QueueView *m_queue;
    PastBuildsView *m_pastBuilds;
    BuildConsole *m_console;
    ScheduleChart *m_schedule;
    std::shared_ptr<const Estimate> m_estimate; ///< of this account's builds; null: not known yet
    Label *m_now;
    Label *m_day;
    Label *m_summary;
    QWidget *m_past;        ///< the last and the next day
    QStackedWidget *m_left; ///< the lists as tabs, or in a high window one above the other while builds run or wait
    QTabWidget *m_lists;
    QSplitter *m_both;
    int m_front = 0;         ///< tab that was in front before both lists were shown
    bool m_listed = false;   ///< the user asked for a list, though it may be empty
    QStackedWidget *m_pages; ///< all of it or, without any build, what it is for
    QSplitter *m_body;       ///< the lists and the log: side by side, or one above the other in a narrow window, and
                             ///< where the lists are so short that the log has more use of the room
    int m_rows = -1;         ///< of the lists above the log; -1: they are beside it
    bool m_resized = false;  ///< by the user, since they are above it
    QSplitter *m_all;
};

} // namespace tmx
