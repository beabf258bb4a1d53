// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/TeamLogController.h"

#include "model/base/Process.h"
#include "model/base/TextForm.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/job/TeamLog.h"
#include "model/outcome/OutcomeReader.h"
#include "views/console/BuildConsole.h"
#include "views/console/TeamLogPage.h"

#include <QPromise>
#include <QSettings>
#include <QtConcurrent>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Promise = QPromise<Result<BuildOutcome>>;

/// Where the user found the logs of a machine that the team names so.
QString hostKey(const QString &machine)
{
    return u"logHosts/"_s + machine;
}

/// A name that a machine got by itself is none for ssh.
QString hostOf(const QString &machine)
{
    return QSettings().value(hostKey(machine), hasForm(machine, u"m-[0-9a-f]{8}") ? QString() : machine).toString();
}

/// What the log says; how the build ended is known.
BuildOutcome outcomeOfTeamLog(const BuildRecord &build, const QString &file)
{
    using Kind = BuildOutcome::Kind;
    ProcessOutcome process;
    process.started = true;
    process.stopped = build.outcome == Kind::Stopped;
    process.exitCode = build.outcome == Kind::Built ? 0 : 1;
    BuildOutcome outcome = outcomeOfLog(file, build.package, process);
    if (outcome.kind == Kind::Failed && outcome.cause == BuildOutcome::Cause::None)
        outcome.kind = build.outcome;
    return outcome;
}

void fetchInWorker(Promise &promise, const BuildRecord &build, const QString &host, const QString &file)
{
    const auto tell = [&promise, known = qint64(-1)](qint64 came, qint64 all) mutable {
        if (std::exchange(known, all) != all) // It begins the progress again.
            promise.setProgressRange(0, int(all >> 10));
        promise.setProgressValue(int(came >> 10));
    };
    const Result<void> fetched = fetchTeamLog(build, host, file, tell, [&promise] { return promise.isCanceled(); });
    promise.addResult(fetched ? Result<BuildOutcome>(outcomeOfTeamLog(build, file)) : fetched.error());
}

} // namespace

TeamLogController::TeamLogController(BuildConsole *console, QObject *parent)
    : QObject(parent)
    , m_console(console)
{
    m_pool.setMaxThreadCount(1); // Two never write the same file.
    connect(&m_fetching, &QFutureWatcherBase::finished, this, &TeamLogController::take);
}

TeamLogPage *TeamLogController::page()
{
    if (m_page)
        return m_page;
    m_page = m_console->teamLog();
    connect(m_page, &TeamLogPage::fetchRequested, this, &TeamLogController::fetch);
    connect(m_page, &TeamLogPage::stopRequested, this, [this] { m_fetching.cancel(); });
    connect(&m_fetching, &QFutureWatcherBase::progressValueChanged, m_page, [this](int came) {
        if (m_fetching.isRunning())
            m_page->setProgress(came, m_fetching.progressMaximum());
    });
    return m_page;
}

TeamLogController::~TeamLogController()
{
    m_fetching.cancel();
    m_pool.waitForDone();
}

void TeamLogController::leave()
{
    m_build = {};
    m_fetching.cancel();
}

QString TeamLogController::fileOf(const BuildRecord &build) const
{
    return m_folder.filePath(build.job + u".log"_s);
}

void TeamLogController::show(const BuildRecord &build, const BranchSnapshot *shown)
{
    if (build.job == m_build.job)
        return; // The page keeps its progress, and the log its place.
    leave();
    m_build = build;
    if (const auto fetched = m_fetched.constFind(build.job); fetched != m_fetched.constEnd())
        return showLog(*fetched);
    page()->setFetching(false);
    page()->setBuild(build, hostOf(build.machine));
    if (const VariantEntry *entry = shown ? shown->find(build.variant) : nullptr; entry && entry->present) {
        const bool asBuilt = shownIdentities(*shown, *entry).contains(build.blob);
        if (asBuilt || build.branch == shown->branch)
            page()->setRecipe(entry->text, asBuilt);
    }
    m_console->showTeamLog();
}

void TeamLogController::fetch(const QString &host)
{
    m_host = host;
    page()->setProblem({});
    page()->setFetching(true);
    m_fetching.setFuture(QtConcurrent::run(&m_pool, fetchInWorker, m_build, host, fileOf(m_build)));
}

void TeamLogController::take()
{
    if (m_build.job.isEmpty())
        return;
    page()->setFetching(false);
    if (m_fetching.isCanceled() || m_fetching.future().resultCount() == 0)
        return;
    const Result<BuildOutcome> outcome = m_fetching.result();
    if (!outcome)
        return page()->setProblem(outcome.error().sentence());
    QSettings().setValue(hostKey(m_build.machine), m_host);
    m_fetched.insert(m_build.job, *outcome);
    showLog(*outcome);
}

void TeamLogController::showLog(const BuildOutcome &outcome)
{
    m_console->startBuild(m_build.package);
    m_console->showLog(fileOf(m_build));
    BuildState state;
    if (outcome.kind != BuildOutcome::Kind::Stopped)
        state.phase = outcome.kind == BuildOutcome::Kind::Built ? BuildState::Phase::Built : BuildState::Phase::Failed;
    m_console->setState(state);
    m_console->setOutcome(outcome, false);
}

} // namespace tmx
