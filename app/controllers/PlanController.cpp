// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PlanController.h"

#include "app/window/Notices.h"
#include "model/workspace/Workspace.h"
#include "views/plan/PlanView.h"

namespace tmx {

PlanController::PlanController(Workspace *workspace, PlanView *view, Notices *notices, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_view(view)
{
    Operations *operations = workspace->operations();
    connect(workspace, &Workspace::snapshotChanged, this, &PlanController::plan);
    connect(view, &PlanView::applyRequested, this, [this, operations, notices](const ChangeSet &plan) {
        m_view->setBusy(true);
        m_applying = notices->watch(operations->apply(m_workspace->info().workTree, {plan}));
    });
    connect(operations, &Operations::prepared, this, [this](OperationId id, const QList<ChangeSet> &changes) {
        if (id != m_planning)
            return;
        m_planning = 0;
        m_view->setPlan(changes.constFirst());
        Q_EMIT planned();
    });
    connect(operations, &Operations::applied, this, [this, notices](OperationId id, const QList<Applied> &applied) {
        if (id != m_applying)
            return;
        m_view->setBusy(false);
        notices->applied(applied.constFirst());
    });
    connect(operations, &Operations::failed, this, [this](OperationId id, const Error &error) {
        if (id == m_applying)
            m_view->setBusy(false);
        if (id != m_planning)
            return;
        m_planning = 0;
        m_view->setProblem(error.sentence());
        Q_EMIT planned();
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
    m_planned = snapshot;
    m_workspace->operations()->stop(m_planning);
    m_planning = m_workspace->operations()->prepare(snapshot->repository, PlanRequest{snapshot->branch});
    m_view->setPlanning();
}

} // namespace tmx
