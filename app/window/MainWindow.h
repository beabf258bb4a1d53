// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"

#include <QDateTime>
#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <memory>

class QMessageBox;

namespace tmx {

class AuditController;
class BuildController;
class Catalog;
class CompareController;
class Desktop;
class HardwareController;
class HistoryController;
class SettingsController;
class StartController;
class MatrixModel;
class Notices;
class OverviewController;
class PastBuildsController;
class PlanController;
class PreferencesController;
class PublishController;
class RecipeActions;
class RecipeController;
class WorkController;
class Workspace;
struct Menus;
struct Panels;

/// Connects the views to the model; decides nothing itself.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const std::shared_ptr<const Catalog> &catalog, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openRepository(const QString &path, const QString &branch = {}); ///< empty `branch`: the last shown one if
                                                                          ///< restoreLayout() was called, else the
                                                                          ///< checked-out branch
    /// Restores the size and panels of the last session. Afterwards repositories open on the branch that was last
    /// shown.
    void restoreLayout();
    /// Selects the cell as soon as the grid has it.
    void selectWhenThere(const QString &name);
    /// Shows this toolkit in the grid as soon as it has it (MatrixSlice::every(): all).
    void showToolkitWhenThere(const QString &toolkit);
    /// Opens the window that compares branches as soon as the repository is read; `labels` are checked.
    CompareController *compareBranches(const QStringList &labels = {});
    void raisePanel(const QString &panel); ///< see Panels::raise

    /// Branch read, pane filled, machine detected: a screenshot taken now shows everything.
    [[nodiscard]] bool isSettled() const;

Q_SIGNALS:
    void settled();
    void openingFailed(const tmx::Error &error); ///< for the last repository or branch given to openRepository()

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool focusNextPrevChild(bool next) override;  ///< skips docks behind another one
    void closeEvent(QCloseEvent *event) override; ///< asks for confirmation while a build is running

private:
    void wireMenus();
    void wireBuilds();
    void wireWorkspace();
    void wireGrid();
    void wireRecipe();
    void wireViews();
    void wireWork();
    void takeSnapshot();
    void selectCell(const QString &name);
    /// Selects the cell of the build that the console shows, and calls `then` once its recipe is in the pane.
    void withBuiltRecipe(const std::function<void()> &then);
    void wireStart();
    void wireFiles();
    /// The recipe's file in the working tree. If the shown branch is not checked out: empty, and a notice says why.
    [[nodiscard]] QString fileOf(const QString &name);
    void showStart(const QString &problem = {}); ///< shown while no repository is open
    void askForRepository();
    void listRecent();
    void focusNextPart();
    void fillPane();
    [[nodiscard]] bool hasMatrix() const;
    [[nodiscard]] QString currentName() const; ///< of the grid, or of the packages
    void showTitle();
    void showBuilds();
    void showProblems();
    void updateActions();
    void tellSettled();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    std::unique_ptr<Panels> m_panels;
    std::unique_ptr<Menus> m_menus;
    Notices *m_notices;
    RecipeController *m_recipe;
    HardwareController *m_hardware;
    BuildController *m_builds;
    PastBuildsController *m_pastBuilds;
    PreferencesController *m_preferences;
    Desktop *m_desktop;
    CompareController *m_compare;
    HistoryController *m_history;
    OverviewController *m_overview;
    AuditController *m_audit;
    PlanController *m_planning;
    PublishController *m_publish;
    SettingsController *m_settings;
    WorkController *m_work;
    RecipeActions *m_actions;
    StartController *m_start;
    QDateTime m_buildsEnd;           ///< of all that run or wait; invalid: unknown
    bool m_arranged = false;         ///< the panels have their sizes
    bool m_restored = false;         ///< from the last session
    bool m_remembers = false;        ///< remembers the shown branches
    bool m_named = false;            ///< the last openRepository() named a branch
    OperationId m_opening = 0;       ///< the last requested opening
    QString m_openingPath;           ///< its path
    QString m_place;                 ///< the last shown repository and branch
    QString m_wantedToolkit;         ///< to show when the branch is read
    QString m_wanted;                ///< to select when the grid has it
    QPointer<QMessageBox> m_closing; ///< asks whether to close despite a running build
    bool m_mayClose = false;         ///< the user confirmed
};

} // namespace tmx
