// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// The current index of the working tree on disk, bypassing the repository's cache. Error: it cannot be read.
Result<GitIndex> readIndex(const OpenRepository &repository);
/// An index that this program wrote.
Result<GitIndex> readIndex(const QString &path);

/// The content of an index file in the form that libgit2 reads: the git program writes a split or a sparse index as a
/// plain one, to a temporary file. The user's index does not change.
Result<QByteArray> plainIndex(const OpenRepository &repository, const QByteArray &bytes);

} // namespace tmx
