// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// Companions may fetch the PyTorch recipe of their variant from another repository. Where a clone of it lies beside
/// the work tree, under the name that its URL ends in, what the clone has of the fetched commits goes into
/// `content.fetchedTorch`. Nothing is asked of a network, and a folder that is no repository adds nothing.
void addFetchedTorch(const OpenRepository &repository, BranchContent &content);

/// What addFetchedTorch() would add for a commit: equal for equal answers, empty where nothing is fetched or no clone
/// is there. For caches. Reads the recipes of companions alone.
QString fetchedTorchId(const OpenRepository &repository, const QString &commit);

} // namespace tmx
