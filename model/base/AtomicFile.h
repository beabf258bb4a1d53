// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

#include <functional>
#include <optional>

namespace tmx {

/// What a write does if the file exists already.
enum class Existing { Replace, Refuse };

/// Writes `content` to `path` so that a reader, or a kill -9 at any moment, finds the old file or the new one, never a
/// part. A new file is written without a name (O_TMPFILE) and linked atomically, so that nothing is left behind after a
/// kill; a replacement is written in `scratchDir` (same file system; cleaned up by its owner; if it is empty or on
/// another file system: a hidden file next to the target) and renamed. The text is synced to disk before it gets its
/// name. Creates missing parent folders, and keeps the permission bits of an existing file. Does not follow a link at
/// `path`. `lastCheck` is called when the text is on disk, just before it gets its name; if it returns an error,
/// nothing is changed. Errors: `path` is a link or not a regular file, exists already (Existing::Refuse), folder
/// read-only, disk full.
Result<void> writeFileAtomically(const QString &path, const QByteArray &content, const QString &scratchDir,
                                 Existing existing = Existing::Replace,
                                 const std::function<Result<void>()> &lastCheck = {});

/// Gives a file on the same file system its final name if no file has it. Returns 0, or the errno of the failure:
/// EEXIST, EXDEV. Uses a hard link, or else a rename that does not replace; where the file system has neither, it
/// reserves the name with an empty file and replaces that.
int moveToFreeName(const QByteArray &draft, const QByteArray &target);

/// The bytes of a regular file, at most `most` plus one, so that the caller can detect a longer file. Does not follow a
/// link at `path`. nullopt: there is no such file, or it cannot be read.
std::optional<QByteArray> readSmallFile(const QString &path, qsizetype most);

/// The bytes of a file; nullopt: there is none. Error, for what the caller does (`what`): it cannot be read.
Result<std::optional<QByteArray>> readFile(const QString &path, const QString &what);

} // namespace tmx
