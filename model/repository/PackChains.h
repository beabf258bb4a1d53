// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <git2/types.h>

namespace tmx {

/// Makes a database refuse packed objects whose delta chain never reaches a whole object, in this object folder and
/// those that it borrows from. A delta can refer to its base by id, so in a crafted pack two deltas can be each other's
/// base, or one its own: libgit2 1.9 and git 2.47 follow them forever and use up all memory. Before an object is read,
/// the headers of its deltas are checked (git creates at most 4,095, commonly 50). Packs that are added later are not
/// checked: git validates those that it fetches.
void refuseEndlessDeltas(git_odb *odb, const QString &objects);

} // namespace tmx
