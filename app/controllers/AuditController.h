// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Operations.h"

#include <QObject>
#include <QSet>

namespace tmx {

class MatrixModel;
class NixCheck;
class Notices;
class RecipeController;
class RecipePane;
class Workspace;

/// Computes what the audit page requests (fixes, a new rendering, the check with Nix), and applies the proposal shown
/// there. A result for a recipe that is no longer shown is discarded.
class AuditController : public QObject
{
    Q_OBJECT
public:
    AuditController(Workspace *workspace, MatrixModel *matrix, RecipeController *recipe, RecipePane *pane,
                    Notices *notices, QObject *parent = nullptr);
    ~AuditController() override;

    /// Proposes to replace the stated hash by the one that a build of the shown recipe found; it is applied like a fix.
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
    QByteArray m_text;           ///< text of the shown recipe
    OperationId m_preparing = 0; ///< a proposal is being prepared
    QString m_title;             ///< title of the proposal
    bool m_proposed = false;     ///< a proposal is shown
    QSet<OperationId> m_applying;
};

} // namespace tmx
