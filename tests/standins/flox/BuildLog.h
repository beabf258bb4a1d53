// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace standin {

/// Acts out the build of one package as flox, make and nix print it on their two streams; leaves the result links. The
/// exit code.
int build(const std::filesystem::path &folder, const std::string &package, const std::filesystem::path &recipe);

/// SIGINT and SIGTERM: said as flox and nix say it, exit 1.
void listenToSignals();

} // namespace standin
