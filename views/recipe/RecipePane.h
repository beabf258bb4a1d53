// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/outcome/BuildState.h"
#include "views/recipe/RecipePaneContent.h"

#include <QWidget>

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace tmx {

class AuditPage;
class ChangesPage;
class CheckList;
class ElidedLabel;
class Label;
class FactsView;
class FlowLayout;
class RecipePage;
class ViewTabs;
struct CheckItem;

/// Shows the selected cell: its recipe, differences, facts, and the next steps (Generate, Commit, Build) at fixed
/// places. G, C and B press these buttons while one of them has the focus. Alt+1 to Alt+4 change the tab from anywhere
/// in the window; Ctrl+F, F3 and Shift+F3 search while the pane has focus.
class RecipePane : public QWidget
{
    Q_OBJECT
public:
    enum class Tab { Recipe, Changes, Facts, Audit };

    explicit RecipePane(QWidget *parent = nullptr);

    using QWidget::show;
    /// Caret, scroll position and search stay, both when the same name is shown again (a refresh) and on another cell:
    /// walking the grid compares the same place of each recipe.
    void show(const RecipePaneContent &content);
    void clear(); ///< nothing is selected: it shows the branch
    /// What to know of the branch before a cell is selected, and the commands that would be next.
    void setBranch(const QString &title, const QList<CheckItem> &items, const QList<QAction *> &next);
    /// The state in a sentence, and the steps that are done and missing in one line, which may be empty.
    void setState(const QString &sentence, const QString &way);
    /// Something is being read. The shown content stays, and the pane says that more is coming.
    void setLoading(bool loading);
    /// What can be done about a failed build; hidden for another one.
    void setBuild(const BuildState &build);
    /// The first enabled one of generate, commit, build is drawn as the next step.
    void setActions(const PaneActions &actions);

    /// The tab of the audit, for the code that computes its fixes.
    [[nodiscard]] AuditPage *audit() const { return m_audit; }

    [[nodiscard]] QString name() const { return m_name; } ///< name of the shown variant; empty if there is none
    [[nodiscard]] Tab tab() const;
    void setTab(Tab tab);
    /// Scrolls its tab to a line of the recipe, from 1, or of a file that it imports.
    void showLine(int line, const QString &file = {});
    /// Shows the line of the rule's finding, or of the one that says `sentence`, in the shown recipe and in each that
    /// is shown after it. Moves no focus. Empty: no longer.
    void lookFor(const QString &rule, const QString &sentence);

Q_SIGNALS:
    void generateRequested(const QString &name);
    void commitRequested(const QString &name);
    void buildRequested(const QString &name);
    void usersRequested(const QString &path); ///< the recipes that import a file
    void verifyRequested(const QString &name);
    void publishRequested(const QString &name);
    void logRequested(const QString &job);
    void retryRequested(const QStringList &jobs);
    void errorsCopyRequested(const QString &job);
    void tabRequested(); ///< by its key, from anywhere in the window

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QPushButton *addStep(void (RecipePane::*requested)(const QString &));
    void updateEmptyText();
    void revealWanted();
    [[nodiscard]] QWidget *makeHeader();
    [[nodiscard]] QWidget *makeFailure();
    [[nodiscard]] QWidget *makeBranchPage();

    QString m_name;
    QString m_wantedRule, m_wantedSentence; ///< see lookFor()
    QList<Finding> m_findings;              ///< of the shown recipe
    bool m_loading = false;
    QStackedWidget *m_stack = nullptr;
    Label *m_branch = nullptr;
    CheckList *m_digest = nullptr;
    FlowLayout *m_next = nullptr;
    QList<QAction *> m_nextActions; ///< of its buttons
    QLabel *m_empty = nullptr;
    ElidedLabel *m_title = nullptr;
    Label *m_state = nullptr;
    QProgressBar *m_busy = nullptr;
    QPushButton *m_generate = nullptr;
    QPushButton *m_commit = nullptr;
    QPushButton *m_build = nullptr;
    QPushButton *m_verify = nullptr;
    QPushButton *m_publish = nullptr;
    QLabel *m_way = nullptr;
    QWidget *m_failure = nullptr; ///< the buttons below
    QPushButton *m_retry = nullptr;
    QPushButton *m_line = nullptr;
    QPushButton *m_copyErrors = nullptr;
    BuildState m_failed;
    ViewTabs *m_tabs = nullptr;
    RecipePage *m_recipe = nullptr;
    ChangesPage *m_changes = nullptr;
    FactsView *m_facts = nullptr;
    AuditPage *m_audit = nullptr;
};

} // namespace tmx
