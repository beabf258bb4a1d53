// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"

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

/// Wires the views to the model; decides nothing itself.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(const std::shared_ptr<const Catalog> &catalog, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openRepository(const QString &path, const QString &branch = {}); ///< empty: what is checked out
    /// Size and panels as they were when the window was closed last. From then on a repository opens on the branch that
    /// was shown of it last.
    void restoreLayout();
    /// Selects the cell once the grid that holds it is there.
    void selectWhenThere(const QString &name);
    /// Has the grid show it (MatrixSlice::every(): all), once it is there.
    void showToolkitWhenThere(const QString &toolkit);
    /// Opens the window that compares branches, once the repository is read; `labels` are checked.
    CompareController *compareBranches(const QStringList &labels = {});
    void raisePanel(const QString &panel); ///< as Panels::raise

    /// Branch read, pane filled, machine detected: a picture taken now shows everything.
    [[nodiscard]] bool isSettled() const;

Q_SIGNALS:
    void settled();
    void openingFailed(const tmx::Error &error); ///< of the repository or branch that openRepository() named last

protected:
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool focusNextPrevChild(bool next) override;  ///< not to a dock behind another one
    void closeEvent(QCloseEvent *event) override; ///< asks first while a build is running

private:
    void wireMenus();
    void wireWorkspace();
    void wireViews();
    void wireWork();
    void takeSnapshot();
    void selectCell(const QString &name);
    /// Selects the cell of the build that the console shows, and goes on once its recipe is in the pane.
    void withBuiltRecipe(const std::function<void()> &then);
    void wireStart();
    void wireFiles();
    /// The recipe's file in the working tree; empty, and said why, where it is on a branch that is not checked out.
    [[nodiscard]] QString fileOf(const QString &name);
    void showStart(const QString &problem = {}); ///< as long as no repository is open
    void askForRepository();
    void listRecent();
    void fillPane();
    void showTitle();
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
    AuditController *m_audit;
    PlanController *m_planning;
    PublishController *m_publish;
    SettingsController *m_settings;
    WorkController *m_work;
    RecipeActions *m_actions;
    StartController *m_start;
    bool m_arranged = false;         ///< the panels have their places
    bool m_restored = false;         ///< those of the last time
    bool m_remembers = false;        ///< the branches that are shown
    bool m_named = false;            ///< the last opening named a branch
    OperationId m_opening = 0;       ///< last repository that was asked to be opened
    QString m_openingPath;           ///< of it
    QString m_place;                 ///< repository and branch that were shown last
    QString m_wantedToolkit;         ///< to be shown when the branch is read
    QString m_wanted;                ///< to be selected when the grid holds it
    QPointer<QMessageBox> m_closing; ///< the question about a running build
    bool m_mayClose = false;         ///< it was answered
};

} // namespace tmx
