// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/UndoSteps.h"
#include "model/workspace/OperationQueue.h"
#include "views/NoticeBar.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <functional>

namespace tmx {

class Workspace;

/// Tells in one sentence what was done and what failed, with a button for what can be done about it.
class Notices : public QObject
{
    Q_OBJECT
public:
    Notices(Workspace *workspace, NoticeBar *bar, QObject *parent = nullptr);

    void done(const QString &sentence);        ///< goes away by itself
    void information(const QString &sentence); ///< stays until it is closed or replaced, as the rest do
    void problem(const QString &sentence);
    void offer(const QString &sentence, const QString &button, std::function<void()> action);
    /// With an Undo button, which makes a commit of its own for each of `applied`.
    void offerUndo(const QString &sentence, const QList<Applied> &applied);
    /// Takes it back with a commit of its own, and tells so.
    void takeBack(const UndoStep &step);
    /// Hides a notice that offers to undo what is not among these commits any more.
    void keepTrue(const QStringList &undoable);
    /// What a change of many files did, with Undo.
    void applied(const Applied &applied);
    /// Tells why this operation fails, should it fail; `id` is returned.
    OperationId watch(OperationId id);

private:
    void show(NoticeBar::Kind kind, const QString &sentence, const QString &button = {});
    void tellUndone(const Applied &undone, const QString &name);
    QString withOutput(const QString &sentence);

    Workspace *m_workspace;
    NoticeBar *m_bar;
    std::function<void()> m_action; ///< of the notice that is shown
    QSet<OperationId> m_watched;
    QHash<OperationId, QString> m_undoing; ///< with the name of what is undone; empty: none
    QStringList m_offered;                 ///< commits that the notice offers to undo
    QString m_repository;                  ///< that notices are about
    bool m_unread = false;                 ///< the notice says that something could not be read
    QStringList m_output;                  ///< what hooks printed, for the next notice
};

} // namespace tmx
