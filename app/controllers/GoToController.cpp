// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/controllers/GoToController.h"

#include "app/window/RecentRepositories.h"
#include "model/workspace/Workspace.h"
#include "views/goto/GoToDialog.h"

#include <QAction>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QTabWidget>

namespace tmx {

namespace {

QString withoutMnemonic(QString text)
{
    return text.remove(u'&');
}

} // namespace

GoToController::GoToController(Workspace *workspace, QTabWidget *views, QMenuBar *menus, QAction *action,
                               QWidget *window)
    : QObject(window)
    , m_workspace(workspace)
    , m_views(views)
    , m_menus(menus)
    , m_window(window)
{
    connect(action, &QAction::triggered, this, &GoToController::open);
}

void GoToController::open()
{
    using Kind = GoToTarget::Kind;
    QList<GoToTarget> targets;
    if (m_workspace->isOpen()) {
        targets = cellTargets(*m_workspace->snapshot());
        for (const BranchRef &branch : m_workspace->info().branches)
            targets.append({Kind::Branch, branch.name, branch.name, tr("branch")});
        for (int tab = 0; tab < m_views->count(); ++tab) {
            if (m_views->isTabVisible(tab))
                targets.append({Kind::View, QString::number(tab), withoutMnemonic(m_views->tabText(tab)), tr("view")});
        }
    }
    for (const QString &path : recentRepositories())
        targets.append({Kind::Repository, path, QDir::toNativeSeparators(path), tr("repository")});
    QList<QPointer<QAction>> actions;
    for (const QAction *menu : m_menus->actions()) {
        const QList<QAction *> entries = menu->menu() ? menu->menu()->actions() : QList<QAction *>();
        for (QAction *entry : entries) {
            if (entry->isSeparator() || entry->menu() || !entry->isEnabled() || !entry->isVisible())
                continue;
            targets.append({Kind::Action, QString::number(actions.size()), withoutMnemonic(entry->text()),
                            tr("menu %1").arg(withoutMnemonic(menu->text()))});
            actions.append(entry);
        }
    }
    auto *dialog = new GoToDialog(targets, m_window);
    connect(dialog, &GoToDialog::chosen, this, [this, actions](const GoToTarget &target) {
        switch (target.kind) {
        case Kind::Cell: Q_EMIT cellChosen(target.id); break;
        case Kind::Branch: m_workspace->showBranch(target.id); break;
        case Kind::Repository: Q_EMIT repositoryChosen(target.id); break;
        case Kind::View:
            m_views->setCurrentIndex(target.id.toInt());
            m_views->currentWidget()->setFocus();
            break;
        case Kind::Action:
            if (QAction *action = actions.at(target.id.toInt()))
                action->trigger();
            break;
        }
    });
    dialog->open();
}

} // namespace tmx
