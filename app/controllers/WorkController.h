// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/work/WorkDialog.h"

#include <QObject>
#include <QPointer>

namespace tmx {

class SettingsChangeForm;
class Notices;
class WorkForm;
class Workspace;

/// Opens the dialogs that preview a change before it is made (derive, migrate, copy, README tables, CI, saving the
/// settings, recipes like another, all fixes of a rule), and reports the result. One dialog at a time, for the branch
/// that is shown when it opens.
class WorkController : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Derive, Migrate, Copy, Like, Delete, Discard, Readme, Export, Undo };

    WorkController(Workspace *workspace, Notices *notices, QWidget *window);

    void open(Kind kind, const QStringList &names = {}); ///< `names`: variants of cells
    /// Accepts the rule's findings in these recipes, with a reason.
    void ignoreRule(const QString &rule, const QStringList &recipes);
    void fixRule(const QString &rule);
    void saveSettings(const QString &branch, const Settings &settings);
    [[nodiscard]] WorkDialog *dialog() const { return m_dialog; } ///< null if none is open

Q_SIGNALS:
    void settingsSaved(const QString &branch);

private:
    void show(const QString &title, const QString &action, WorkForm *form);
    void openSettingsChange(Kind kind);
    void offerBranches(const QString &branch);
    void openExport();
    void openUndo();
    void openCopy(const QStringList &names);
    void openLike(const QStringList &names);
    void openDelete(const QStringList &names);
    void openDiscard(const QStringList &names);
    void readSettings(SettingsChangeForm *form, const QString &branch);
    void tell(const ChangeRequest &request, const QList<Applied> &applied);
    /// Local branches that have a commit.
    [[nodiscard]] QStringList branches() const;

    Workspace *m_workspace;
    Notices *m_notices;
    QWidget *m_window;
    QPointer<WorkDialog> m_dialog;
};

} // namespace tmx
