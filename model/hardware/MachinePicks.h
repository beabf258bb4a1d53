// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"

#include <optional>

namespace tmx {

/// The pick for one kind of GPU, on a machine with several kinds.
struct GpuPick {
    QString gpus; ///< "NVIDIA GeForce RTX 3090 (compute capability 8.6)"; names of the same architecture are joined
    std::optional<Pick> pick; ///< the best variant that uses it; none: see `why`
    QString why;              ///< one sentence, from pickVariants()
    bool operator==(const GpuPick &) const = default;
};

/// All picks for a machine.
struct MachinePicks {
    QList<Pick> picks;        ///< Picks::run; behind the first one by how they fit, of equals those with a recipe first
    QList<BetterPick> better; ///< Picks::better
    QString whyNothing;
    QList<Pick> doNotRun;
    QList<GpuPick> perGpu; ///< one per architecture if the GPUs have several; else empty
    std::optional<Pick>
        forAll; ///< the best variant that uses all of these GPUs; none if there is none, or if there is only one kind
    bool operator==(const MachinePicks &) const = default;
};

MachinePicks picksFor(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload);

/// judge() for each candidate, with the workload's order of instruction sets.
FitVerdicts judgeAll(const Catalog &catalog, const HostReport &host, Workload workload,
                     const QList<Candidate> &candidates);

} // namespace tmx
