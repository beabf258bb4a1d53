// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/OverviewController.h"

#include "app/window/RecentRepositories.h"
#include "model/fleet/PinDates.h"
#include "model/matrix/OverviewModel.h"
#include "model/snapshot/BranchSource.h"
#include "model/snapshot/DiskCache.h"
#include "model/snapshot/PinUses.h"
#include "model/workspace/Workspace.h"
#include "views/overview/OverviewPanel.h"
#include "views/start/StartPage.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

OverviewController::OverviewController(Workspace *workspace, JobWatch *jobs, StartPage *start, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_start(start)
    , m_window(window)
    , m_model(new OverviewModel(this))
    , m_stop(std::make_shared<std::atomic_bool>(false))
{
    m_pool.setMaxThreadCount(1);
    const auto refreshShown = [this] {
        if ((m_startPanel && m_startPanel->isVisible()) || (m_panel && m_panel->isVisible()))
            refresh();
    };
    connect(&m_watcher, &PathWatcher::moved, this, refreshShown);
    connect(jobs, &JobWatch::changed, &m_watcher, &PathWatcher::moveSoon);
    connect(workspace, &Workspace::opened, this, refreshShown);
}

OverviewController::~OverviewController()
{
    *m_stop = true;
    *ahead().stop = true;
    m_pool.waitForDone();
}

OverviewController::Ahead &OverviewController::ahead()
{
    static Ahead ahead;
    return ahead;
}

void OverviewController::readAhead()
{
    if (knownRepositories().isEmpty())
        return;
    WorkHooks hooks;
    hooks.stop = [stop = ahead().stop] { return stop->load(); };
    // Ends where the cache lacks a branch: reading one takes long, and shows its progress.
    const auto none = []() -> Result<std::shared_ptr<const Catalog>> { return Error(); };
    ahead().read = QtConcurrent::run([none, hooks] { return read(none, hooks, {}); });
}

Result<OverviewController::Seen> OverviewController::read(const Load &catalog, const WorkHooks &hooks,
                                                          const std::function<void(const Fleet &)> &early)
{
    TM_TRY(fleet, readFleet(catalog, knownRepositories(), DiskCache::forUser(u"branches"_s), hooks, early));
    Seen seen{std::move(fleet).value(), {}, {}};
    seen.fleet.coverage = torchCoverage(seen.fleet);
    for (const QString &repository : seen.fleet.repositories)
        seen.watchPaths += watchPathsOf({BranchSource::Kind::WorkTree, {}, {}, {}, repository});
    QStringList revisions;
    for (const FleetBranch &branch : seen.fleet.branches)
        revisions += revisionsOf(branch.summary->pins);
    revisions.removeDuplicates();
    seen.pinDates = pinDates(seen.fleet.repositories, revisions);
    return seen;
}

OverviewPanel *OverviewController::makePanel()
{
    auto *panel = new OverviewPanel(m_model);
    connect(panel, &OverviewPanel::opened, this, &OverviewController::openRequested);
    connect(panel, &OverviewPanel::addRequested, this, [this, panel] { addRepositories(panel); });
    connect(panel, &OverviewPanel::removeRequested, this, [this](const QStringList &repositories) {
        for (const QString &repository : repositories)
            forgetRepository(repository);
        refresh();
    });
    return panel;
}

void OverviewController::open()
{
    if (!m_panel) {
        // A separate window, so that it stays beside the grid.
        m_panel.reset(makePanel());
        m_panel->setWindowFlag(Qt::Window);
        m_panel->setObjectName(u"overview"_s);
        m_panel->resize(m_window->size());
    }
    m_panel->show();
    m_panel->raise();
    m_panel->activateWindow();
    m_panel->filter()->setFocus();
    refresh();
}

void OverviewController::refreshStart()
{
    const bool any = !knownRepositories().isEmpty();
    if (any && !m_startPanel)
        m_start->addOverview(m_startPanel = makePanel());
    m_start->showOverview(any);
    if (any)
        refresh();
}

void OverviewController::onPanels(const std::function<void(OverviewPanel *)> &function) const
{
    if (m_startPanel)
        function(m_startPanel);
    if (m_panel)
        function(m_panel.get());
}

void OverviewController::refresh()
{
    if (m_busy) {
        m_again = true;
        return;
    }
    m_busy = true;
    m_again = false;
    const auto tellReading = [this](const QString &progress) {
        onPanels([&progress](OverviewPanel *panel) { panel->setReading(progress); });
    };
    tellReading(tr("Reading the branches\u2026"));
    const quint64 generation = ++m_generation;
    WorkHooks hooks;
    hooks.stop = [stop = m_stop] { return stop->load(); };
    hooks.progress = [self = QPointer(this), generation, tellReading](int done, int total) {
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, generation, tellReading, done, total] {
            if (self && self->m_busy && generation == self->m_generation)
                tellReading(tr("Reading the branches: %1 of %2").arg(done).arg(total));
        });
    };
    std::function<void(const Fleet &)> early; // rows that are shown already stay until all are read
    if (m_model->rowCount() == 0) {
        early = [self = QPointer(this), generation](Fleet known) {
            known.coverage = torchCoverage(known);
            QMetaObject::invokeMethod(QCoreApplication::instance(), [self, generation, known] {
                if (self && self->m_busy && generation == self->m_generation)
                    self->m_model->setFleet(std::make_shared<const Fleet>(known));
            });
        };
    }
    QFuture<Result<Seen>> reading = std::exchange(ahead().read, {});
    const bool wasAhead = reading.isValid();
    if (!wasAhead)
        reading = QtConcurrent::run(&m_pool, [catalog = m_workspace->catalog(), hooks, early] {
            return read([&catalog]() -> Result<std::shared_ptr<const Catalog>> { return catalog; }, hooks, early);
        });
    reading.then(this, [this, wasAhead](const Result<Seen> &seen) {
        // Queued: if the read ended before this is attached, Qt would call it immediately.
        QMetaObject::invokeMethod(
            this,
            [this, seen, wasAhead] {
                if (seen || !wasAhead)
                    return take(seen);
                m_busy = false;
                refresh();
            },
            Qt::QueuedConnection);
    });
}

void OverviewController::take(const Result<Seen> &seen)
{
    m_busy = false;
    if (!seen) {
        onPanels([&seen](OverviewPanel *panel) {
            panel->setState({});
            panel->setProblem(seen.error().sentence());
        });
    } else if (!seen->fleet.stopped) {
        m_watcher.setPaths(seen->watchPaths);
        QHash<QString, BranchTips> tips;
        for (const QString &repository : seen->fleet.repositories)
            tips.insert(repository, seenTips(repository));
        m_model->setFleet(std::make_shared<const Fleet>(seen->fleet), seen->pinDates, tips);
        QStringList troubles, unreadable;
        for (const FleetTrouble &trouble : seen->fleet.troubles) {
            troubles.append(trouble.sentence());
            if (trouble.branch.isEmpty())
                unreadable.append(trouble.repository);
        }
        onPanels([&](OverviewPanel *panel) {
            panel->setProblem(troubles.join(u'\n'), unreadable);
            panel->setState(m_model->summary());
        });
    }
    if (m_again)
        refresh();
    else
        Q_EMIT settled();
}

void OverviewController::addRepositories(QWidget *parent)
{
    auto *dialog = new QFileDialog(parent, tr("Folder with build repositories"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) {
        QtConcurrent::run(repositoriesBelow, folder).then(this, [this](const Result<QStringList> &found) {
            const QString problem = !found             ? found.error().sentence()
                                    : found->isEmpty() ? tr("There is no repository with a .flox folder in it.")
                                                       : QString();
            if (!problem.isEmpty())
                return onPanels([&problem](OverviewPanel *panel) { panel->setProblem(problem); });
            tmx::addRepositories(*found);
            refresh();
        });
    });
    dialog->open();
}

} // namespace tmx
