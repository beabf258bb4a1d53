// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

#include <QByteArray>

namespace tmx {

/// What git would store for these bytes of a work tree's file: line ends and other attributes applied.
/// Error: a filter that only the git program runs (filter=..., working-tree-encoding), or one that refuses the text.
Result<QByteArray> toStored(const OpenRepository &repository, const QString &path, const QByteArray &bytes);

/// The id under which git would store them, without storing.
git_oid blobId(const QByteArray &stored);

} // namespace tmx
