// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <algorithm>

namespace tmx::test {

/// Whether all is tried that repeats what another test has shown once, or judges the machine: packaging/test.sh --ci
/// and packaging/soak.sh ask for it. Every other run is for people who wait.
inline bool isCompleteRun()
{
    return qEnvironmentVariableIsSet("TORCH_MATRIX_ALL_TESTS") || qEnvironmentVariableIsSet("TORCH_MATRIX_ROUNDS");
}

/// How often a property is tested: as TORCH_MATRIX_ROUNDS says, else `usual` in a complete run, else a quarter of it.
inline int rounds(int usual)
{
    const int asked = qEnvironmentVariableIntValue("TORCH_MATRIX_ROUNDS");
    return asked > 0 ? asked : isCompleteRun() ? usual : std::max(1, usual / 4);
}

} // namespace tmx::test
