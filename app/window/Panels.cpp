// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Panels.h"

#include "model/base/Tr.h"
#include "views/audit/ProblemsView.h"
#include "views/change/ChangeView.h"
#include "views/console/BuildConsole.h"
#include "views/grid/GridPanel.h"
#include "views/grid/PackageList.h"
#include "views/hardware/HardwarePanel.h"
#include "views/plan/PlanView.h"
#include "views/queue/BuildsView.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/recipe/RecipePane.h"
#include "views/start/RepositoryBar.h"
#include "views/start/StartPage.h"
#include "views/widgets/Buttons.h"
#include "views/widgets/Label.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/ViewTabs.h"
#include "views/widgets/Views.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString planColumn = u"planColumn"_s;

QDockWidget *addDock(QMainWindow *window, const QString &title, const QString &name, QWidget *widget,
                     Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, window);
    dock->setObjectName(name);
    dock->setWidget(widget);
    // Each panel has a heading, and the tabs have its name: a title bar would repeat it.
    dock->setTitleBarWidget(new QWidget(dock));
    window->addDockWidget(area, dock);
    return dock;
}

} // namespace

Panels::Panels(QMainWindow *window, const std::shared_ptr<const Catalog> &catalog, MatrixModel *matrix)
    : head(new RepositoryBar)
    , notice(new NoticeBar)
    , settingsTrouble(new NoticeBar)
    , pages(new QStackedWidget)
    , start(new StartPage)
    , views(new ViewTabs)
    , grid(new GridPanel)
    , packages(new PackageList)
    , plan(new PlanView)
    , problems(new ProblemsView)
    , settings(new QWidget)
    , pane(new RecipePane)
    , machine(new HardwarePanel(catalog))
    , builds(new BuildsView)
    , console(builds->console())
    , queue(builds->queue())
    , pastBuilds(builds->pastBuilds())
    , buildLine(new ElidedLabel(Label::Quiet, Tr::tr("Builds"), Qt::ElideRight))
    , showBuilds(
          makeTool(Tr::tr("Builds"), Tr::tr("Show the builds"), Tr::tr("Show the queue, the logs and the past builds")))
    , recipeDock(addDock(window, Tr::tr("Recipe"), u"recipe"_s, pane, Qt::RightDockWidgetArea))
    , machineDock(addDock(window, Tr::tr("This machine"), u"machine"_s, machine, Qt::RightDockWidgetArea))
    , m_window(window)
{
    notice->setObjectName(u"notice"_s);
    settingsTrouble->setObjectName(u"settingsTrouble"_s);
    settingsTrouble->setLasting();
    grid->setModel(matrix);
    grid->setObjectName(u"grid"_s);
    packages->setObjectName(u"packages"_s);
    plan->setObjectName(u"plan"_s);
    settings->setObjectName(u"settings"_s);
    problems->setObjectName(u"problems"_s);
    views->setDocumentMode(true);
    views->setAccessibleName(Tr::tr("View of the branch"));
    views->addView(grid, Tr::tr("Grid"));
    views->addView(packages, Tr::tr("Packages"));
    views->setTabVisible(views->tabOf(packages), false);
    views->addView(plan, Tr::tr("Plan"));
    views->addView(problems, Tr::tr("Problems"));
    views->addView(builds, Tr::tr("Builds"));
    views->addView(settings, Tr::tr("Settings"));
    QObject::connect(views, &ViewTabs::currentChanged, window, [this] { cover(); });
    QObject::connect(notice, &NoticeBar::takes, grid, &GridPanel::lend);
    QObject::connect(showBuilds, &QToolButton::clicked, window, [this] { views->setCurrentView(builds); });

    auto *centre = new QWidget(window);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(settingsTrouble);
    auto *branch = new QWidget;
    pages->addWidget(branch); // while it is empty: it is shown at once, and would be laid out
    auto *parts = new QVBoxLayout(branch);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(0);
    parts->addWidget(views, 1);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(8, 1, 8, 2);
    line->addWidget(buildLine, 1);
    line->addWidget(showBuilds);
    parts->addLayout(line);
    pages->addWidget(start);
    column->addWidget(pages, 1);
    column->addWidget(notice);
    window->setCentralWidget(centre);

    window->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    window->setTabPosition(Qt::RightDockWidgetArea, ViewTabs::North);
    window->tabifyDockWidget(recipeDock, machineDock);
    recipeDock->raise();
    m_first = window->saveState();
}

Panels::~Panels()
{
    notice->disconnect(m_window); // it is hidden later, with the window
}

void Panels::showMatrix(bool there)
{
    const bool wasInFront = views->currentView() == grid || views->currentView() == packages;
    views->setTabVisible(views->tabOf(grid), there);
    views->setTabVisible(views->tabOf(packages), !there);
    views->setTabVisible(views->tabOf(plan), there);
    if (wasInFront || (!there && views->currentView() == plan))
        views->setCurrentView(there ? static_cast<QWidget *>(grid) : packages);
}

void Panels::arrange()
{
    if (m_window->width() >= 1700) {
        m_window->splitDockWidget(recipeDock, machineDock, Qt::Horizontal);
        m_window->resizeDocks({recipeDock, machineDock}, {520, 330}, Qt::Horizontal);
    } else {
        m_window->resizeDocks({recipeDock}, {m_window->width() < 1100 ? 300 : qMax(400, m_window->width() - 880)},
                              Qt::Horizontal);
    }
}

QStringList Panels::names()
{
    return {u"grid"_s,    u"plan"_s,    u"problems"_s, u"settings"_s, u"recipe"_s, u"audit"_s,
            u"machine"_s, u"console"_s, u"queue"_s,    u"schedule"_s, u"builds"_s};
}

void Panels::showStart(bool shown)
{
    pages->setCurrentIndex(shown ? 1 : 0);
    head->setVisible(!shown);
    cover();
}

/// Builds, a plan with the changes of its steps, and settings take the whole width. Without a repository the docks are
/// empty.
void Panels::cover()
{
    const QWidget *view = views->currentView();
    const bool hide = pages->currentWidget() == start || view == builds || view == plan || view == settings;
    for (const QDockWidget *dock : docks())
        dock->toggleViewAction()->setEnabled(!hide);
    if (hide == !m_covered.isEmpty())
        return;
    if (!hide) {
        m_window->restoreState(std::exchange(m_covered, {}));
        return;
    }
    m_covered = m_window->saveState();
    for (QDockWidget *dock : docks())
        dock->hide();
}

void Panels::keepShares(int before, int now)
{
    for (QDockWidget *dock : docks()) {
        // Qt keeps a hidden tab's dock visible, beyond the window's edge.
        if (before <= 0 || !dock->isVisible() || dock->isFloating() || dock->geometry().right() < 0)
            continue;
        double &share = m_shares[dock];
        if (qAbs(share * before - dock->width()) > 2)
            share = double(dock->width()) / before;
        m_window->resizeDocks({dock}, {qRound(share * now)}, Qt::Horizontal);
    }
}

QByteArray Panels::layout() const
{
    return m_covered.isEmpty() ? m_window->saveState() : m_covered;
}

QVariantMap Panels::sizes() const
{
    QVariantMap sizes = m_restored;
    sizes.insert(splitterSizes(m_window));
    sizes.insert(planColumn, plan->changes()->fileWidth());
    return sizes;
}

void Panels::restoreSizes(const QVariantMap &sizes)
{
    m_restored = sizes;
    setSplitterSizes(m_window, sizes);
    plan->changes()->setFileWidth(qMax(0, sizes.value(planColumn).toInt()));
}

void Panels::resetLayout()
{
    m_restored.clear();
    resetSplitters(m_window);
    plan->changes()->setFileWidth(0);
    if (!m_covered.isEmpty()) {
        m_covered = m_first;
        return;
    }
    m_window->restoreState(m_first);
    recipeDock->raise();
    arrange();
}

void Panels::raise(const QString &panel)
{
    for (int i = 0; i < views->count(); ++i) {
        if (QWidget *view = views->viewAt(i); view->objectName() == panel)
            return views->setCurrentView(view != grid || views->isTabVisible(i) ? view : packages);
    }
    if (panel == "audit"_L1) {
        raise(u"recipe"_s);
        return pane->setTab(RecipePane::Tab::Audit);
    }
    if (const QStringList parts{u"console"_s, u"queue"_s, u"schedule"_s, u"builds"_s}; parts.contains(panel)) {
        views->setCurrentView(builds);
        if (panel == "queue"_L1 || panel == "builds"_L1)
            builds->showList(panel == "queue"_L1 ? static_cast<QWidget *>(queue) : pastBuilds);
        return;
    }
    for (QDockWidget *dock : docks()) {
        if (dock->objectName() != panel)
            continue;
        if (!m_covered.isEmpty())
            views->setCurrentView(views->isTabVisible(views->tabOf(grid)) ? static_cast<QWidget *>(grid) : packages);
        dock->show();
        dock->raise();
    }
}

} // namespace tmx
