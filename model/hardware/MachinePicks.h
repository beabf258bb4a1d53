// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"

#include <optional>

namespace tmx {

/// What there is for one kind of GPU of a machine that has several kinds.
struct GpuPick {
    QString gpus; ///< "NVIDIA GeForce RTX 3090 (compute capability 8.6)"; names of one architecture together
    std::optional<Pick> pick; ///< the best variant that uses it; none: `why`
    QString why;              ///< one sentence, as pickVariants() gives it
    bool operator==(const GpuPick &) const = default;
};

/// All that there is for a machine.
struct MachinePicks {
    QList<Pick> picks; ///< Picks::run
    QString whyNothing;
    QList<Pick> doNotRun;
    QList<GpuPick> perGpu; ///< one for each architecture, where the GPUs are of several; else empty
    std::optional<Pick>
        forAll; ///< the best variant that uses all of those GPUs; none: no variant does, or there is one kind
    bool operator==(const MachinePicks &) const = default;
};

MachinePicks picksFor(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload);

/// judge() of each variant, with the workload's order of instruction sets.
FitVerdicts judgeAll(const Catalog &catalog, const HostReport &host, Workload workload, const QList<Variant> &variants);

} // namespace tmx
