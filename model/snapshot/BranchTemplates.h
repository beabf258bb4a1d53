// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/snapshot/RecipeCache.h"
#include "model/template/LearnedTemplate.h"

namespace tmx {

/// The template of one profile, or why none can be learned.
struct LearnedProfile {
    ProfileKey key;
    Result<LearnedTemplate> learned;
};

/// learnTemplate() for each selected profile of a branch that has recipes. It learns from the committed recipes, so
/// that edits do not change the result, and leaves out recipes with audit errors. `stated` are the settings that the
/// recipes state (inferred()): they tell which parts of a recipe are facts. A profile whose recipes did not change is
/// not learned again (RecipeCache::kept()).
QList<LearnedProfile> learnedProfiles(const RecipeCache &recipes, const BranchContent &content, const Settings &stated,
                                      const ProfileSelector &where, const WorkHooks &hooks = {});

/// `settings` with the texts of the learned templates that its profiles name.
Settings withLearned(Settings settings, const RecipeCache &recipes, const BranchContent &content);

} // namespace tmx
