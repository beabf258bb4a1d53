// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QByteArray>
#include <QStringList>

namespace tmx {

/// Reads a machine's facts from a text: a report written by detect --json, a capture (captureScript's output), or
/// pasted text in any order: lscpu, /proc/cpuinfo, nvidia-smi (its table, its -q output, a query as CSV),
/// /proc/meminfo, os-release. `name` is used if the text does not name the machine. Error: the text has neither a CPU
/// nor a GPU.
Result<HostReport> readHostText(const QByteArray &text, const QString &name);

/// Maximum size of a text about one machine in bytes; more is a mistake.
inline constexpr qint64 largestHostText = 32 * 1024 * 1024;

/// readHostText() for a file, named after it. Reads the disk: for workers.
Result<HostReport> readHostFile(const QString &path);

/// The read-only POSIX shell script that makes a capture on another machine. A constant; takes no arguments and writes
/// nothing.
QByteArray captureScript();

/// Arguments for ssh: the user's own configuration, no prompts (a password cannot be typed here), a connection limit of
/// 10 s.
QStringList sshArguments(const QString &host);

} // namespace tmx
