// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitTask.h"
#include "model/git/GitValues.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <atomic>
#include <memory>

class QAction;

namespace tmx {

class Notices;
class RepositoryBar;
class UpstreamDialog;
class Workspace;

/// Actions of the Branch menu on the shown branch, through the git program. Runs one task at a time; the repository bar
/// shows it and can stop it.
class BranchController : public QObject
{
    Q_OBJECT
public:
    struct Actions {
        QAction *checkOut;
        QAction *fetch;
        QAction *push;
        QAction *setUpstream;
        QAction *pullRequest;
        QAction *pullBuilds;
        QAction *pushBuilds;
    };
    BranchController(Workspace *workspace, Notices *notices, RepositoryBar *head, const Actions &actions,
                     QWidget *window);
    ~BranchController() override; ///< stops git

private:
    void update();
    void start(const GitTask &task);
    void end(const GitTask &task, bool wasDetached, const Result<QString> &done);
    void askToCheckOut();
    void askForUpstream();
    void openPullRequest();

    Workspace *m_workspace;
    Notices *m_notices;
    RepositoryBar *m_head;
    Actions m_actions;
    QWidget *m_window;
    QPointer<UpstreamDialog> m_dialog;
    bool m_busy = false; ///< a task is running or about to start
    std::shared_ptr<std::atomic_bool> m_stop = std::make_shared<std::atomic_bool>(false);
    QThreadPool m_pool; ///< a separate pool: a fetch may take minutes
};

} // namespace tmx
