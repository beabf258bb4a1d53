// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/snapshot/RenderedRecipes.h"

namespace tmx {

/// renderedRecipes() that tells how far it is. What it was stopped before has stoppedError() for its text.
QList<Result<QByteArray>> renderedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                          const QList<Variant> &variants, const WorkHooks &hooks);

} // namespace tmx
