// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/LogFollower.h"

using namespace Qt::StringLiterals;

namespace tmx {

LogFollower::LogFollower(const JobFolder &folder)
    : m_file(folder.logFile())
{
}

QByteArray LogFollower::read()
{
    constexpr qint64 most = qint64(1) << 20;
    if (!m_file.isOpen() && !m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return {};
    const QByteArray bytes = m_file.read(most);
    const QStringList lines = m_lines.read(m_decoder.decode(bytes));
    for (const QString &line : lines)
        m_progress.read(line);
    return bytes;
}

QString LogFollower::text() const
{
    const QString steps =
        m_progress.total() > 0 ? u"%1 of %2"_s.arg(m_progress.step()).arg(m_progress.total()) : QString();
    if (m_progress.phase().isEmpty() || steps.isEmpty())
        return m_progress.phase() + steps;
    return m_progress.phase() + u", "_s + steps;
}

} // namespace tmx
