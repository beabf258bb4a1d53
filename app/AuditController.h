// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Rewrite.h"

#include <QObject>

#include <functional>
#include <optional>

namespace tmx {

class MatrixModel;
class NixCheck;
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
                    QObject *parent = nullptr);
    ~AuditController() override;

    /// Takes the last change that was applied back. What was changed by others since stops it.
    void undo();
    [[nodiscard]] bool canUndo() const { return m_applied.has_value(); }

Q_SIGNALS:
    void applied(const tmx::WriteReport &report, const QString &subject);

private:
    void offer(std::function<Result<RewriteOffer>()> work, const QString &title);
    void apply();
    void checkWithNix();

    Workspace *m_workspace;
    MatrixModel *m_matrix;
    RecipeController *m_recipe;
    RecipePane *m_pane;
    NixCheck *m_nix;
    QByteArray m_text;                     ///< of the recipe that is shown
    std::optional<RewriteOffer> m_offer;   ///< that is shown
    std::optional<RewriteOffer> m_applied; ///< last
    quint64 m_generation = 0;
};

} // namespace tmx
