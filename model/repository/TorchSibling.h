// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// Companions follow the PyTorch recipe of their variant. Where a branch has companions and no
/// PyTorch recipe, those of the repository beside it go into `content.torchFiles`: the folder "build-pytorch" or
/// "pytorch" next to the work tree, or this work tree's name with "pytorch" for its last word; its branch of the same
/// name, as committed. What is not there, or cannot be read, adds nothing: it is a hint, and another repository's
/// troubles are told where that one is opened.
void addTorchSibling(const OpenRepository &repository, BranchContent &content);

/// What addTorchSibling() would read for a branch: equal for equal recipes, empty when there are none. For caches.
QString torchSiblingId(const OpenRepository &repository, const QString &branch);

} // namespace tmx
