// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QKeyEvent;
class QToolButton;
class QTreeView;

namespace tmx {

class Label;
class QueueModel;

/// The builds that run, wait and ended, and what can be done with them. Shows and asks; does nothing itself.
class QueueView : public QWidget
{
    Q_OBJECT
public:
    explicit QueueView(QWidget *parent = nullptr);

    void setModel(QueueModel *model);
    void setPaused(bool paused);
    [[nodiscard]] QStringList selectedIds() const; ///< from the top
    [[nodiscard]] QTreeView *list() const { return m_list; }

Q_SIGNALS:
    void shown(const QString &id); ///< the current job: its log is wanted
    void pauseRequested(bool pause);
    void stopRequested(const QStringList &ids);
    void retryRequested(const QStringList &ids);
    void moveRequested(const QStringList &ids, const QString &before); ///< empty: to the end

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool takesKey(const QKeyEvent &event);
    void moveBy(int rows);
    void showChoice();

    QueueModel *m_model = nullptr;
    QTreeView *m_list;
    Label *m_summary;
    QToolButton *m_pause;
    QToolButton *m_stop;
    QToolButton *m_retry;
    QToolButton *m_up;
    QToolButton *m_down;
    bool m_paused = false;
};

} // namespace tmx
