// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildHistory.h"

namespace tmx {

/// How long a variant takes to build.
struct VariantTime {
    QString variant;
    QString branch;
    qint64 seconds = 0;
    bool operator==(const VariantTime &) const = default;
};

/// The time of each variant's newest build that succeeded, the longest first. `builds`: the newest first; those without
/// times are left out. Pure.
[[nodiscard]] QList<VariantTime> timesByVariant(const QList<BuildRecord> &builds);

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

/// Build times as bars of text: "name  1:02:03  ########". Empty: there are none.
[[nodiscard]] QString timesAsText(const QList<VariantTime> &times);
/// The same, and the queue over time, as pictures for an HTML page (SVG elements). Empty: there is nothing to show.
[[nodiscard]] QString timesAsSvg(const QList<VariantTime> &times);
[[nodiscard]] QString queueAsSvg(const QList<QueuePoint> &points);

} // namespace tmx
