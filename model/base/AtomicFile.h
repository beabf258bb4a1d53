// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

namespace tmx {

/// Writes `content` to `path` so that a reader, or a kill -9 at any moment, meets the old file or the new one, never a part and never a
/// left-over: the text goes into a file without a name (O_TMPFILE) or, where the file system has none, into `scratchDir` (same file system;
/// swept by its owner), is flushed to disk, and takes its name in one step. Missing parent folders are made. Follows no link at `path`.
Result<void> writeFileAtomically(const QString &path, const QByteArray &content, const QString &scratchDir);

} // namespace tmx
