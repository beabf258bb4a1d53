// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QAction;
class QMenuBar;
class QWidget;

namespace tmx {

class Workspace;

/// View > Go to: any cell, branch, recent repository or action of the menus, by a few letters.
class GoToController : public QObject
{
    Q_OBJECT
public:
    GoToController(Workspace *workspace, QMenuBar *menus, QAction *action, QWidget *window);

Q_SIGNALS:
    void cellChosen(const QString &name);
    void repositoryChosen(const QString &path);

private:
    void open();

    Workspace *m_workspace;
    QMenuBar *m_menus;
    QWidget *m_window;
};

} // namespace tmx
