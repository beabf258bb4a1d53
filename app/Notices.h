// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"

#include <QObject>
#include <QSet>

#include <functional>

namespace tmx {

class NoticeBar;
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
    /// What a change of many files did, with Undo.
    void applied(const Applied &applied);
    /// Tells why this operation fails, should it fail; `id` is returned.
    OperationId watch(OperationId id);

private:
    void tellUndone(const Applied &undone);
    QString withOutput(const QString &sentence);

    Workspace *m_workspace;
    NoticeBar *m_bar;
    std::function<void()> m_action; ///< of the notice that is shown
    QSet<OperationId> m_watched;
    QSet<OperationId> m_undoing;
    QStringList m_output; ///< what hooks printed, for the next notice
};

} // namespace tmx
