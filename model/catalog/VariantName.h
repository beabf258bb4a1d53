// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Variant.h"

#include <QStringList>

#include <optional>

namespace tmx {

/// The content of a recipe's file name (without ".nix"). Old forms are parsed but never written.
struct VariantName {
    Variant variant;
    bool canonical = false;
    /// Why it is not canonical, one phrase each: "py313 for python313", "dotted ISA armv8.2", "no CUDA part".
    QStringList oddities;
    /// "-magma", "-nightly", "-cu128": the end of the variant's rest that names no host, if the name has an ISA or
    /// needs none. Beside the same name without it, it marks another package for the same cell; see namedRecipes().
    QString suffix;
    bool uncertain = false; ///< The device may be a word of a package's name: "llama-cpu", "llama-vulkan". Such a file
                            ///< is a variant beside certain ones of its family.

    /// nullopt if the name is not a variant's. A family needs no declaration, so what makes a variant is the device:
    /// cudaM_m-ROW, smNN, darwin-mps, rocm; or cpu, vulkan and other words together with a Python or an instruction
    /// set, without which they are uncertain. `isas` are the catalog's ids.
    ///
    /// All words after the ISA are the variant's `rest`.
    static std::optional<VariantName> parse(const QString &name, const QStringList &isas);

    /// The variant of the name without the suffix.
    [[nodiscard]] Variant withoutSuffix() const;
};

/// Flox's package name for a recipe's file: x for x.nix and x/default.nix in any folder.
QString packageOf(const QString &path);

/// Whether flox can build a package with that name: no dot, which would separate an attribute path, and no leading
/// dash, which would make it an option.
bool isBuildableName(const QString &name);

} // namespace tmx
