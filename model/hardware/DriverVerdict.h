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

/// Whether a driver supports a CUDA toolkit and a GPU architecture (CUDA release notes: toolkit and driver versions,
/// minor-version compatibility).
struct DriverVerdict {
    enum class Kind {
        Good,         ///< not older than the toolkit's own driver
        MinorVersion, ///< older than the toolkit's own driver, but not than the minimum of its major version
        TooOld,       ///< `needed` says what to install
        Missing,      ///< no driver is loaded; `needed` says what to install
        Unknown,      ///< the version of the driver or of the toolkit is unknown
    };
    Kind kind = Kind::Unknown;
    QString needed;   ///< oldest driver that runs it: "525.60.13"
    QString sentence; ///< the verdict in words
    [[nodiscard]] bool runs() const { return kind != Kind::TooOld && kind != Kind::Missing; }
    bool operator==(const DriverVerdict &) const = default;
};

/// `row`: the architecture to run on, whose own minimum counts too (Blackwell needs 570); null: only the toolkit.
DriverVerdict judgeDriver(const Catalog &catalog, const QString &driver, const QString &cuda,
                          const GpuRow *row = nullptr);

/// The machine's driver for code of `row` on one of its GPUs. The driver must support the GPU, which may be newer than
/// the code.
DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, const GpuInfo &gpu, const QString &cuda,
                          const GpuRow &row);

/// The machine's driver for its first GPU and the newest of `toolkits` that it runs, else for the toolkit with the
/// lowest requirement. The sentence is empty if there is no GPU or no toolkit.
DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, QStringList toolkits);

} // namespace tmx
