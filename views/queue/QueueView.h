// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/queue/BuildsPage.h"

#include <QItemSelection>

#include <memory>

class QCheckBox;
class QKeyEvent;
class QSpinBox;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace tmx {

class QueueModel;
class ScheduleChart;
struct Estimate;
struct QueueContents;

/// Running, waiting and finished builds as a table, or running and waiting builds as a schedule, with actions on builds
/// and the queue's settings. Shows and emits signals; changes nothing itself.
class QueueView : public BuildsPage
{
    Q_OBJECT
public:
    explicit QueueView(QWidget *parent = nullptr);

    void setModel(QueueModel *model);
    void setContents(const QueueContents &contents); ///< paused, jobs at a time, what happens after a failure
    [[nodiscard]] QStringList selectedIds() const;   ///< from top to bottom
    [[nodiscard]] QTreeView *list() const { return m_list; }
    [[nodiscard]] ScheduleChart *schedule() const { return m_schedule; }

    void showSchedule(bool shown);                                     ///< shows the schedule instead of the table
    [[nodiscard]] bool showsSchedule() const;                          ///< the schedule is chosen and visible
    void setEstimate(const std::shared_ptr<const Estimate> &estimate); ///< the estimate that the schedule shows

Q_SIGNALS:
    void scheduleAppeared();       ///< the schedule became visible
    void shown(const QString &id); ///< the current job, whose log should be shown
    void pauseRequested(bool pause);
    void parallelRequested(int builds);
    void stopAtFailureRequested(bool stop);
    void stopRequested(const QStringList &ids);
    void stopAllRequested();
    void retryRequested(const QStringList &ids);
    void moveRequested(const QStringList &ids, const QString &before); ///< empty `before`: move to the end

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeList();
    void makeTools();
    bool takesKey(const QKeyEvent &event);
    void moveBy(int rows);
    void showForm();
    void select(const QString &id);
    [[nodiscard]] QItemSelection rowsOf(const QStringList &ids) const;
    void showChoice();

    QueueModel *m_model = nullptr;
    QTreeView *m_list;
    ScheduleChart *m_schedule;
    QStackedWidget *m_forms; ///< the table and the schedule
    QToolButton *m_form;     ///< checked: shows the schedule
    std::shared_ptr<const Estimate> m_estimate;
    QToolButton *m_pause;
    QToolButton *m_stop;
    QToolButton *m_stopAll;
    QToolButton *m_retry;
    QToolButton *m_up;
    QToolButton *m_down;
    QSpinBox *m_parallel;
    QCheckBox *m_stopAtFailure;
    bool m_paused = false;
};

} // namespace tmx
