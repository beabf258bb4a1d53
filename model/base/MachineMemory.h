// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

/// MemTotal in /proc/meminfo in bytes; 0 if unknown.
qint64 readMemTotal(const QString &text);

/// The memory in bytes that processes of this one may use: the machine's, or less where a control group or a limit of
/// this process (ulimit -v) says so. 0: unknown. Reads small files.
qint64 usableMemory();

/// The share of the last ten seconds, in percent, in which every process waited for memory: "full avg10" in
/// /proc/pressure/memory. 0 if unknown.
double memoryPressure();
/// Reads it from the file's text.
double readMemoryPressure(const QString &text);
/// From this share on, a machine does little else than swap.
inline constexpr double highMemoryPressure = 20;

} // namespace tmx
