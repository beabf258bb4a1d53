// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/workspace/JobWatch.h"

namespace tmx {

/// What the queue has done since it was last idle: the builds that run and wait, and those that ended without a moment
/// between in which none was asked for.
struct QueueTally {
    int running = 0;
    int waiting = 0;
    int built = 0;
    int failed = 0;
    int stopped = 0;
    double progress = 0; ///< 0 to 1: builds that ended, and the steps of those that run
    QString alone;       ///< package of the only build; empty: there are several, or none
    bool operator==(const QueueTally &) const = default;

    [[nodiscard]] bool isBusy() const { return running + waiting > 0; }
    [[nodiscard]] int ended() const { return built + failed + stopped; }
    [[nodiscard]] int all() const { return running + waiting + ended(); }
};
QueueTally tallyOf(const JobsSeen &seen);

/// Something to tell whoever does not look at the window.
struct BuildNews {
    QString title;
    QString text; ///< plain; holds names from the repository
    bool failed = false;
    bool over = false; ///< nothing runs or waits any more
    bool operator==(const BuildNews &) const = default;
};
/// What ended between two looks at the jobs; nullopt: nothing, or only what a person stopped. One for all of them.
std::optional<BuildNews> newsOf(const JobsSeen &before, const JobsSeen &now);

/// "45 %": of a busy queue, for the window's title; empty while nothing runs or waits.
QString titleOf(const QueueTally &tally);

} // namespace tmx
