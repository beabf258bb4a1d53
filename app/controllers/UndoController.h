// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "app/window/Notices.h"
#include "model/change/UndoSteps.h"

#include <QObject>

class QAction;

namespace tmx {

class Workspace;

/// Edit > Undo and Redo for everything that this program wrote in the repository, also in earlier sessions.
class UndoController : public QObject
{
    Q_OBJECT
public:
    struct Actions {
        QAction *undo;
        QAction *redo;
    };
    UndoController(Workspace *workspace, Notices *notices, const Actions &actions, QObject *parent = nullptr);

private:
    void read();
    void show(const UndoSteps &steps);
    void take(const QList<UndoStep> &steps, Notices::Taking taking);

    Workspace *m_workspace;
    Notices *m_notices;
    Actions m_actions;
    UndoSteps m_steps;
    quint64 m_generation = 0; ///< identifies the last read
};

} // namespace tmx
