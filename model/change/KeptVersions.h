// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// "lib/releases.toml:8": the only place that states the version in the JSON and TOML that a recipe imports. Empty:
/// none, or several.
QString placeInData(const RecipeSource &source, const std::shared_ptr<const RecipeFiles> &files,
                    const QString &version);

/// Which recipes must have the new version: those that the change writes, or all.
enum class Kept { Changed, All };

/// Refuses a change that gives a family another version than the `former` settings have, but leaves recipes that state
/// the former one: they would have the new nixpkgs and the old version, or a version that the settings do not have.
/// Names their lines. `files`: what recipes import after it.
void refuseKeptVersions(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
                        const std::shared_ptr<const RecipeFiles> &files, Kept which = Kept::Changed);

} // namespace tmx
