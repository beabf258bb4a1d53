// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/BuildController.h"

#include "model/build/FloxBuild.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/CellDetail.h"
#include "model/workspace/Workspace.h"
#include "views/BuildConsole.h"

#include <QtConcurrent>

namespace tmx {

namespace {

/// What a cell shows: what this session's build says, unless the work tree tells of something newer.
BuildState newest(const BuildState &ofSession, const BuildState &found)
{
    switch (ofSession.phase) {
    case BuildState::Phase::Queued:
    case BuildState::Phase::Running:
    case BuildState::Phase::Stopping:
    case BuildState::Phase::Published: return ofSession;
    case BuildState::Phase::Failed: return found.since > ofSession.since ? found : ofSession;
    case BuildState::Phase::None:
    case BuildState::Phase::Built:
    case BuildState::Phase::Stale: return found;
    }
    Q_UNREACHABLE_RETURN(found);
}

} // namespace

BuildController::BuildController(Workspace *workspace, MatrixModel *matrix, BuildConsole *console, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_matrix(matrix)
    , m_console(console)
    , m_flox(new FloxBuild(this))
{
    connect(workspace->operations(), &Operations::applied, this, [this](OperationId id) {
        if (id == m_staging)
            start();
    });
    connect(workspace->operations(), &Operations::failed, this, [this](OperationId id, const Error &error) {
        if (id != m_staging)
            return;
        m_staging = 0;
        Q_EMIT runningChanged();
        Q_EMIT refused(error.sentence());
    });
    connect(workspace, &Workspace::snapshotChanged, this, &BuildController::showStates);
    connect(m_flox, &FloxBuild::text, console, &BuildConsole::appendText);
    connect(m_flox, &FloxBuild::stateChanged, this, [this](const BuildState &state) {
        m_console->setState(state);
        setState(state);
    });
    connect(m_flox, &FloxBuild::finished, this, &BuildController::finish);
    connect(console, &BuildConsole::stopRequested, this, &BuildController::stop);
}

BuildController::~BuildController() = default;

void BuildController::build(const QString &name)
{
    if (isRunning()) {
        Q_EMIT refused(tr("%1 is being built. Stop the build first, or wait for it.").arg(package()));
        return;
    }
    const BranchSnapshot &snapshot = *m_workspace->snapshot();
    const VariantEntry entry = m_matrix->entryAt(m_matrix->indexOf(name));
    if (const ActionState state = actionsFor(snapshot, entry).build; !state.enabled) {
        Q_EMIT refused(tr("%1: %2", "variant, why it cannot be built").arg(name, state.reason));
        return;
    }
    m_job = {snapshot.repository, snapshot.branch, name, entry.package()};
    m_looking = true;
    QtConcurrent::run(FloxBuild::floxProgram).then(this, [this](const QString &program) {
        m_looking = false;
        m_program = program;
        if (!program.isEmpty())
            return stage();
        m_console->showFloxMissing(FloxBuild::floxMissingSentence());
        Q_EMIT refused(FloxBuild::floxMissingSentence());
        Q_EMIT runningChanged();
    });
    Q_EMIT runningChanged();
}

void BuildController::stage()
{
    m_staging = m_workspace->operations()->perform(m_job.repository, StageRequest{{m_job.name}});
}

void BuildController::start()
{
    m_staging = 0;
    m_console->startBuild(m_job.package);
    m_flox->start(m_job.repository, m_job.package, m_program);
    Q_EMIT runningChanged();
}

void BuildController::setState(const BuildState &state)
{
    m_states.insert(m_job.key(), state);
    const std::shared_ptr<const BranchSnapshot> &shown = m_matrix->snapshot();
    if (shown && shown->repository == m_job.repository && shown->branch == m_job.branch)
        m_matrix->setBuildState(m_job.name, state);
}

void BuildController::showStates()
{
    const BranchSnapshot &shown = *m_matrix->snapshot();
    for (const VariantEntry &entry : shown.entries) {
        const QString name = entry.variant.name();
        const BuildState ofSession = m_states.value(Job{shown.repository, shown.branch, name, {}}.key());
        m_matrix->setBuildState(name, newest(ofSession, m_workspace->builds().value(name)));
    }
}

void BuildController::stop()
{
    m_flox->stop();
}

bool BuildController::isRunning() const
{
    return m_looking || m_staging || m_flox->isRunning();
}

QString BuildController::package() const
{
    return m_job.package;
}

void BuildController::finish(const BuildOutcome &outcome)
{
    m_console->setOutcome(outcome);
    setState(m_flox->state());
    m_workspace->refresh(); // what it left in the working tree
    Q_EMIT runningChanged();
    Q_EMIT ended(outcome);
}

} // namespace tmx
