// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace tmx {

class Catalog;
struct GpuRow;

/// A driver against a CUDA toolkit and a GPU architecture (CUDA release notes: toolkit and driver versions, minor-version compatibility).
struct DriverVerdict {
    enum class Kind {
        Good,         ///< at least the toolkit's own
        MinorVersion, ///< older than the toolkit's own, at least the floor of its major version
        TooOld,       ///< `needed` says what to install
        Unknown,      ///< the driver's version, or the toolkit, is not known
    };
    Kind kind = Kind::Unknown;
    QString needed;   ///< lowest driver that runs it: "525.60.13"
    QString sentence; ///< the verdict in words
    bool operator==(const DriverVerdict &) const = default;
};

/// `row`: the architecture to run on, whose own floor counts as well (Blackwell needs 570); null for the toolkit alone.
DriverVerdict judgeDriver(const Catalog &catalog, const QString &driver, const QString &cuda, const GpuRow *row = nullptr);

} // namespace tmx
