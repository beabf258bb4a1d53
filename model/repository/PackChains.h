// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <git2/types.h>

namespace tmx {

/// Lets a database refuse packed objects whose deltas lead to no whole object, in this folder of objects and those
/// that it borrows from. A delta may name its base by the base's name, so that two of a prepared pack can be each
/// other's base, or one its own: libgit2 1.9 follows them without end, as git 2.47 does, and takes all memory for it.
/// Costs a look at the headers of an object's deltas (git makes 4,095 at most, commonly 50) before it is read.
/// Packs that come later are not looked at: git judges those that it fetches.
void refuseEndlessDeltas(git_odb *odb, const QString &objects);

} // namespace tmx
