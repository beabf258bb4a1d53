// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/grid/StateFilterBar.h"

#include "model/matrix/StateWords.h"
#include "views/theme/Theme.h"
#include "views/widgets/Tips.h"

#include <QEvent>
#include <QIcon>
#include <QLocale>

namespace tmx {

StateFilterBar::StateFilterBar(QWidget *parent)
    : QToolBar(parent)
{
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize({16, 16});
    setMovable(false);
    setFloatable(false);
    setContextMenuPolicy(Qt::PreventContextMenu); // QMainWindow would offer to hide it.
    setAccessibleName(tr("Filter by state"));
    for (const RecipeState state : allRecipeStates) {
        QAction *action = addAction(stateWord(state));
        action->setCheckable(true);
        action->setVisible(false);
        action->setWhatsThis(stateMeaning(state));
        connect(action, &QAction::toggled, this, [this] {
            updateVisible();
            Q_EMIT statesChanged(states());
        });
        m_actions.insert(state, action);
        // Toolbars exclude their buttons from the Tab order.
        if (QWidget *button = widgetForAction(action))
            button->setFocusPolicy(Qt::TabFocus);
    }
    m_problems = addAction(QString());
    m_problems->setCheckable(true);
    connect(m_problems, &QAction::toggled, this, [this](bool on) {
        updateVisible();
        Q_EMIT problemsOnlyChanged(on);
    });
    if (QWidget *button = widgetForAction(m_problems))
        button->setFocusPolicy(Qt::TabFocus);
    setProblems(0, {}, Severity::Warning);
    updateIcons();
}

void StateFilterBar::setCounts(const QMap<RecipeState, int> &counts)
{
    m_counts = counts;
    for (const auto &[state, action] : m_actions.asKeyValueRange()) {
        const QString word = stateWord(state);
        const int count = counts.value(state);
        action->setText(tr("%1 %2", "state word and count").arg(word, QLocale().toString(count)));
        setPlainToolTip(
            action, tr("Show only %1 cells (%2 here). Press again to show all.").arg(word, QLocale().toString(count)));
    }
    updateVisible();
}

void StateFilterBar::updateVisible()
{
    // A pressed button stays even at 0, so that it can be released.
    for (const auto &[state, action] : m_actions.asKeyValueRange())
        action->setVisible(m_counts.value(state) > 0 || action->isChecked());
    m_problems->setVisible(m_problemCells > 0 || m_problems->isChecked());
}

void StateFilterBar::setProblems(int cells, const QString &text, Severity gravest)
{
    m_problemCells = cells;
    m_gravest = gravest;
    m_problems->setText(tr("problems %1", "count of cells").arg(QLocale().toString(cells)));
    setPlainToolTip(m_problems, tr("Show only cells with findings of the audit (%1). Press again to show all.")
                                    .arg(text.isEmpty() ? tr("none here") : text));
    m_problems->setIcon(severityIcon(m_gravest, palette()));
    updateVisible();
}

void StateFilterBar::setProblemsOnly(bool problemsOnly)
{
    m_problems->setChecked(problemsOnly);
}

QSet<RecipeState> StateFilterBar::states() const
{
    QSet<RecipeState> states;
    for (const auto &[state, action] : m_actions.asKeyValueRange()) {
        if (action->isChecked())
            states.insert(state);
    }
    return states;
}

void StateFilterBar::setStates(const QSet<RecipeState> &states)
{
    const QSet<RecipeState> before = this->states();
    {
        const QSignalBlocker blocker(this);
        for (const auto &[state, action] : m_actions.asKeyValueRange())
            action->setChecked(states.contains(state));
    }
    if (states != before)
        Q_EMIT statesChanged(states);
}

void StateFilterBar::changeEvent(QEvent *event)
{
    QToolBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateIcons();
}

void StateFilterBar::updateIcons()
{
    for (const auto &[state, action] : m_actions.asKeyValueRange())
        action->setIcon(stateIcon(state, palette()));
    if (m_problems)
        m_problems->setIcon(severityIcon(m_gravest, palette()));
}

} // namespace tmx
