// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildState.h"

#include <QString>

namespace tmx {

/// What earlier builds left in a work tree. flox leaves `result-<package>`, a link into the Nix store, beside `.flox`
/// Built when it is there, Stale when the recipe file was written after it, else None.
/// `recipe`: its path relative to the work tree. Looks at the file system: for workers.
BuildState builtBefore(const QString &workTree, const QString &package, const QString &recipe);

} // namespace tmx
