// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>

#include <memory>

namespace tmx {

/// What the line's template gives for a variant, rendered once in the life of the program for each line and variant: a
/// refresh of a branch renders nothing. Thread-safe. Errors as RecipeRenderer::render.
Result<QByteArray> renderedRecipe(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                  const Variant &variant);

/// Many of one line in one go: one look at the cache, and one renderer for those that it lacks. Same order as
/// `variants`.
QList<Result<QByteArray>> renderedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                          const QList<Variant> &variants);

} // namespace tmx
