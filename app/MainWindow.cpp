// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/MainWindow.h"

#include "app/AuditController.h"
#include "app/BuildController.h"
#include "app/CompareController.h"
#include "app/HardwareController.h"
#include "app/HistoryController.h"
#include "app/LineController.h"
#include "app/MainWindowActions.h"
#include "app/PlanController.h"
#include "app/RecentRepositories.h"
#include "app/RecipeController.h"
#include "app/WorkController.h"
#include "model/build/FloxBuild.h"
#include "model/matrix/MatrixModel.h"
#include "model/matrix/MatrixSlices.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/Workspace.h"
#include "views/BuildConsole.h"
#include "views/GridPanel.h"
#include "views/HardwarePanel.h"
#include "views/NoticeBar.h"
#include "views/RecipePane.h"
#include "views/RepositoryBar.h"
#include "views/line/LinePage.h"
#include "views/plan/PlanView.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

MainWindow::MainWindow(std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QMainWindow(parent)
    , m_workspace(new Workspace(catalog, this))
    , m_matrix(new MatrixModel(catalog, this))
{
    setWindowTitle(tr("Torch Matrix"));
    m_head = new RepositoryBar;
    m_notice = new NoticeBar;
    m_lineTrouble = new NoticeBar;
    m_lineTrouble->setObjectName(u"lineTrouble"_s);
    m_lineTrouble->setLasting();
    makeViews();
    auto *centre = new QWidget(this);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_notice);
    column->addWidget(m_lineTrouble);
    column->addWidget(m_views, 1);
    setCentralWidget(centre);
    makeDocks();

    // The matrix first: whoever hears of a new snapshot finds the grid on it.
    connect(m_workspace, &Workspace::snapshotChanged, this, &MainWindow::takeSnapshot);
    m_recipe = new RecipeController(m_workspace, m_matrix, m_pane, this);
    m_hardware = new HardwareController(m_workspace, m_matrix, {m_machine, m_grid}, this);
    m_builds = new BuildController(m_workspace, m_matrix, m_console, this);
    m_compare = new CompareController(m_workspace, this);
    m_history = new HistoryController(m_workspace, this);
    m_audit = new AuditController(m_workspace, m_matrix, m_recipe, m_pane, this);
    m_planning = new PlanController(m_workspace, m_plan, this);
    m_lines = new LineController(m_workspace, m_line, this);
    m_work = new WorkController(m_workspace, this);
    makeMenus();
    wireWorkspace();
    wirePanels();
    wireViews();
    wireWork();
    updateActions();
    m_hardware->start();
    // No larger than the screen; the platform for tests has a small one of its own.
    const QSize room =
        QGuiApplication::platformName() == u"offscreen"_s ? QSize(1280, 800) : screen()->availableSize() - QSize(0, 32);
    resize(QSize(1280, 800).boundedTo(room));
}

MainWindow::~MainWindow() = default;

void MainWindow::makeMenus()
{
    m_actions = std::make_unique<Actions>(this);
    Actions &a = *m_actions;
    a.view->addActions(
        {m_recipeDock->toggleViewAction(), m_machineDock->toggleViewAction(), m_consoleDock->toggleViewAction()});
    connect(a.open, &QAction::triggered, this, &MainWindow::askForRepository);
    connect(a.recent, &QMenu::aboutToShow, this, &MainWindow::listRecent);
    connect(a.refresh, &QAction::triggered, m_workspace, &Workspace::refresh);
    connect(a.generate, &QAction::triggered, this, [this] { generate(selectedNames()); });
    connect(a.generateAll, &QAction::triggered, this, &MainWindow::generateAllMissing);
    connect(a.commit, &QAction::triggered, this, [this] { commit(selectedNames()); });
    connect(a.commitWithMessage, &QAction::triggered, this, &MainWindow::commitWithMessage);
    connect(a.build, &QAction::triggered, this, [this] { build(m_grid->currentName()); });
    connect(a.stop, &QAction::triggered, m_builds, &BuildController::stop);
    connect(a.detect, &QAction::triggered, this, [this] {
        raisePanel(u"machine"_s);
        m_hardware->detect();
    });
    connect(a.filter, &QAction::triggered, m_grid, &GridPanel::focusFilter);
    connect(a.compare, &QAction::triggered, this, [this] { compareBranches(); });
    connect(a.history, &QAction::triggered, this, [this] { m_history->open(m_grid->currentName()); });
}

void MainWindow::wireWorkspace()
{
    connect(m_workspace, &Workspace::infoChanged, this,
            [this] { m_head->setRepository(m_workspace->info(), m_workspace->snapshot()->branch); });
    connect(m_workspace, &Workspace::busyChanged, m_head, &RepositoryBar::setBusy);
    connect(m_workspace, &Workspace::opened, this, [this] {
        m_opening.clear();
        rememberRepository(m_workspace->info().workTree);
    });
    connect(m_workspace, &Workspace::failed, this, [this](const Error &error) {
        m_notice->showNotice(NoticeBar::Kind::Problem, error.sentence());
        if (const QString gone = std::exchange(m_opening, {}); !gone.isEmpty())
            forgetRepository(gone);
    });
    connect(m_workspace, &Workspace::generated, this, [this](const WriteReport &report) { tell(report); });
    connect(m_workspace, &Workspace::committed, this, [this](const WriteReport &report) { tell(report); });
    connect(m_head, &RepositoryBar::branchChosen, m_workspace, &Workspace::showBranch);
    connect(m_head, &RepositoryBar::openRequested, this, &MainWindow::askForRepository);
}

void MainWindow::wirePanels()
{
    connect(m_grid, &GridPanel::currentChanged, this, [this](const QString &name) {
        m_recipe->showCell(name);
        updateActions();
    });
    connect(m_grid, &GridPanel::selectionChanged, this, &MainWindow::updateActions);
    connect(m_grid, &GridPanel::generateRequested, this, &MainWindow::generate);
    connect(m_grid, &GridPanel::commitRequested, this, &MainWindow::commit);
    connect(m_grid, &GridPanel::buildRequested, this, &MainWindow::build);
    connect(m_grid, &GridPanel::activated, this, [this] {
        raisePanel(u"recipe"_s);
        m_pane->setFocus();
    });
    connect(m_pane, &RecipePane::generateRequested, this, [this](const QString &name) { generate({name}); });
    connect(m_pane, &RecipePane::commitRequested, this, [this](const QString &name) { commit({name}); });
    connect(m_pane, &RecipePane::buildRequested, this, &MainWindow::build);
    connect(m_machine, &HardwarePanel::showRequested, this, &MainWindow::selectCell);
    connect(m_machine, &HardwarePanel::generateRequested, this, [this](const QString &name) {
        selectCell(name);
        generate({name});
    });
    connect(m_machine, &HardwarePanel::buildRequested, this, [this](const QString &name) {
        selectCell(name);
        build(name);
    });
    connect(m_builds, &BuildController::refused, this,
            [this](const QString &sentence) { m_notice->showNotice(NoticeBar::Kind::Problem, sentence); });
    connect(m_builds, &BuildController::runningChanged, this, [this] {
        updateActions();
        if (!m_builds->isRunning())
            return;
        raisePanel(u"console"_s);
        if (m_consoleDock->height() < 200)
            resizeDocks({m_consoleDock}, {240}, Qt::Vertical);
    });
    connect(m_recipe, &RecipeController::shownChanged, this, [this] {
        updateActions();
        if (isSettled())
            Q_EMIT settled();
    });
    const auto settle = [this] {
        if (isSettled())
            Q_EMIT settled();
    };
    connect(m_planning, &PlanController::planned, this, settle);
    connect(m_lines, &LineController::judged, this, settle);
    connect(m_hardware, &HardwareController::detected, this, settle);
}

CompareController *MainWindow::compareBranches(const QStringList &labels)
{
    m_compare->open(labels);
    return m_compare;
}

void MainWindow::openRepository(const QString &path, const QString &branch)
{
    m_opening = path;
    m_workspace->open(path, branch);
}

void MainWindow::listRecent()
{
    QMenu *menu = m_actions->recent;
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
    return m_workspace->isOpen() && !m_workspace->isBusy() && !m_hardware->isDetecting() && m_wanted.isEmpty() &&
           m_recipe->shown() == m_recipe->current() && !m_planning->isPlanning() && !m_lines->isJudging();
}

void MainWindow::takeSnapshot()
{
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    m_matrix->setSnapshot(m_workspace->snapshot());
    m_head->setRepository(m_workspace->info(), snapshot.branch);
    m_head->setLine(snapshot.line);
    showLineTrouble(snapshot.lineError);
    setWindowTitle(
        tr("%1 \u2013 %2 \u2013 Torch Matrix").arg(QFileInfo(snapshot.repository).fileName(), snapshot.branch));
    const QString place = snapshot.repository + u'\n' + snapshot.branch;
    const QStringList outside = snapshot.unrecognised + filesOutsideSlices(m_matrix->slices(), snapshot);
    if (std::exchange(m_place, place) != place && !outside.isEmpty())
        m_notice->showNotice(NoticeBar::Kind::Information,
                             tr("Not in the grid, since not named as variants of it: %1.").arg(outside.join(u", "_s)));
    if (!m_wanted.isEmpty()) {
        const QString wanted = std::exchange(m_wanted, {});
        selectCell(wanted);
    }
    updateActions();
}

void MainWindow::selectWhenThere(const QString &name)
{
    m_wanted = name;
    if (m_workspace->isOpen())
        takeSnapshot();
}

void MainWindow::selectCell(const QString &name)
{
    raisePanel(u"grid"_s);
    if (!m_grid->setCurrentName(name))
        m_notice->showNotice(NoticeBar::Kind::Information,
                             tr("Branch %1 has no cell for %2.").arg(m_workspace->snapshot()->branch, name));
    raisePanel(u"recipe"_s);
    m_grid->focusGrid();
}

QStringList MainWindow::selectedNames() const
{
    return m_grid->selectedNames();
}

QStringList MainWindow::allowed(const QStringList &names, ActionState CellActions::*action, const QString &noneOfMany)
{
    QStringList wanted;
    QString reason;
    for (const QString &name : names) {
        // The snapshot knows variants of other slices too; only a cell without a recipe is the grid's alone.
        const VariantEntry *known = m_workspace->snapshot()->find(name);
        const VariantEntry entry = known ? *known : m_matrix->entryAt(m_matrix->indexOf(name));
        const ActionState state = actionsFor(*m_workspace->snapshot(), entry).*action;
        if (state.enabled)
            wanted.append(name);
        else
            reason = state.reason;
    }
    if (wanted.isEmpty() && !names.isEmpty())
        m_notice->showNotice(NoticeBar::Kind::Information,
                             names.size() == 1 ? u"%1: %2"_s.arg(names.first(), reason) : noneOfMany);
    return wanted;
}

void MainWindow::generate(const QStringList &names)
{
    const QStringList wanted =
        allowed(names, &CellActions::generate, tr("None of the selected cells is missing a recipe."));
    if (wanted.isEmpty())
        return;
    const QString branch = m_workspace->snapshot()->branch;
    if (!m_workspace->snapshot()->checkedOut &&
        !confirmed(tr("Commit to %1").arg(branch),
                   wanted.size() == 1 ? tr("Branch %1 is not checked out, so there is no work tree to write to. Commit "
                                           "the recipe straight to it?")
                                            .arg(branch)
                                      : tr("Branch %1 is not checked out, so there is no work tree to write to. Commit "
                                           "%n recipes straight to it?",
                                           nullptr, int(wanted.size()))
                                            .arg(branch),
                   tr("Commit")))
        return;
    m_workspace->generate(wanted);
}

bool MainWindow::confirmed(const QString &title, const QString &question, const QString &action)
{
    QMessageBox box(QMessageBox::Question, title, question, QMessageBox::Cancel, this);
    box.setDefaultButton(box.addButton(action, QMessageBox::AcceptRole));
    box.exec();
    return box.buttonRole(box.clickedButton()) == QMessageBox::AcceptRole;
}

void MainWindow::generateAllMissing()
{
    if (const QString trouble = m_workspace->snapshot()->lineError; !trouble.isEmpty())
        return m_notice->showNotice(NoticeBar::Kind::Problem, tr("Nothing can be generated. %1").arg(trouble));
    QStringList names;
    for (const VariantEntry &entry : m_workspace->snapshot()->entries) {
        if (entry.state == RecipeState::Missing)
            names.append(entry.variant.name());
    }
    if (names.isEmpty()) {
        m_notice->showNotice(NoticeBar::Kind::Information,
                             tr("Nothing is missing on %1.").arg(m_workspace->snapshot()->branch));
        return;
    }
    if (!m_workspace->snapshot()->checkedOut ||
        confirmed(tr("Generate all that is missing"),
                  names.size() == 1 ? tr("Write the recipe of %1 into the work tree?").arg(names.first())
                                    : tr("Write %n recipes into the work tree?", nullptr, int(names.size())),
                  tr("Generate")))
        generate(names);
}

void MainWindow::commit(const QStringList &names)
{
    m_workspace->commit(
        allowed(names, &CellActions::commit, tr("Nothing in the selection differs from the last commit.")));
}

void MainWindow::commitWithMessage()
{
    const QStringList names =
        allowed(selectedNames(), &CellActions::commit, tr("Nothing in the selection differs from the last commit."));
    if (names.isEmpty())
        return;
    bool accepted = false;
    const QString message = QInputDialog::getMultiLineText(this, tr("Commit"), tr("Message of the commit"),
                                                           commitMessageFor(names).trimmed(), &accepted);
    if (accepted && !message.trimmed().isEmpty())
        m_workspace->commit(names, message);
}

void MainWindow::build(const QString &name)
{
    const QList<Finding> findings = m_matrix->entryAt(m_matrix->indexOf(name)).findings;
    const auto error = std::ranges::find(findings, Severity::Error, &Finding::severity);
    if (error == findings.end() || m_builds->isRunning() ||
        confirmed(tr("Build a recipe with errors"),
                  tr("The audit finds an error in %1: %2 Build it all the same?").arg(name, error->sentence),
                  tr("Build")))
        m_builds->build(name);
}

void MainWindow::askForRepository()
{
    const QString start = m_workspace->isOpen() ? m_workspace->info().workTree : QDir::homePath();
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open a build repository"), start);
    if (!path.isEmpty())
        openRepository(path);
}

void MainWindow::updateActions()
{
    const bool open = m_workspace->isOpen();
    CellActions cell;
    const QModelIndex index = m_matrix->indexOf(m_grid->currentName());
    if (open && index.isValid())
        cell = actionsFor(*m_workspace->snapshot(), m_matrix->entryAt(index));
    const bool many = selectedNames().size() > 1;
    Actions &a = *m_actions;
    a.generate->setEnabled(cell.generate.enabled || many);
    a.commit->setEnabled(cell.commit.enabled || many);
    a.commitWithMessage->setEnabled(cell.commit.enabled || many);
    a.build->setEnabled(cell.build.enabled && !m_builds->isRunning());
    a.stop->setEnabled(m_builds->isRunning());
    a.generateAll->setEnabled(open);
    a.compare->setEnabled(open);
    a.derive->setEnabled(open);
    a.migrate->setEnabled(open);
    a.readme->setEnabled(open);
    a.copy->setEnabled(open && (many || index.data(PresentRole).toBool()));
    a.history->setEnabled(open && !m_grid->currentName().isEmpty());
    a.refresh->setEnabled(open);
}

void MainWindow::tell(const WriteReport &report)
{
    const QString what =
        report.written.size() == 1 ? report.written.first() : tr("%n recipes", nullptr, int(report.written.size()));
    QString sentence;
    if (!report.commit.isEmpty())
        sentence = tr("Committed %1 to %2 as %3.").arg(what, report.branch, report.commit.left(7));
    else if (report.written.isEmpty())
        sentence = tr("Every recipe was there already.");
    else
        sentence = tr("Generated and added to the index: %1. Press C to commit.").arg(what);
    m_notice->showNotice(NoticeBar::Kind::Done, sentence);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_builds->isRunning()) {
        QMessageBox box(
            QMessageBox::Question, tr("A build is running"),
            tr("%1 is being built. Closing the window stops it; nothing can be resumed.").arg(m_builds->package()),
            QMessageBox::Close | QMessageBox::Cancel, this);
        box.setDefaultButton(QMessageBox::Cancel);
        // A build that ends meanwhile makes the question untrue; the window stays, to show how it ended.
        connect(m_builds, &BuildController::runningChanged, &box, [this, &box] {
            if (!m_builds->isRunning())
                box.reject();
        });
        if (box.exec() != QMessageBox::Close) {
            event->ignore();
            return;
        }
    }
    QMainWindow::closeEvent(event);
}

} // namespace tmx
