// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// Whether a file that recipes import is JSON or TOML.
bool isData(const QString &path);

/// Revisions of nixpkgs that a text states, in Nix, JSON or TOML, whether or not the rest of it is understood: in an
/// address of nixpkgs, under a name that is inserted into one, or in a set that names nixpkgs. Pure.
QStringList statedNixpkgs(const QByteArray &text);

/// Those of a recipe and of what it imports.
QStringList statedNixpkgs(const RecipeSource &source, const RecipeFiles *files);

/// Where a change replaces the nixpkgs (`change`, of a branch with this content), the revision is replaced with its
/// hash as a text in each file that states it and that the change leaves as it is: `recipes`, in those too; always in
/// what recipes import; there in JSON and TOML, whatever its name is, if recipes are known to fetch it. A hash that is
/// given is added after the url of what was fetched without one. Adds a warning with the files that state it
/// afterwards. The change gets a refusal if nothing that is built would change, or if the hash of the new nixpkgs is
/// needed and not known, or is given and has no place. `files`: what the recipes import before the change.
void replaceStatedPins(const RecipeCache &cache, ChangeSet &changes, const BranchContent &content,
                       const std::shared_ptr<const RecipeFiles> &files, const SettingsChange &change, bool recipes);

/// The hash of the nixpkgs that the change sets. Empty: none.
QString pinHashOf(const SettingsChange &change);

} // namespace tmx
