// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/VariantFilter.h"
#include "model/change/ChangeSet.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Preparation;

/// Makes a branch match its settings.
struct PlanRequest {
    QString branch;
    /// Only these (variants or files), with their texts, and those of the filter; empty: all that the branch needs.
    /// nullopt: all, and the texts of what can be chosen afterwards, which takes long.
    std::optional<QStringList> named = std::nullopt;
    VariantFilter filter = {}; ///< only what the branch needs of these
    bool deletes = false;      ///< also the deletions
    bool operator==(const PlanRequest &) const = default;
};

/// Makes the branch match its settings. Missing recipes are created; a recipe with an old form of its name has a
/// Rename. A recipe with an error, or for other settings than the branch's, has a Rewrite: only the wrong bytes are
/// replaced; if that leaves an error, and for a recipe whose text otherwise equals the template's, it is from the
/// template, provided that the template's text has no error and most recipes of the profile have that text or get it
/// now. Among recipes that people wrote, and for a recipe without errors that differs from its template, the Rewrite
/// is not chosen; its text is the template's or, where that was learned from recipes, made from the nearest recipe as
/// that of a new one. A chosen Rewrite that is there to fix errors leaves none. Nothing is deleted unless
/// the user chooses it: a recipe that the settings do not list, and an extra file for a covered cell (another form of
/// the name, a suffix such as -magma), have a Delete that is not chosen. Also not chosen: changes of files that were
/// never committed or have uncommitted changes, and changes without a template.
/// What belongs into files that recipes import is changed there, once for all of them: values of the settings, and
/// errors that can be fixed in place.
ChangeSet repaired(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                   const std::optional<QStringList> &named = std::nullopt);
/// A further error: those of choose(), for a name of which the plan has no file a usage error.
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const PlanRequest &request);

} // namespace tmx
