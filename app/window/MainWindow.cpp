// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/MainWindow.h"

#include "app/controllers/AuditController.h"
#include "app/controllers/BranchController.h"
#include "app/controllers/BuildController.h"
#include "app/controllers/CompareController.h"
#include "app/controllers/GoToController.h"
#include "app/controllers/HardwareController.h"
#include "app/controllers/HistoryController.h"
#include "app/controllers/OverviewController.h"
#include "app/controllers/PastBuildsController.h"
#include "app/controllers/PlanController.h"
#include "app/controllers/PreferencesController.h"
#include "app/controllers/PublishController.h"
#include "app/controllers/RecipeActions.h"
#include "app/controllers/RecipeController.h"
#include "app/controllers/ScheduleController.h"
#include "app/controllers/SettingsController.h"
#include "app/controllers/StartController.h"
#include "app/controllers/UndoController.h"
#include "app/controllers/WorkController.h"
#include "app/window/Desktop.h"
#include "app/window/Menus.h"
#include "app/window/Notices.h"
#include "app/window/Panels.h"
#include "app/window/RecentRepositories.h"
#include "model/base/Preferences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/builds/Estimate.h"
#include "model/builds/QueueCounts.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixSlices.h"
#include "model/matrix/StateWords.h"
#include "model/snapshot/PinUses.h"
#include "model/workspace/Workspace.h"
#include "views/audit/AuditPage.h"
#include "views/audit/ProblemsView.h"
#include "views/console/BuildConsole.h"
#include "views/console/ConsoleView.h"
#include "views/grid/GridPanel.h"
#include "views/grid/PackageList.h"
#include "views/hardware/HardwarePanel.h"
#include "views/plan/PlanView.h"
#include "views/queue/BuildsView.h"
#include "views/queue/PastBuildsView.h"
#include "views/recipe/RecipePane.h"
#include "views/start/RepositoryBar.h"
#include "views/start/StartPage.h"
#include "views/widgets/Label.h"
#include "views/widgets/Message.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/ViewTabs.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QScreen>
#include <QSettings>
#include <QUrl>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

void tellCount(QAction *action, const QString &text, int count)
{
    action->setText(u"%1 (%2)"_s.arg(text).arg(count));
    action->setEnabled(count > 0);
}

} // namespace

MainWindow::MainWindow(const std::shared_ptr<const Catalog> &catalog, QWidget *parent)
    : QMainWindow(parent)
    , m_workspace(new Workspace(catalog, this))
    , m_matrix(new MatrixModel(catalog, this))
    , m_panels(std::make_unique<Panels>(this, catalog, m_matrix))
    , m_menus(std::make_unique<Menus>(this))
    , m_notices(new Notices(m_workspace, m_panels->notice, this))
{
    setSurface(Surface::Window);
    setWindowTitle(tr("Torch Matrix"));
    // The matrix first: other receivers of a new snapshot expect it in the grid.
    connect(m_workspace, &Workspace::snapshotChanged, this, &MainWindow::takeSnapshot);
    m_recipe = new RecipeController(m_workspace, m_matrix, m_panels->pane, this);
    m_hardware = new HardwareController(m_workspace, m_matrix, {m_panels->machine, m_panels->grid}, this);
    m_builds = new BuildController(m_workspace, m_matrix, {m_panels->console, m_panels->queue}, this);
    m_pastBuilds = new PastBuildsController(m_workspace, m_builds->watch(), m_panels->pastBuilds, this);
    auto *schedule = new ScheduleController(m_workspace, m_builds->watch(), m_panels->builds, this);
    connect(schedule, &ScheduleController::planned, this, [this](const std::shared_ptr<const Estimate> &estimate) {
        m_buildsEnd = estimate ? estimate->at(estimate->plan.seconds) : QDateTime();
        showBuilds();
    });
    connect(m_builds->watch(), &JobWatch::changed, this, &MainWindow::showBuilds);
    showBuilds();
    m_preferences = new PreferencesController(m_builds->watch(), this);
    m_desktop = new Desktop(m_builds->watch(), this);
    m_compare = new CompareController(m_workspace, this);
    m_history = new HistoryController(m_workspace, this);
    m_overview = new OverviewController(m_workspace, m_builds->watch(), m_panels->start, this);
    m_audit = new AuditController(m_workspace, m_matrix, m_recipe, m_panels->pane, m_notices, this);
    m_planning = new PlanController(m_workspace, m_panels->plan, m_notices, this);
    m_publish = new PublishController(m_workspace, this);
    m_settings = new SettingsController(m_workspace, m_panels->settings, this);
    m_work = new WorkController(m_workspace, m_notices, this);
    m_actions = new RecipeActions({m_workspace, m_matrix, m_notices, this}, this);
    m_start = new StartController(m_workspace, m_panels->start, this);
    new BranchController(m_workspace, m_notices, m_panels->head,
                         {m_menus->checkOut, m_menus->fetch, m_menus->push, m_menus->setUpstream, m_menus->pullRequest,
                          m_menus->pullBuilds, m_menus->pushBuilds},
                         this);
    new UndoController(m_workspace, m_notices, {m_menus->undo, m_menus->redo}, this);
    wireMenus();
    wireBuilds();
    wireWorkspace();
    wireGrid();
    wireRecipe();
    wireViews();
    wireWork();
    wireStart();
    wireFiles();
    updateActions();
    m_hardware->start();
    // No larger than the screen, which is small on the test platform.
    const QSize room =
        QGuiApplication::platformName() == u"offscreen"_s ? QSize(1280, 800) : screen()->availableSize() - QSize(0, 32);
    resize(QSize(1280, 800).boundedTo(room));
}

MainWindow::~MainWindow() = default;

void MainWindow::wireMenus()
{
    const Menus &menus = *m_menus;
    GridPanel *grid = m_panels->grid;
    menus.view->addActions({m_panels->recipeDock->toggleViewAction(), m_panels->machineDock->toggleViewAction()});
    connect(menus.open, &QAction::triggered, this, &MainWindow::askForRepository);
    connect(menus.recent, &QMenu::aboutToShow, this, &MainWindow::listRecent);
    connect(menus.refresh, &QAction::triggered, m_workspace, &Workspace::refresh);
    connect(menus.generate, &QAction::triggered, this, [this, grid] {
        grid->focusGrid(); // C commits there.
        m_actions->generate(grid->selectedNames());
    });
    m_recipe->setNext(menus.generateAll, menus.buildFailed, menus.buildMissing);
    connect(menus.generateAll, &QAction::triggered, m_actions, &RecipeActions::generateAllMissing);
    connect(menus.commit, &QAction::triggered, this, [this, grid] { m_actions->commit(grid->selectedNames()); });
    connect(menus.commitWithMessage, &QAction::triggered, this,
            [this, grid] { m_actions->commitWithMessage(grid->selectedNames()); });
    connect(menus.detect, &QAction::triggered, this, [this] {
        raisePanel(u"machine"_s);
        m_hardware->detect();
    });
    connect(menus.preferences, &QAction::triggered, m_preferences, &PreferencesController::open);
    connect(m_preferences, &PreferencesController::machinesChanged, m_hardware, &HardwareController::machinesChanged);
    connect(menus.resetLayout, &QAction::triggered, this, [this] { m_panels->resetLayout(); });
    connect(menus.filter, &QAction::triggered, grid, &GridPanel::focusFilter);
    const auto showLens = [this] {
        for (QAction *action : m_menus->lenses->actions()) {
            const auto lens = Lens(action->data().toInt());
            action->setEnabled(m_panels->grid->offers(lens));
            action->setChecked(lens == m_matrix->lens());
        }
    };
    connect(menus.lenses, &QActionGroup::triggered, this,
            [grid](const QAction *action) { grid->setLens(Lens(action->data().toInt())); });
    connect(m_matrix, &MatrixModel::lensChanged, this, showLens);
    connect(m_hardware, &HardwareController::detected, this, showLens);
    showLens();
    connect(menus.nextPart, &QAction::triggered, this, &MainWindow::focusNextPart);
    auto *goTo = new GoToController(m_workspace, m_panels->views, menuBar(), menus.goTo, this);
    connect(goTo, &GoToController::cellChosen, this, [this, grid](const QString &name) {
        raisePanel(u"grid"_s);
        selectCell(name);
        grid->focusGrid();
    });
    connect(goTo, &GoToController::repositoryChosen, this, [this](const QString &path) { openRepository(path); });
    connect(menus.compare, &QAction::triggered, this, [this] { compareBranches(); });
    connect(menus.history, &QAction::triggered, this, [this, grid] { m_history->open(grid->currentName()); });
}

void MainWindow::wireBuilds()
{
    const Menus &menus = *m_menus;
    GridPanel *grid = m_panels->grid;
    connect(menus.build, &QAction::triggered, this, [this, grid] { m_builds->build(grid->selectedNames()); });
    connect(menus.buildHere, &QAction::triggered, this, [this, grid] { m_builds->buildHere(grid->currentName()); });
    connect(menus.buildOptions, &QAction::triggered, this,
            [this, grid] { m_builds->buildWithOptions(grid->selectedNames()); });
    connect(menus.buildDependents, &QAction::triggered, this,
            [this, grid] { m_builds->buildWithDependents(grid->selectedNames()); });
    const std::pair<QAction *, BuildSelection> selections[] = {{menus.buildMissing, BuildSelection::Missing},
                                                               {menus.buildStale, BuildSelection::Stale},
                                                               {menus.buildFailed, BuildSelection::Failed},
                                                               {menus.buildAll, BuildSelection::All}};
    for (const auto &[action, selection] : selections) {
        connect(action, &QAction::triggered, this, [this, selection] { m_builds->buildAll(selection); });
        connect(menus.buildMenu, &QMenu::aboutToShow, action, [this, action, selection, text = action->text()] {
            tellCount(action, text, m_builds->count(selection));
        });
        connect(menus.buildMenu, &QMenu::aboutToHide, action, [action] { action->setEnabled(true); });
    }
    connect(menus.buildMenu, &QMenu::aboutToHide, menus.publishBuilt,
            [action = menus.publishBuilt] { action->setEnabled(true); });
    connect(menus.buildMenu, &QMenu::aboutToShow, menus.publishBuilt,
            [this, action = menus.publishBuilt, text = menus.publishBuilt->text()] {
                tellCount(action, text, int(m_builds->unpublished().size()));
            });
    connect(menus.publishBuilt, &QAction::triggered, this, [this] {
        const QStringList names = m_builds->unpublished();
        if (names.isEmpty())
            m_notices->information(tr("Nothing is built that is not published."));
        m_publish->open(names);
    });
    connect(menus.publish, &QAction::triggered, this, [this, grid] { m_publish->open(grid->selectedNames()); });
    connect(menus.stop, &QAction::triggered, m_builds, &BuildController::stop);
    connect(menus.stopAll, &QAction::triggered, m_builds, &BuildController::stopAll);
    connect(m_workspace, &Workspace::opened, m_pastBuilds, [this] {
        if (m_panels->builds->isVisible())
            m_pastBuilds->read();
    });
    connect(m_panels->builds, &BuildsView::appeared, m_pastBuilds, &PastBuildsController::read);
    connect(m_panels->builds, &BuildsView::buildRequested, m_menus->buildMissing, &QAction::trigger);
    connect(m_panels->builds, &BuildsView::gridRequested, this, [this, grid] {
        raisePanel(hasMatrix() ? u"grid"_s : u"packages"_s);
        grid->focusGrid();
    });
}

void MainWindow::wireWorkspace()
{
    RepositoryBar *head = m_panels->head;
    connect(m_workspace, &Workspace::infoChanged, this,
            [this, head] { head->setRepository(m_workspace->info(), m_workspace->snapshot()->branch); });
    connect(m_workspace, &Workspace::busyChanged, head, &RepositoryBar::setBusy);
    connect(m_workspace, &Workspace::opened, this, [this] {
        const RepositoryInfo &info = m_workspace->info();
        rememberRepository(info.workTree);
        const QString last = shownBranch(info.workTree);
        if (m_remembers && !m_named && std::ranges::find(info.branches, last, &BranchRef::name) != info.branches.end())
            m_workspace->showBranch(last);
    });
    connect(m_workspace, &Workspace::failed, this, [this](OperationId id, const Error &error) {
        if (id != m_opening)
            return;
        forgetRepository(m_openingPath);
        showStart(error.sentence());
        Q_EMIT openingFailed(error);
    });
    connect(head, &RepositoryBar::branchChosen, m_workspace, &Workspace::showBranch);
    connect(head, &RepositoryBar::switchRequested, m_menus->overview, &QAction::trigger);
}

void MainWindow::wireGrid()
{
    GridPanel *grid = m_panels->grid;
    connect(grid, &GridPanel::currentChanged, this, [this](const QString &name) {
        m_recipe->showCell(name);
        updateActions();
    });
    connect(grid, &GridPanel::selectionChanged, this, &MainWindow::updateActions);
    connect(grid, &GridPanel::generateRequested, m_actions, &RecipeActions::generate);
    connect(grid, &GridPanel::commitRequested, m_actions, qOverload<const QStringList &>(&RecipeActions::commit));
    connect(grid, &GridPanel::buildRequested, m_builds, &BuildController::build);
    connect(grid, &GridPanel::dependentsRequested, m_builds, &BuildController::buildWithDependents);
    const RecipePane *pane = m_panels->pane;
    const auto showLog = [this](const QString &job) {
        if (m_builds->show(job))
            return raisePanel(u"console"_s);
        raisePanel(u"builds"_s); // with a build of the team
        m_panels->pastBuilds->showBuild(job);
    };
    connect(grid, &GridPanel::logRequested, this, showLog);
    connect(pane, &RecipePane::logRequested, this, showLog);
    connect(grid, &GridPanel::lineRequested, this, [this](int line) {
        raisePanel(u"recipe"_s);
        m_panels->pane->showLine(line);
    });
    connect(grid, &GridPanel::retryRequested, m_builds, &BuildController::retry);
    connect(pane, &RecipePane::retryRequested, m_builds, &BuildController::retry);
    connect(grid, &GridPanel::errorsCopyRequested, m_builds, &BuildController::copyErrors);
    connect(pane, &RecipePane::errorsCopyRequested, m_builds, &BuildController::copyErrors);
    connect(grid, &GridPanel::publishRequested, m_publish, &PublishController::open);
    connect(m_publish, &PublishController::failed, m_notices, &Notices::problem);
    connect(m_publish, &PublishController::published, m_builds->watch(), &JobWatch::lookSoon);
    connect(grid, &GridPanel::activated, this, [this] {
        raisePanel(u"recipe"_s);
        m_panels->pane->setFocus();
    });
}

void MainWindow::wireRecipe()
{
    RecipePane *pane = m_panels->pane;
    connect(pane, &RecipePane::generateRequested, this,
            [this] { m_actions->generate(m_panels->grid->selectedNames()); });
    connect(pane, &RecipePane::commitRequested, this, [this] { m_actions->commit(m_panels->grid->selectedNames()); });
    connect(pane, &RecipePane::buildRequested, this, [this](const QString &name) {
        m_builds->build(hasMatrix() ? m_panels->grid->selectedNames() : QStringList{name});
    });
    PackageList *packages = m_panels->packages;
    connect(packages, &PackageList::currentChanged, this, [this] { m_recipe->showCell(currentName()); });
    connect(packages, &PackageList::buildRequested, m_builds, &BuildController::build);
    connect(packages, &PackageList::historyRequested, m_history, &HistoryController::open);
    connect(packages, &PackageList::activated, this, [this] {
        raisePanel(u"recipe"_s);
        m_panels->pane->setFocus();
    });
    connect(pane, &RecipePane::usersRequested, this, [this](const QString &path) {
        raisePanel(u"grid"_s);
        m_panels->grid->showUsers(path);
    });
    connect(pane, &RecipePane::verifyRequested, m_builds, &BuildController::verify);
    connect(pane, &RecipePane::tabRequested, this, [this] { raisePanel(u"recipe"_s); });
    connect(pane, &RecipePane::publishRequested, this, [this](const QString &name) { m_publish->open({name}); });
    connect(m_builds, &BuildController::verified, m_builds->watch(), &JobWatch::lookSoon);
}

void MainWindow::wireViews()
{
    HardwarePanel *machine = m_panels->machine;
    connect(machine, &HardwarePanel::showRequested, this, &MainWindow::selectCell);
    connect(machine, &HardwarePanel::generateRequested, this, [this](const QString &name) {
        selectCell(name);
        m_actions->generate({name});
    });
    connect(machine, &HardwarePanel::buildRequested, this, [this](const QString &name) {
        selectCell(name);
        m_builds->build({name});
    });
    connect(m_desktop, &Desktop::tallyChanged, this, &MainWindow::showTitle);
    connect(m_panels->console, &BuildConsole::recipeRequested, this,
            [this](int line) { withBuiltRecipe([this, line] { m_panels->pane->showLine(line); }); });
    connect(m_panels->console, &BuildConsole::hashFixRequested, this,
            [this](const QString &stated, const QString &right) {
                withBuiltRecipe([this, stated, right] { m_audit->correctHash(stated, right); });
            });
    connect(m_panels->pastBuilds, &PastBuildsView::shown, m_builds, &BuildController::showPast);
    connect(m_panels->pastBuilds, &PastBuildsView::proposed, m_builds, &BuildController::proposePast);
    connect(m_panels->pastBuilds, &PastBuildsView::opened, this, [this] { m_panels->console->view()->setFocus(); });
    connect(m_panels->pastBuilds, &PastBuildsView::chosen, m_panels->grid, &GridPanel::setCurrentName);
    connect(m_pastBuilds, &PastBuildsController::told, m_notices, &Notices::information);
    connect(m_pastBuilds, &PastBuildsController::refused, m_notices, &Notices::problem);
    connect(m_builds, &BuildController::refused, m_notices, &Notices::problem);
    connect(m_builds, &BuildController::told, m_notices, &Notices::information);
    connect(m_builds, &BuildController::runningChanged, this, &MainWindow::updateActions);
    connect(m_panels->views, &ViewTabs::currentChanged, this, [this] {
        if (m_panels->views->currentView() == m_panels->problems)
            showProblems();
        else
            m_panels->pane->lookFor({}, {});
        m_planning->setVisible(m_panels->views->currentView() == m_panels->plan);
        fillPane();
    });
    connect(m_panels->settingsTrouble, &NoticeBar::actionTriggered, this, [this] { raisePanel(u"settings"_s); });
    connect(m_panels->plan, &PlanView::settingsRequested, this, [this] { raisePanel(u"settings"_s); });
    connect(m_panels->plan, &PlanView::migrateRequested, m_menus->migrate, &QAction::trigger);
    connect(m_panels->plan, &PlanView::stepSelected, this,
            [this](const QString &name) { m_panels->grid->setCurrentName(name); });
    connect(m_recipe, &RecipeController::shownChanged, this, &MainWindow::updateActions);
    connect(m_recipe, &RecipeController::shownChanged, this, &MainWindow::tellSettled);
    connect(m_planning, &PlanController::planned, this, &MainWindow::tellSettled);
    connect(m_settings, &SettingsController::judged, this, &MainWindow::tellSettled);
    connect(m_hardware, &HardwareController::detected, this, &MainWindow::tellSettled);
    connect(m_overview, &OverviewController::settled, this, &MainWindow::tellSettled);
    connect(m_hardware, &HardwareController::pickChosen, this, [this](const QString &branch, const QString &name) {
        if (branch == m_workspace->snapshot()->branch)
            return selectCell(name);
        m_wanted = name;
        m_workspace->showBranch(branch);
    });
    // A read that finds nothing new may end last. Queued, because the other controllers start when they get its result.
    connect(m_workspace, &Workspace::busyChanged, this, &MainWindow::tellSettled, Qt::QueuedConnection);
}

void MainWindow::wireWork()
{
    using Kind = WorkController::Kind;
    const std::pair<QAction *, Kind> kinds[] = {{m_menus->derive, Kind::Derive},
                                                {m_menus->migrate, Kind::Migrate},
                                                {m_menus->readme, Kind::Readme},
                                                {m_menus->branchHistory, Kind::Undo},
                                                {m_menus->exportCi, Kind::Export}};
    for (const auto &[action, kind] : kinds)
        connect(action, &QAction::triggered, this, [this, kind] { m_work->open(kind); });
    connect(m_settings, &SettingsController::saveRequested, m_work, &WorkController::saveSettings);
    connect(m_work, &WorkController::settingsSaved, m_settings, &SettingsController::forgetDraft);
    connect(m_menus->copy, &QAction::triggered, this,
            [this] { m_work->open(Kind::Copy, m_panels->grid->selectedNames()); });
    connect(m_panels->grid, &GridPanel::copyRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Copy, names); });
    connect(m_compare, &CompareController::showRequested, this, [this](const QString &name) {
        selectCell(name);
        activateWindow();
    });
    connect(m_compare, &CompareController::copyRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Copy, names); });
    connect(m_compare, &CompareController::likeRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Like, names); });
    connect(m_menus->generateLike, &QAction::triggered, this,
            [this] { m_work->open(Kind::Like, m_panels->grid->selectedNames()); });
    connect(m_panels->grid, &GridPanel::generateLikeRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Like, names); });
    connect(m_panels->grid, &GridPanel::deleteRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Delete, names); });
    connect(m_panels->grid, &GridPanel::discardRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Discard, names); });
    connect(m_menus->remove, &QAction::triggered, this,
            [this] { m_work->open(Kind::Delete, m_panels->grid->selectedNames()); });
    connect(m_menus->discard, &QAction::triggered, this,
            [this] { m_work->open(Kind::Discard, m_panels->grid->selectedNames()); });
    connect(m_panels->pane->audit(), &AuditPage::fixAllRequested, m_work, &WorkController::fixRule);
    connect(m_panels->problems, &ProblemsView::fixAllRequested, m_work, &WorkController::fixRule);
    connect(m_panels->problems, &ProblemsView::ignoreRequested, m_work, &WorkController::ignoreRule);
    connect(m_panels->problems, &ProblemsView::filterRequested, this, [this](const QString &rule) {
        raisePanel(u"grid"_s);
        m_panels->grid->setFilter(u"rule:"_s + rule);
    });
    connect(m_panels->problems, &ProblemsView::shown, this,
            [this](const QStringList &recipes, const QString &rule, const QString &sentence) {
                m_panels->pane->lookFor(rule, sentence);
                if (!recipes.isEmpty() && !recipes.contains(m_recipe->shown()))
                    m_panels->grid->setCurrentName(recipes.constFirst());
            });
    connect(m_panels->problems, &ProblemsView::cellChosen, this, [this](const QString &name) {
        m_panels->pane->lookFor({}, {}); // The audit's page says it.
        if (m_panels->grid->setCurrentName(name))
            raisePanel(u"audit"_s);
    });
}

QString MainWindow::fileOf(const QString &name)
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    const VariantEntry *entry = snapshot.find(name);
    if (!entry || entry->file.isEmpty())
        return {};
    if (snapshot.checkedOut)
        return QDir(m_workspace->info().workTree).filePath(entry->file);
    m_notices->information(tr("Branch %1 is not checked out, so %2 is not on disk.").arg(snapshot.branch, entry->file));
    return {};
}

/// Connects the menu actions on the file of a cell's recipe.
void MainWindow::wireFiles()
{
    const GridPanel *grid = m_panels->grid;
    connect(grid, &GridPanel::historyRequested, m_history, &HistoryController::open);
    connect(grid, &GridPanel::compareRequested, this, [this] { compareBranches(); });
    const auto show = [this](const QString &path) {
        if (!path.isEmpty() && !QDesktopServices::openUrl(QUrl::fromLocalFile(path)))
            m_notices->problem(tr("The desktop has no program that opens %1.").arg(path));
    };
    connect(grid, &GridPanel::editorRequested, this, [this, show](const QString &name) {
        const QString path = fileOf(name);
        QStringList command = QProcess::splitCommand(Preferences::load().editor);
        if (command.isEmpty())
            return show(path);
        const QString program = command.takeFirst();
        if (!path.isEmpty() && !QProcess::startDetached(program, command + QStringList{path}))
            m_notices->problem(
                tr("Could not start the editor %1. Change it in the application settings.").arg(program));
    });
    connect(grid, &GridPanel::folderRequested, this, [this, show](const QString &name) {
        if (const QString path = fileOf(name); !path.isEmpty())
            show(QFileInfo(path).path());
    });
    connect(grid, &GridPanel::pathCopyRequested, this, [this](const QString &name) {
        if (const QString path = fileOf(name); !path.isEmpty())
            QGuiApplication::clipboard()->setText(QDir::toNativeSeparators(path));
    });
}

void MainWindow::wireStart()
{
    connect(m_menus->create, &QAction::triggered, m_start, &StartController::openNew);
    connect(m_menus->overview, &QAction::triggered, m_overview, &OverviewController::open);
    connect(m_overview, &OverviewController::openRequested, this, [this](const QString &path, const QString &branch) {
        openRepository(path, branch);
        raise();
        activateWindow();
    });
    connect(m_menus->sample, &QAction::triggered, m_start, &StartController::askForSample);
    connect(m_start, &StartController::openRequested, this, [this](const QString &path) { openRepository(path); });
    connect(m_start, &StartController::sampleMade, this, [this] {
        const auto tellWhatToTry = [this] {
            m_notices->information(tr("Try: select a cell that says \u201cmissing\u201d. G generates its recipe, C "
                                      "commits it, B builds it, Ctrl+Z takes it back."));
        };
        connect(m_workspace, &Workspace::snapshotChanged, this, tellWhatToTry, Qt::SingleShotConnection);
    });
    connect(m_panels->start, &StartPage::openRequested, this, &MainWindow::askForRepository);
    connect(m_panels->start, &StartPage::manualRequested, m_menus->manual, &QAction::trigger);
    connect(m_workspace, &Workspace::busyChanged, m_panels->start, &StartPage::setBusy);
    connect(m_workspace, &Workspace::opened, this, [this] {
        const bool started = m_panels->start->isVisible();
        m_panels->showStart(false);
        if (started)
            m_panels->grid->focusGrid();
    });
}

void MainWindow::showStart(const QString &problem)
{
    if (m_workspace->isOpen())
        return;
    m_overview->refreshStart();
    m_panels->start->setProblem(problem);
    if (!problem.isEmpty())
        m_panels->notice->hide(); // The page says it.
    m_panels->showStart(true);
    m_panels->start->setFocus();
}

CompareController *MainWindow::compareBranches(const QStringList &labels)
{
    m_compare->open(labels);
    return m_compare;
}

void MainWindow::openRepository(const QString &path, const QString &branch)
{
    m_openingPath = path;
    m_named = !branch.isEmpty();
    m_opening = m_workspace->open(path, branch);
}

void MainWindow::askForRepository()
{
    auto *dialog = new QFileDialog(this, tr("Open a build repository"),
                                   m_workspace->isOpen() ? m_workspace->info().workTree : QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) { openRepository(path); });
    dialog->open();
}

void MainWindow::focusNextPart()
{
    if (!m_workspace->isOpen())
        return;
    const QWidget *focus = QApplication::focusWidget();
    if (focus && m_panels->recipeDock->isAncestorOf(focus)) {
        raisePanel(u"console"_s);
        m_panels->console->view()->setFocus();
    } else if (focus && m_panels->builds->isAncestorOf(focus)) {
        raisePanel(u"grid"_s);
        m_panels->grid->focusGrid();
    } else {
        raisePanel(u"recipe"_s);
        m_panels->pane->setFocus();
    }
}

void MainWindow::listRecent()
{
    QMenu *menu = m_menus->recent;
    menu->clear();
    const QStringList recent = recentRepositories();
    for (qsizetype i = 0; i < recent.size(); ++i) {
        QString text = QDir::toNativeSeparators(recent.at(i));
        QAction *action = menu->addAction(u"&%1  %2"_s.arg(i + 1).arg(text.replace(u'&', u"&&"_s)));
        connect(action, &QAction::triggered, this, [this, path = recent.at(i)] { openRepository(path); });
    }
    if (recent.isEmpty())
        menu->addAction(tr("None yet"))->setEnabled(false);
}

bool MainWindow::isSettled() const
{
    return (m_workspace->isOpen() || (!m_opening && !m_overview->isReading())) && !m_workspace->isBusy() &&
           !m_hardware->isDetecting() && m_wanted.isEmpty() && m_recipe->shown() == m_recipe->current() &&
           !m_planning->isPlanning() && !m_settings->isJudging();
}

void MainWindow::tellSettled()
{
    if (isSettled())
        Q_EMIT settled();
}

void MainWindow::takeSnapshot()
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    m_matrix->setSnapshot(m_workspace->snapshot());
    if (!m_wantedToolkit.isEmpty()) {
        MatrixSlice slice = m_matrix->slice();
        slice.cuda = std::exchange(m_wantedToolkit, {});
        m_panels->grid->showSlice(slice);
    }
    m_panels->head->setRepository(m_workspace->info(), snapshot.branch);
    m_panels->head->setSettings(snapshot.settings, revisionsOf(pinsOf(snapshot)));
    if (!snapshot.settingsError)
        m_panels->settingsTrouble->hide();
    else if (m_panels->settingsTrouble->text() !=
             snapshot.settingsError->sentence()) // A screen reader announces it once.
        m_panels->settingsTrouble->showNotice(NoticeBar::Kind::Problem, snapshot.settingsError->sentence(),
                                              tr("Show the settings"));
    showTitle();
    if (m_remembers)
        rememberShownBranch(snapshot.repository, snapshot.checkedOut ? QString() : snapshot.branch);
    const QString place = snapshot.repository + u'\n' + snapshot.branch;
    const QStringList outside = snapshot.unrecognised + filesOutsideSlices(m_matrix->slices(), snapshot);
    m_panels->packages->setSnapshot(snapshot);
    m_panels->showMatrix(hasMatrix());
    if (std::exchange(m_place, place) != place && !outside.isEmpty() && hasMatrix())
        m_notices->information(tr("Not in the grid, because these are not variant names: %1.").arg(shortList(outside)));
    if (!m_wanted.isEmpty()) {
        const QString wanted = std::exchange(m_wanted, {});
        selectCell(wanted);
    }
    showProblems();
    fillPane();
    updateActions();
}

bool MainWindow::hasMatrix() const
{
    return !m_workspace->isOpen() || m_workspace->snapshot()->hasMatrix();
}

QString MainWindow::currentName() const
{
    return hasMatrix() ? m_panels->grid->currentName() : m_panels->packages->currentName();
}

/// The tab counts them; the view is filled while it is shown.
void MainWindow::showProblems()
{
    const auto &snapshot = m_workspace->snapshot();
    ViewTabs *views = m_panels->views;
    const int tab = views->tabOf(m_panels->problems);
    const ProblemCounts problems = snapshot ? problemsOf(*snapshot) : ProblemCounts();
    const int count = problems.all();
    views->setTabText(tab, count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
    views->setTabToolTip(tab, count > 0 ? problemText(problems) : QString()); // of how many recipes
    if (views->currentIndex() == tab)
        m_panels->problems->setProblems(m_workspace->catalog(), snapshot);
}

/// On Plan and Settings no cell can be selected: the pane shows the first missing recipe, else the first cell.
void MainWindow::fillPane()
{
    if (!m_workspace->isOpen() || m_panels->views->currentView() == m_panels->grid ||
        !m_panels->grid->currentName().isEmpty())
        return;
    const auto &entries = m_workspace->snapshot()->entries;
    auto first = std::ranges::find(entries, RecipeState::Missing, &VariantEntry::state);
    if (first == entries.end())
        first = std::ranges::find(entries, true, &VariantEntry::present);
    if (first != entries.end())
        m_panels->grid->setCurrentName(first->variant.name());
}

void MainWindow::showBuilds()
{
    const JobsSeen &seen = *m_builds->watch()->seen();
    const QString line = lineOf(seen, m_buildsEnd);
    m_panels->buildLine->setFullText(line);
    m_panels->builds->setNow(countsOf(seen).isBusy() ? line : QString());
}

void MainWindow::showTitle()
{
    const std::shared_ptr<const BranchSnapshot> &snapshot = m_workspace->snapshot();
    QString title =
        snapshot
            ? tr("%1 \u2013 %2 \u2013 Torch Matrix").arg(QFileInfo(snapshot->repository).fileName(), snapshot->branch)
            : tr("Torch Matrix");
    if (const QString progress = titleOf(m_desktop->tally()); !progress.isEmpty())
        title = tr("%1 \u2013 %2", "progress of the builds, title").arg(progress, title);
    setWindowTitle(title);
}

void MainWindow::selectWhenThere(const QString &name)
{
    m_wanted = name;
    if (m_workspace->isOpen())
        takeSnapshot();
}

void MainWindow::showToolkitWhenThere(const QString &toolkit)
{
    m_wantedToolkit = toolkit;
    if (m_workspace->isOpen())
        takeSnapshot();
}

void MainWindow::selectCell(const QString &name)
{
    raisePanel(u"grid"_s);
    if (!(hasMatrix() ? m_panels->grid->setCurrentName(name) : m_panels->packages->setCurrentName(name)))
        m_notices->information(tr("Branch %1 has no cell for %2.").arg(m_workspace->snapshot()->branch, name));
    raisePanel(u"recipe"_s);
    m_panels->grid->focusGrid();
}

void MainWindow::withBuiltRecipe(const std::function<void()> &then)
{
    const Job job = m_builds->shownJob();
    if (job.branch != m_workspace->snapshot()->branch)
        return m_notices->information(tr("That build is from branch %1. Show that branch first.").arg(job.branch));
    selectCell(job.variant);
    if (currentName() != job.variant)
        return;
    if (m_recipe->current() == m_recipe->shown())
        return then();
    connect(m_recipe, &RecipeController::shownChanged, this, then, Qt::SingleShotConnection);
}

void MainWindow::updateActions()
{
    const QString name = m_panels->grid->currentName();
    const QModelIndex index = m_matrix->indexOf(name);
    QList<CellActions> selected;
    for (const QString &one : m_panels->grid->selectedNames())
        selected.append(m_actions->actionsOf(one));
    const auto count = [&selected](ActionState CellActions::*of) {
        return int(std::ranges::count_if(selected, [of](const CellActions &cell) { return (cell.*of).enabled; }));
    };
    m_menus->update({m_workspace->isOpen(), m_builds->isRunning(), int(selected.size()), count(&CellActions::generate),
                     count(&CellActions::commit), !name.isEmpty(), m_matrix->entryOf(name).present},
                    index.isValid() ? m_actions->actionsOf(name) : CellActions());
    m_recipe->setSelection(selected);
}

void MainWindow::raisePanel(const QString &panel)
{
    m_panels->raise(panel);
}

void MainWindow::restoreLayout()
{
    restoreGeometry(QSettings().value(u"window/geometry"_s).toByteArray());
    m_restored = restoreState(QSettings().value(u"window/layout"_s).toByteArray());
    m_panels->restoreSizes(QSettings().value(u"window/sizes"_s).toMap());
    m_remembers = true;
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_arranged, true))
        return;
    m_panels->grid->focusGrid(); // So that the first key moves in the grid and does not choose a branch.
    if (!m_restored)
        m_panels->arrange();
    if (!m_opening)
        showStart();
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    if (m_arranged)
        m_panels->keepShares(event->oldSize().width(), event->size().width());
}

bool MainWindow::focusNextPrevChild(bool next)
{
    const auto takesFocus = [this](const QWidget *widget) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() || !widget->isEnabled() ||
            widget->window() != this || !widget->isVisible())
            return false;
        // Qt keeps a hidden tab's dock visible, beyond the window's edge.
        const QWidget *dock = widget;
        while (dock && !qobject_cast<const QDockWidget *>(dock))
            dock = dock->parentWidget();
        return !dock || (dock->geometry().right() >= 0 && dock->geometry().bottom() >= 0);
    };
    QWidget *from = focusWidget() ? focusWidget() : this;
    const auto after = [next](const QWidget *widget) {
        return next ? widget->nextInFocusChain() : widget->previousInFocusChain();
    };
    for (QWidget *one = after(from); one != from; one = after(one)) {
        if (takesFocus(one)) {
            one->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    }
    return false;
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    // Keys that the focused widget ignores: Esc first closes the notice over the grid, then clears the filter.
    if (event->key() == Qt::Key_Escape && !m_panels->notice->isHidden())
        m_panels->notice->hide();
    else if (event->key() == Qt::Key_Escape && m_panels->grid->isVisible())
        m_panels->grid->clearFilter();
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_builds->isRunning() || m_mayClose) {
        QSettings().setValue(u"window/geometry"_s, saveGeometry());
        QSettings().setValue(u"window/layout"_s, m_panels->layout());
        QSettings().setValue(u"window/sizes"_s, m_panels->sizes());
        return QMainWindow::closeEvent(event);
    }
    event->ignore();
    if (m_closing && m_closing->isVisible())
        return;
    m_closing = ask(this,
                    {tr("Builds continue"),
                     tr("Running and waiting builds: %1. They continue after the window closes; open it again to "
                        "see them.")
                         .arg(m_builds->activeCount()),
                     tr("Close")},
                    this, [this] {
                        m_mayClose = true;
                        close();
                    });
    // If the builds end meanwhile, the question is obsolete; the window stays to show how they ended.
    connect(m_builds, &BuildController::runningChanged, m_closing, [this] {
        if (!m_builds->isRunning())
            m_closing->reject();
    });
}

} // namespace tmx
