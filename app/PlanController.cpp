// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/PlanController.h"

#include "model/workspace/Workspace.h"
#include "views/plan/PlanView.h"

#include <QFuture>
#include <QtConcurrent>

namespace tmx {

PlanController::PlanController(Workspace *workspace, PlanView *view, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_view(view)
{
    connect(workspace, &Workspace::snapshotChanged, this, &PlanController::plan);
    connect(workspace, &Workspace::planApplied, this, [this] { m_view->setBusy(false); });
    connect(workspace, &Workspace::failed, this, [this] { m_view->setBusy(false); });
    connect(view, &PlanView::applyRequested, this, [this](const Plan &plan) {
        m_view->setBusy(true);
        m_workspace->applyPlan(plan, m_planned);
    });
}

void PlanController::setVisible(bool visible)
{
    m_visible = visible;
    plan();
}

void PlanController::plan()
{
    const std::shared_ptr<const BranchSnapshot> snapshot = m_workspace->snapshot();
    if (!m_visible || !snapshot || snapshot == m_planned)
        return;
    const quint64 generation = ++m_generation;
    m_planning = true;
    m_view->setPlanning();
    QtConcurrent::run([catalog = m_workspace->catalog(), snapshot] {
        return planFor(*catalog, *snapshot);
    }).then(this, [this, generation, snapshot](const Plan &plan) {
        if (generation != m_generation)
            return;
        m_planning = false;
        m_planned = snapshot;
        m_view->setPlan(plan);
        Q_EMIT planned();
    });
}

} // namespace tmx
