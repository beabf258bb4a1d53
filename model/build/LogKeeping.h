// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// How much logs may take altogether, unless the queue says otherwise: 5 GiB.
constexpr qint64 usualLogLimit = qint64(5) << 30;

/// What the logs of a state folder take.
struct LogUse {
    qint64 bytes = 0; ///< on the disk, those of running builds included
    int logs = 0;
    int packed = 0; ///< of them compressed
};
[[nodiscard]] LogUse logUse(const QString &state);

/// Compresses the logs of jobs that have ended, but for the 20 newest of the last week; all of them, the oldest first,
/// while the logs take more than `limit` bytes. What is still too much is removed, the oldest first. A job keeps its
/// outcome and its place in the history when its log goes; the log of a job that has not ended is never touched.
/// Returns at once where another process does the same. May take minutes: for a process of its own.
void tidyLogs(const QString &state, qint64 limit);

} // namespace tmx
