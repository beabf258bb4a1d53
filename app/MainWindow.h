// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QMainWindow>

#include <functional>
#include <memory>

class QDockWidget;
class QTabWidget;

namespace tmx {

class AuditController;
class BuildConsole;
class BuildController;
class Catalog;
class CompareController;
class GridPanel;
class HardwareController;
class HistoryController;
class HardwarePanel;
class MatrixModel;
class LineController;
class LinePage;
class NoticeBar;
class PlanController;
class PlanView;
class RecipeController;
class RecipePane;
class RepositoryBar;
class WorkController;
class Workspace;
struct ActionState;
struct CellActions;
struct WriteReport;

/// Wires the views to the model; decides nothing itself.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(std::shared_ptr<const Catalog> catalog, QWidget *parent = nullptr);
    ~MainWindow() override;

    void openRepository(const QString &path, const QString &branch = {}); ///< empty: what is checked out
    /// Selects the cell once the grid that holds it is there.
    void selectWhenThere(const QString &name);
    /// "recipe", "audit" (a tab of the recipe), "machine", "console", or a view in the middle: "grid", "plan", "line"
    /// Opens the window that compares branches, once the repository is read; `labels` are checked.
    CompareController *compareBranches(const QStringList &labels = {});
    void raisePanel(const QString &panel);

    /// Branch read, pane filled, machine detected: a picture taken now shows everything.
    [[nodiscard]] bool isSettled() const;

Q_SIGNALS:
    void settled();

protected:
    void showEvent(QShowEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

private:
    void makeViews();
    void makeDocks();
    void makeMenus();
    void wireWorkspace();
    void wirePanels();
    void wireViews();
    void wireWork();
    void takeSnapshot();
    void selectCell(const QString &name);
    /// Those of `names` on which `action` can be done. When there is none, says why not (of one name), or `noneOfMany`.
    QStringList allowed(const QStringList &names, ActionState CellActions::*action, const QString &noneOfMany);
    void generate(const QStringList &names);
    void generateAllMissing();
    [[nodiscard]] bool confirmed(const QString &title, const QString &question, const QString &action);
    void commit(const QStringList &names);
    void commitWithMessage();
    /// Asks first where the audit has found an error: a build that cannot succeed costs hours.
    void build(const QString &name);
    void askForRepository();
    void listRecent();
    void updateActions();
    void showLineTrouble(const QString &sentence); ///< empty: there is none
    void tell(const WriteReport &report);
    void tellApplied(const WriteReport &report); ///< steps that were chosen; with Undo
    /// What was done, with a button that takes it back.
    void tellWithUndo(const QString &sentence, std::function<void()> undo);
    void tellWithAction(const QString &sentence, const QString &button, std::function<void()> action);
    [[nodiscard]] QStringList selectedNames() const;

    struct Actions;
    std::unique_ptr<Actions> m_actions;
    Workspace *m_workspace = nullptr;
    MatrixModel *m_matrix = nullptr;
    RepositoryBar *m_head = nullptr;
    NoticeBar *m_notice = nullptr;
    NoticeBar *m_lineTrouble = nullptr; ///< as long as the branch's torch-matrix.toml cannot be read
    QTabWidget *m_views = nullptr;      ///< of the branch: grid, plan, line
    GridPanel *m_grid = nullptr;
    PlanView *m_plan = nullptr;
    LinePage *m_line = nullptr;
    RecipePane *m_pane = nullptr;
    HardwarePanel *m_machine = nullptr;
    BuildConsole *m_console = nullptr;
    QDockWidget *m_recipeDock = nullptr;
    QDockWidget *m_machineDock = nullptr;
    QDockWidget *m_consoleDock = nullptr;
    RecipeController *m_recipe = nullptr;
    HardwareController *m_hardware = nullptr;
    BuildController *m_builds = nullptr;
    CompareController *m_compare = nullptr;
    HistoryController *m_history = nullptr;
    AuditController *m_audit = nullptr;
    PlanController *m_planning = nullptr;
    LineController *m_lines = nullptr;
    WorkController *m_work = nullptr;
    std::function<void()> m_noticeAction; ///< of the notice that is shown
    bool m_arranged = false;              ///< the panels have their places
    QString m_opening;                    ///< folder that was asked to be opened, until it is or cannot be
    QString m_place;                      ///< repository and branch that were shown last
    QString m_wanted;                     ///< to be selected when the grid holds it
};

} // namespace tmx
