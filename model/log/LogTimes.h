// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QList>

namespace tmx {

/// When a build's log had reached which size. Its runner notes that every other second in the file `times` next to the
/// log: one note per line, with bytes and milliseconds since 1970. All functions access the disk: for workers.
class LogTimes
{
public:
    /// Times of the log, plain or compressed; empty if there are no notes. Reads at most 2 MiB and stops at an invalid
    /// note.
    static LogTimes of(const QString &log);
    /// Adds a note; it is lost if the disk is full.
    static void note(const QString &log, qint64 bytes, const QDateTime &when);

    [[nodiscard]] bool isEmpty() const { return m_notes.isEmpty(); }
    /// Milliseconds from the first note until the first `bytes` of the log existed; -1: unknown.
    [[nodiscard]] qint64 elapsed(qint64 bytes) const;
    /// When the first `bytes` of the log existed, to within seconds; invalid: unknown.
    [[nodiscard]] QDateTime at(qint64 bytes) const;

private:
    struct Note {
        qint64 bytes;
        qint64 when;
    };
    QList<Note> m_notes;
    QDateTime m_written; ///< last change of the log
};

} // namespace tmx
