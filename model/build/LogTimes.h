// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QDateTime>
#include <QList>

namespace tmx {

/// When a build's log had grown how far, as its runner noted every other second: the file `times` beside the log, a
/// line a note, bytes and milliseconds since 1970. All of these look at the disk: for workers.
class LogTimes
{
public:
    /// Of the log, plain or compressed; none where nobody noted them. At most 2 MiB are read, and what is no note ends
    /// them.
    static LogTimes of(const QString &log);
    /// Adds a note; a disk that is full loses it.
    static void note(const QString &log, qint64 bytes, const QDateTime &when);

    /// When the first `bytes` of the log were there, to some seconds; invalid: not known.
    [[nodiscard]] QDateTime at(qint64 bytes) const;

private:
    struct Note {
        qint64 bytes;
        qint64 when;
    };
    QList<Note> m_notes;
    QDateTime m_written; ///< of the log
};

} // namespace tmx
