// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/recipe/FactPlaces.h"

namespace tmx {

/// Whether a derivation's attribute with that name is the shell text of a stdenv phase: "preConfigure", "buildPhase".
bool isPhase(const QByteArray &name);

/// Their names, in the order in which stdenv runs them.
QStringList phasesOfStdenv();

/// Reads the phases of a package: exports go to `environment`, values of CXXFLAGS, CFLAGS and NIX_CFLAGS_COMPILE also
/// to `cxxFlags` and `cFlags`, everything else to `commands`. `phases` are texts in any order; variables are added in
/// the order in which stdenv runs them.
void readPhases(const FactPlaces &places, const std::vector<nix::Value::Entry> &phases, PackageFacts &package);

/// Adds the CPU's compiler options in an attribute that becomes one of these variables.
void readFlagsOf(const FactPlaces &places, const nix::Value::Entry &variable, PackageFacts &package);
/// Adds those that `package` gives to CMake with CMAKE_CXX_FLAGS and CMAKE_C_FLAGS.
void readFlagsOfCMake(PackageFacts &package);

} // namespace tmx
