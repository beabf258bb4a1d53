// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/OverviewController.h"

#include "model/fleet/KnownRepositories.h"
#include "model/fleet/PinDates.h"
#include "model/matrix/OverviewModel.h"
#include "model/snapshot/BranchSource.h"
#include "model/snapshot/DiskCache.h"
#include "model/workspace/Workspace.h"
#include "views/overview/OverviewPanel.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

OverviewController::OverviewController(Workspace *workspace, JobWatch *jobs, QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_window(window)
    , m_model(new OverviewModel(this))
    , m_stop(std::make_shared<std::atomic_bool>(false))
{
    m_pool.setMaxThreadCount(1);
    const auto refreshShown = [this] {
        if (m_panel && m_panel->isVisible())
            refresh();
    };
    connect(&m_watcher, &PathWatcher::moved, this, refreshShown);
    connect(jobs, &JobWatch::changed, &m_watcher, &PathWatcher::moveSoon);
    connect(workspace, &Workspace::opened, this, refreshShown);
}

OverviewController::~OverviewController()
{
    *m_stop = true;
    m_pool.waitForDone();
}

void OverviewController::makePanel()
{
    // A separate window, so that it stays beside the grid.
    m_panel = std::make_unique<OverviewPanel>(m_model);
    m_panel->setWindowFlag(Qt::Window);
    m_panel->setObjectName(u"overview"_s);
    m_panel->resize(m_window->size());
    connect(m_panel.get(), &OverviewPanel::opened, this, &OverviewController::openRequested);
    connect(m_panel.get(), &OverviewPanel::addRequested, this, &OverviewController::addRepositories);
    connect(m_panel.get(), &OverviewPanel::removeRequested, this, [this](const QString &repository) {
        forgetRepository(repository);
        refresh();
    });
}

void OverviewController::open()
{
    if (!m_panel)
        makePanel();
    m_panel->show();
    m_panel->raise();
    m_panel->activateWindow();
    m_panel->filter()->setFocus();
    refresh();
}

void OverviewController::refresh()
{
    if (m_busy) {
        m_again = true;
        return;
    }
    m_busy = true;
    m_again = false;
    m_panel->setReading(tr("Reading the branches\u2026"));
    const quint64 generation = ++m_generation;
    WorkHooks hooks;
    hooks.stop = [stop = m_stop] { return stop->load(); };
    hooks.progress = [self = QPointer(this), generation](int done, int total) {
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, generation, done, total] {
            if (self && self->m_busy && generation == self->m_generation)
                self->m_panel->setReading(tr("Reading the branches: %1 of %2").arg(done).arg(total));
        });
    };
    QtConcurrent::run(&m_pool,
                      [catalog = m_workspace->catalog(), paths = knownRepositories(), hooks]() -> Result<Seen> {
                          const auto load = [&catalog]() -> Result<std::shared_ptr<const Catalog>> { return catalog; };
                          TM_TRY(fleet, readFleet(load, paths, DiskCache::forUser(u"branches"_s), hooks));
                          Seen seen{std::move(fleet).value(), {}, {}};
                          for (const QString &repository : seen.fleet.repositories)
                              seen.watchPaths += watchPathsOf({BranchSource::Kind::WorkTree, {}, {}, {}, repository});
                          QStringList revisions;
                          for (const FleetBranch &branch : seen.fleet.branches) {
                              for (const PinUse &pin : branch.summary->pins)
                                  revisions.append(pin.revision);
                          }
                          revisions.removeDuplicates();
                          seen.pinDates = pinDates(seen.fleet.repositories, revisions);
                          return seen;
                      })
        .then(this, [this](const Result<Seen> &seen) {
            // Queued: if the read ended before this is attached, Qt would call it immediately.
            QMetaObject::invokeMethod(this, [this, seen] { take(seen); }, Qt::QueuedConnection);
        });
}

void OverviewController::take(const Result<Seen> &seen)
{
    m_busy = false;
    if (!seen) {
        m_panel->setState({});
        m_panel->setProblem(seen.error().sentence());
    } else if (!seen->fleet.stopped) {
        m_watcher.setPaths(seen->watchPaths);
        m_model->setFleet(std::make_shared<const Fleet>(seen->fleet), seen->pinDates);
        QStringList troubles;
        for (const FleetTrouble &trouble : seen->fleet.troubles)
            troubles.append(trouble.sentence());
        m_panel->setProblem(troubles.join(u'\n'));
        m_panel->setState(m_model->summary());
    }
    if (m_again)
        refresh();
    else
        Q_EMIT settled();
}

void OverviewController::addRepositories()
{
    auto *dialog = new QFileDialog(m_panel.get(), tr("Folder with build repositories"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &folder) {
        QtConcurrent::run(repositoriesBelow, folder).then(this, [this](const Result<QStringList> &found) {
            if (!found)
                return m_panel->setProblem(found.error().sentence());
            if (found->isEmpty())
                return m_panel->setProblem(tr("There is no repository with a .flox folder in it."));
            tmx::addRepositories(*found);
            refresh();
        });
    });
    dialog->open();
}

} // namespace tmx
