// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"

#include <QByteArray>

#include <memory>

namespace tmx {

/// Renders the recipe of a variant from the settings' template. Pure: the same input gives the same bytes on every
/// machine. Keep one per thread: it caches the engine and the parsed templates, which are not thread-safe.
class RecipeRenderer
{
public:
    /// Templates are searched in `userTemplates` ("pytorch/two-stage-gpu.nix"), then in the catalog's templateFolder,
    /// then in the program's own.
    explicit RecipeRenderer(const std::shared_ptr<const Catalog> &catalog, const QString &userTemplates = {});
    ~RecipeRenderer();
    RecipeRenderer(RecipeRenderer &&) noexcept;
    RecipeRenderer &operator=(RecipeRenderer &&) noexcept;

    /// UTF-8, ends with one newline. Does not check whether the variant can exist: a user may want it anyway. Errors:
    /// unknown row or ISA, a toolkit that the settings do not have, a template that is missing or broken, or that needs
    /// a value the settings do not have (a pin, for example).
    [[nodiscard]] Result<QByteArray> render(const Settings &settings, const Variant &variant);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
