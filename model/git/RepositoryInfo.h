// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// See Repository::info.
Result<RepositoryInfo> readInfo(const OpenRepository &repository);

} // namespace tmx
