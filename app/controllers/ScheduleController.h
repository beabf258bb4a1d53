// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QTimer>

namespace tmx {

class JobWatch;
class QueueView;
class Workspace;

/// Plans the queue while its schedule is visible: when it appears, when running or waiting jobs change, and once a
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
    QString m_planned;   ///< stamp of the last plan
    quint64 m_asked = 0; ///< identifies the last plan
};

} // namespace tmx
