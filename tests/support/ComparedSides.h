// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/compare/Comparison.h"
#include "tests/support/Snapshots.h"

namespace tmx::testing {

/// `content` as a side of a comparison.
inline ComparedSide sideOf(const QString &label, const BranchContent &content)
{
    return {label, std::make_shared<const BranchSnapshot>(snapshotOf(content))};
}

} // namespace tmx::testing
