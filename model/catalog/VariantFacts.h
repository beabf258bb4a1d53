// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"

namespace tmx {

/// What is known of a variant without reading its recipe: the Facts tab, `show`, and the texts in recipes come from
/// here.
struct VariantFacts {
    QString name;
    QString gpu; ///< "Hopper (sm90, compute capability 9.0)"; "None (CPU only)"
    QStringList products;
    QString cpu; ///< "AVX-512 BF16"
    QString cpuHardware;
    QStringList flags;
    QString cuda;             ///< "12.8"; empty
    QString pythonVersion;    ///< "3.13"
    QString frameworkVersion; ///< "2.8.0"
    QString driver;           ///< "NVIDIA 525.60.13 or newer"; empty
    QString platform;         ///< "x86_64-linux"
    QString useCase;          ///< one sentence
    QString buildCommand;     ///< "flox build pytorch-..."
};

VariantFacts factsOf(const Catalog &catalog, const Settings &line, const Variant &variant);

} // namespace tmx
