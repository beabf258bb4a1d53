// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/ProcessTable.h"
#include "model/job/Job.h"

#include <QFile>

#include <algorithm>
#include <unistd.h>

namespace tmx::test {

/// Processes whose command line contains `word`.
inline QList<qint64> processesNamed(const QByteArray &word)
{
    QList<qint64> pids;
    const QList<ProcessEntry> table = processTable();
    for (const ProcessEntry &entry : table) {
        QFile line(QStringLiteral("/proc/%1/cmdline").arg(entry.pid));
        if (entry.lives() && entry.pid != ::getpid() && line.open(QIODevice::ReadOnly) &&
            line.readAll().split('\0').contains(word))
            pids.append(entry.pid);
    }
    return pids;
}

/// Misses a process that is started while /proc is being listed, by one that ends meanwhile: see isQuiet().
inline bool looksQuiet(const QString &state)
{
    if (!processesNamed(state.toUtf8()).isEmpty())
        return false;
    const QList<ProcessEntry> table = processTable();
    const QList<JobFolder> folders = JobFolder::all(state);
    return std::none_of(folders.begin(), folders.end(), [&](const JobFolder &folder) {
        return !processesNamed(folder.path().toUtf8()).isEmpty() ||
               !processesWith("TORCH_MATRIX_JOB=" + folder.path().toUtf8(), table).isEmpty();
    });
}

/// Whether no process of any job, no runner and no scheduler of this state folder exists, so that no process writes
/// there any more.
inline bool isQuiet(const QString &state)
{
    return looksQuiet(state) && looksQuiet(state) && looksQuiet(state);
}

} // namespace tmx::test
