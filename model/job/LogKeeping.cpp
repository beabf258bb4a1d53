// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/LogKeeping.h"

#include "model/base/FileLock.h"
#include "model/job/Job.h"
#include "model/log/PackedLog.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype plainLogs = 20;
constexpr int plainDays = 7;

struct KeptLog {
    QString path; ///< path of the plain log
    QDateTime ended;
    bool packed = false;
    [[nodiscard]] qint64 bytes() const { return QFileInfo(storedLog(path)).size(); }
};

/// The logs of finished jobs, the newest first.
QList<KeptLog> endedLogs(const QString &state)
{
    QList<KeptLog> logs;
    for (const JobFolder &folder : JobFolder::all(state)) {
        const QFileInfo outcome(folder.file(u"outcome.json"_s));
        const QString stored = storedLog(folder.logFile());
        if (outcome.exists() && !stored.isEmpty())
            logs.append({folder.logFile(), outcome.lastModified(), stored != folder.logFile()});
    }
    std::stable_sort(logs.begin(), logs.end(),
                     [](const KeptLog &one, const KeptLog &other) { return one.ended > other.ended; });
    return logs;
}

/// A log that cannot be compressed, for example on a full disk, stays plain until the next time.
void pack(KeptLog &log)
{
    log.packed = log.packed || packLog(log.path).ok();
}

} // namespace

LogUse logUse(const QString &state)
{
    LogUse use;
    for (const JobFolder &folder : JobFolder::all(state)) {
        const QString stored = storedLog(folder.logFile());
        if (stored.isEmpty())
            continue;
        use.bytes += QFileInfo(stored).size();
        ++use.logs;
        use.packed += stored != folder.logFile();
    }
    return use;
}

int tidyLogs(const QString &state, qint64 limit, OldLogs oldLogs)
{
    const FileLock lock(state + u"/logs.lock"_s, LOCK_EX | LOCK_NB);
    if (!lock.held())
        return 0;
    QList<KeptLog> logs = endedLogs(state);
    const QDateTime old = QDateTime::currentDateTime().addDays(-plainDays);
    for (qsizetype i = 0; i < logs.size(); ++i) {
        if (i >= plainLogs || logs.at(i).ended < old)
            pack(logs[i]);
    }
    if (limit == 0)
        return 0;
    qint64 bytes = logUse(state).bytes;
    for (auto log = logs.rbegin(); log != logs.rend() && bytes > limit; ++log) {
        const qint64 before = log->bytes();
        pack(*log);
        bytes -= before - log->bytes();
    }
    int removed = 0;
    for (auto log = logs.crbegin(); log != logs.crend() && bytes > limit; ++log, ++removed) {
        const qint64 before = log->bytes();
        if (oldLogs == OldLogs::Count) {
            bytes -= before;
            continue;
        }
        QFile::remove(packedPath(log->path));
        QFile::remove(log->path);
        bytes -= before - log->bytes();
    }
    return removed;
}

} // namespace tmx
