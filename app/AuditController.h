// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"

#include <QObject>
#include <QSet>

namespace tmx {

class MatrixModel;
class NixCheck;
class Notices;
class RecipeController;
class RecipePane;
class Workspace;

/// Has worked out what the audit's page asks for (fixes, rendering again, the check with Nix), and applies what is shown
/// there. An answer about another recipe than the one that is shown is dropped.
class AuditController : public QObject
{
    Q_OBJECT
public:
    AuditController(Workspace *workspace, MatrixModel *matrix, RecipeController *recipe, RecipePane *pane,
                    Notices *notices, QObject *parent = nullptr);
    ~AuditController() override;

    /// Shows the change that states the hash which a build of the shown recipe found, to be applied as a fix is.
    void correctHash(const QString &stated, const QString &right);

private:
    void prepare(const Finding &finding, FixWay way, const QString &title);
    void propose(const QList<ChangeSet> &changes);
    void apply(const QList<ChangeSet> &changes);
    void tell(const Applied &applied);
    void takeRecipe();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipeController *m_recipe;
    RecipePane *m_pane;
    Notices *m_notices;
    NixCheck *m_nix;
    QByteArray m_text;           ///< of the recipe that is shown
    OperationId m_preparing = 0; ///< a proposal
    QString m_title;             ///< of it
    bool m_proposed = false;     ///< a proposal is shown
    QSet<OperationId> m_applying;
};

} // namespace tmx
