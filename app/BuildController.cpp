// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/BuildController.h"

#include "model/build/FloxBuild.h"
#include "model/matrix/MatrixModel.h"
#include "model/workspace/Workspace.h"
#include "views/BuildConsole.h"

namespace tmx {

BuildController::BuildController(Workspace *workspace, MatrixModel *matrix, BuildConsole *console, QObject *parent)
    : QObject(parent), m_workspace(workspace), m_matrix(matrix), m_console(console), m_flox(new FloxBuild(this))
{
    connect(workspace, &Workspace::staged, this, &BuildController::stagedFor);
    connect(workspace, &Workspace::failed, this, [this] {
        // Whatever failed while the index was awaited, the build does not start; the sentence is shown by the window.
        if (m_waiting.isEmpty())
            return;
        m_waiting.clear();
        Q_EMIT runningChanged();
    });
    connect(m_flox, &FloxBuild::text, console, &BuildConsole::appendText);
    connect(m_flox, &FloxBuild::stateChanged, this, [this](const BuildState &state) {
        m_console->setState(state);
        m_matrix->setBuildState(m_flox->package(), state);
    });
    connect(m_flox, &FloxBuild::finished, this, &BuildController::finish);
    connect(console, &BuildConsole::stopRequested, this, &BuildController::stop);
}

BuildController::~BuildController() = default;

void BuildController::build(const QString &name)
{
    if (isRunning()) {
        Q_EMIT refused(tr("%1 is being built; stop it first, or wait for its end.").arg(package()));
        return;
    }
    if (FloxBuild::floxProgram().isEmpty()) {
        m_console->showFloxMissing(FloxBuild::floxMissingSentence());
        Q_EMIT refused(FloxBuild::floxMissingSentence());
        return;
    }
    m_waiting = name;
    Q_EMIT runningChanged();
    m_workspace->stage({name});
}

void BuildController::stagedFor(const QStringList &names)
{
    if (m_waiting.isEmpty() || !names.contains(m_waiting))
        return;
    const QString name = std::exchange(m_waiting, {});
    m_console->startBuild(name);
    m_flox->start(m_workspace->info().workTree, name);
    Q_EMIT runningChanged();
}

void BuildController::stop()
{
    m_flox->stop();
}

bool BuildController::isRunning() const
{
    return !m_waiting.isEmpty() || m_flox->isRunning();
}

QString BuildController::package() const
{
    return m_waiting.isEmpty() ? m_flox->package() : m_waiting;
}

void BuildController::finish(const BuildOutcome &outcome)
{
    m_console->setOutcome(outcome);
    m_matrix->setBuildState(m_flox->package(), m_flox->state());
    Q_EMIT runningChanged();
    Q_EMIT ended(outcome);
}

} // namespace tmx
