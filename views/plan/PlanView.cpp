// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/plan/PlanView.h"

#include "views/plan/PlanModel.h"
#include "views/plan/StepTree.h"
#include "views/widgets/Label.h"
#include "views/widgets/Tips.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QStackedWidget>

using namespace Qt::StringLiterals;

namespace tmx {

PlanView::PlanView(QWidget *parent)
    : QWidget(parent)
    , m_tree(new StepTree)
    , m_model(m_tree->steps())
    , m_stack(new QStackedWidget)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_intro(new Label({}, Label::Wrapped | Label::Quiet))
    , m_summary(new Label({}, Label::Quiet, tr("What is chosen")))
    , m_all(new QPushButton(tr("All")))
    , m_none(new QPushButton(tr("None")))
    , m_apply(new QPushButton)
{
    m_tree->setAccessibleName(tr("Steps of the plan"));
    m_intro->setContentsMargins(12, 10, 12, 8);
    m_stack->addWidget(m_nothing);
    m_stack->addWidget(m_tree);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_intro);
    layout->addWidget(m_stack, 1);
    layout->addWidget(makeFooter());
    setFocusProxy(m_tree);

    connect(m_model, &PlanModel::chosenChanged, this, &PlanView::updateSummary);
    connect(m_tree, &StepTree::currentStepChanged, this, [this] {
        if (const PlanStep *step = m_tree->currentStep())
            Q_EMIT stepSelected(step->name);
    });
    connect(m_apply, &QPushButton::clicked, this, [this] { Q_EMIT applyRequested(m_model->plan()); });
    connect(m_all, &QPushButton::clicked, this, [this] { choose(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { choose(false); });
    updateSummary();
}

QWidget *PlanView::makeFooter()
{
    describe(
        m_all, tr("Choose every step"),
        tr("Chooses every step that can be done, those that touch customised recipes and uncommitted texts included"));
    m_none->setAccessibleName(tr("Choose no step"));
    m_apply->setAccessibleName(tr("Apply the chosen steps"));
    m_apply->setDefault(true);
    m_apply->setMinimumWidth(130); // the number of steps changes, its place does not
    m_summary->setMinimumWidth(1);
    auto *footer = new QWidget;
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(12, 8, 8, 8);
    row->setSpacing(6);
    row->addWidget(m_all);
    row->addWidget(m_none);
    row->addSpacing(6);
    row->addWidget(m_summary, 1);
    row->addWidget(m_apply);
    return footer;
}

PlanModel *PlanView::model() const
{
    return m_model;
}

void PlanView::setPlanning()
{
    if (!m_planned)
        m_nothing->setText(tr("Working out what the branch needs…"));
}

void PlanView::setPlan(const Plan &plan)
{
    m_planned = true;
    m_tree->setPlan(plan);
    m_tree->setColumnWidth(PlanModel::Step, qBound(280, width() / 2, 420));
    m_nothing->setText(tr("Branch %1 has no line, so there is nothing to plan for.").arg(plan.branch));
    m_stack->setCurrentIndex(plan.steps.isEmpty() ? 0 : 1);
    updateSummary();
}

void PlanView::setBusy(bool busy)
{
    m_busy = busy;
    updateSummary();
}

/// Every step, of every action.
void PlanView::choose(bool all)
{
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_model->setData(m_model->index(row, 0), all ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void PlanView::updateSummary()
{
    const QMap<PlanStep::Action, int> chosen = m_model->plan().chosen();
    QStringList parts;
    int steps = 0;
    int todo = 0;
    for (const auto &[action, count] : chosen.asKeyValueRange()) {
        if (action == PlanStep::Action::Keep || count == 0)
            continue;
        parts.append(tr("%1 %2", "action, count").arg(actionWord(action).toLower()).arg(count));
        steps += count;
    }
    for (const PlanStep &step : m_model->plan().steps)
        todo += step.action != PlanStep::Action::Keep;
    const QString branch = m_model->plan().branch;
    if (!m_planned)
        m_intro->clear();
    else if (todo == 0)
        m_intro->setText(tr("✓  Branch %1 is what its line promises; nothing has to be done.").arg(branch));
    else
        m_intro->setText(tr("What branch %1 needs to be what its line promises. Chosen steps become one commit; "
                            "customised recipes that are "
                            "sound, and what is not committed, are touched only if you choose so.")
                             .arg(branch));
    m_intro->setVisible(m_planned);
    m_summary->setText(parts.isEmpty() ? tr("Nothing is chosen.") : tr("Chosen: %1").arg(parts.join(", "_L1)));
    m_apply->setText(steps == 0 ? tr("Apply") : steps == 1 ? tr("Apply 1 step") : tr("Apply %1 steps").arg(steps));
    m_apply->setEnabled(steps > 0 && !m_busy);
    m_all->setEnabled(todo > 0 && !m_busy);
    m_none->setEnabled(steps > 0 && !m_busy);
}

} // namespace tmx
