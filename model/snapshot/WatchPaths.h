// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Repository.h"

namespace tmx {

/// Repository::watchPaths(), and the recipes, what they may import, and the settings file in the working tree. Call it
/// again after each change.
QStringList workTreeWatchPaths(const Repository &repository);

} // namespace tmx
