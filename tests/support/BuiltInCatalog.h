// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

#include <QtGlobal>

namespace tmx::testing {

/// The program's own catalog; read once.
inline std::shared_ptr<const Catalog> builtInCatalog()
{
    static const std::shared_ptr<const Catalog> catalog = [] {
        auto loaded = Catalog::load();
        if (!loaded)
            qFatal("%s", qPrintable(loaded.error().sentence()));
        return *std::move(loaded);
    }();
    return catalog;
}

/// PyTorch for Python 3.13; `cuda` is empty if `row` is not a GPU.
inline Variant torchOn(const char *cuda, const char *row, const char *isa)
{
    return {QStringLiteral("pytorch"), QStringLiteral("python313"), QString::fromLatin1(cuda), QString::fromLatin1(row),
            QString::fromLatin1(isa)};
}

} // namespace tmx::testing
