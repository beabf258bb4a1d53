// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/RecipeCache.h"

#include <optional>

namespace tmx {

/// The name of a profile's template, the family's own where the settings name none.
QString templateOf(const Catalog &catalog, const Settings &settings, const ProfileKey &key);

/// "GPU recipes of pytorch": what a profile's template is for.
QString recipesOf(const ProfileKey &key);

/// A template that `after` names and `before` does not, and that gives no recipe of its profile: what it lacks.
/// nullopt: each such template gives some. A template that is learned is known to serve only where `after` holds its
/// text.
std::optional<Error> uselessTemplate(const RecipeCache &recipes, const Settings &before, const Settings &after);

} // namespace tmx
