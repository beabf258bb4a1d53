// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>

#include <memory>

namespace tmx {

/// Renders the recipe of a variant from the line's template. Pure: the same input gives the same bytes, on every
/// machine. Keep one per thread, and keep it: the engine and the parsed templates behind it are made once, and are not
/// thread-safe.
class RecipeRenderer
{
public:
    /// `userTemplates` is a folder whose templates ("pytorch/two-stage-gpu.nix") go before those of the
    /// catalog's templateFolder, and these before the program's own.
    explicit RecipeRenderer(const std::shared_ptr<const Catalog> &catalog, const QString &userTemplates = {});
    ~RecipeRenderer();
    RecipeRenderer(RecipeRenderer &&) noexcept;
    RecipeRenderer &operator=(RecipeRenderer &&) noexcept;

    /// UTF-8, ends with one newline. Whether the variant can exist is not asked: a user may insist. Errors: unknown row
    /// or ISA, a toolkit that the line has not, a template that is missing, broken, or that asks for what the line has
    /// not (a pin, say).
    [[nodiscard]] Result<QByteArray> render(const Settings &line, const Variant &variant);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
