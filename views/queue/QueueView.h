// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/queue/BuildsPage.h"

#include <QItemSelection>

class QCheckBox;
class QKeyEvent;
class QSpinBox;
class QToolButton;
class QTreeView;

namespace tmx {

class QueueModel;
struct QueueContents;

/// Running, waiting and finished builds as a table, with actions on builds and the queue's settings. Shows and emits
/// signals; changes nothing itself.
class QueueView : public BuildsPage
{
    Q_OBJECT
public:
    explicit QueueView(QWidget *parent = nullptr);

    void setModel(QueueModel *model);
    void setContents(const QueueContents &contents); ///< paused, jobs at a time, what happens after a failure
    [[nodiscard]] QStringList selectedIds() const;   ///< from top to bottom
    [[nodiscard]] QTreeView *list() const { return m_list; }
    void select(const QString &id); ///< no row if there is none
    [[nodiscard]] bool has(const QString &id) const;
    [[nodiscard]] int activeCount() const; ///< number of builds that run or wait

Q_SIGNALS:
    void countChanged();           ///< of the jobs, or of those that run or wait
    void shown(const QString &id); ///< the current job, whose log should be shown
    void pauseRequested(bool pause);
    void parallelRequested(int builds);
    void stopAtFailureRequested(bool stop);
    void stopRequested(const QStringList &ids);
    void stopAllRequested();
    void retryRequested(const QStringList &ids);
    void moveRequested(const QStringList &ids, const QString &before); ///< empty `before`: move to the end

protected:
    /// The keys of the list, also for another view of the builds that it is installed on.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeList();
    void makeTools();
    bool takesKey(const QKeyEvent &event);
    void moveBy(int rows);
    [[nodiscard]] QItemSelection rowsOf(const QStringList &ids) const;
    void showChoice();

    QueueModel *m_model = nullptr;
    QTreeView *m_list;
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
