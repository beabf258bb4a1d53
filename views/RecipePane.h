// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/RecipePaneContent.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabWidget;

namespace tmx {

class AuditPage;
class ChangesPage;
class ElidedLabel;
class FactsView;
class RecipePage;

/// Shows the selected cell: its recipe, what differs, what is known of it, and the next steps (Generate, Commit, Build)
/// in places that never move; G, C and B press them while one has the focus. Alt+1 to Alt+4 change the tab from
/// anywhere in the window; Ctrl+F, F3 and Shift+F3 search while the pane has focus.
class RecipePane : public QWidget
{
    Q_OBJECT
public:
    enum class Tab { Recipe, Changes, Facts, Audit };

    explicit RecipePane(QWidget *parent = nullptr);

    using QWidget::show;
    /// The same name again is a refresh: caret, scroll position and search stay. They stay on another cell as well, so
    /// that walking the grid compares the same place of each recipe.
    void show(const RecipePaneContent &content);
    void clear(); ///< nothing is selected
    /// Something is being read: what is shown stays, and the pane says that more is coming.
    void setLoading(bool loading);
    /// The first enabled one of generate, commit, build is drawn as the next step.
    void setActions(const PaneActions &actions);

    /// The tab of the audit, for whoever works out its fixes.
    [[nodiscard]] AuditPage *audit() const { return m_audit; }

    [[nodiscard]] QString name() const { return m_name; } ///< of the variant shown; empty when none is
    [[nodiscard]] Tab tab() const;
    void setTab(Tab tab);
    void showLine(int line); ///< of the recipe, from 1, in its tab

Q_SIGNALS:
    void generateRequested(const QString &name);
    void commitRequested(const QString &name);
    void buildRequested(const QString &name);

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QPushButton *addStep(void (RecipePane::*requested)(const QString &));
    void updateEmptyText();
    [[nodiscard]] QWidget *makeHeader();

    QString m_name;
    bool m_loading = false;
    QStackedWidget *m_stack = nullptr;
    QLabel *m_empty = nullptr;
    ElidedLabel *m_title = nullptr;
    QLabel *m_state = nullptr;
    QProgressBar *m_busy = nullptr;
    QPushButton *m_generate = nullptr;
    QPushButton *m_commit = nullptr;
    QPushButton *m_build = nullptr;
    QTabWidget *m_tabs = nullptr;
    RecipePage *m_recipe = nullptr;
    ChangesPage *m_changes = nullptr;
    FactsView *m_facts = nullptr;
    AuditPage *m_audit = nullptr;
};

} // namespace tmx
