// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/BuildController.h"

#include "app/controllers/TeamLogController.h"
#include "model/base/Preferences.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/builds/Estimate.h"
#include "model/builds/PublishPlan.h"
#include "model/builds/QueueCounts.h"
#include "model/builds/QueueModel.h"
#include "model/builds/RetriedBuilds.h"
#include "model/builds/VerifyBuild.h"
#include "model/fleet/KnownRepositories.h"
#include "model/history/BuildHistory.h"
#include "model/job/RunningBuilds.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/DependentReading.h"
#include "model/workspace/Workspace.h"
#include "views/console/BuildConsole.h"
#include "views/queue/BuildDialog.h"
#include "views/queue/QueueView.h"
#include "views/widgets/Message.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSettings>
#include <QtConcurrent>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The last Slurm options that the user chose.
SlurmWish rememberedSlurm()
{
    const QSettings settings;
    return {settings.value(u"slurm/partition"_s).toString(), settings.value(u"slurm/constraint"_s).toString(),
            settings.value(u"slurm/minutes"_s).toInt(), settings.value(u"slurm/atOnce"_s).toInt(),
            settings.value(u"slurm/options"_s).toStringList()};
}

void remember(const SlurmWish &wish)
{
    QSettings settings;
    settings.setValue(u"slurm/partition"_s, wish.partition);
    settings.setValue(u"slurm/constraint"_s, wish.constraint);
    settings.setValue(u"slurm/minutes"_s, wish.minutes);
    settings.setValue(u"slurm/atOnce"_s, wish.atOnce);
    settings.setValue(u"slurm/options"_s, wish.options);
}

/// Default options of builds, unless a request has others.
BuildWish usualWish()
{
    const Preferences preferences = Preferences::load();
    BuildWish wish;
    wish.engine = engineNamed(preferences.engine);
    wish.cores = preferences.cores;
    wish.place = placeNamed(preferences.place).value_or(Place());
    if (wish.place.kind == Place::Kind::Slurm)
        wish.slurm = rememberedSlurm();
    return wish;
}

/// The same for builds in the user's working tree, which is on this machine.
BuildWish usualWishHere()
{
    BuildWish wish = usualWish();
    wish.here = true;
    wish.place = {};
    wish.slurm = {};
    return wish;
}

void addDependents(BuildPlan &plan, const DependentBuilds &builds)
{
    plan.dependents = builds.jobs;
    plan.leftOut = builds.notes + builds.troubles;
    for (const QString &warning : builds.warnings) {
        if (std::ranges::find(plan.items, warning, &PreflightItem::sentence) == plan.items.end())
            plan.items.append({u"dependents"_s, false, warning});
    }
}

} // namespace

BuildController::BuildController(Workspace *workspace, MatrixModel *matrix, const Views &views, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_matrix(matrix)
    , m_views(views)
    , m_watch(new JobWatch(stateFolder(), this))
    , m_model(new QueueModel(this))
    , m_teamLog(new TeamLogController(views.console, this))
{
    views.queue->setModel(m_model);
    connect(m_watch, &JobWatch::changed, this, &BuildController::takeSeen);
    connect(m_watch, &JobWatch::changed, this, &BuildController::serveAgain);
    connect(workspace, &Workspace::snapshotChanged, this, [this] {
        m_watch->setSnapshot(m_workspace->snapshot());
        showStates();
    });
    connect(workspace->operations(), &Operations::applied, this, [this](OperationId id) {
        if (id != m_staging)
            return;
        m_staging = 0;
        plan({m_workspace->snapshot(), {.names = {m_staged}, .wish = usualWishHere()}});
    });
    connect(workspace->operations(), &Operations::failed, this, [this](OperationId id, const Error &error) {
        if (id != m_staging)
            return;
        m_staging = 0;
        tellRunning();
        Q_EMIT refused(error.sentence());
    });
    connect(views.console, &BuildConsole::stopRequested, this, &BuildController::stop);
    connect(views.console, &BuildConsole::killRequested, this,
            [this] { change([id = m_followed](Queue &queue) { return queue.stop({id}, Queue::Stop::Kill); }); });
    connect(views.console, &BuildConsole::retryRequested, this, [this] {
        m_chosen = false;
        retry({m_followed});
    });
    connect(views.queue, &QueueView::shown, this, [this](const QString &id) {
        m_chosen = true;
        follow(id);
    });
    connect(views.queue, &QueueView::pauseRequested, this, [this](bool pause) {
        change([pause](Queue &queue) {
            return queue.change([pause](QueueContents &contents) {
                contents.paused = pause;
                contents.pausedBy.clear();
            });
        });
    });
    connect(views.queue, &QueueView::parallelRequested, this, [this](int builds) {
        change([builds](Queue &queue) {
            return queue.change([builds](QueueContents &contents) { contents.setParallel(builds); });
        });
    });
    connect(views.queue, &QueueView::stopAtFailureRequested, this, [this](bool stop) {
        change([stop](Queue &queue) {
            return queue.change([stop](QueueContents &contents) { contents.stopAtFailure = stop; });
        });
    });
    connect(views.queue, &QueueView::stopAllRequested, this, &BuildController::stopAll);
    connect(views.queue, &QueueView::stopRequested, this, &BuildController::stopJobs);
    connect(views.queue, &QueueView::moveRequested, this, [this](const QStringList &ids, const QString &before) {
        change([ids, before](Queue &queue) { return queue.move(ids, before); });
    });
    connect(views.queue, &QueueView::retryRequested, this, &BuildController::retry);
}

BuildController::~BuildController()
{
    *m_stopPlan = true;
    m_planners.waitForDone();
}

void BuildController::build(const QStringList &names)
{
    QStringList allowed;
    QStringList refusals;
    for (const QString &name : names) {
        const VariantEntry entry = m_matrix->entryOf(name);
        if (const ActionState state = actionsFor(*m_workspace->snapshot(), entry).build; state.enabled)
            allowed.append(name);
        else if (entry.present || names.size() == 1)
            refusals.append(tr("%1: %2", "variant, why it cannot be built").arg(name, state.reason));
    }
    if (!refusals.isEmpty())
        Q_EMIT refused(shortList(refusals));
    else if (allowed.isEmpty() && !names.isEmpty())
        Q_EMIT refused(tr("None of the selected cells has a recipe."));
    // Build what is on the screen: a recipe with uncommitted changes is built from the working tree.
    if (allowed.size() == 1 && m_workspace->snapshot()->checkedOut &&
        hasUnbuiltChanges(m_matrix->entryOf(allowed.constFirst())))
        return buildHere(allowed.constFirst());
    if (!allowed.isEmpty())
        plan({m_workspace->snapshot(), {.names = allowed, .wish = usualWish()}});
}

void BuildController::buildAll(BuildSelection selection)
{
    plan({m_workspace->snapshot(), {.selections = {selection}, .wish = usualWish()}});
}

void BuildController::buildWithOptions(const QStringList &names)
{
    plan({m_workspace->snapshot(), {.names = names, .wish = usualWish()}, true});
}

void BuildController::buildWithDependents(const QStringList &names)
{
    plan({m_workspace->snapshot(), {.names = names, .wish = usualWish(), .withDependents = true}, true});
}

int BuildController::count(BuildSelection selection) const
{
    const JobsSeen *seen = seenOfShown();
    return seen ? int(selectBuilds(*seen->snapshot, seen->states, selection).size()) : 0;
}

QStringList BuildController::unpublished() const
{
    const JobsSeen *seen = seenOfShown();
    return seen ? tmx::unpublished(*seen->snapshot, seen->states) : QStringList();
}

/// nullptr until the jobs of the shown branch are read.
const JobsSeen *BuildController::seenOfShown() const
{
    const JobsSeen *seen = m_watch->seen().get();
    return seen->snapshot && seen->snapshot == m_workspace->snapshot() ? seen : nullptr;
}

void BuildController::buildHere(const QString &name)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    if (!snapshot.checkedOut) {
        Q_EMIT refused(tr("Branch %1 is not checked out. Build its commit instead.").arg(snapshot.branch));
        return;
    }
    if (m_staging)
        return;
    m_staged = name;
    m_staging = m_workspace->operations()->perform(snapshot.repository, StageRequest{{name}});
    tellRunning();
}

void BuildController::plan(const Asked &asked)
{
    ++m_queueing;
    tellRunning();
    QtConcurrent::run(&m_planners, [catalog = m_workspace->catalog(), state = m_watch->state(), probe = m_probe,
                                    asked] {
        BuildPlan plan = planBuilds(*catalog, *asked.snapshot, state, asked.request, {.probe = probe});
        return asked.always || !plan.isSound() ? withEstimate(plan, *catalog, asked, state) : plan;
    }).then(this, [this, asked](const BuildPlan &plan) { takePlan(asked, plan); });
}

/// With the time that the builds take on this machine. For workers.
BuildPlan BuildController::withEstimate(BuildPlan plan, const Catalog &catalog, const Asked &asked,
                                        const QString &state)
{
    if (!asked.request.wish.place.isHere() || plan.wanted.jobs.isEmpty())
        return plan;
    const PreflightProbes machine = probeBuilders(asked.request.wish);
    EstimateRequest request{.builds = asked.request};
    const Estimate estimate = estimateBuilds(catalog, *asked.snapshot, state, request, machine);
    plan.estimate = joinedSentences({summaryOf(estimate), othersText(estimate)});
    request.dependents = plan.dependents;
    if (!plan.dependents.isEmpty())
        plan.dependentsEstimate = summaryOf(estimateBuilds(catalog, *asked.snapshot, state, request, machine));
    return plan;
}

void BuildController::takePlan(const Asked &asked, const BuildPlan &plan)
{
    --m_queueing;
    if (plan.wanted.jobs.isEmpty() && plan.isSound())
        Q_EMIT told(tr("Nothing to build on %1.").arg(asked.snapshot->branch));
    else if (asked.always || !plan.isSound())
        openDialog(asked, plan);
    else
        queue(plan);
    if (!plan.uncommitted.isEmpty() && !m_dialog)
        Q_EMIT told(tr("Building the working tree with its uncommitted changes: %1.").arg(shortList(plan.uncommitted)));
    tellRunning();
}

void BuildController::openDialog(const Asked &asked, const BuildPlan &plan)
{
    delete m_dialog;
    BuildRequest request = asked.request;
    request.wish.slurm = rememberedSlurm();
    m_dialog = new BuildDialog(request, plan, m_views.console->window());
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &BuildDialog::requestChanged, this, [this, asked] { planForDialog(asked); });
    connect(m_dialog, &QDialog::finished, this, [this] { *m_stopPlan = true; });
    connect(m_dialog, &QDialog::accepted, this, [this] {
        if (const BuildWish &wish = m_dialog->request().wish; wish.place.kind == Place::Kind::Slurm)
            remember(wish.slurm);
        queue(m_dialog->plan());
    });
    m_dialog->open();
}

/// The plan of the dialog's request. Reading the repositories of dependents ends when another plan is requested.
void BuildController::planForDialog(const Asked &asked)
{
    *m_stopPlan = true;
    m_stopPlan = std::make_shared<std::atomic_bool>(false);
    QtConcurrent::run(&m_planners, [catalog = m_workspace->catalog(), state = m_watch->state(), probe = m_probe,
                                    stop = m_stopPlan, repositories = knownRepositories(),
                                    now = Asked{asked.snapshot, m_dialog->request(), asked.always}] {
        BuildPlan plan = planBuilds(*catalog, *now.snapshot, state, now.request, {.probe = probe});
        if (now.request.withDependents && !plan.wanted.jobs.isEmpty()) {
            const auto dependents =
                readDependentBuilds(catalog, repositories, plan.wanted.jobs, now.request.wish, Queue(state), probe,
                                    WorkHooks{{}, [stop] { return stop->load(); }});
            if (!dependents)
                plan.leftOut.append(dependents.error().sentence());
            else
                addDependents(plan, *dependents);
        }
        return withEstimate(plan, *catalog, now, state);
    }).then(this, [this, planned = ++m_planned](const BuildPlan &plan) {
        if (m_dialog && planned == m_planned)
            m_dialog->setPlan(plan);
    });
}

void BuildController::queue(const BuildPlan &plan)
{
    ++m_queueing;
    tellRunning();
    QtConcurrent::run([state = m_watch->state(), plan]() -> Result<QList<QueuedJob>> {
        Queue queue(state);
        Result<QList<QueuedJob>> queued = queue.add(plan.wanted.jobs + plan.dependents, plan.wanted.again);
        if (!queued)
            return queued;
        TM_CHECK(queue.wake());
        return queued;
    }).then(this, [this](const Result<QList<QueuedJob>> &queued) { takeQueued(queued); });
}

void BuildController::takeQueued(const Result<QList<QueuedJob>> &queued)
{
    --m_queueing;
    m_chosen = false;
    m_watch->lookSoon();
    if (!queued)
        Q_EMIT refused(queued.error().sentence());
    else if (const QString summary = summaryOf(*queued); !summary.isEmpty())
        Q_EMIT told(summary);
    tellRunning();
}

bool BuildController::show(const QString &job)
{
    if (!m_watch->seen()->find(job))
        return false;
    m_chosen = true;
    follow(job);
    return true;
}

void BuildController::showPast(const BuildRecord &build)
{
    if (show(build.job))
        return;
    m_chosen = true;
    m_followed.clear();
    m_teamLog->show(build, m_workspace->snapshot().get());
}

void BuildController::proposePast(const BuildRecord &build)
{
    showPast(build);
    m_chosen = false; // a build that runs is shown instead
}

void BuildController::copyErrors(const QString &job)
{
    const JobRecord *record = m_watch->seen()->find(job);
    if (record && record->outcome)
        QGuiApplication::clipboard()->setText(record->outcome->build.lastErrors.join(u'\n'));
}

void BuildController::serveAgain()
{
    if (m_serving || m_watch->seen()->queue.waiting.isEmpty() || m_watch->seen()->queue.paused)
        return;
    m_serving = true;
    QtConcurrent::run([state = m_watch->state(), seen = m_watch->seen()] {
        const Queue queue(state);
        return queue.isAbandoned(seen->jobs) ? queue.wake() : Result<void>();
    }).then(this, [this](const Result<void> &woken) {
        m_serving = false;
        if (!woken)
            Q_EMIT refused(woken.error().sentence());
    });
}

void BuildController::change(const std::function<Result<void>(Queue &)> &change)
{
    QtConcurrent::run([state = m_watch->state(), change] {
        Queue queue(state);
        const Result<void> changed = change(queue);
        return changed ? queue.wake() : changed;
    }).then(this, [this](const Result<void> &changed) {
        m_watch->lookSoon();
        if (!changed)
            Q_EMIT refused(changed.error().sentence());
    });
}

void BuildController::verify(const QString &name)
{
    Q_EMIT told(tr("Verifying %1\u2026").arg(name));
    QtConcurrent::run([catalog = m_workspace->catalog(), snapshot = m_workspace->snapshot(),
                       entry = m_matrix->entryOf(name)]() -> Result<VerifiedBuild> {
        TM_TRY(history, BuildHistory::open());
        return verifyBuild(*catalog, *snapshot, entry, *history);
    }).then(this, [this, name](const Result<VerifiedBuild> &result) {
        if (!result) {
            Q_EMIT refused(tr("Could not verify %1: %2.", "variant, why").arg(name, result.error().why));
            return;
        }
        QStringList failed, all;
        for (const VerifyCheck &check : result->verification.checks) {
            all.append(check.sentence.simplified());
            if (check.state == VerifyCheck::State::Failed)
                failed.append(all.constLast());
        }
        if (!failed.isEmpty())
            Q_EMIT refused(tr("%1 is not what its name says: %2").arg(name, failed.join(u' ')));
        else if (result->verification.passed())
            Q_EMIT told(tr("%1 is what its name says: %2").arg(name, all.join(u' ')));
        else
            Q_EMIT told(tr("It is unknown whether %1 is what its name says. %2")
                            .arg(name, result->verification.whyNotImported));
        Q_EMIT verified();
    });
}

void BuildController::retry(const QStringList &ids)
{
    QtConcurrent::run([state = m_watch->state(), seen = m_watch->seen(), ids,
                       catalog = m_workspace->catalog()]() -> Result<QString> {
        QList<JobRecord> ended;
        for (const QString &id : ids) {
            if (const JobRecord *record = seen->find(id); record && !record->isActive())
                ended.append(*record);
        }
        const RetriedBuilds again = retriedBuilds(catalog, ended, seen->jobs, RetryChoice::Named);
        Queue queue(state);
        TM_TRY(queued, queue.add(again.jobs, Again::Failed));
        TM_CHECK(queue.wake());
        // What is queued is in the list.
        queued->removeIf([](const QueuedJob &one) { return one.what == QueuedJob::What::Queued; });
        return joinedSentences({again.currentText(), summaryOf(*queued)});
    }).then(this, [this](const Result<QString> &done) {
        m_watch->lookSoon();
        if (!done)
            Q_EMIT refused(done.error().sentence());
        else if (!done->isEmpty())
            Q_EMIT told(*done);
    });
}

void BuildController::takeSeen()
{
    const std::shared_ptr<const JobsSeen> seen = m_watch->seen();
    m_model->setSeen(seen);
    m_views.queue->setContents(seen->queue);
    showStates();
    // The console stays with a build until it has ended and another one runs.
    const JobRecord *followed = seen->find(m_followed);
    const bool over = !followed || !followed->isActive();
    for (const JobRecord &record : seen->jobs) {
        const bool runs = record.phase == JobPhase::Running || record.phase == JobPhase::Stopping;
        if (runs && over && !m_chosen && (m_over || !followed)) {
            follow(record.job.id);
            break;
        }
    }
    if (followed && followed->isActive() && followed->job.id == m_followed) {
        m_views.console->setState(seen->progress.value(m_followed, BuildState{BuildState::Phase::Queued}));
    } else if (followed && followed->outcome && followed->job.id == m_followed && !m_over) {
        showEnd(followed->outcome->build);
        m_workspace->refresh(); // read what the build changed in the working tree
        Q_EMIT ended(followed->outcome->build);
    }
    tellRunning();
}

void BuildController::follow(const QString &id)
{
    const JobRecord *record = m_watch->seen()->find(id);
    if (!record || id == m_followed)
        return;
    m_followed = id;
    m_over = false;
    m_teamLog->leave();
    m_views.console->startBuild(record->job.package);
    m_views.console->showLog(record->folder.logFile());
    if (record->isActive()) {
        m_views.console->setState(m_watch->seen()->progress.value(id, BuildState{BuildState::Phase::Queued}));
    } else if (record->outcome) {
        showEnd(record->outcome->build);
    }
}

void BuildController::showEnd(const BuildOutcome &outcome)
{
    using Kind = BuildOutcome::Kind;
    m_over = true;
    BuildState state;
    if (outcome.kind != Kind::Stopped && outcome.kind != Kind::FloxMissing)
        state.phase = outcome.kind == Kind::Built ? BuildState::Phase::Built : BuildState::Phase::Failed;
    m_views.console->setState(state);
    m_views.console->setOutcome(outcome);
}

void BuildController::showStates()
{
    const std::shared_ptr<const BranchSnapshot> &shown = m_matrix->snapshot();
    if (!shown)
        return;
    const JobsSeen &seen = *m_watch->seen();
    const QHash<QString, BuildState> &states = seen.snapshot == shown ? seen.states : m_workspace->builds();
    QHash<QString, BuildState> all; // includes variants without a build
    for (const VariantEntry &entry : shown->entries) {
        const QString name = entry.variant.name();
        all.insert(name, states.value(name));
    }
    m_matrix->setBuildStates(all);
}

void BuildController::stop()
{
    QStringList ids{m_followed};
    const JobRecord *followed = m_watch->seen()->find(m_followed);
    if (!followed || !followed->isActive()) {
        ids.clear();
        for (const JobRecord &record : m_watch->seen()->jobs) {
            if (record.phase == JobPhase::Running)
                ids.append(record.job.id);
        }
    }
    stopJobs(ids);
}

void BuildController::stopJobs(const QStringList &ids)
{
    constexpr qint64 shortest = 10 * 60; ///< in seconds: so much work is lost without a question
    const qint64 longest = longestRun(*m_watch->seen(), ids, QDateTime::currentDateTimeUtc());
    const auto stopNow = [this, ids] {
        m_chosen |= ids.contains(m_followed); // the next build does not take the console from it
        change([ids](Queue &queue) { return queue.stop(ids); });
    };
    if (longest < shortest)
        return stopNow();
    ask(m_views.queue,
        {tr("Stop the build"), tr("It has run for %1, and that work is lost.").arg(roughTimeText(longest)), tr("Stop"),
         true},
        this, stopNow);
}

void BuildController::stopAll()
{
    QStringList ids;
    qsizetype running = 0;
    for (const JobRecord &record : m_watch->seen()->jobs) {
        if (!record.isActive())
            continue;
        ids.append(record.job.id);
        running += record.phase != JobPhase::Waiting;
    }
    if (ids.isEmpty())
        return;
    ask(m_views.queue,
        {tr("Stop all builds"),
         tr("Running builds: %1. Waiting builds: %2. The work of the running builds is lost.")
             .arg(running)
             .arg(ids.size() - running),
         tr("Stop all"), true},
        this, [this, ids] { change([ids](Queue &queue) { return queue.stop(ids); }); });
}

void BuildController::tellRunning()
{
    if (std::exchange(m_wasRunning, isRunning()) != m_wasRunning)
        Q_EMIT runningChanged();
}

int BuildController::activeCount() const
{
    const BranchSnapshot *shown = m_workspace->snapshot().get();
    int count = 0;
    for (const JobRecord &record : m_watch->seen()->jobs)
        count += record.isActive() && shown && record.job.repository == shown->repository;
    return count;
}

bool BuildController::isRunning() const
{
    return m_staging || m_queueing > 0 || activeCount() > 0;
}

Job BuildController::shownJob() const
{
    const JobRecord *followed = m_watch->seen()->find(m_followed);
    return followed ? followed->job : Job();
}

QString BuildController::package() const
{
    return shownJob().package;
}

} // namespace tmx
