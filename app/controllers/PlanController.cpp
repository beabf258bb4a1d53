// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/PlanController.h"

#include "app/window/Notices.h"
#include "model/change/Change.h"
#include "model/workspace/Workspace.h"
#include "views/change/ChangeView.h"
#include "views/plan/PlanView.h"

#include <utility>

namespace tmx {

namespace {

/// The paths of the chosen steps, without the tables and documents that follow them.
QStringList chosenSteps(const ChangeSet &plan)
{
    QStringList paths;
    for (const ChangedFile &file : plan.files) {
        if (file.chosen && !file.name.isEmpty())
            paths.append(file.path);
    }
    return paths;
}

QStringList placeOf(const BranchSnapshot &snapshot)
{
    return {snapshot.repository, snapshot.branch};
}

/// The steps of a plan whose texts are not made yet cannot be chosen until they are; whether there are any.
bool leaveForLater(ChangeSet &plan)
{
    bool any = false;
    for (ChangedFile &file : plan.files) {
        if (file.action != ChangeAction::Rewrite || file.chosen || !file.possible || file.after != file.before)
            continue;
        any = true;
        file.possible = false;
        file.reason = PlanController::tr("Its text is being made\u2026");
    }
    return any;
}

} // namespace

PlanController::PlanController(Workspace *workspace, PlanView *view, Notices *notices, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_view(view)
    , m_notices(notices)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(200);
    connect(&m_soon, &QTimer::timeout, this, &PlanController::countAgain);
    connect(view->changes(), &ChangeView::chosenChanged, this, [this] {
        if (!m_planning && chosenSteps(m_view->plan()) != m_counted)
            m_soon.start();
    });
    Operations *operations = workspace->operations();
    connect(workspace, &Workspace::snapshotChanged, this, &PlanController::plan);
    connect(view, &PlanView::applyRequested, this, [this] {
        m_view->setBusy(true);
        m_applySoon = true;
        if (!isCounting())
            apply();
    });
    connect(operations, &Operations::prepared, this, [this](OperationId id, const QList<ChangeSet> &changes) {
        if (id == m_counting) {
            m_counting = 0;
            m_view->setPlan(withTablesOf(m_view->plan(), changes.constFirst()));
            apply();
        }
        if (id != m_planning)
            return;
        ChangeSet plan = changes.constFirst();
        if (std::exchange(m_isFirst, false) && leaveForLater(plan)) {
            m_view->setPlan(plan);
            m_planning = m_workspace->operations()->prepare(m_planned->repository, PlanRequest{m_planned->branch});
            return;
        }
        m_planning = 0;
        m_shown = placeOf(*m_planned);
        m_counted = chosenSteps(plan);
        m_view->setPlan(plan);
        if (chosenSteps(m_view->plan()) != m_counted) // the choice that was made in the plan before stays
            m_soon.start();
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
        if (id == m_counting) { // They stay as they are.
            m_counting = 0;
            apply();
        }
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
    m_workspace->operations()->stop(std::exchange(m_counting, 0));
    m_soon.stop();
    if (std::exchange(m_applySoon, false))
        m_view->setBusy(false); // What it was applied to is another one now.
    // What the branch needs is there long before the texts of all that can be chosen besides. If those were shown
    // already, they stay, and so do the choices among them.
    m_isFirst = m_shown != placeOf(*snapshot);
    PlanRequest request{snapshot->branch};
    if (m_isFirst)
        request.named = QStringList();
    m_planning = m_workspace->operations()->prepare(snapshot->repository, request);
    m_view->setPlanning();
}

/// What tables and documents say depends on the steps that are chosen.
void PlanController::countAgain()
{
    Operations *operations = m_workspace->operations();
    operations->stop(std::exchange(m_counting, 0));
    m_counted = chosenSteps(m_view->plan());
    if (!m_counted.isEmpty() && m_planned)
        m_counting = operations->prepare(m_planned->repository, PlanRequest{m_planned->branch, m_counted});
    else
        apply();
}

void PlanController::apply()
{
    if (std::exchange(m_applySoon, false))
        m_applying = m_notices->watch(m_workspace->operations()->apply(m_workspace->info().workTree, {m_view->plan()}));
}

} // namespace tmx
