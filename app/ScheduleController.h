// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QTimer>

namespace tmx {

class JobWatch;
class QueueView;
class Workspace;

/// Plans the queue while its schedule can be seen: when that appears, when what runs and waits changes, and once a
/// minute.
class ScheduleController : public QObject
{
    Q_OBJECT
public:
    ScheduleController(Workspace *workspace, JobWatch *watch, QueueView *view, QObject *parent = nullptr);

private:
    void plan();
    void planIfChanged();

    Workspace *m_workspace;
    JobWatch *m_watch;
    QueueView *m_view;
    QTimer m_minute;
    QString m_planned;   ///< what was planned last
    quint64 m_asked = 0; ///< the last plan
};

} // namespace tmx
