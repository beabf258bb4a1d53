// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QStringList>
#include <QVariantHash>

#include <memory>

namespace tmx {

/// Templates, each read and parsed once. Names are "family/shape", files
/// "family/shape.nix"; the folders are searched in order. A template in a folder `parts` stands for whole lines: the
/// tag that includes it is on its own line, and its lines get the tag's indentation. Not thread-safe.
class RecipeTemplates
{
public:
    explicit RecipeTemplates(const QStringList &folders);
    ~RecipeTemplates();

    /// Adds a template without a file; it has priority over a file with that name.
    void insert(const QString &name, const QString &text);

    /// Errors: no such template; a template that the engine cannot parse, with its name and line; a name that is
    /// missing in `data`.
    [[nodiscard]] Result<QString> render(const QString &name, const QVariantHash &data);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace tmx
