// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QByteArray>

namespace tmx {

/// Reads a machine's facts from terminal output, in any order and mixed with other text: lscpu, /proc/cpuinfo,
/// nvidia-smi's table, its -q output or a query as CSV, /proc/meminfo, os-release. If only the table has a GPU (its
/// name), its architecture stays unknown: that comes from compute capability or PCI id, never from a product name, and
/// a remark says what to paste instead.
Result<HostReport> readPastedHost(const QByteArray &text, const QString &name);

} // namespace tmx
