// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/recipe/LearnedTemplate.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The template of one profile, or why none can be learned.
struct LearnedProfile {
    ProfileKey key;
    Result<LearnedTemplate> learned;
};

/// learnTemplate() for each profile of the branch that is selected and has recipes: those that are there and are Nix.
/// Pure. Error: stoppedError().
Result<QList<LearnedProfile>> learnTemplates(const Catalog &catalog, const BranchSnapshot &snapshot,
                                             const ProfileSelector &where = {}, const WorkHooks &hooks = {});

/// Writes a template as "FAMILY/SHAPE" into the catalog's folder of the user's templates. Gives the path. Errors: no
/// such name; there is one of that name, unless `replace`; the folder cannot be written.
Result<QString> saveTemplate(const Catalog &catalog, const QString &name, const QString &text, bool replace);

} // namespace tmx
