// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <memory>

namespace tmx {

/// Creates a Flox build repository for trying the program: a branch for each of the built-in settings with all its
/// recipes, `.flox/env.json`, `.flox/env/manifest.toml` and a README. The first branch is checked out. `folder` must be
/// absent or empty.
/// Story: with two missing recipes, one that is modified and one with a warning that can be fixed, builds that
/// succeeded and one that failed, a branch of short recipes around one builder, and a branch that is ahead.
enum class SampleKind { Complete, Story };
Result<void> createSample(const std::shared_ptr<const Catalog> &catalog, const QString &folder,
                          SampleKind kind = SampleKind::Complete);

} // namespace tmx
