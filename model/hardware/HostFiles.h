// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"
#include "model/hardware/NixSettings.h"
#include "model/hardware/NvidiaSmi.h"

namespace tmx {

/// What a machine's files tell, before nvidia-smi is heard.
struct HostFiles {
    HostReport host; ///< all but GPUs and driver
    QList<GpuInfo> pciGpus;
    QList<GpuInfo> boardGpus; ///< of a Jetson's device tree
    QString kernelDriver;     ///< version of the loaded kernel module; empty without one
    bool hasPci = false;      ///< /sys/bus/pci/devices is there (a container may lack it)
    bool hasPciNames = false; ///< a pci.ids is there
    bool operator==(const HostFiles &) const = default;
};

/// Reads /proc, /sys and pci.ids under `root` ("/" for this machine). For a worker thread: it reads files. Whatever is
/// missing leaves its field empty; what a user should know of that becomes a remark.
HostFiles readHostFiles(const QString &root);

/// Version in the text of /proc/driver/nvidia/version ("NVRM version: ... 580.159.04 ..."); empty when it is not there.
QString kernelDriverVersion(const QString &text);

/// The report, out of the files and nvidia-smi's answer. In this order, each one where the one before gave nothing:
/// nvidia-smi, PCI, device tree; a GPU that nvidia-smi gives no compute capability for gets it from the others. What
/// Nix says of its settings goes before what its files say.
HostReport combine(const HostFiles &files, const NvidiaSmiAnswer &smi, const NixAnswer &nix = {});

/// PRETTY_NAME of an os-release text; empty without one.
QString osName(const QString &osRelease);

} // namespace tmx
