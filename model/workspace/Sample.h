// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <memory>

namespace tmx {

/// Makes a Flox build repository to try the program on: a branch for each built-in line with all its recipes,
/// `.flox/env.json`,
/// `.flox/env/manifest.toml` and a README; the first line's branch is checked out. `folder` must be absent or empty.
Result<void> createSample(const std::shared_ptr<const Catalog> &catalog, const QString &folder);

} // namespace tmx
