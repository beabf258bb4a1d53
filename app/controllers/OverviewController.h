// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/PathWatcher.h"
#include "model/builds/JobWatch.h"
#include "model/fleet/Fleet.h"

#include <QDate>
#include <QFuture>
#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <memory>

namespace tmx {

class OverviewModel;
class OverviewPanel;
class StartPage;
class Workspace;

/// All repositories that the user opened or added, in a window and on the start page. Reads their branches in a worker
/// while they are seen, and again when a branch or a build changes.
class OverviewController : public QObject
{
    Q_OBJECT
public:
    /// Reads the known repositories from the cache while the window is made, for its start page.
    static void readAhead();
    OverviewController(Workspace *workspace, JobWatch *jobs, StartPage *start, QWidget *window);
    ~OverviewController() override;

    void open();
    void refreshStart(); ///< shows it on the start page, if a repository is known
    [[nodiscard]] OverviewPanel *panel() const { return m_panel.get(); } ///< null until it was opened
    [[nodiscard]] bool isReading() const { return m_busy; }

Q_SIGNALS:
    void openRequested(const QString &repository, const QString &branch);
    void settled(); ///< everything is read

private:
    struct Seen {
        Fleet fleet;
        QStringList watchPaths;
        QHash<QString, QDate> pinDates;
    };
    struct Ahead {
        QFuture<Result<Seen>> read;
        std::shared_ptr<std::atomic_bool> stop = std::make_shared<std::atomic_bool>(false);
    };
    static Ahead &ahead();
    using Load = std::function<Result<std::shared_ptr<const Catalog>>()>;
    static Result<Seen> read(const Load &catalog, const WorkHooks &hooks,
                             const std::function<void(const Fleet &)> &early);
    OverviewPanel *makePanel();
    void refresh();
    void take(const Result<Seen> &seen);
    void addRepositories(QWidget *parent);
    /// Calls `function` of the panels that were made.
    void onPanels(const std::function<void(OverviewPanel *)> &function) const;

    Workspace *m_workspace;
    StartPage *m_start;
    QWidget *m_window;
    OverviewModel *m_model;
    std::unique_ptr<OverviewPanel> m_panel;
    OverviewPanel *m_startPanel = nullptr;                  ///< null until it has something to show
    PathWatcher m_watcher{std::chrono::milliseconds(1000)}; ///< a running build changes every second
    std::shared_ptr<std::atomic_bool> m_stop;               ///< of the last read
    quint64 m_generation = 0;
    bool m_again = false; ///< something changed during the read
    bool m_busy = false;
    QThreadPool m_pool; ///< one read at a time
};

} // namespace tmx
