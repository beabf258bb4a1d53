// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitValues.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// Reads torch-matrix.toml into `content`, whose branch, commit and withWorkTree are set: from the working tree if that
/// is read, else from the commit. A file that cannot be read as text sets `lineTrouble` and is no error. Error: damaged
/// repository.
Result<void> readLineFileOf(const OpenRepository &repository, BranchContent &content);

} // namespace tmx
