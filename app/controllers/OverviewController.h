// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/PathWatcher.h"
#include "model/builds/JobWatch.h"
#include "model/fleet/Fleet.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <memory>

namespace tmx {

class OverviewModel;
class OverviewPanel;
class Workspace;

/// The window with all repositories that the user opened or added. Reads their branches in a worker while it is open,
/// and again when a branch or a build changes.
class OverviewController : public QObject
{
    Q_OBJECT
public:
    OverviewController(Workspace *workspace, JobWatch *jobs, QWidget *window);
    ~OverviewController() override;

    void open();
    [[nodiscard]] OverviewPanel *panel() const { return m_panel.get(); } ///< null until it was opened

Q_SIGNALS:
    void openRequested(const QString &repository, const QString &branch);
    void settled(); ///< everything is read

private:
    struct Seen {
        Fleet fleet;
        QStringList watchPaths;
        QHash<QString, QDate> pinDates;
    };
    void makePanel();
    void refresh();
    void take(const Result<Seen> &seen);
    void addRepositories();

    Workspace *m_workspace;
    QWidget *m_window;
    OverviewModel *m_model;
    std::unique_ptr<OverviewPanel> m_panel;
    PathWatcher m_watcher{std::chrono::milliseconds(1000)}; ///< a running build changes every second
    std::shared_ptr<std::atomic_bool> m_stop;               ///< of the last read
    quint64 m_generation = 0;
    bool m_again = false; ///< something changed during the read
    bool m_busy = false;
    QThreadPool m_pool; ///< one read at a time
};

} // namespace tmx
