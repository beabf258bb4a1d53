// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/JobWatch.h"
#include "model/builds/Preflight.h"
#include "model/workspace/Operations.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <atomic>
#include <memory>

namespace tmx {

class BuildConsole;
class BuildDialog;
struct BuildRecord;
class MatrixModel;
class QueueModel;
class QueueView;
class TeamLogController;
class Workspace;

/// Queues builds and shows their progress: in the grid's cells of the shown branch, in the list of the queue, and the
/// log of one of them in the console. Problems that would make builds fail are shown first; without problems nothing is
/// asked. Builds run independently of this window, so it also finds builds that it or another window started earlier.
class BuildController : public QObject
{
    Q_OBJECT
public:
    struct Views {
        BuildConsole *console;
        QueueView *queue;
    };
    BuildController(Workspace *workspace, MatrixModel *matrix, const Views &views, QObject *parent = nullptr);
    ~BuildController() override;

    /// Builds from the branch's commit; a single recipe with uncommitted changes is built from the working tree.
    void build(const QStringList &names);
    void buildHere(const QString &name);                     ///< builds from the working tree, with uncommitted changes
    void buildAll(BuildSelection selection);                 ///< on the shown branch
    void buildWithOptions(const QStringList &names);         ///< always opens the dialog
    void buildWithDependents(const QStringList &names);      ///< the dialog, with what is built against them
    [[nodiscard]] int count(BuildSelection selection) const; ///< number of builds that buildAll() would queue
    [[nodiscard]] QStringList unpublished() const;           ///< built variants of the shown branch
    void stop();                                             ///< stops the build that the console shows; asks if it
                                                             ///< has run for long
    void stopAll();                                          ///< asks first
    bool show(const QString &job);                           ///< in the console until another is chosen; false: it has
                                                             ///< no job here
    void showPast(const BuildRecord &build);                 ///< the same, or what is known of it
    void proposePast(const BuildRecord &build);              ///< the same, until a build runs
    void verify(const QString &name);                        ///< the last result of a variant
    void retry(const QStringList &ids);                      ///< queues ended jobs again
    void copyErrors(const QString &job);                     ///< the error lines of an ended job
    [[nodiscard]] bool isRunning() const;  ///< a build of this repository is running, waiting or being queued
    [[nodiscard]] int activeCount() const; ///< running and waiting builds of this repository
    [[nodiscard]] Job shownJob() const;    ///< the job that the console shows; without an id: none
    [[nodiscard]] QString package() const; ///< the engine's name for the build in the console

    [[nodiscard]] JobWatch *watch() const { return m_watch; }

    /// Probes the machine before builds are queued; called in a worker.
    using Probe = std::function<PreflightProbes(BuildEngine)>;
    void setProbe(const Probe &probe) { m_probe = probe; }

Q_SIGNALS:
    void runningChanged();
    void refused(const QString &sentence); ///< a build was not queued
    void told(const QString &sentence);
    void verified(); ///< what is kept of a verification changed
    void ended(const tmx::BuildOutcome &outcome);

private:
    /// A request, and the branch that was shown when it was made.
    struct Asked {
        std::shared_ptr<const BranchSnapshot> snapshot;
        BuildRequest request;
        bool always = false; ///< show the dialog even without problems
    };
    [[nodiscard]] const JobsSeen *seenOfShown() const;
    void plan(const Asked &asked);
    static BuildPlan withEstimate(BuildPlan plan, const Catalog &catalog, const Asked &asked, const QString &state);
    void planForDialog(const Asked &asked);
    void takePlan(const Asked &asked, const BuildPlan &plan);
    void openDialog(const Asked &asked, const BuildPlan &plan);
    void queue(const BuildPlan &plan);
    void takeQueued(const Result<QList<QueuedJob>> &queued);
    void change(const std::function<Result<void>(Queue &)> &change);
    void stopJobs(const QStringList &ids);
    void takeSeen();
    void serveAgain(); ///< starts the queue's process again if builds wait and it is gone
    void tellRunning();
    void showStates();
    void follow(const QString &id);
    void showEnd(const BuildOutcome &outcome);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    Views m_views;
    JobWatch *m_watch;
    QueueModel *m_model;
    TeamLogController *m_teamLog;
    QString m_followed;     ///< id of the job that the console shows
    bool m_over = false;    ///< that job has ended, and the console shows it
    bool m_chosen = false;  ///< the user chose it in the list: the console stays with it
    int m_queueing = 0;     ///< number of requests that a worker is turning into jobs
    bool m_serving = false; ///< serveAgain() is checking
    Probe m_probe = probeMachine;
    QThreadPool m_planners; ///< ends with the window: plans read the history of builds
    QPointer<BuildDialog> m_dialog;
    quint64 m_planned = 0; ///< identifies the last plan requested for the dialog
    std::shared_ptr<std::atomic_bool> m_stopPlan = std::make_shared<std::atomic_bool>(false); ///< stops its reading
    OperationId m_staging = 0;
    QString m_staged; ///< variant to build in the working tree once it is in the index
    bool m_wasRunning = false;
};

} // namespace tmx
