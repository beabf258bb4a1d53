// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QByteArray>

namespace tmx {

/// The result of one call of nvidia-smi.
struct NvidiaSmiAnswer {
    QList<GpuInfo> gpus; ///< if empty, `problem` says why
    QString driver;
    /// Drivers of the 470 series and older reject the whole query because of compute_cap: ask again without it.
    bool capabilityRefused = false;
    bool gpuUnknown = false; ///< it could not reach the driver, so it is unknown whether there is a GPU
    QString problem; ///< a sentence for HostReport::remarks; may be set together with GPUs, if parts could not be read
    bool operator==(const NvidiaSmiAnswer &) const = default;
};

QStringList nvidiaSmiArguments(bool withCapability);

/// Whether the text is nvidia-smi's message that it cannot reach the driver or a GPU ("NVIDIA-SMI has failed because it
/// couldn't communicate with the NVIDIA driver", "Failed to initialize NVML", "Unable to determine the device handle",
/// "No devices were found").
bool nvidiaSmiFailed(const QString &text);

/// Parses the output of `nvidia-smi --query-gpu=... --format=csv,noheader` (standard output and error together; skips
/// lines that are not rows). Fields such as "[N/A]" or "[Unknown Error]" become empty. `withCapability`: whether the
/// query requested it.
NvidiaSmiAnswer readNvidiaSmi(const QByteArray &output, int exitCode, bool withCapability);

/// Converts nvidia-smi's "00000000:00:06.0" to sysfs' "0000:00:06.0"; empty if it is not a PCI address.
QString sysfsBusId(const QString &busId);

} // namespace tmx
