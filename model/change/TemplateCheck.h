// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/RecipeCache.h"

#include <optional>

namespace tmx {

/// The name of a profile's template; the family's default if the settings name none.
QString templateOf(const Catalog &catalog, const Settings &settings, const ProfileKey &key);

/// "GPU recipes of pytorch": what a profile's template is for.
QString recipesOf(const ProfileKey &key);

/// A template that `after` names, `before` does not, and that gives no recipe of its profile: the error says what is
/// missing. nullopt: each new template gives some. A learned template can only be checked if `after` has its text.
std::optional<Error> uselessTemplate(const RecipeCache &recipes, const Settings &before, const Settings &after);

} // namespace tmx
