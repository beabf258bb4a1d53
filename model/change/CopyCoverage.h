// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Preparation;

/// Copies the coverage of another branch, "DIR@BRANCH" or a branch of this repository, to the settings of a branch.
struct CoverageRequest {
    QString from;
    QString to;
    bool operator==(const CoverageRequest &) const = default;
};

/// torch-matrix.toml of `content` with the coverage of another branch for its own families: that of the same family
/// there, or PyTorch's if that is larger. Keeps the branch's toolkits and Pythons; those that only the other branch has
/// are left out if the branches have some in common. Variants that cannot exist are left out. `warnings` name
/// everything left out. Error: the other branch covers nothing.
Result<ChangeSet> coverageCopied(const RecipeCache &recipes, const Settings &source, const BranchContent &content);
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CoverageRequest &request);

} // namespace tmx
