// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The window's parts: the views of the branch in the middle, the panels around them, and what the views ask for.
#include "app/MainWindow.h"

#include "app/AuditController.h"
#include "app/LineController.h"
#include "app/MainWindowActions.h"
#include "app/PlanController.h"
#include "app/WorkController.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/Workspace.h"
#include "views/BuildConsole.h"
#include "views/GridPanel.h"
#include "views/HardwarePanel.h"
#include "views/NoticeBar.h"
#include "views/RecipePane.h"
#include "views/line/LinePage.h"
#include "views/plan/PlanView.h"

#include <QAction>
#include <QDockWidget>
#include <QTabWidget>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// What prints the texts, a line each: to be copied into a terminal. Of many the first few.
QString showCommands(const QStringList &kept)
{
    constexpr qsizetype most = 3;
    QString lines;
    for (const QString &text : kept.first(qMin(most, kept.size())))
        lines += u'\n' + showCommand(text);
    if (kept.size() > most)
        lines += u'\n' + MainWindow::tr("and %n more: git ls-tree -r %1", nullptr, int(kept.size() - most))
                             .arg(kept.constFirst().section(u':', 0, 0));
    return lines;
}

} // namespace

void MainWindow::makeViews()
{
    m_grid = new GridPanel;
    m_grid->setModel(m_matrix);
    m_plan = new PlanView;
    m_line = new LinePage(m_workspace->catalog());
    m_views = new QTabWidget;
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("What to show of the branch"));
    m_grid->setObjectName(u"grid"_s);
    m_plan->setObjectName(u"plan"_s);
    m_line->setObjectName(u"line"_s);
    m_views->addTab(m_grid, tr("Grid"));
    m_views->addTab(m_plan, tr("Plan"));
    m_views->addTab(m_line, tr("Line"));
    connect(m_views, &QTabWidget::currentChanged, this,
            [this] { m_planning->setVisible(m_views->currentWidget() == m_plan); });
}

void MainWindow::makeDocks()
{
    const auto dock = [this](const QString &title, const QString &name, QWidget *widget, Qt::DockWidgetArea area) {
        auto *made = new QDockWidget(title, this);
        made->setObjectName(name);
        made->setWidget(widget);
        // Each panel bears its own heading, and the tabs name it: a title bar would say it a third time.
        made->setTitleBarWidget(new QWidget(made));
        addDockWidget(area, made);
        return made;
    };
    m_pane = new RecipePane;
    m_machine = new HardwarePanel(m_workspace->catalog());
    m_console = new BuildConsole;
    m_recipeDock = dock(tr("Recipe"), u"recipe"_s, m_pane, Qt::RightDockWidgetArea);
    m_machineDock = dock(tr("This machine"), u"machine"_s, m_machine, Qt::RightDockWidgetArea);
    m_consoleDock = dock(tr("Build"), u"console"_s, m_console, Qt::BottomDockWidgetArea);
    setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    tabifyDockWidget(m_recipeDock, m_machineDock);
    m_recipeDock->raise();
}

void MainWindow::wireViews()
{
    connect(m_workspace, &Workspace::planApplied, this, &MainWindow::tellApplied);
    connect(m_workspace, &Workspace::lineSaved, this, [this](const WriteReport &report) {
        tellWithUndo(tr("Saved the line of %1, committed as %2.").arg(report.branch, report.commit.left(7)),
                     [this, report] { m_workspace->undoCommit(report.branch, report.commit); });
    });
    connect(m_workspace, &Workspace::undone, this, [this](const WriteReport &report) {
        QStringList sentences;
        if (!report.commit.isEmpty())
            sentences.append(tr("Taken back by commit %1 on %2.").arg(report.commit.left(7), report.branch));
        if (!report.written.isEmpty())
            sentences.append(tr("What was not committed is there again: %1.").arg(report.written.join(u", "_s)));
        if (!report.kept.isEmpty())
            sentences.append(
                tr("Not put back, since something newer is in its place: %1").arg(showCommands(report.kept)));
        // What has to be read stays; what is merely done goes by itself.
        m_notice->showNotice(report.kept.isEmpty() ? NoticeBar::Kind::Done : NoticeBar::Kind::Information,
                             sentences.join(u' '));
    });
    connect(m_lines, &LineController::refused, this,
            [this](const QString &sentence) { m_notice->showNotice(NoticeBar::Kind::Information, sentence); });
    connect(m_audit, &AuditController::applied, this, [this](const WriteReport &report, const QString &subject) {
        const QString done =
            !report.saved.isEmpty()
                ? tr("%1. It is not committed yet; the text before is kept in %2.").arg(subject, report.saved)
            : report.commit.isEmpty()
                ? tr("%1. It is not committed yet.").arg(subject)
                : tr("%1, committed to %2 as %3.").arg(subject, report.branch, report.commit.left(7));
        tellWithUndo(done, [this] { m_audit->undo(); });
    });
    connect(m_notice, &NoticeBar::actionTriggered, this, [this] {
        if (const auto action = std::exchange(m_noticeAction, nullptr))
            action();
    });
    connect(m_lineTrouble, &NoticeBar::actionTriggered, this, [this] { raisePanel(u"line"_s); });
    connect(m_plan, &PlanView::stepSelected, this, [this](const QString &name) {
        if (m_grid->setCurrentName(name))
            raisePanel(u"recipe"_s);
    });
}

void MainWindow::wireWork()
{
    using Kind = WorkController::Kind;
    const std::pair<QAction *, Kind> kinds[] = {
        {m_actions->derive, Kind::Derive}, {m_actions->migrate, Kind::Migrate}, {m_actions->readme, Kind::Readme}};
    for (const auto &[action, kind] : kinds)
        connect(action, &QAction::triggered, this, [this, kind] { m_work->open(kind); });
    connect(m_actions->copy, &QAction::triggered, this, [this] { m_work->open(Kind::Copy, selectedNames()); });
    connect(m_grid, &GridPanel::copyRequested, this,
            [this](const QStringList &names) { m_work->open(Kind::Copy, names); });
    connect(m_work, &WorkController::refused, this,
            [this](const QString &sentence) { m_notice->showNotice(NoticeBar::Kind::Information, sentence); });
    connect(m_work, &WorkController::derived, this, [this](const WriteReport &report) {
        tellWithAction(
            tr("Made branch %1 with commit %2: %3.").arg(report.branch, report.commit.left(7), report.subject),
            tr("Show branch"), [this, report] { m_workspace->showBranch(report.branch); });
    });
    connect(m_work, &WorkController::committed, this, &MainWindow::tellApplied);
    connect(m_work, &WorkController::readmesWritten, this,
            [this](const QString &sentence, const QList<WriteReport> &reports) {
                tellWithUndo(sentence, [this, reports] {
                    for (const WriteReport &report : reports)
                        m_workspace->undoCommit(report.branch, report.commit);
                });
            });
}

void MainWindow::showLineTrouble(const QString &sentence)
{
    if (sentence.isEmpty())
        m_lineTrouble->hide();
    else if (m_lineTrouble->text() != sentence) // what is said already is not announced again
        m_lineTrouble->showNotice(NoticeBar::Kind::Problem, sentence, tr("Show the line"));
}

void MainWindow::tellApplied(const WriteReport &report)
{
    const bool alone = report.commit.isEmpty();
    const QString done =
        alone ? tr("%1: done in the work tree; there was nothing to commit.").arg(report.subject)
              : tr("%1: committed to %2 as %3.").arg(report.subject, report.branch, report.commit.left(7));
    tellWithUndo(
        report.kept.isEmpty() ? done : tr("%1 What was not committed is kept: %2").arg(done, showCommands(report.kept)),
        [this, report, alone] { m_workspace->undoCommit(report.branch, alone ? report.saved : report.commit); });
}

void MainWindow::tellWithUndo(const QString &sentence, std::function<void()> undo)
{
    tellWithAction(sentence, tr("Undo"), std::move(undo));
}

void MainWindow::tellWithAction(const QString &sentence, const QString &button, std::function<void()> action)
{
    m_noticeAction = std::move(action);
    m_notice->showNotice(NoticeBar::Kind::Done, sentence, button);
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_arranged, true))
        return;
    m_grid->focusGrid(); // the first key moves in the grid, rather than choose a branch
    // Side by side where there is room for all of them; the whole grid is seen either way.
    const bool wide = width() >= 1700;
    if (wide) {
        splitDockWidget(m_recipeDock, m_machineDock, Qt::Horizontal);
        resizeDocks({m_recipeDock, m_machineDock}, {520, 330}, Qt::Horizontal);
    } else {
        resizeDocks({m_recipeDock}, {qMax(400, width() - 880)}, Qt::Horizontal);
    }
    resizeDocks({m_consoleDock}, {height() >= 900 ? 260 : 100}, Qt::Vertical);
}

void MainWindow::raisePanel(const QString &panel)
{
    for (int i = 0; i < m_views->count(); ++i) {
        if (m_views->widget(i)->objectName() == panel)
            return m_views->setCurrentIndex(i);
    }
    if (panel == "audit"_L1) {
        raisePanel(u"recipe"_s);
        return m_pane->setTab(RecipePane::Tab::Audit);
    }
    for (QDockWidget *dock : {m_recipeDock, m_machineDock, m_consoleDock}) {
        if (dock->objectName() != panel)
            continue;
        dock->show();
        dock->raise();
    }
}

} // namespace tmx
