// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/UndoController.h"

#include "model/workspace/Workspace.h"
#include "views/widgets/Tips.h"

#include <QAction>
#include <QtConcurrent>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A name for a menu: "&" is escaped, and a long subject is cut, as it would make the menu as wide as the screen.
QString shortName(const UndoStep &step)
{
    constexpr qsizetype most = 50;
    const QString name = step.name.simplified();
    QString text = name.size() > most ? name.left(most - 1) + u'\u2026' : name;
    return text.replace(u'&', u"&&"_s);
}

/// What taking the step does.
QString wayOf(const UndoStep &step)
{
    if (step.texts)
        return UndoController::tr("Restores files in the working tree, without a commit: %1").arg(step.name);
    switch (step.way) {
    case UndoStep::Way::Commit: return UndoController::tr("A new commit on %1: %2").arg(step.branch, step.name);
    case UndoStep::Way::Back:
        return UndoController::tr("Takes the last commit of %1 away, which was not pushed: %2")
            .arg(step.branch, step.name);
    case UndoStep::Way::Forth:
        return UndoController::tr("Brings the same commit back to %1: %2").arg(step.branch, step.name);
    }
    return {};
}

} // namespace

UndoController::UndoController(Workspace *workspace, Notices *notices, const Actions &actions, QObject *parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_notices(notices)
    , m_actions(actions)
{
    show({});
    connect(m_actions.undo, &QAction::triggered, this, [this] { take(m_steps.undo, Notices::Taking::Undo); });
    connect(m_actions.redo, &QAction::triggered, this, [this] { take(m_steps.redo, Notices::Taking::Redo); });
    connect(workspace, &Workspace::opened, this, [this] {
        show({});
        read();
    });
    connect(workspace, &Workspace::infoChanged, this, &UndoController::read);
    connect(workspace, &Workspace::snapshotChanged, this, &UndoController::read);
    connect(workspace->operations(), &Operations::applied, this, &UndoController::read);
}

void UndoController::read()
{
    if (!m_workspace->isOpen())
        return;
    const quint64 generation = ++m_generation;
    QtConcurrent::run(undoSteps, m_workspace->info().workTree)
        .then(this, [this, generation](const Result<UndoSteps> &steps) {
            // A reading that failed says nothing about the steps; the next one tells.
            if (generation == m_generation && steps)
                show(*steps);
        });
}

void UndoController::show(const UndoSteps &steps)
{
    m_steps = steps;
    const auto fill = [this](QAction *action, const QString &word, const QList<UndoStep> &list) {
        action->setEnabled(!list.isEmpty());
        if (list.isEmpty())
            return action->setText(word);
        const UndoStep &step = list.constLast();
        const bool elsewhere = m_workspace->isOpen() && step.branch != m_workspace->snapshot()->branch;
        action->setText(elsewhere ? tr("%1 \u201c%2\u201d on %3", "undo, a commit's subject, branch")
                                        .arg(word, shortName(step), step.branch)
                                  : tr("%1 \u201c%2\u201d", "undo, a commit's subject").arg(word, shortName(step)));
        setPlainToolTip(action, wayOf(step));
    };
    fill(m_actions.undo, tr("&Undo"), steps.undo);
    fill(m_actions.redo, tr("&Redo"), steps.redo);
    QStringList commits;
    for (const UndoStep &step : steps.undo)
        commits.append(step.commit);
    m_notices->keepTrue(commits);
}

void UndoController::take(const QList<UndoStep> &steps, Notices::Taking taking)
{
    // A second call would undo the step that the first is about to undo.
    if (steps.isEmpty() || m_workspace->operations()->isWriting())
        return;
    m_notices->takeBack(steps.constLast(), taking);
}

} // namespace tmx
