// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// Who applies a filter that libgit2 does not have: filter=..., working-tree-encoding.
enum class Filters {
    Refused, ///< for reading, which runs no program that the repository names
    ByGit,   ///< for writing: the git program stores the text too
};

/// The bytes that git would store for this content of a file in the working tree: with line ends and other attributes
/// applied. Error: such a filter (Filters::Refused), or one that refuses the text.
Result<QByteArray> toStored(const OpenRepository &repository, const QString &path, const QByteArray &bytes,
                            Filters filters = Filters::Refused);

/// The id that git would give these bytes; stores nothing.
git_oid blobId(const QByteArray &stored);

} // namespace tmx
