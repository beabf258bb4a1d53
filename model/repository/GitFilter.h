// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// The bytes that git would store for this content of a file in the working tree: with line ends and other attributes
/// applied. Error: a filter that only the git program runs (filter=..., working-tree-encoding), or one that refuses the
/// text.
Result<QByteArray> toStored(const OpenRepository &repository, const QString &path, const QByteArray &bytes);

/// The id that git would give these bytes; stores nothing.
git_oid blobId(const QByteArray &stored);

} // namespace tmx
