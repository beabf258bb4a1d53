// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/window/Panels.h"

#include "model/base/Tr.h"
#include "views/change/ChangeView.h"
#include "views/console/BuildConsole.h"
#include "views/grid/GridPanel.h"
#include "views/hardware/HardwarePanel.h"
#include "views/plan/PlanView.h"
#include "views/queue/PastBuildsView.h"
#include "views/queue/QueueView.h"
#include "views/recipe/RecipePane.h"
#include "views/settings/SettingsPage.h"
#include "views/start/RepositoryBar.h"
#include "views/start/StartPage.h"
#include "views/widgets/NoticeBar.h"
#include "views/widgets/Views.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTabWidget>
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
    , views(new QTabWidget)
    , grid(new GridPanel)
    , plan(new PlanView)
    , settings(new SettingsPage(catalog))
    , pane(new RecipePane)
    , machine(new HardwarePanel(catalog))
    , console(new BuildConsole)
    , queue(new QueueView)
    , pastBuilds(new PastBuildsView)
    , recipeDock(addDock(window, Tr::tr("Recipe"), u"recipe"_s, pane, Qt::RightDockWidgetArea))
    , machineDock(addDock(window, Tr::tr("This machine"), u"machine"_s, machine, Qt::RightDockWidgetArea))
    , consoleDock(addDock(window, Tr::tr("Build"), u"console"_s, console, Qt::BottomDockWidgetArea))
    , queueDock(addDock(window, Tr::tr("Queue"), u"queue"_s, queue, Qt::BottomDockWidgetArea))
    , pastBuildsDock(addDock(window, Tr::tr("Past builds"), u"builds"_s, pastBuilds, Qt::BottomDockWidgetArea))
    , m_window(window)
{
    notice->setObjectName(u"notice"_s);
    settingsTrouble->setObjectName(u"settingsTrouble"_s);
    settingsTrouble->setLasting();
    grid->setModel(matrix);
    grid->setObjectName(u"grid"_s);
    plan->setObjectName(u"plan"_s);
    settings->setObjectName(u"settings"_s);
    views->setDocumentMode(true);
    views->setAccessibleName(Tr::tr("View of the branch"));
    views->addTab(grid, Tr::tr("Grid"));
    views->addTab(plan, Tr::tr("Plan"));
    views->addTab(settings, Tr::tr("Settings"));

    auto *centre = new QWidget(window);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(settingsTrouble);
    pages->addWidget(views);
    pages->addWidget(start);
    column->addWidget(pages, 1);
    notice->floatOver(pages);
    window->setCentralWidget(centre);

    window->setDockOptions(QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    window->setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->tabifyDockWidget(recipeDock, machineDock);
    recipeDock->raise();
    window->setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    window->tabifyDockWidget(consoleDock, queueDock);
    window->tabifyDockWidget(queueDock, pastBuildsDock);
    consoleDock->raise();
    // Queued: the dock has its height only after the layout of the front tab.
    for (QDockWidget *dock : {queueDock, pastBuildsDock})
        QObject::connect(
            dock, &QDockWidget::visibilityChanged, window,
            [this, dock](bool visible) {
                if (visible)
                    grow(dock, 200);
            },
            Qt::QueuedConnection);
    m_first = window->saveState();
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
    // One line says that nothing was built yet.
    if (!console->isEmpty())
        grow(consoleDock, m_window->height() >= 900 ? 260 : 200);
    else
        m_window->resizeDocks({consoleDock}, {1}, Qt::Vertical);
}

void Panels::grow(QDockWidget *dock, int height)
{
    if (dock->height() < height)
        m_window->resizeDocks({dock}, {height}, Qt::Vertical);
}

QStringList Panels::names()
{
    return {u"grid"_s,    u"plan"_s,    u"settings"_s, u"recipe"_s,   u"audit"_s,
            u"machine"_s, u"console"_s, u"queue"_s,    u"schedule"_s, u"builds"_s};
}

void Panels::showStart(bool shown)
{
    const bool was = pages->currentWidget() == start;
    pages->setCurrentWidget(shown ? static_cast<QWidget *>(start) : views);
    head->setVisible(!shown);
    const QList<QDockWidget *> docks{recipeDock, machineDock, consoleDock, queueDock, pastBuildsDock};
    for (const QDockWidget *dock : docks)
        dock->toggleViewAction()->setEnabled(!shown);
    if (shown == was)
        return;
    if (!shown) {
        m_window->restoreState(std::exchange(m_covered, {}));
        return;
    }
    // Without a repository the docks are empty.
    m_covered = m_window->saveState();
    for (QDockWidget *dock : docks)
        dock->hide();
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
    consoleDock->raise();
    arrange();
}

void Panels::raise(const QString &panel)
{
    for (int i = 0; i < views->count(); ++i) {
        if (views->widget(i)->objectName() == panel)
            return views->setCurrentIndex(i);
    }
    if (panel == "audit"_L1) {
        raise(u"recipe"_s);
        return pane->setTab(RecipePane::Tab::Audit);
    }
    if (panel == "schedule"_L1) {
        raise(u"queue"_s);
        return queue->showSchedule(true);
    }
    for (QDockWidget *dock : {recipeDock, machineDock, consoleDock, queueDock, pastBuildsDock}) {
        if (dock->objectName() != panel)
            continue;
        dock->show();
        dock->raise();
    }
}

void Panels::raiseConsole()
{
    raise(u"console"_s);
    grow(consoleDock, m_window->height() >= 900 ? 260 : 200);
}

} // namespace tmx
