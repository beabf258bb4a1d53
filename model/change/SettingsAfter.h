// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"
#include "model/change/SettingsChange.h"
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/RecipeCache.h"

namespace tmx {

/// changedSettings(). If the template of a profile does not work (it does not fetch the required source, torch comes
/// from elsewhere, or it was learned from other recipes), the profile gets the family's first template that works,
/// unless the change names one.
Result<ChangedSettings> settingsAfter(const RecipeCache &recipes, const Settings &source,
                                      const std::optional<QByteArray> &file, const QString &branch,
                                      const SettingsChange &change);

/// The change of the settings only: torch-matrix.toml, and remarks.
ChangeSet settingsChangeSet(const BranchContent &content, const ChangedSettings &changed, bool writes);

/// "PyTorch 2.9.1, CUDA 12.9 and 13.0, Python 3.13"
QString settingsWords(const Settings &settings);

/// Warns of new versions with which no recipe and no imported file changes.
void tellVersionsOfNothing(ChangeSet &changes, const SettingsChange &change);

/// "blas = mkl, nixpkgs = 0123456789": the keys in the change, for a commit message; empty if there are none.
QString changedKeys(const SettingsChange &change);

} // namespace tmx
