// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QStringList>

#include <optional>

namespace tmx {

/// What a recipe's file name (without ".nix") says. Old forms are read but never written.
struct VariantName {
    Variant variant;
    bool canonical = false;
    /// Why it is not canonical, a phrase each: "suffix -magma", "py313 for python313", "dotted ISA armv8.2", "no CUDA
    /// part".
    QStringList oddities;
    QString suffix; ///< "-magma", "-nightly", "-cu128": what follows the ISA; a variant of its own then, never the
                    ///< cell's recipe

    /// nullopt when no variant can be read from the name (another package's recipe, say). `isas` and `families` are the
    /// catalog's ids.
    static std::optional<VariantName> parse(const QString &name, const QStringList &families, const QStringList &isas);
};

/// The package that flox makes of a recipe's file: x of x.nix and of x/default.nix, whatever folder they lie in.
QString packageOf(const QString &path);

/// Whether flox can build a package of that name: no dot, which it takes for a separator of an attribute path, and no
/// leading dash, which would make it an option.
bool isBuildableName(const QString &name);

} // namespace tmx
