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

/// The builds that run, wait and ended as a table, or those that run and wait as a schedule, what can be done with
/// them, and how the queue goes on. Shows and asks; does nothing itself.
class QueueView : public BuildsPage
{
    Q_OBJECT
public:
    explicit QueueView(QWidget *parent = nullptr);

    void setModel(QueueModel *model);
    void setContents(const QueueContents &contents); ///< paused, builds at a time, what a failure does
    [[nodiscard]] QStringList selectedIds() const;   ///< from the top
    [[nodiscard]] QTreeView *list() const { return m_list; }
    [[nodiscard]] ScheduleChart *schedule() const { return m_schedule; }

    void showSchedule(bool shown);                                     ///< instead of the table
    [[nodiscard]] bool showsSchedule() const;                          ///< and it can be seen
    void setEstimate(const std::shared_ptr<const Estimate> &estimate); ///< what the schedule shows

Q_SIGNALS:
    void scheduleAppeared();       ///< it can be seen now
    void shown(const QString &id); ///< the current job: its log is wanted
    void pauseRequested(bool pause);
    void parallelRequested(int builds);
    void stopAtFailureRequested(bool stop);
    void stopRequested(const QStringList &ids);
    void stopAllRequested();
    void retryRequested(const QStringList &ids);
    void moveRequested(const QStringList &ids, const QString &before); ///< empty: to the end

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
    QStackedWidget *m_forms; ///< the two above
    QToolButton *m_form;     ///< checked: the schedule
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
