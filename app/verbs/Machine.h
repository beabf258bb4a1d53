// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/catalog/Catalog.h"
#include "model/hardware/BuilderProbe.h"
#include "model/hardware/HostReport.h"

#include <string>

namespace CLI {
class App;
}

namespace tmx {

/// Which machine a verb is about: this one, unless one of these is set.
struct MachineChoice {
    std::string machine; ///< --on: a name that detect --save gave, or a file
    std::string ssh;     ///< --ssh: a host
    std::string from;    ///< --from: a file, "-" for standard input
};

void addOnOption(CLI::App &verb, MachineChoice &choice);

/// Probes the machine. Runs its own event loop meanwhile.
Result<HostReport> reportOf(const Catalog &catalog, const MachineChoice &choice);

/// Nix's remote builders of this machine, once each has answered or timed out. Runs its own event loop meanwhile.
BuilderReport askBuilders();

} // namespace tmx
