// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QList>

namespace tmx {

/// The system's data on one process (/proc/PID/stat).
struct ProcessEntry {
    qint64 pid = 0;
    char state = '?'; ///< R, S, D, Z (ended, not yet reaped) ...
    qint64 parent = 0;
    qint64 group = 0;
    qint64 session = 0;
    QByteArray start;    ///< in clock ticks since the machine's start
    qint64 resident = 0; ///< bytes in memory, including shared ones
    [[nodiscard]] bool lives() const { return state != 'Z' && state != 'X'; }
};

/// One process; pid 0 if there is none with that id.
ProcessEntry processEntry(qint64 pid);
/// All processes that this one can see.
QList<ProcessEntry> processTable();
/// The descendants of a process in a table, without zombies.
QList<ProcessEntry> descendantsOf(qint64 pid, const QList<ProcessEntry> &table);
/// The processes of a table whose initial environment has the entry "NAME=VALUE". Only works for processes of this
/// user.
QList<ProcessEntry> processesWith(const QByteArray &entry, const QList<ProcessEntry> &table);

} // namespace tmx
