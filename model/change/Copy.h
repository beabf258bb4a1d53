// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Preparation;

/// Copies cells of one branch to another, rendered for the other's settings.
struct CopyRequest {
    QString from;
    QString to;
    QStringList names; ///< variants of `from`
    bool operator==(const CopyRequest &) const = default;
};

/// Recipes for the cells of `names` (variants of the source), carried over to the settings of `target` as by derived().
/// An existing recipe that differs has a Rewrite that is not chosen. `file`: the target's torch-matrix.toml, if it has
/// one; the first recipes of a companion come into it, built as on the source. Errors: a name without a recipe on the
/// source; no place for it on the target.
Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target,
                         const QStringList &names, const std::optional<QByteArray> &file = {});
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CopyRequest &request);

} // namespace tmx
