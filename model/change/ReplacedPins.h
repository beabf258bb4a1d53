// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// The nixpkgs that the chosen files replace. `before` and `after`: the files that recipes import.
QList<ReplacedPin> replacedPins(const RecipeCache &recipes, const ChangeSet &changes,
                                const std::shared_ptr<const RecipeFiles> &before,
                                const std::shared_ptr<const RecipeFiles> &after);

/// The nixpkgs that a recipe fetches: what was read of it, or else what its text and its imports state.
QStringList fetchedPins(const RecipeCache &recipes, const std::shared_ptr<const RecipeFiles> &files,
                        const QString &path, const QByteArray &text);
/// Those of the recipes of a change, before it.
QStringList fetchedPins(const RecipeCache &recipes, const ChangeSet &changes,
                        const std::shared_ptr<const RecipeFiles> &files);

/// Refuses a change that cannot be made: its recipes fetch several nixpkgs, often on purpose, and it does not say which
/// one it replaces; or none of them fetches that one.
void refusePins(ChangeSet &changes, const SettingsChange &change);

/// "nixpkgs fe5e41d is replaced by 0182a36 in 62 recipes." Empty if none is replaced.
QString replacedPinsText(const ChangeSet &changes);

} // namespace tmx
