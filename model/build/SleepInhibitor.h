// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QProcessEnvironment>
#include <QString>

namespace tmx {

/// As long as this lives, and no longer than this process does, the machine does not go to sleep: systemd-inhibit holds
/// logind's lock until the pipe to it closes. Where there is no systemd-inhibit or no logind, or it refuses, nothing
/// happens.
class SleepInhibitor
{
public:
    SleepInhibitor(const QString &why, const QProcessEnvironment &environment);
    ~SleepInhibitor();
    Q_DISABLE_COPY_MOVE(SleepInhibitor)

    [[nodiscard]] qint64 pid() const { return m_pid; } ///< 0: there is none

private:
    int m_pipe = -1;
    int m_pid = 0;
};

} // namespace tmx
