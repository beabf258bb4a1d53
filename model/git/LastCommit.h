// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

#include <optional>

namespace tmx {

/// The parent to which the branch can go back as if its last commit had never been made: no other branch, no
/// remote-tracking branch and no tag has that commit, and its files are staged as it left them. nullopt also if
/// `commit` is not the last one, a merge or the first, if a hook or a table of refs requires that git moves branches,
/// or if a ref or a commit on the way cannot be read.
std::optional<git_oid> parentToReturnTo(const OpenRepository &repository, const QString &branch, const git_oid &commit);

} // namespace tmx
