// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

#include <QByteArray>

namespace tmx {

/// What one call of nvidia-smi told.
struct NvidiaSmiAnswer {
    QList<GpuInfo> gpus; ///< empty: `problem` says why
    QString driver;
    /// Drivers of the 470 series and older refuse the whole query for the sake of compute_cap: ask again without it.
    bool capabilityRefused = false;
    bool gpuUnknown = false; ///< it could not ask the driver, so whether there is a GPU is not known
    QString problem; ///< a sentence for HostReport::remarks; may be set beside GPUs, when parts could not be read
    bool operator==(const NvidiaSmiAnswer &) const = default;
};

QStringList nvidiaSmiArguments(bool withCapability);

/// Whether the text is what nvidia-smi says where it cannot reach the driver or a GPU ("NVIDIA-SMI has failed because
/// it couldn't communicate with the NVIDIA driver", "Failed to initialize NVML", "Unable to determine the device
/// handle").
bool nvidiaSmiFailed(const QString &text);

/// Reads what `nvidia-smi --query-gpu=... --format=csv,noheader` printed (standard output and error together: lines
/// that are not rows are passed over). Fields such as "[N/A]" or "[Unknown Error]" become empty. `withCapability` is
/// what the query asked for.
NvidiaSmiAnswer readNvidiaSmi(const QByteArray &output, int exitCode, bool withCapability);

/// "00000000:00:06.0", as nvidia-smi writes it, to sysfs' "0000:00:06.0"; empty when it is no PCI address.
QString sysfsBusId(const QString &busId);

} // namespace tmx
