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

/// "PyTorch 2.9.1, CUDA 12.9 and 13.0, Python 3.13"; without PyTorch the versions of the families. With `before`, only
/// what differs from it; empty if nothing of that does.
QString settingsWords(const Catalog &catalog, const Settings &settings, const Settings *before = nullptr);

/// Warns of new versions with which no recipe and no imported file changes. `staying`: it was said which recipes stay.
void tellVersionsOfNothing(ChangeSet &changes, const SettingsChange &change, bool staying = false);

/// "blas = mkl\nnixpkgs = 0123456789": the keys in the change, for a commit message, without versions of families that
/// the new settings lack; empty if there are none.
QString changedKeys(const SettingsChange &change, const Settings &settings);

} // namespace tmx
