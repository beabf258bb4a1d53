// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchContent.h"

namespace tmx {

/// A quick check: most recipes fetch no PyTorch and need not be parsed.
bool mayFetchTorch(const QByteArray &text);

/// Companions may fetch the PyTorch recipe of their variant from another repository. If a clone of it is next to the
/// working tree, with the last part of its URL as name, the fetched commits' files go into `content.fetchedTorch`. Does
/// not use the network. A folder that is not a repository adds nothing.
void addFetchedTorch(const QString &workTree, BranchContent &content);

/// Identifies what addFetchedTorch() would add for a commit: equal for equal results, empty if nothing is fetched or no
/// clone exists. For caches. Reads only the recipes of companions.
/// `isConstant`: it is empty for this commit whatever other clones have, because no recipe fetches any.
QString fetchedTorchId(const CommitReader &reader, const QString &commit, bool &isConstant);

} // namespace tmx
