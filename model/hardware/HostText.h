// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QByteArray>
#include <QStringList>

namespace tmx {

/// What a machine is, from a text about it: a report that detect --json wrote, a capture (captureScript's output), or
/// whatever a person pasted, in any order: lscpu, /proc/cpuinfo, nvidia-smi (its table, its -q listing, a query as
/// CSV), /proc/meminfo, os-release. `name` is used where the text names no machine. An error when nothing in it tells
/// of a CPU or a GPU.
Result<HostReport> readHostText(const QByteArray &text, const QString &name);

/// What a person pastes or saves of one machine, in bytes; more is a mistake.
inline constexpr qint64 largestHostText = 32 * 1024 * 1024;

/// readHostText() of a file, named after it. Reads the disk: for workers.
Result<HostReport> readHostFile(const QString &path);

/// The read-only POSIX shell script that makes a capture on another machine. Fixed text; it takes no argument and
/// writes nothing.
QByteArray captureScript();

/// Arguments for ssh: the user's own configuration, no question asked (a password cannot be typed here), a connection
/// limit of 10 s.
QStringList sshArguments(const QString &host);

} // namespace tmx
