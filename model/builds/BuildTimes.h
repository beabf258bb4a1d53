// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/history/BuildHistory.h"

#include <QRectF>

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
/// A picture of builds, for a page and for the window.
struct BuildDrawing {
    enum class Ink { Running, Waiting, Rule };
    struct Box {
        QRectF at;
        Ink ink = Ink::Running;
    };
    struct Words {
        QPointF at; ///< the middle of the line's height; left or right end by `side`
        QString text;
        Qt::AlignmentFlag side = Qt::AlignLeft;
    };
    QSizeF size; ///< empty: there is nothing to draw
    QString title;
    QList<Box> boxes;
    QList<Words> words;
};

/// Sizes in pixels; the defaults suit a page.
struct DrawingMeasures {
    double line = 14;   ///< of a line of text
    double label = 380; ///< of the longest name
    double width = 860;
    double height = 190; ///< of the queue; the times take what they need
};

/// One bar for each variant, the longest at the top, at most 200.
[[nodiscard]] BuildDrawing drawTimes(const QList<VariantTime> &times, const DrawingMeasures &measures = {});
/// How many builds ran and waited, in the last week that had any.
[[nodiscard]] BuildDrawing drawQueue(const QList<QueuePoint> &points, const DrawingMeasures &measures = {});
/// An element for an HTML page; empty if there is nothing to draw.
[[nodiscard]] QString asSvg(const BuildDrawing &drawing);

} // namespace tmx
