// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

class Preparation;

/// Creates a branch with the recipes of another one under changed settings.
struct DeriveRequest {
    QString from;
    QString name; ///< name of the new branch; if git does not allow it, the change has a refusal
    SettingsChange change;
    bool drop = false;   ///< leave out recipes without a place on the new branch
    bool render = false; ///< customised recipes that cannot be changed in place get the template's text
    bool operator==(const DeriveRequest &) const = default;
};

/// A new branch with the recipes of another one (`content`, read without a working tree) under changed settings: the
/// same cells, and those of new toolkits and Pythons. A recipe that equals its template's text is rendered. In any
/// other, only the bytes that state a changed setting are replaced; if that is impossible it is rendered too if it
/// builds what its template's text builds or if the request allows it, and its group and reason say so. If nothing is
/// changed, every recipe keeps its bytes; otherwise prepare() fixes errors that recipes bring along in place. Other
/// files do not change. A recipe without a place on the new branch, or whose own changes would be lost, is deleted and
/// named in `dropped`; the change is then refused, unless the request allows that. Errors: those of changedSettings();
/// a template that needs a value the settings lack; stoppedError().
Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const DeriveRequest &request,
                          const WorkHooks &hooks = {});
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DeriveRequest &request);

} // namespace tmx
