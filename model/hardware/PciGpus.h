// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

namespace tmx {

/// One device as /sys/bus/pci/devices shows it: the text of its files, trimmed.
struct PciDevice {
    QString busId;       ///< "0000:00:06.0"
    QString vendor;      ///< "0x10de"
    QString device;      ///< "0x2330"
    QString deviceClass; ///< "0x030200"
    bool operator==(const PciDevice &) const = default;
};

/// NVIDIA's, of class display (0x0300xx) or 3D controller (0x0302xx); its bridges, audio and USB functions share the
/// vendor.
bool isNvidiaGpu(const PciDevice &device);

/// The device's name in the text of pci.ids, "GH100 [H100 SXM5 80GB]"; empty when it is not there. Identifiers as sysfs
/// or pci.ids has them.
QString pciName(const QByteArray &pciIds, const QString &vendor, const QString &device);

/// Compute capability of the chip that an NVIDIA name of pci.ids begins with; empty for an unknown chip: nothing is
/// guessed.
QString capabilityOfChip(const QString &pciName);

/// The GPUs among the devices, in bus order. Without `pciIds` they have no name of their own and no capability.
QList<GpuInfo> gpusOnPci(const QList<PciDevice> &devices, const QByteArray &pciIds);

/// The GPU of a Jetson board, from /proc/device-tree/compatible and /proc/device-tree/model (strings that end with
/// NUL). An empty list where the text names no board that is known.
QList<GpuInfo> gpusOfDeviceTree(const QByteArray &compatible, const QByteArray &model);

} // namespace tmx
