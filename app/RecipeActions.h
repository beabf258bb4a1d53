// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/CellDetail.h"
#include "model/workspace/OperationQueue.h"

#include <QObject>

namespace tmx {

class MatrixModel;
class Notices;
class Workspace;

/// What is done with the recipes of selected cells: each action checks what it needs, asks where it has to, and tells
/// what came of it. A question does not block; its answer is about the repository and branch that were shown when it
/// was asked.
class RecipeActions : public QObject
{
    Q_OBJECT
public:
    struct Parts {
        Workspace *workspace;
        MatrixModel *matrix;
        Notices *notices;
        QWidget *window; ///< questions open over it
    };
    explicit RecipeActions(const Parts &parts, QObject *parent = nullptr);

    void generate(const QStringList &names);
    void generateAllMissing();
    void commit(const QStringList &names);
    void commitWithMessage(const QStringList &names); ///< asks for the message

    [[nodiscard]] CellActions actionsOf(const QString &name) const; ///< none where nothing is open

private:
    /// Where recipes are written to.
    struct Place {
        QString repository; ///< root of the work tree
        QString branch;
        bool checkedOut = false;
    };
    [[nodiscard]] Place shown() const;
    /// Those of `names` on which `action` can be done. When there is none, says why not (of one name), or `noneOfMany`.
    QStringList allowed(const QStringList &names, ActionState CellActions::*action, const QString &noneOfMany);
    void write(const Place &place, const QStringList &names);
    void perform(const Place &place, const ChangeRequest &request);
    void start(const QString &repository, OperationId id);
    /// Asks whether a change with errors is to be made all the same.
    void askOfErrors(const QString &repository, QList<ChangeSet> changes);
    void tell(const Applied &applied);

    Parts m_parts;
    QHash<OperationId, QString> m_started; ///< whose end tell() tells; the repository of each
};

} // namespace tmx
