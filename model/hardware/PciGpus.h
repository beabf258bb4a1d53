// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"

namespace tmx {

/// One device in /sys/bus/pci/devices: the trimmed text of its files.
struct PciDevice {
    QString busId;       ///< "0000:00:06.0"
    QString vendor;      ///< "0x10de"
    QString device;      ///< "0x2330"
    QString deviceClass; ///< "0x030200"
    bool operator==(const PciDevice &) const = default;
};

/// Whether it is NVIDIA's, of class display (0x0300xx) or 3D controller (0x0302xx); bridges, audio and USB functions
/// have the same vendor.
bool isNvidiaGpu(const PciDevice &device);

/// The names of a vendor's devices in the text of pci.ids, "GH100 [H100 SXM5 80GB]", by identifier ("2330"). The
/// vendor's identifier as sysfs or pci.ids has it.
QHash<QByteArray, QString> pciNames(const QByteArray &pciIds, const QString &vendor);

/// The product that users know of a name in pci.ids: "NVIDIA H100 SXM5 80GB" of "GH100 [H100 SXM5 80GB]".
QString productOfPciName(const QString &pciName);

/// Compute capability of the chip at the beginning of an NVIDIA name in pci.ids; empty for an unknown chip, without
/// guessing.
QString capabilityOfChip(const QString &pciName);

/// The GPU with this name in pci.ids and this device identifier of NVIDIA's ("0x2330", "2330"). Without a name it is
/// called by its identifier, which tells the capability of chips that pci.ids had in June 2025.
GpuInfo gpuOfPci(const QString &busId, const QString &name, const QString &device);

/// The GPUs among the devices, in bus order. Without `pciIds` they have no product name.
QList<GpuInfo> gpusOnPci(const QList<PciDevice> &devices, const QByteArray &pciIds);

/// The GPU of a Jetson board, from /proc/device-tree/compatible and /proc/device-tree/model (NUL-terminated strings).
/// Empty for an unknown board.
QList<GpuInfo> gpusOfDeviceTree(const QByteArray &compatible, const QByteArray &model);

} // namespace tmx
