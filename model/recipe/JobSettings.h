// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/PackageFacts.h"

namespace tmx {

/// A setting for parallel jobs in a package. Nix sets NIX_BUILD_CORES before the variables of the derivation, so those
/// win; nixpkgs' preBuild sets MAX_JOBS from it, so MAX_JOBS counts only if it is set later.
struct JobSetting {
    const VariableFact *variable; ///< of the package
    int jobs = 0;                 ///< the number that it fixes on every machine, whatever --cores says; 0: no effect
};
/// Whether a package has extensions that torch compiles, so that it is never built without one.
bool isTorchExtension(QStringView package);
QList<JobSetting> jobSettings(const PackageFacts &package);

} // namespace tmx
