// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QAction;
class QMenuBar;
class QTabWidget;
class QWidget;

namespace tmx {

class Workspace;

/// View > Go to: any cell, branch, view, recent repository or action of the menus, by a few letters.
class GoToController : public QObject
{
    Q_OBJECT
public:
    GoToController(Workspace *workspace, QTabWidget *views, QMenuBar *menus, QAction *action, QWidget *window);

Q_SIGNALS:
    void cellChosen(const QString &name);
    void repositoryChosen(const QString &path);

private:
    void open();

    Workspace *m_workspace;
    QTabWidget *m_views;
    QMenuBar *m_menus;
    QWidget *m_window;
};

} // namespace tmx
