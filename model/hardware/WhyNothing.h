// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/Judge.h"

namespace tmx {

/// Why no variant of the line uses the machine's GPU, or why none runs at all, and what to do: one sentence. Empty when
/// one fits. `ranked`: every variant that came into question, best first, those that do not run included.
QString whyNothingFits(const Catalog &catalog, const Line &line, const HostReport &host, const Judge &judge,
                       const QList<Judged> &ranked);

} // namespace tmx
