// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

#include <functional>
#include <optional>

namespace tmx {

/// What a write does where a file has the name already.
enum class Existing { Replace, Refuse };

/// Writes `content` to `path` so that a reader, or a kill -9 at any moment, meets the old file or the new one, never a
/// part. A new file is written without a name (O_TMPFILE) and linked in one step, so that it leaves nothing behind
/// either; a replacement is written into `scratchDir` (same file system; swept by its owner; empty or elsewhere: a dot
/// file beside the target) and renamed. The text is on the disk before it has its name. Missing parent folders are
/// made, permission bits of an existing file are kept. Follows no link at `path`. `lastCheck` is asked when the text is
/// on the disk, right before it takes its name: with its error nothing is done. Errors: `path` is a link or no regular
/// file, is there already (Existing::Refuse), folder read-only, disk full.
Result<void> writeFileAtomically(const QString &path, const QByteArray &content, const QString &scratchDir,
                                 Existing existing = Existing::Replace,
                                 const std::function<Result<void>()> &lastCheck = {});

/// The bytes of a regular file, at most `most` and one more, so that a longer one is known by it. Follows no link at
/// `path`. nullopt: no such file, or it cannot be read.
std::optional<QByteArray> readSmallFile(const QString &path, qsizetype most);

} // namespace tmx
