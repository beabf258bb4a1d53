// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArrayList>

namespace tmx {

/// The folder of objects itself and those that it borrows from (gitrepository-layout, objects/info/alternates), with
/// those of their own. Names are the file system's bytes, without links; what does not exist is left out. A relative
/// name counts from the folder of objects, as git reads it, and also from the current folder, as libgit2 1.9 does.
/// Error: more folders, or a longer list, than this program reads.
Result<QByteArrayList> objectFolders(const QByteArray &objects);

} // namespace tmx
