// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// What /proc/cpuinfo says of the processors.
struct CpuInfo {
    QString architecture; ///< Nix system, "x86_64-linux"; empty when the text does not tell
    QString model;        ///< "Intel(R) Xeon(R) Processor"; unlike cores are joined: "Cortex-X925 + Cortex-A725"
    QStringList flags;    ///< the set that ALL cores have, sorted: a thread may be moved to any of them
    int cores = 0;        ///< logical processors
    bool unlike = false;  ///< the cores do not all have the same flags
    bool operator==(const CpuInfo &) const = default;
};

/// Reads the text of /proc/cpuinfo: `flags` of x86, `Features` of ARM. Text of another kind gives an empty CpuInfo.
/// ARM names come from implementer and part number (util-linux, sys-utils/lscpu-arm.c), since its kernel prints no
/// model name.
CpuInfo readCpuInfo(const QString &text);

/// "x86_64-linux" for QSysInfo's ("x86_64", "linux"), "aarch64-linux" for ("arm64", "linux"). Nix says "darwin" for
/// macOS.
QString nixSystem(const QString &cpuArchitecture, const QString &kernelType);

/// MemTotal of /proc/meminfo in bytes; 0 when the text does not tell.
qint64 readMemTotal(const QString &text);

} // namespace tmx
