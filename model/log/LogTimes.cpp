// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogTimes.h"

#include "model/base/AtomicFile.h"

#include <QFile>
#include <QFileInfo>
#include <QTimeZone>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostTimesBytes = 2 * 1024 * 1024;

QString fileOf(const QString &log)
{
    return QFileInfo(log).path() + u"/times"_s;
}

} // namespace

LogTimes LogTimes::of(const QString &log)
{
    LogTimes times;
    const QByteArray text = readSmallFile(fileOf(log), mostTimesBytes).value_or(QByteArray());
    const QByteArray whole = text.first(text.lastIndexOf('\n') + 1); // Leaves out a truncated last note.
    for (const QByteArray &line : whole.split('\n')) {
        const qsizetype space = line.indexOf(' ');
        bool good = space > 0;
        bool also = false;
        const Note note{space > 0 ? line.first(space).toLongLong(&good) : 0, line.sliced(space + 1).toLongLong(&also)};
        if (!good || !also || note.bytes < 0 ||
            (!times.m_notes.isEmpty() && note.bytes < times.m_notes.constLast().bytes))
            break;
        times.m_notes.append(note);
    }
    times.m_written = QFileInfo(log).lastModified();
    return times;
}

void LogTimes::note(const QString &log, qint64 bytes, const QDateTime &when)
{
    QFile file(fileOf(log));
    if (file.size() < mostTimesBytes - 100 && file.open(QIODevice::Append | QIODevice::Unbuffered))
        file.write(QByteArray::number(bytes) + ' ' + QByteArray::number(when.toMSecsSinceEpoch()) + '\n');
}

qint64 LogTimes::elapsed(qint64 bytes) const
{
    const QDateTime when = at(bytes);
    return when.isValid() ? std::max<qint64>(when.toMSecsSinceEpoch() - m_notes.constFirst().when, 0) : -1;
}

QDateTime LogTimes::at(qint64 bytes) const
{
    if (m_notes.isEmpty())
        return {};
    const auto note = std::ranges::lower_bound(m_notes, bytes, {}, &Note::bytes);
    return note == m_notes.end() ? m_written : QDateTime::fromMSecsSinceEpoch(note->when, QTimeZone::UTC);
}

} // namespace tmx
