// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Finding.h"
#include "model/snapshot/RecipeState.h"

#include <QMap>
#include <QSet>
#include <QToolBar>

namespace tmx {

/// One button for each state that occurs, with its glyph and count: "missing 12". Pressed buttons filter the grid;
/// without a pressed one all is shown.
class StateFilterBar : public QToolBar
{
    Q_OBJECT
public:
    explicit StateFilterBar(QWidget *parent = nullptr);

    void setCounts(const QMap<RecipeState, int> &counts);
    /// `cells`: the number of cells with problems, shown as `text`. The gravest severity gives the glyph.
    void setProblems(int cells, const QString &text, Severity gravest);
    void setProblemsOnly(bool problemsOnly);
    void setStates(const QSet<RecipeState> &states);
    [[nodiscard]] QSet<RecipeState> states() const;

Q_SIGNALS:
    void statesChanged(const QSet<tmx::RecipeState> &states);
    void problemsOnlyChanged(bool problemsOnly);

protected:
    void changeEvent(QEvent *event) override;

private:
    void updateIcons();
    void updateVisible();
    QMap<RecipeState, QAction *> m_actions;
    QMap<RecipeState, int> m_counts;
    QAction *m_problems = nullptr;
    int m_problemCells = 0;
    Severity m_gravest = Severity::Warning;
};

} // namespace tmx
