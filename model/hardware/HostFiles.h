// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/HostReport.h"
#include "model/hardware/NixSettings.h"
#include "model/hardware/NvidiaSmi.h"

namespace tmx {

/// Facts from a machine's files, before nvidia-smi is called.
struct HostFiles {
    HostReport host; ///< everything except GPUs and driver
    QList<GpuInfo> pciGpus;
    QList<GpuInfo> boardGpus; ///< from a Jetson's device tree
    QString kernelDriver;     ///< version of the loaded kernel module; empty if there is none
    bool hasPci = false;      ///< /sys/bus/pci/devices exists (a container may lack it)
    bool hasPciNames = false; ///< a pci.ids exists
    bool operator==(const HostFiles &) const = default;
};

/// Reads /proc, /sys and pci.ids under `root` ("/" for this machine). Reads files: for a worker thread. A missing file
/// leaves its field empty; remarks tell the user if that matters.
HostFiles readHostFiles(const QString &root);

/// Version in the text of /proc/driver/nvidia/version ("NVRM version: ... 580.159.04 ..."); empty if there is none.
QString kernelDriverVersion(const QString &text);

/// Combines the files and nvidia-smi's answer into the report. GPUs come from the first source that has any:
/// nvidia-smi, PCI, device tree. If nvidia-smi reports a GPU without its compute capability, it comes from the others.
/// Nix's own answer about its settings overrides its files.
HostReport combine(const HostFiles &files, const NvidiaSmiAnswer &smi, const NixAnswer &nix = {});

/// PRETTY_NAME in an os-release text; empty if there is none.
QString osName(const QString &osRelease);

} // namespace tmx
