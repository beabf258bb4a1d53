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

/// The time of each variant's newest successful build, the longest first. `builds`: the newest first; builds without
/// times are left out. Pure.
[[nodiscard]] QList<VariantTime> timesByVariant(const QList<BuildRecord> &builds);

/// How many builds waited and ran from this time until the next point.
struct QueuePoint {
    QDateTime at;
    int waiting = 0;
    int running = 0;
    bool operator==(const QueuePoint &) const = default;
};

/// The queue over time, the oldest point first; at the last point nothing waits or runs. A build that never started
/// counts as waiting until it ended; builds without times are left out. Pure.
[[nodiscard]] QList<QueuePoint> queueOverTime(const QList<BuildRecord> &builds);

/// Build times as bars of text: "name  1:02:03  ########". Empty if there are none.
[[nodiscard]] QString timesAsText(const QList<VariantTime> &times);
/// Build times and the queue over time as SVG elements for an HTML page. Empty if there is nothing to show.
[[nodiscard]] QString timesAsSvg(const QList<VariantTime> &times);
[[nodiscard]] QString queueAsSvg(const QList<QueuePoint> &points);

} // namespace tmx
