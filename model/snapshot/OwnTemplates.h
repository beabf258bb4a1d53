// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/LearnedTemplate.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// The template of one profile, or why none can be learned.
struct LearnedProfile {
    ProfileKey key;
    Result<LearnedTemplate> learned;
};

/// learnTemplate() for each profile of a branch that is selected and has recipes. It learns from the recipes as they
/// are committed, so that what is being written changes nothing, and leaves out those in which the audit finds an
/// error. `stated` are the settings that the recipes state (inferred()): what a recipe says is a fact where the
/// settings name it. A profile whose recipes did not change is not learned again (RecipeCache::kept()).
QList<LearnedProfile> learnedProfiles(const RecipeCache &recipes, const BranchContent &content, const Settings &stated,
                                      const ProfileSelector &where, const WorkHooks &hooks = {});

/// `settings` with the templates of the profiles that name a learned one.
Settings withLearned(Settings settings, const RecipeCache &recipes, const BranchContent &content);

} // namespace tmx
