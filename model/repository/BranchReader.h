// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// Repository::readBranch.
Result<BranchContent> readBranch(const OpenRepository &repository, const QString &branch);

} // namespace tmx
