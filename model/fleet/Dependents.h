// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/fleet/Fleet.h"
#include "model/job/Needs.h"

#include <QJsonObject>

namespace tmx {

/// A recipe that is built against a torch, and the recipe of that torch.
struct Dependent {
    const FleetBranch *branch = nullptr;
    const RecipeSummary *recipe = nullptr;
    const FleetBranch *torchBranch = nullptr;
    const RecipeSummary *torch = nullptr;
    [[nodiscard]] QString label() const; ///< "vllm-... of build-vllm@main"
};

/// All recipes that need a torch, each with the recipe that it is: one that it imports, from its branch or from a
/// tarball of another repository; else the companions (fitOf()) with its nixpkgs revision, else those with another one;
/// of several, those of its own branch. Several pairs if branches have the same torch. The fleet must outlive them.
QList<Dependent> dependentsOf(const Fleet &fleet);

/// Those whose last build used another recipe of their torch than its branch has now, as far as the jobs tell.
QList<Dependent> staleDependents(const QList<Dependent> &dependents, const QList<JobRecord> &jobs);

/// The Job::key() of a recipe as it is shown, after takeKnownIdentity().
QString jobKeyOf(const FleetBranch &branch, const RecipeSummary &recipe, const JobsByProduct &jobs = {});

/// "Nothing is stale.", or a line for each: "vllm-... of build-vllm@main: pytorch-... of build-pytorch@main changed
/// since it was built".
QString staleText(const QList<Dependent> &stale);
QJsonObject staleJson(const QList<Dependent> &stale);

} // namespace tmx
