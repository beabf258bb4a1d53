// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/hardware/HostReport.h"

#include <QByteArray>

namespace tmx {

/// The remark that asks for compute capabilities.
QString wantsCapability();
/// Remarked where a text has no flags of a processor.
[[nodiscard]] QString wantsProcessor();
/// Remarked where a text names no GPU, which does not mean that the machine has none.
[[nodiscard]] QString mentionsNoGpu();
/// HostReport::sources of a system that the text does not name.
[[nodiscard]] QString assumed();

/// Reads a machine's facts from terminal output, in any order and mixed with other text: lscpu (also indented, cut at a
/// terminal's width, of several clusters), /proc/cpuinfo, nvidia-smi's table, -q, -L or a query as CSV with any
/// columns, lspci, PyTorch's collect_env, names of products alone, /proc/driver/nvidia/version, /proc/meminfo,
/// os-release. If the text has only a GPU's name, its architecture stays unknown here (GpuNames.h knows products), and
/// a remark says what to paste as well.
Result<HostReport> readPastedHost(const QByteArray &text, const QString &name);

} // namespace tmx
