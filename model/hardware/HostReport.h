// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace tmx {

/// One NVIDIA GPU and the source of its facts.
struct GpuInfo {
    QString name;       ///< "NVIDIA H100 80GB HBM3"
    QString capability; ///< "9.0"; empty if unknown
    QString memory;     ///< "81559 MiB" as reported by the driver; may be empty
    QString busId;      ///< "0000:00:06.0"
    QString source;     ///< "nvidia-smi", "PCI id", "device tree"
    bool operator==(const GpuInfo &) const = default;
};

/// The facts of a machine. A plain value that can be saved, sent, compared and tested.
struct HostReport {
    QString name;         ///< host name
    QString architecture; ///< Nix system: "x86_64-linux"
    QString cpuModel;
    QStringList cpuFlags; ///< flags that ALL cores have, sorted
    int cores = 0;
    qint64 memoryBytes = 0; ///< 0 = unknown
    QString driver;         ///< "580.159.04"; empty if there is none
    QList<GpuInfo> gpus;
    QString os;               ///< "Debian GNU/Linux 12 (bookworm)"; empty if unknown
    qint64 freeDiskBytes = 0; ///< on the file system of /nix/store, /nix or /, where builds go; 0 = unknown
    QStringList nixSystems;   ///< systems that Nix builds here, including the machine's own; empty if Nix does not
                              ///< report them
    QStringList builders;     ///< remote builders of /etc/nix/machines, as "ssh://host (x86_64-linux, aarch64-linux)"
    QMap<QString, QString> sources; ///< source of each fact: {"cpu", "/proc/cpuinfo"}, {"driver", "nvidia-smi"}
    QStringList remarks;            ///< normal results in words: "nvidia-smi is not installed"
    bool operator==(const HostReport &) const = default;
};

} // namespace tmx
