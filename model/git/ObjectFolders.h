// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArrayList>

namespace tmx {

/// The object folder and all folders that it borrows from, recursively (gitrepository-layout, objects/info/alternates).
/// Names are the file system's bytes with links resolved; folders that do not exist are left out. A relative name is
/// resolved from the object folder, as in git, and also from the current folder, as in libgit2 1.9. Error: more
/// folders, or a longer list, than this program reads.
Result<QByteArrayList> objectFolders(const QByteArray &objects);

} // namespace tmx
