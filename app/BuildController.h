// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/JobWatch.h"
#include "model/workspace/OperationQueue.h"

#include <QObject>

namespace tmx {

class BuildConsole;
class MatrixModel;
class QueueModel;
class QueueView;
class Workspace;

/// Puts builds into the queue and shows what becomes of them: in the cells of the branch that is shown, in the list of
/// the queue, and in the console the log of one of them. The builds run without this window, so it finds those that it
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
    void buildHere(const QString &name);   ///< the working tree, uncommitted changes included
    void stop();                           ///< the build that the console shows
    [[nodiscard]] bool isRunning() const;  ///< a build of this repository runs or waits, or is being queued
    [[nodiscard]] int activeCount() const; ///< of this repository: builds that run or wait
    [[nodiscard]] QString package() const; ///< of the build that the console shows; what its engine calls it

Q_SIGNALS:
    void runningChanged();
    void refused(const QString &sentence); ///< a build was not queued
    void ended(const tmx::BuildOutcome &outcome);

private:
    struct Queued;
    void queue(const QStringList &names, const BuildWish &wish);
    void takeQueued(const Queued &queued);
    void change(const std::function<Result<void>(Queue &)> &change);
    void retry(const QStringList &ids);
    void takeSeen();
    void tellRunning();
    void showStates();
    void follow(const QString &id);
    void showEnd(const BuildOutcome &outcome);

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    Views m_views;
    JobWatch *m_watch;
    QueueModel *m_model;
    QString m_followed;    ///< id of the job that the console shows
    bool m_over = false;   ///< that job has ended, and the console says so
    bool m_chosen = false; ///< somebody chose it in the list: the console stays with it
    int m_queueing = 0;    ///< wishes that a worker turns into jobs
    OperationId m_staging = 0;
    QString m_staged; ///< variant that is built in the working tree once it is in the index
    bool m_wasRunning = false;
};

} // namespace tmx
