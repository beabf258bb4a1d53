// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"
#include "model/hardware/VariantPicker.h"

namespace tmx {

/// One instruction set on one machine.
struct CpuVerdict {
    bool runs = false;
    QStringList missing; ///< what the catalog asks for and /proc/cpuinfo does not show, in the catalog's order
    QString sentence;    ///< why it does not run; empty when it does
    bool operator==(const CpuVerdict &) const = default;
};

/// Platform first, then the whole flag set, never one flag (Knights Landing has avx512f alone, Graviton3 sve without
/// sve2).
CpuVerdict judgeCpu(const HostReport &host, const Isa &isa);

/// Why the machine does not get something better than `isa`, a sentence each: the workload's own instruction set that
/// does not run, and sets of which the CPU shows a part only (a build for them would die of an illegal instruction).
QStringList whyNotBetter(const Catalog &catalog, const HostReport &host, const Isa &isa, Workload workload);

/// "a, b and c"
QString spoken(const QStringList &words);

} // namespace tmx
