// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BranchController.h"

#include "app/window/Notices.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/builds/TeamBuilds.h"
#include "model/job/GitAnswer.h"
#include "model/workspace/Workspace.h"
#include "views/start/RepositoryBar.h"
#include "views/widgets/Message.h"
#include "views/work/UpstreamDialog.h"

#include <QAction>
#include <QDesktopServices>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// What the repository bar shows while git runs.
QString workOf(const GitTask &task)
{
    switch (task.kind) {
    case GitTask::Kind::CheckOut: return BranchController::tr("Checking out %1").arg(task.branch);
    case GitTask::Kind::Fetch: return BranchController::tr("Fetching");
    case GitTask::Kind::Push: return BranchController::tr("Pushing %1").arg(task.branch);
    case GitTask::Kind::SetUpstream: return BranchController::tr("Setting the upstream of %1").arg(task.branch);
    case GitTask::Kind::FetchBuilds: return BranchController::tr("Fetching the team's builds");
    case GitTask::Kind::PushBuilds: return BranchController::tr("Sharing the builds");
    }
    Q_UNREACHABLE_RETURN({});
}

QString doneOf(const GitTask &task)
{
    switch (task.kind) {
    case GitTask::Kind::CheckOut: return BranchController::tr("Checked out %1.").arg(task.branch);
    case GitTask::Kind::Fetch: return BranchController::tr("Fetched.");
    case GitTask::Kind::Push: return BranchController::tr("Pushed %1.").arg(task.branch);
    case GitTask::Kind::SetUpstream: return BranchController::tr("%1 follows %2.").arg(task.branch, task.upstream);
    case GitTask::Kind::FetchBuilds: return BranchController::tr("Fetched the team's builds.");
    case GitTask::Kind::PushBuilds: return BranchController::tr("Shared the builds.");
    }
    Q_UNREACHABLE_RETURN({});
}

Result<QString> run(const QString &workTree, const GitTask &task, const std::function<void(const GitProgress &)> &tell,
                    const std::function<bool()> &stop)
{
    const bool pushes = task.kind == GitTask::Kind::PushBuilds;
    if (!pushes && task.kind != GitTask::Kind::FetchBuilds)
        return runGitTask(workTree, task, tell, stop);
    const Result<SharedBuilds> shared =
        pushes ? pushBuilds(workTree, task.remote, tell, stop) : pullBuilds(workTree, task.remote, tell, stop);
    return shared ? Result<QString>(summaryOf(*shared)) : shared.error();
}

} // namespace

BranchController::BranchController(Workspace *workspace, Notices *notices, RepositoryBar *head, const Actions &actions,
                                   QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_notices(notices)
    , m_head(head)
    , m_actions(actions)
    , m_window(window)
{
    m_pool.setMaxThreadCount(1);
    connect(head, &RepositoryBar::stopRequested, this, [this] { *m_stop = true; });
    connect(workspace, &Workspace::infoChanged, this, &BranchController::update);
    connect(workspace, &Workspace::snapshotChanged, this, &BranchController::update);
    connect(actions.checkOut, &QAction::triggered, this, &BranchController::askToCheckOut);
    connect(actions.fetch, &QAction::triggered, this, [this] { start({GitTask::Kind::Fetch, {}}); });
    connect(actions.push, &QAction::triggered, this,
            [this] { start({GitTask::Kind::Push, m_workspace->snapshot()->branch}); });
    connect(actions.setUpstream, &QAction::triggered, this, &BranchController::askForUpstream);
    connect(actions.pullRequest, &QAction::triggered, this, &BranchController::openPullRequest);
    connect(actions.pullBuilds, &QAction::triggered, this, [this] { start({.kind = GitTask::Kind::FetchBuilds}); });
    connect(actions.pushBuilds, &QAction::triggered, this, [this] { start({.kind = GitTask::Kind::PushBuilds}); });
    update();
}

BranchController::~BranchController()
{
    *m_stop = true;
}

void BranchController::update()
{
    const bool open = m_workspace->isOpen();
    const QString branch = open ? m_workspace->snapshot()->branch : QString();
    const bool born = open && !m_workspace->snapshot()->commit.isEmpty() && !branch.isEmpty();
    m_actions.checkOut->setEnabled(!m_busy && born && !m_workspace->snapshot()->checkedOut);
    for (QAction *action : {m_actions.fetch, m_actions.pullBuilds, m_actions.pushBuilds})
        action->setEnabled(!m_busy && open);
    for (QAction *action : {m_actions.push, m_actions.setUpstream, m_actions.pullRequest})
        action->setEnabled(!m_busy && born);
}

void BranchController::start(const GitTask &task)
{
    m_busy = true;
    *m_stop = false;
    update();
    m_head->setGitWork(workOf(task));
    const auto tell = [this, task](const GitProgress &progress) {
        const QString text = tr("%1: %2", "task, phase").arg(workOf(task), progress.phase);
        QMetaObject::invokeMethod(this, [this, text, progress] {
            if (m_busy)
                m_head->setGitWork(text, progress.percent);
        });
    };
    QtConcurrent::run(&m_pool, [workTree = m_workspace->info().workTree, task, tell, stop = m_stop] {
        return run(workTree, task, tell, [stop] { return stop->load(); });
    }).then(this, [this, task, wasDetached = m_workspace->info().detached](const Result<QString> &done) {
        end(task, wasDetached, done);
    });
}

void BranchController::end(const GitTask &task, bool wasDetached, const Result<QString> &done)
{
    m_busy = false;
    m_head->setGitWork({});
    update();
    m_workspace->refresh();
    if (!done)
        return m_notices->problem(done.error().sentence());
    // If the commit is on no branch, git says how to find it again.
    if (wasDetached && task.kind == GitTask::Kind::CheckOut)
        return m_notices->information(doneOf(task) + u'\n' + *done);
    const bool builds = task.kind == GitTask::Kind::FetchBuilds || task.kind == GitTask::Kind::PushBuilds;
    m_notices->done(builds ? joinedSentences({doneOf(task), *done}) : doneOf(task));
}

void BranchController::askToCheckOut()
{
    const GitTask task{GitTask::Kind::CheckOut, m_workspace->snapshot()->branch};
    m_busy = true;
    update();
    QtConcurrent::run([workTree = m_workspace->info().workTree] {
        return uncommittedFiles(workTree);
    }).then(this, [this, task](const QStringList &files) {
        m_busy = false;
        update();
        if (files.isEmpty())
            return start(task);
        ask(m_window,
            {tr("Check out %1").arg(task.branch),
             tr("Files with uncommitted changes: %1.\n\nThey keep their changes. If %2 has a different version "
                "of such a file, git refuses and nothing changes.")
                 .arg(shortList(files), task.branch),
             tr("Check out")},
            this, [this, task] { start(task); });
    });
}

void BranchController::askForUpstream()
{
    const QString branch = m_workspace->snapshot()->branch;
    QtConcurrent::run(remoteBranches, m_workspace->info().workTree)
        .then(this, [this, branch](const Result<QStringList> &names) {
            if (!names)
                return m_notices->problem(names.error().sentence());
            if (names->isEmpty())
                return m_notices->problem(tr("There is no remote branch to follow. Fetch, or push %1.").arg(branch));
            if (m_dialog)
                return;
            m_dialog = new UpstreamDialog(branch, *names, m_window);
            m_dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(m_dialog, &QDialog::accepted, this,
                    [this, branch] { start({GitTask::Kind::SetUpstream, branch, m_dialog->upstream()}); });
            m_dialog->open();
        });
}

void BranchController::openPullRequest()
{
    QtConcurrent::run(pullRequestPageOf, m_workspace->info().workTree, m_workspace->snapshot()->branch)
        .then(this, [this](const Result<QUrl> &page) {
            if (!page)
                return m_notices->problem(page.error().sentence());
            if (!QDesktopServices::openUrl(*page))
                m_notices->problem(tr("The desktop has no program that opens %1.").arg(page->toString()));
        });
}

} // namespace tmx
