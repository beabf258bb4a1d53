// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <git2.h>

#include <QString>

namespace tmx {

/// Adds our own reader for the loose objects of an object folder, and of the folders it borrows from, to `odb`, before
/// libgit2's reader. libgit2 1.9 loops forever if the zlib stream of an object is truncated, so a damaged or crafted
/// repository would hang the program. Errors occur on reading: GIT_ERROR with a text that names the file.
void readLooseObjectsFirst(git_odb *odb, const QString &objects);

} // namespace tmx
