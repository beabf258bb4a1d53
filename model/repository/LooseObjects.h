// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <git2.h>

#include <QString>

namespace tmx {

/// Lets `odb` read the loose objects of an object folder, and of those that it borrows from, by our own reader, before
/// libgit2's: that one (1.9) never ends where the zlib stream of an object is cut short, so a damaged or prepared
/// repository would hang the program. Errors are those of such a read: GIT_ERROR with a text that names the file.
void readLooseObjectsFirst(git_odb *odb, const QString &objects);

} // namespace tmx
