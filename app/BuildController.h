// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/JobWatch.h"
#include "model/workspace/OperationQueue.h"
#include "model/workspace/Preflight.h"

#include <QObject>
#include <QPointer>

namespace tmx {

class BuildConsole;
class BuildDialog;
class MatrixModel;
class QueueModel;
class QueueView;
class Workspace;

/// Puts builds into the queue and shows what becomes of them: in the cells of the branch that is shown, in the list of
/// the queue, and in the console the log of one of them. What would make them fail is shown before; nothing is asked
/// where nothing is found. The builds run without this window, so it finds those that it
/// or another one began before.
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

    /// The branch's commit; of one recipe with uncommitted changes, the working tree.
    void build(const QStringList &names);
    void buildHere(const QString &name);                     ///< the working tree, uncommitted changes included
    void buildAll(BuildSelection selection);                 ///< of the branch that is shown
    void buildWithOptions(const QStringList &names);         ///< asks in any case
    [[nodiscard]] int count(BuildSelection selection) const; ///< that buildAll() would queue
    void stop();                                             ///< the build that the console shows
    void stopAll();                                          ///< asks first
    void show(const QString &job);                           ///< in the console, and stays with it
    void setLogLimit(qint64 bytes);                          ///< that all logs may take
    [[nodiscard]] bool isRunning() const;  ///< a build of this repository runs or waits, or is being queued
    [[nodiscard]] int activeCount() const; ///< of this repository: builds that run or wait
    [[nodiscard]] Job shownJob() const;    ///< that the console shows; without an id: none
    [[nodiscard]] QString package() const; ///< of the build that the console shows; what its engine calls it

    [[nodiscard]] JobWatch *watch() const { return m_watch; }

    /// What the machine is asked with before builds are queued, on a worker.
    using Probe = std::function<PreflightProbes(BuildEngine)>;
    void setProbe(const Probe &probe) { m_probe = probe; }

Q_SIGNALS:
    void runningChanged();
    void refused(const QString &sentence); ///< a build was not queued
    void told(const QString &sentence);
    void ended(const tmx::BuildOutcome &outcome);

private:
    /// What was asked for, of the branch that was shown then.
    struct Asked {
        std::shared_ptr<const BranchSnapshot> snapshot;
        BuildRequest request;
        bool always = false; ///< to be looked at, even if nothing is wrong
    };
    void plan(const Asked &asked);
    void takePlan(const Asked &asked, const BuildPlan &plan);
    void openDialog(const Asked &asked, const BuildPlan &plan);
    void queue(const WantedBuilds &wanted);
    void takeQueued(const Result<QList<QueuedJob>> &queued);
    void change(const std::function<Result<void>(Queue &)> &change);
    void retry(const QStringList &ids);
    void takeSeen();
    void serveAgain(); ///< where builds wait and the process that starts them is gone
    void tellRunning();
    void showStates();
    void follow(const QString &id);
    void showEnd(const BuildOutcome &outcome);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    Views m_views;
    JobWatch *m_watch;
    QueueModel *m_model;
    QString m_followed;     ///< id of the job that the console shows
    bool m_over = false;    ///< that job has ended, and the console says so
    bool m_chosen = false;  ///< somebody chose it in the list: the console stays with it
    int m_queueing = 0;     ///< requests that a worker turns into jobs
    bool m_serving = false; ///< serveAgain() looks
    Probe m_probe = probeMachine;
    QPointer<BuildDialog> m_dialog;
    quint64 m_planned = 0; ///< the last plan that the dialog was promised
    OperationId m_staging = 0;
    QString m_staged; ///< variant that is built in the working tree once it is in the index
    bool m_wasRunning = false;
};

} // namespace tmx
