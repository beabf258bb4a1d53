// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>

namespace tmx {

class BuildsView;
class JobWatch;
class Workspace;
struct Estimate;

/// Plans the queue while builds run or wait, or the builds are shown: when running or waiting jobs change, and once a
/// minute.
class ScheduleController : public QObject
{
    Q_OBJECT
public:
    ScheduleController(Workspace *workspace, JobWatch *watch, BuildsView *view, QObject *parent = nullptr);

Q_SIGNALS:
    void planned(const std::shared_ptr<const tmx::Estimate> &estimate);

private:
    void plan();
    void planIfChanged();
    [[nodiscard]] bool isNeeded() const;

    Workspace *m_workspace;
    JobWatch *m_watch;
    BuildsView *m_view;
    QTimer m_minute;
    QString m_planned;   ///< stamp of the last plan
    quint64 m_asked = 0; ///< identifies the last plan
};

} // namespace tmx
