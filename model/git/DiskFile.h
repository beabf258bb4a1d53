// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/FileTrouble.h"
#include "model/base/Result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <sys/stat.h>

#include <system_error>

namespace tmx {

/// What this program reads are a few KiB of text; larger files are something else and are not read.
inline constexpr qint64 maxTextBytes = qint64(1024) * 1024;

/// Error: a folder between `workTree` and `path` is a link (git would not follow it, and it may leave the repository)
/// or another repository such as a submodule (its files do not belong to this repository).
/// `unreadable`: set to the errno of a folder that cannot be inspected.
Result<void> checkNoLinkOnTheWay(const QString &workTree, const QString &path, int *unreadable = nullptr);

/// The error for a folder that is a submodule or another repository: nothing is read from or written to it.
Error isRepository(const QString &folder);

/// A file at a path of the working tree. Reading never follows links and never blocks (a pipe called x.nix is not a
/// recipe).
struct DiskFile {
    bool present = false;
    FileTrouble trouble = FileTrouble::None;
    int error = 0;      ///< Unreadable: the errno; 0: it is not a regular file
    QByteArray bytes;   ///< set if trouble is None or NotText
    struct stat info{}; ///< from before the bytes were read
};
DiskFile readDiskFile(const QString &workTree, const QString &path);
/// Error: the disk could not read the file. One that the user may not read, or that is no regular file, is named and
/// left alone; of this one nothing is known.
Result<void> checkRead(const DiskFile &file, const QString &path);
/// The same where no link and no repository is on the way.
DiskFile readPlainFile(const QString &workTree, const QString &path);

struct NameOnDisk {
    QString name;
    bool isFolder = false; ///< not a link to one
};
/// What is in a folder, in no order. `error`: why it was not read, or not to its end.
QList<NameOnDisk> namesOnDisk(const QString &folder, std::error_code &error);

/// False for bytes with NUL and for invalid UTF-8.
bool isText(const QByteArray &bytes);

} // namespace tmx
