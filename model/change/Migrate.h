// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

#include <functional>

namespace tmx {

class Preparation;

/// Changes the settings of a branch and adapts its recipes.
struct MigrateRequest {
    QString branch;
    SettingsChange change;
    bool inPlace = false; ///< change customised recipes in place
    bool operator==(const MigrateRequest &) const = default;
};

using FurtherChange = std::function<void(ChangeSet &)>;

/// The same branch under changed settings. Recipes that equal their template's text are rendered. Any other affected
/// recipe has a Rewrite: with `inPlace` only of the bytes that state a changed setting, chosen if the file has no
/// uncommitted changes; without it, or if that is impossible, from the template and not chosen. The settings are not
/// chosen if no recipe would follow them. Creates and deletes nothing. Errors as derived(). `further` changes more of
/// the recipes, before those that stay are counted.
Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, bool inPlace = false, const FurtherChange &further = {},
                           const WorkHooks &hooks = {});
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const MigrateRequest &request);

} // namespace tmx
