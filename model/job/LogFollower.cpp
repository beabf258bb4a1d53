// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/LogFollower.h"

#include "model/log/PackedLog.h"

namespace tmx {

LogFollower::LogFollower(const JobFolder &folder)
    : m_path(folder.logFile())
{
}

QByteArray LogFollower::read()
{
    constexpr qint64 most = qint64(1) << 20;
    if (!m_file)
        m_file = openLog(m_path);
    if (!m_file)
        return {};
    const QByteArray bytes = m_file->read(most);
    const QStringList lines = m_lines.read(m_decoder.decode(bytes));
    for (const QString &line : lines)
        m_progress.read(line);
    return bytes;
}

const NinjaProgress &LogFollower::progress()
{
    for (int megabyte = 0; megabyte < 16 && !read().isEmpty(); ++megabyte) {
    }
    return m_progress;
}

} // namespace tmx
