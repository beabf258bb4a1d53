// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

namespace tmx {

class Catalog;
struct GpuInfo;
struct GpuRow;
struct HostReport;

/// A driver against a CUDA toolkit and a GPU architecture (CUDA release notes: toolkit and driver versions,
/// minor-version compatibility).
struct DriverVerdict {
    enum class Kind {
        Good,         ///< at least the toolkit's own
        MinorVersion, ///< older than the toolkit's own, at least the floor of its major version
        TooOld,       ///< `needed` says what to install
        Missing,      ///< no driver is loaded; `needed` says what to install
        Unknown,      ///< the driver's version, or the toolkit, is not known
    };
    Kind kind = Kind::Unknown;
    QString needed;   ///< lowest driver that runs it: "525.60.13"
    QString sentence; ///< the verdict in words
    [[nodiscard]] bool runs() const { return kind != Kind::TooOld && kind != Kind::Missing; }
    bool operator==(const DriverVerdict &) const = default;
};

/// `row`: the architecture to run on, whose own floor counts as well (Blackwell needs 570); null for the toolkit alone.
DriverVerdict judgeDriver(const Catalog &catalog, const QString &driver, const QString &cuda,
                          const GpuRow *row = nullptr);

/// The machine's driver for code of `row` on one of its GPUs. The driver must know the GPU, which may be newer than the
/// code.
DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, const GpuInfo &gpu, const QString &cuda,
                          const GpuRow &row);

/// The machine's driver for its first GPU and the newest of `toolkits` that it runs, else for the toolkit that asks for
/// the least. An empty sentence where there is nothing to say: no GPU, or no toolkit.
DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, QStringList toolkits);

} // namespace tmx
