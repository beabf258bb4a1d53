// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QIODevice>

#include <memory>

namespace tmx {

/// The suffix of a compressed log: "log" becomes "log.gz".
QString packedPath(const QString &log);

/// Opens a log, plain or compressed: the file `log` if it exists, else `log`.gz. Reads can start at any byte; offsets
/// are those of the plain text. The device is open and unbuffered; null if neither exists. For workers.
[[nodiscard]] std::unique_ptr<QIODevice> openLog(const QString &log);

/// The file that has the log now: `log`, `log`.gz, or empty if neither exists.
[[nodiscard]] QString storedLog(const QString &log);

/// Replaces `log` by `log`.gz, a gzip file with members of 1 MiB of text each, so that a reader unpacks only one of
/// them for any position; gzip and zcat read it as usual. After a crash there is `log`, or both, or only the compressed
/// file, each complete. No process may write to the log any more. Errors: it cannot be read, the disk is full; `log` is
/// then unchanged.
Result<void> packLog(const QString &log);

/// Writes a log's plain text to a new file. Returns false if one of them cannot be opened, or if the disk is full.
[[nodiscard]] bool copyLog(const QString &log, const QString &to);

} // namespace tmx
