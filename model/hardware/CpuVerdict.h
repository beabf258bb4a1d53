// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"
#include "model/hardware/VariantPicker.h"

namespace tmx {

/// Whether one instruction set runs on one machine.
struct CpuVerdict {
    bool runs = false;
    QStringList missing; ///< flags that the catalog requires and /proc/cpuinfo lacks, in the catalog's order
    QString sentence;    ///< why it does not run; empty if it does
    bool operator==(const CpuVerdict &) const = default;
};

/// Checks the platform first, then the complete set of flags, because single flags mislead (Knights Landing has avx512f
/// only, Graviton3 has sve without sve2).
CpuVerdict judgeCpu(const HostReport &host, const Isa &isa);

/// Why the machine does not get something better than `isa`, one sentence each: the workload's preferred instruction
/// set that does not run, and sets that the CPU supports only partly (a build for them would crash with an illegal
/// instruction).
QStringList whyNotBetter(const Catalog &catalog, const HostReport &host, const Isa &isa, Workload workload);

/// Why a build for `best` comes before one for `isa`, both of which the CPU runs.
QString whyLater(const Isa &isa, const Isa &best, Workload workload);

/// "a, b and c"
QString spoken(const QStringList &words);

} // namespace tmx
