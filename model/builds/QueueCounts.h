// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/JobWatch.h"

namespace tmx {

/// What the queue has done since it was last idle: the running and waiting builds, and the finished ones back to the
/// last time when no build was queued.
struct QueueCounts {
    int running = 0;
    int waiting = 0;
    int built = 0;
    int failed = 0;
    int stopped = 0;
    double progress = 0; ///< 0 to 1: finished builds, and the steps of running ones
    QString alone;       ///< package if there is a single build; empty for several or none
    bool operator==(const QueueCounts &) const = default;

    [[nodiscard]] bool isBusy() const { return running + waiting > 0; }
    [[nodiscard]] int ended() const { return built + failed + stopped; }
    [[nodiscard]] int all() const { return running + waiting + ended(); }
};
QueueCounts countsOf(const JobsSeen &seen);

/// A notification for a user who is not looking at the window.
struct BuildNews {
    QString title;
    QString text; ///< plain text; contains names from the repository
    bool failed = false;
    bool over = false; ///< no build runs or waits any more
    bool operator==(const BuildNews &) const = default;
};
/// What ended between two states of the jobs, in one notification; nullopt if nothing ended, or if the user stopped all
/// of it.
std::optional<BuildNews> newsOf(const JobsSeen &before, const JobsSeen &now);

/// The builds in one line: "Building cuda12_8 sm90 avx512, 34 % · 11 waiting · done about 03:52 · 1 failed". `until`:
/// when the last one ends; invalid: unknown.
QString lineOf(const JobsSeen &seen, const QDateTime &until);

/// For how many seconds the longest of these jobs that run has run; 0 if none runs.
qint64 longestRun(const JobsSeen &seen, const QStringList &ids, const QDateTime &now);

/// "45 %" of a busy queue, for the window's title; empty if nothing runs or waits.
QString titleOf(const QueueCounts &tally);

} // namespace tmx
