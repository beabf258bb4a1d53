// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace tmx {

/// One NVIDIA GPU and where what is said of it comes from.
struct GpuInfo {
    QString name;       ///< "NVIDIA H100 80GB HBM3"
    QString capability; ///< "9.0"; empty when unknown
    QString memory;     ///< "81559 MiB" as the driver says it; may be empty
    QString busId;      ///< "0000:00:06.0"
    QString source;     ///< "nvidia-smi", "PCI id", "device tree"
    bool operator==(const GpuInfo &) const = default;
};

/// What a machine is. A plain value, so that it can be saved, sent, compared and tested.
struct HostReport {
    QString name;         ///< host name
    QString architecture; ///< Nix system: "x86_64-linux"
    QString cpuModel;
    QStringList cpuFlags; ///< the set that ALL cores have, sorted
    int cores = 0;
    qint64 memoryBytes = 0; ///< 0 = unknown
    QString driver;         ///< "580.159.04"; empty without one
    QList<GpuInfo> gpus;
    QString os;               ///< "Debian GNU/Linux 12 (bookworm)"; empty when unknown
    qint64 freeDiskBytes = 0; ///< where builds go: the file system of /nix/store, /nix or /; 0 = unknown
    QStringList nixSystems;   ///< what Nix builds here, the machine's own system included; empty when Nix says nothing
    QStringList builders;     ///< remote builders of /etc/nix/machines, as "ssh://host (x86_64-linux, aarch64-linux)"
    QMap<QString, QString> sources; ///< fact -> where it came from: {"cpu", "/proc/cpuinfo"}, {"driver", "nvidia-smi"}
    QStringList remarks;            ///< ordinary answers in words: "nvidia-smi is not installed"
    bool operator==(const HostReport &) const = default;
};

} // namespace tmx
