// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QStringList>
#include <QVariantMap>

#include <memory>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QTabWidget;

namespace tmx {

class BuildConsole;
class Catalog;
class GridPanel;
class HardwarePanel;
class SettingsPage;
class MatrixModel;
class NoticeBar;
class PastBuildsView;
class PlanView;
class RecipePane;
class QueueView;
class RepositoryBar;
class StartPage;

/// The parts of the window: the head, the notices and the views of the branch in the middle, and the docks around them.
struct Panels {
    Panels(QMainWindow *window, const std::shared_ptr<const Catalog> &catalog, MatrixModel *matrix);

    /// What can be brought to the front: views of the branch, panels, "audit", a tab of the recipe, and "schedule", a
    /// form of the queue.
    static QStringList names();
    void raise(const QString &panel); ///< one of names()
    void showStart(bool shown);       ///< the start page alone, or the views of the branch and the docks
    void raiseConsole();              ///< high enough to be read
    /// Gives the docks their sizes, once the window has its own. Where there is room they stand side by side.
    void arrange();
    void resetLayout(); ///< every dock and part shown, in the place and size that it has to begin with
    /// Places and sizes of the docks, as the start page would leave them.
    [[nodiscard]] QByteArray layout() const;
    /// Sizes within the panels, by name; what was not shown since the start is as it was restored.
    [[nodiscard]] QVariantMap sizes() const;
    void restoreSizes(const QVariantMap &sizes);

    RepositoryBar *head;
    NoticeBar *notice;
    NoticeBar *settingsTrouble; ///< shown as long as the branch's torch-matrix.toml cannot be read
    QStackedWidget *pages;      ///< the start page, or the views
    StartPage *start;
    QTabWidget *views; ///< of the branch
    GridPanel *grid;
    PlanView *plan;
    SettingsPage *settings;
    RecipePane *pane;
    HardwarePanel *machine;
    BuildConsole *console;
    QueueView *queue;
    PastBuildsView *pastBuilds;
    QDockWidget *recipeDock;
    QDockWidget *machineDock;
    QDockWidget *consoleDock;
    QDockWidget *queueDock;
    QDockWidget *pastBuildsDock;

private:
    void grow(QDockWidget *dock, int height); ///< to that height at least
    QMainWindow *m_window;
    QByteArray m_first;     ///< layout to begin with
    QVariantMap m_restored; ///< sizes
    QByteArray m_covered;   ///< layout without the start page, while that is shown
};

} // namespace tmx
