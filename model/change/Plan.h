// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSnapshot.h"

#include <QMap>
#include <QStringList>

namespace tmx {

/// What is to be done with one file so that the branch is what its line promises.
struct PlanStep {
    enum class Action { Keep, Create, Rewrite, Rename, Delete };

    Action action = Action::Keep;
    QString name;    ///< the variant's canonical name; of a file that is deleted or kept beside the cell's recipe: its
                     ///< package's name
    QString file;    ///< path; of Create: where it will be
    QString newFile; ///< of Rename: the canonical path
    QString reason;  ///< one sentence
    bool chosen = false; ///< it is done when the plan is applied; Keep never is. What touches sound or uncommitted work
                         ///< begins unchosen
    bool possible = true; ///< it can be chosen; where not, the reason says why
    bool operator==(const PlanStep &) const = default;
};

/// What a branch needs, step by step: by action (keep, create, rewrite, rename, delete), then by name as the grid
/// orders variants.
struct Plan {
    QString branch;
    QString commit; ///< that it was made for
    QList<PlanStep> steps;

    [[nodiscard]] QMap<PlanStep::Action, int> chosen() const; ///< counts
    [[nodiscard]] bool isDone() const;                        ///< nothing is chosen
    bool operator==(const Plan &) const = default;
};

/// Pure. What is there and sound is kept: a recipe that differs from its template without an error has a Rewrite that
/// is not chosen; in an old form of its name, a Rename. A recipe with an error is rewritten where the line promises it,
/// deleted where it does not. A further file for a promised cell (another form of the name, a suffix such as -magma) is
/// deleted. What is missing is created. Steps that would touch a file which was never committed, or has changes that
/// are not, are not chosen and say so; neither is one chosen for which the line has no template.
Plan planFor(const Catalog &catalog, const BranchSnapshot &snapshot);

/// The same plan with exactly the steps of these names chosen (of the variant or of the file's package), those that
/// begin unchosen included. Error: a name without a step to choose.
Result<Plan> onlyNames(const Plan &plan, const QStringList &names);

QString toString(PlanStep::Action action); ///< "keep", "create", "rewrite", "rename", "delete"

} // namespace tmx
