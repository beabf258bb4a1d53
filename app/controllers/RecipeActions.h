// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/CellDetail.h"
#include "model/workspace/Operations.h"

#include <QObject>

namespace tmx {

class MatrixModel;
class Notices;
class Workspace;

/// Actions on the recipes of selected cells. Each checks its conditions, asks for confirmation if needed, and reports
/// the result. A question does not block; its answer applies to the repository and branch that were shown when it was
/// asked.
class RecipeActions : public QObject
{
    Q_OBJECT
public:
    struct Parts {
        Workspace *workspace;
        MatrixModel *matrix;
        Notices *notices;
        QWidget *window; ///< parent of the questions
    };
    explicit RecipeActions(const Parts &parts, QObject *parent = nullptr);

    void generate(const QStringList &names);
    void generateAllMissing();
    void commit(const QStringList &names);
    void commitWithMessage(const QStringList &names); ///< asks for the message

    [[nodiscard]] CellActions actionsOf(const QString &name) const; ///< no action is possible if no repository is open

private:
    /// The place to write recipes to.
    struct Place {
        QString repository; ///< root of the working tree
        QString branch;
        bool checkedOut = false;
    };
    [[nodiscard]] Place shown() const;
    /// Those of `names` that `action` is possible for. If there are none, shows why (for a single name) or
    /// `noneOfMany`.
    QStringList allowed(const QStringList &names, ActionState CellActions::*action, const QString &noneOfMany);
    void write(const Place &place, const QStringList &names);
    void perform(const Place &place, const ChangeRequest &request);
    void start(const QString &repository, OperationId id);
    /// Asks whether to apply a change despite errors.
    void askOfErrors(const QString &repository, QList<ChangeSet> changes);
    void tell(const Applied &applied);

    Parts m_parts;
    QHash<OperationId, QString> m_started; ///< operations whose end tell() reports, with their repository
};

} // namespace tmx
