// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileTrouble.h"
#include "model/base/Result.h"

#include <QByteArray>
#include <QString>

#include <sys/stat.h>

namespace tmx {

/// What this program reads are a few KiB of text; larger files are something else and are not read.
inline constexpr qint64 maxTextBytes = qint64(1024) * 1024;

/// Error: a folder between `workTree` and `path` is a link (git would not follow it, and it may leave the repository)
/// or another repository such as a submodule (its files do not belong to this repository).
Result<void> checkNoLinkOnTheWay(const QString &workTree, const QString &path);

/// The error for a folder that is a submodule or another repository: nothing is read from or written to it.
Error isRepository(const QString &folder);

/// A file at a path of the working tree. Reading never follows links and never blocks (a pipe called x.nix is not a
/// recipe).
struct DiskFile {
    bool present = false;
    FileTrouble trouble = FileTrouble::None;
    QByteArray bytes;   ///< set if trouble is None or NotText
    struct stat info{}; ///< from before the bytes were read
};
DiskFile readDiskFile(const QString &workTree, const QString &path);

/// False for bytes with NUL and for invalid UTF-8.
bool isText(const QByteArray &bytes);

} // namespace tmx
