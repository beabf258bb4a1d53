// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QIODevice>

#include <memory>

namespace tmx {

/// The suffix of a compressed log: "log" becomes "log.gz".
QString packedPath(const QString &log);

/// A log to read, plain or compressed: the file `log` if it is there, else `log`.gz. Both can be read from any byte;
/// offsets are those of the plain text. Open, unbuffered; null: neither is there. For workers.
[[nodiscard]] std::unique_ptr<QIODevice> openLog(const QString &log);

/// The file that holds a log now: `log`, `log`.gz, or empty: neither is there.
[[nodiscard]] QString storedLog(const QString &log);

/// Replaces `log` by `log`.gz, a gzip file of members of 1 MiB of text each, so that a reader unpacks one of them to
/// get at any place; gzip and zcat read it as usual. A crash leaves `log`, or both, or the compressed one, each whole.
/// Nobody may write to the log any more. Errors: it cannot be read, the disk is full; `log` then stays as it is.
Result<void> packLog(const QString &log);

/// Writes the plain text of a log into a new file. False: one of them cannot be opened, or the disk is full.
[[nodiscard]] bool copyLog(const QString &log, const QString &to);

} // namespace tmx
