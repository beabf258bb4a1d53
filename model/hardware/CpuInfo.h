// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

/// The content of /proc/cpuinfo.
struct CpuInfo {
    QString architecture; ///< Nix system, "x86_64-linux"; empty if unknown
    QString model;        ///< "Intel(R) Xeon(R) Processor"; names of different cores are joined: "Cortex-X925 +
                          ///< Cortex-A725"
    QStringList flags;    ///< flags that ALL cores have, sorted: a thread may run on any core
    int cores = 0;        ///< logical processors
    bool unlike = false;  ///< the cores have different flags
    bool operator==(const CpuInfo &) const = default;
};

/// Parses the text of /proc/cpuinfo: `flags` on x86, `Features` on ARM. Other text gives an empty CpuInfo. ARM names
/// come from implementer and part number (util-linux, sys-utils/lscpu-arm.c), because the ARM kernel prints no model
/// name.
CpuInfo readCpuInfo(const QString &text);

/// "x86_64-linux" for QSysInfo's ("x86_64", "linux"), "aarch64-linux" for ("arm64", "linux"). For macOS, Nix uses
/// "darwin".
QString nixSystem(const QString &cpuArchitecture, const QString &kernelType);

} // namespace tmx
