// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/OperationQueue.h"
#include "model/workspace/Rewrite.h"

#include <QObject>

#include <functional>
#include <optional>

namespace tmx {

class MatrixModel;
class NixCheck;
class Notices;
class RecipeController;
class RecipePane;
class Workspace;

/// Works out what the audit's page asks for: fixes, rendering anew, the check with Nix; and applies what is shown
/// there. All that takes time runs in workers or processes; an answer about another cell than the one that is shown is
/// dropped.
class AuditController : public QObject
{
    Q_OBJECT
public:
    AuditController(Workspace *workspace, MatrixModel *matrix, RecipeController *recipe, RecipePane *pane,
                    Notices *notices, QObject *parent = nullptr);
    ~AuditController() override;

private:
    void offer(std::function<Result<RewriteOffer>()> work, const QString &title);
    void apply(const RewriteOffer &offer);
    void tell(RewriteOffer offer, const Applied &applied);
    void checkWithNix();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipeController *m_recipe;
    RecipePane *m_pane;
    Notices *m_notices;
    NixCheck *m_nix;
    QByteArray m_text;                   ///< of the recipe that is shown
    std::optional<RewriteOffer> m_offer; ///< that is shown
    QHash<OperationId, RewriteOffer> m_applying;
    quint64 m_generation = 0;
};

} // namespace tmx
