// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/Judge.h"

namespace tmx {

/// Why no variant uses the machine's GPU, or why none runs at all, with a solution: one sentence. Empty if one fits.
/// `ranked`: every considered variant, best first, including those that do not run. `elsewhere`: recipes of other
/// branches that run, best first.
QString emptyReason(const Catalog &catalog, const PickChoice &choice, const HostReport &host, const Judge &judge,
                    const QList<Judged> &ranked, const QList<Judged> &elsewhere);

} // namespace tmx
