// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QStringList>
#include <QVariantMap>

#include <memory>

class QDockWidget;
class QMainWindow;
class QStackedWidget;
class QToolButton;
class QWidget;

namespace tmx {

class BuildConsole;
class BuildsView;
class Catalog;
class ElidedLabel;
class GridPanel;
class HardwarePanel;
class PackageList;
class MatrixModel;
class NoticeBar;
class PastBuildsView;
class PlanView;
class ProblemsView;
class RecipePane;
class QueueView;
class RepositoryBar;
class StartPage;
class ViewTabs;

/// The parts of the window: the repository bar, the notices and the branch's views in the middle, and the docks around
/// them.
struct Panels {
    Panels(QMainWindow *window, const std::shared_ptr<const Catalog> &catalog, MatrixModel *matrix);

    ~Panels();
    Q_DISABLE_COPY_MOVE(Panels)

    /// Names of what can be raised: the branch's views, panels, "audit" (a tab of the recipe), and the parts of the
    /// builds: "console", "queue", "schedule" and "builds" (past ones).
    static QStringList names();
    void raise(const QString &panel); ///< one of names()
    void showStart(bool shown);       ///< shows only the start page, or the branch's views and the docks
    void showMatrix(bool there);      ///< the grid and the plan, or the packages of a branch without a matrix
    /// Sizes the docks, once the window has its size. With enough room they are side by side.
    void arrange();
    /// The docks keep their shares of the window, whose width changed.
    void keepShares(int before, int now);
    void resetLayout(); ///< shows every dock and part at its default place and size
    /// Places and sizes of the docks, as they are without the start page.
    [[nodiscard]] QByteArray layout() const;
    /// Sizes within the panels, by name. Parts that were not shown since the start keep the restored sizes.
    [[nodiscard]] QVariantMap sizes() const;
    void restoreSizes(const QVariantMap &sizes);

    RepositoryBar *head;
    NoticeBar *notice;
    NoticeBar *settingsTrouble; ///< shown while the branch's torch-matrix.toml cannot be read
    QStackedWidget *pages;      ///< the start page or the views
    StartPage *start;
    ViewTabs *views; ///< views of the branch
    GridPanel *grid;
    PackageList *packages; ///< instead of the grid and the plan, on a branch without a matrix
    PlanView *plan;
    ProblemsView *problems;
    QWidget *settings; ///< the place of its page, which is made when it is shown
    RecipePane *pane;
    HardwarePanel *machine;
    BuildsView *builds;
    BuildConsole *console;
    QueueView *queue;
    PastBuildsView *pastBuilds;
    ElidedLabel *buildLine; ///< the builds in one line, below the views
    QToolButton *showBuilds;
    QDockWidget *recipeDock;
    QDockWidget *machineDock;

private:
    [[nodiscard]] QList<QDockWidget *> docks() const { return {recipeDock, machineDock}; }
    void cover(); ///< hides the docks where they are of no use, or shows them again
    QMainWindow *m_window;
    QHash<QDockWidget *, double> m_shares; ///< of the window's width
    QByteArray m_first;                    ///< default layout
    QVariantMap m_restored;                ///< restored sizes
    QByteArray m_covered;                  ///< layout with the docks, while they are hidden
};

} // namespace tmx
