// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>

#include <memory>

namespace tmx {

/// Renders the recipe of a variant from the line's template. Pure: the same input gives the same bytes, on every machine.
/// Keep one per thread: the template engine behind it is not thread-safe.
class RecipeRenderer
{
public:
    explicit RecipeRenderer(std::shared_ptr<const Catalog> catalog);
    ~RecipeRenderer();
    RecipeRenderer(RecipeRenderer &&) noexcept;
    RecipeRenderer &operator=(RecipeRenderer &&) noexcept;

    /// UTF-8, ends with one newline. Errors: unknown row or ISA, a toolkit that the line has not, a template that is missing or broken.
    [[nodiscard]] Result<QByteArray> render(const Line &line, const Variant &variant);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
