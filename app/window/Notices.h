// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/UndoSteps.h"
#include "model/workspace/Operations.h"
#include "views/widgets/NoticeBar.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <functional>

namespace tmx {

class Workspace;

/// Shows in one sentence what was done or what failed, with a button for a possible action.
class Notices : public QObject
{
    Q_OBJECT
public:
    Notices(Workspace *workspace, NoticeBar *bar, QObject *parent = nullptr);

    void done(const QString &sentence);        ///< disappears after a while
    void information(const QString &sentence); ///< stays until it is closed or replaced, like the following
    void problem(const QString &sentence);
    void offer(const QString &sentence, const QString &button, std::function<void()> action);
    /// With an Undo button, which makes one commit for each of `applied`.
    void offerUndo(const QString &sentence, const QList<Applied> &applied);
    enum class Taking { Undo, Redo };
    /// Undoes the step with a new commit, and shows a notice that offers the opposite.
    /// `repository`: its working tree; empty: the open one.
    void takeBack(const UndoStep &step, Taking taking = Taking::Undo, const QString &repository = {});
    /// Says that a commit was undone, and offers the opposite.
    void undone(const Applied &applied) { tellTaken(applied, {}); }
    /// Hides a notice that offers to undo a commit that is not in `undoable`.
    void keepTrue(const QStringList &undoable);
    /// Shows what a change of many files did, with Undo.
    void applied(const Applied &applied);
    /// With the commands that print the texts that it saved.
    static QString withSaved(const QString &done, const Applied &applied);
    /// Shows a notice if this operation fails. Returns `id`.
    OperationId watch(OperationId id);

private:
    void show(NoticeBar::Kind kind, const QString &sentence, const QString &button = {});
    struct Taken {
        UndoStep step;
        Taking taking = Taking::Undo;
        QString repository = {};
    };
    void tellTaken(const Applied &applied, const Taken &taken);
    QString withOutput(const QString &sentence);

    Workspace *m_workspace;
    NoticeBar *m_bar;
    std::function<void()> m_action; ///< action of the shown notice
    QSet<OperationId> m_watched;
    QHash<OperationId, Taken> m_undoing; ///< what the operation undoes or redoes
    QStringList m_offered;               ///< commits that the notice offers to undo
    QString m_repository;                ///< the repository that the notices are about
    bool m_unread = false;               ///< the notice says that something could not be read
    QStringList m_output;                ///< output of hooks, for the next notice
};

} // namespace tmx
