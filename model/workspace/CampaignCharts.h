// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/Campaign.h"

namespace tmx {

/// How many builds waited and ran from a moment on, until the next one.
struct QueuePoint {
    QDateTime at;
    int waiting = 0;
    int running = 0;
    bool operator==(const QueuePoint &) const = default;
};

/// The queue over time, the oldest first; at the last point nothing waits or runs. Builds that never began waited until
/// they ended; those without times are left out. Pure.
[[nodiscard]] QList<QueuePoint> queueOverTime(const QList<BuildRecord> &builds);

/// The build time of each recipe that is built, as bars of text: "name  1:02:03  ########". Empty: there are none.
[[nodiscard]] QString timesAsText(const Campaign &campaign);
/// The same, and the queue over time, as pictures for an HTML page (SVG elements). Empty: there is nothing to show.
[[nodiscard]] QString timesAsSvg(const Campaign &campaign);
[[nodiscard]] QString queueAsSvg(const QList<BuildRecord> &builds);

} // namespace tmx
