// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/GitFixture.h"

namespace tmx::test {

inline const QString avx2 = QStringLiteral(".flox/pkgs/pytorch-python313-cpu-avx2.nix");
inline const QString avx512 = QStringLiteral(".flox/pkgs/pytorch-python313-cpu-avx512.nix");

/// A repository whose branches `main`, which is checked out, and `second` have the same single recipe.
struct TwoBranches : GitFixture {
    TwoBranches()
    {
        commitFile(avx2, "{ }: { a = 1; }\n");
        git({QStringLiteral("branch"), QStringLiteral("second")});
    }
};

} // namespace tmx::test
