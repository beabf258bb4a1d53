// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/BuilderProbe.h"
#include "model/hardware/HostReport.h"

#include <string>

namespace CLI {
class App;
}

namespace tmx {

/// Which machine a verb is about: this one, unless something is set.
struct MachineChoice {
    std::string machine; ///< --on: a name that detect --save gave, or a file
    std::string ssh;     ///< --ssh: a host
    std::string from;    ///< --from: a file, "-" for standard input
};

void addOnOption(CLI::App &verb, MachineChoice &choice);

/// Asks the machine; runs an event loop of its own while a probe is under way.
Result<HostReport> reportOf(const MachineChoice &choice);

/// Nix's remote builders of this machine, once each has answered or its time is over; with an event loop of its own.
BuilderReport askBuilders();

} // namespace tmx
