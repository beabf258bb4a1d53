// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

namespace tmx {

/// Facts of a variant that are known without reading its recipe: source of the Facts tab, of `show`, and of texts in
/// recipes.
struct VariantFacts {
    QString name;
    QString gpu; ///< "Hopper (sm90, compute capability 9.0)"; "None (CPU only)"
    QStringList products;
    QString cpu; ///< "AVX-512 BF16"
    QString cpuHardware;
    QStringList flags;
    QString cuda;             ///< "12.8"; may be empty
    QString pythonVersion;    ///< "3.13"
    QString frameworkVersion; ///< "2.8.0"
    QString driver;           ///< "NVIDIA 525.60.13 or newer"; may be empty
    QString platform;         ///< "x86_64-linux"
    QString useCase;          ///< one sentence
    QString buildCommand;     ///< "flox build pytorch-..."
};

VariantFacts factsOf(const Catalog &catalog, const Settings &settings, const Variant &variant);

} // namespace tmx
