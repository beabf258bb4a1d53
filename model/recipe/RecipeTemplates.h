// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QStringList>
#include <QVariantHash>

#include <memory>

namespace tmx {

/// The template engine with its templates, read and parsed once. Names are "family/shape", files "family/shape.nix",
/// looked up in the folders in their order. A template in a folder `parts` stands for whole lines: it is included by a
/// tag on a line of its own, and stands as far to the right as that tag. Not thread-safe.
class RecipeTemplates
{
public:
    explicit RecipeTemplates(const QStringList &folders);
    ~RecipeTemplates();

    /// A template that is in no folder; it goes before one of that name.
    void insert(const QString &name, const QString &text);

    /// Errors: no such template; a template that the engine cannot parse, with its name and line; a name that `data`
    /// does not have.
    [[nodiscard]] Result<QString> render(const QString &name, const QVariantHash &data);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
