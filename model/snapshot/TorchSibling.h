// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/CommitReader.h"
#include "model/snapshot/BranchContent.h"

namespace tmx {

/// The clone of that name next to the working tree, or the working tree itself; nullopt if there is none.
std::optional<CommitReader> cloneBeside(const QString &workTree, const QString &name);

/// Companions match the PyTorch recipe of their variant. If a branch has companions and no PyTorch recipe,
/// `content.torchFiles` gets those of the repository next to it: the folder "build-pytorch" or "pytorch" next to the
/// working tree, or this working tree's name with "pytorch" as its last word; its branch of the same name, as
/// committed. A missing or unreadable repository adds nothing: this is a hint only, and another repository's problems
/// are reported when that one is opened.
void addTorchSibling(const QString &workTree, BranchContent &content);

/// Identifies what addTorchSibling() would read for a branch: equal for equal recipes, empty if there are none. For
/// caches.
QString torchSiblingId(const QString &workTree, const QString &branch);

} // namespace tmx
