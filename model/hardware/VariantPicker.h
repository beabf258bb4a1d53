// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/Fit.h"
#include "model/hardware/HostReport.h"

namespace tmx {

enum class Workload { General, Bf16Training, Int8Inference, WidestReach };

/// One verdict, with every reason in words.
struct Pick {
    Variant variant;
    Fit fit = Fit::DoesNotRun;
    QStringList reasons;  ///< a sentence each, the deciding one first
    bool covered = false; ///< the line promises it
    int gpusLeftOut = 0;  ///< unlike GPUs of the machine that it does not use
    bool operator==(const Pick &) const = default;
};

/// Verdict of one variant on one machine: capability and binary compatibility, driver against toolkit and architecture,
/// CPU flags (the whole set), platform.
Pick judge(const Catalog &catalog, const HostReport &host, const Variant &variant);

/// The variants of a line that run on the machine, best first: exact ones, then untuned ones; on a machine with a GPU
/// the CPU variants last. Where the line promises none for the GPU that is there, the variant that would be exact is
/// proposed with covered = false. `whyNothing` gets one sentence with what to do when no variant uses the GPU (the list
/// then holds the CPU variants, which run without it), or when the list is empty; else it is emptied.
QList<Pick> pickVariants(const Catalog &catalog, const Line &line, const HostReport &host, Workload workload,
                         QString *whyNothing = nullptr);

/// Columns of the catalog whose whole flag set the CPU shows, best first for the workload.
QStringList isasThatRun(const Catalog &catalog, const HostReport &host, Workload workload);

} // namespace tmx
