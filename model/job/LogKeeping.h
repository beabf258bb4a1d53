// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// Default limit of the size of all logs: 5 GiB.
constexpr qint64 usualLogLimit = qint64(5) << 30;

/// Disk usage of the logs in a state folder.
struct LogUse {
    qint64 bytes = 0; ///< on disk, including those of running builds
    int logs = 0;
    int packed = 0; ///< number of compressed ones
};
[[nodiscard]] LogUse logUse(const QString &state);

enum class OldLogs { Remove, Count };
/// Compresses the logs of finished jobs, except the 20 newest of the last week; while the logs take more than `limit`
/// bytes (0: no limit), these too, the oldest first. If that is not enough, removes logs, the oldest first, or only
/// counts them. Returns how many. A job without its log
/// keeps its outcome and its record in the history. Logs of unfinished jobs are never touched. Returns at once if
/// another process does the same. May take minutes: for a separate process.
int tidyLogs(const QString &state, qint64 limit, OldLogs oldLogs = OldLogs::Remove);

} // namespace tmx
