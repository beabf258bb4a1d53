// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/PlanController.h"

#include "app/Notices.h"
#include "model/workspace/PlanOperations.h"
#include "model/workspace/Workspace.h"
#include "views/plan/PlanView.h"

#include <QFuture>
#include <QtConcurrent>

namespace tmx {

PlanController::PlanController(Workspace *workspace, PlanView *view, Notices *notices, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_view(view)
{
    connect(workspace, &Workspace::snapshotChanged, this, &PlanController::plan);
    connect(workspace->operations(), &Operations::applied, this,
            [this, notices](OperationId id, const QList<Applied> &applied) {
                if (id != m_applying)
                    return;
                m_view->setBusy(false);
                notices->applied(applied.constFirst());
            });
    connect(workspace->operations(), &Operations::failed, this, [this](OperationId id) {
        if (id == m_applying)
            m_view->setBusy(false);
    });
    connect(view, &PlanView::applyRequested, this, [this](const Plan &plan) {
        m_view->setBusy(true);
        m_applying = m_workspace->operations()->run(
            tr("Applying the plan"),
            [path = m_workspace->info().workTree, plan, snapshot = m_planned]() -> Result<Applied> {
                const Result<CommitResult> done = applyPlan(path, plan, *snapshot);
                return done ? appliedOf(reportOf(*done)) : Result<Applied>(done.error());
            });
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
