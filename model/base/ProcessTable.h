// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

namespace tmx {

/// What the system says of one process (/proc/PID/stat).
struct ProcessEntry {
    qint64 pid = 0;
    char state = '?'; ///< R, S, D, Z (ended, not yet reaped) ...
    qint64 parent = 0;
    qint64 group = 0;
    qint64 session = 0;
    QByteArray start;    ///< clock ticks after the machine's start
    qint64 resident = 0; ///< bytes in memory, shared ones included
    [[nodiscard]] bool lives() const { return state != 'Z' && state != 'X'; }
};

/// One process; pid 0: there is none of that id.
ProcessEntry processEntry(qint64 pid);
/// All processes that this one can see.
QList<ProcessEntry> processTable();
/// Those of a table that a process started, and those that they started; zombies left out.
QList<ProcessEntry> descendantsOf(qint64 pid, const QList<ProcessEntry> &table);
/// Those of a table whose environment, as they were started with it, holds the entry "NAME=VALUE". Only processes of
/// this user say theirs.
QList<ProcessEntry> processesWith(const QByteArray &entry, const QList<ProcessEntry> &table);

} // namespace tmx
