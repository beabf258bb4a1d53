// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QString>

namespace tmx {

/// Keeps the machine awake as long as this object and this process exist: systemd-inhibit holds logind's lock until the
/// pipe to it closes. Does nothing if systemd-inhibit or logind is missing or refuses.
class SleepInhibitor
{
public:
    SleepInhibitor(const QString &why, const QProcessEnvironment &environment);
    ~SleepInhibitor();
    Q_DISABLE_COPY_MOVE(SleepInhibitor)

    [[nodiscard]] qint64 pid() const { return m_pid; } ///< 0 if there is none

private:
    int m_pipe = -1;
    int m_pid = 0;
};

} // namespace tmx
