// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QByteArray>

namespace tmx {

/// What a machine is, from what a person copied out of a terminal, in any order and with other text between: lscpu,
/// /proc/cpuinfo, nvidia-smi's table, its -q listing or a query as CSV, /proc/meminfo, os-release. What only the table
/// tells of a GPU (its name) gives no architecture: that goes by compute capability or PCI id, never by a product's
/// name, and a remark says what to paste instead.
Result<HostReport> readPastedHost(const QByteArray &text, const QString &name);

} // namespace tmx
