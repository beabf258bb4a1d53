// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"

namespace tmx {

/// Whether a derivation's attribute of that name is the shell text of a phase of stdenv: "preConfigure", "buildPhase".
bool isPhase(const QByteArray &name);

/// Reads what the phases of a package do: exports go to `environment`, what they say of CXXFLAGS, CFLAGS and
/// NIX_CFLAGS_COMPILE to `cxxFlags` and `cFlags` as well, everything else to `commands`. `phases` are texts in any
/// order; variables are stated in the order in which stdenv runs them.
void readPhases(const FactPlaces &places, const std::vector<nix::Value::Entry> &phases, PackageFacts &package);

} // namespace tmx
