// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Farm.h"
#include "model/workspace/JobWatch.h"
#include "model/workspace/Preflight.h"

namespace tmx {

/// How long a build is likely to take on this machine.
struct LikelyTime {
    qint64 seconds = 0;
    int builds = 0; ///< earlier builds of like variants, of which it is the median; 0: there are none, it is a default
    bool operator==(const LikelyTime &) const = default;
};

/// Of a variant with GPU code that nothing like was built here: what one of a large matrix takes on average.
constexpr qint64 usualGpuSeconds = 2 * 3600;
constexpr qint64 usualSeconds = 3600; ///< of one without

/// Asks the history of this machine's builds once for each likeness (likenessOf()). Reads the disk: for workers.
class LikelyTimes
{
public:
    explicit LikelyTimes(const QString &state);
    [[nodiscard]] LikelyTime of(const QString &variant, bool gpu);

private:
    std::optional<BuildHistory> m_history; ///< without one every time is a default
    QHash<QString, LikelyTime> m_known;
};

/// A job of an estimate's farm.
struct PlannedBuild {
    QString variant;
    QString package;
    QString branch;
    QString job;       ///< its id in the queue; empty: it is not queued
    QDateTime started; ///< invalid: it waits
    LikelyTime time;   ///< of the whole build
    bool operator==(const PlannedBuild &) const = default;
};

/// A build that was asked for and is not planned.
struct LeftOut {
    QString variant;
    QString sentence; ///< why, and what to do
    QString reason;   ///< equal for those that are left out for the same reason
    bool operator==(const LeftOut &) const = default;
};

/// When builds would be done, and where.
struct Estimate {
    QDateTime from; ///< the plan's second 0
    Farm farm;
    FarmPlan plan;
    qint64 longestFirst = 0;    ///< seconds, with the longest builds first
    QList<PlannedBuild> builds; ///< those of farm.jobs
    QList<LeftOut> leftOut;
    int startsAtOnce = 1; ///< builds of one place that the queue runs at a time
    bool paused = false;  ///< the queue is: the plan is that of a queue that goes on now
    [[nodiscard]] QDateTime at(qint64 seconds) const { return from.addSecs(seconds); }
    [[nodiscard]] int defaults() const;   ///< builds whose time is a default
    [[nodiscard]] int usedAtOnce() const; ///< builds that the machines with a build in the plan take at a time
    [[nodiscard]] double ratio() const;   ///< of the plan to its bound; 1 where that is none
};

struct EstimateRequest {
    BuildRequest builds; ///< on this machine
    int atOnce = 0;      ///< builds at a time on this machine; 0: as the queue says
    FarmOrder order = FarmOrder::AsGiven;
};

/// The machine that asks and what it knows of its builders, with the variables of `wish` (its `builders`): what
/// estimateBuilds() takes as `machine`. Reads files: for workers.
[[nodiscard]] PreflightProbes probeBuilders(const BuildWish &wish);

/// The builds of a request after what runs and waits on this machine. Machines: this one, with as many builds at a time
/// as the queue has, and Nix's remote builders (maxJobs, and how many times faster than this machine their speed factor
/// says they are); each takes the platforms and features that Preflight says. A variant whose recipe imports the
/// recipe beside it waits for that one, where that is to be built too. Times: LikelyTimes; of what this machine does
/// not take itself, the builder that Nix asks first took them. For workers.
[[nodiscard]] Estimate estimateBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                                      const EstimateRequest &request, const PreflightProbes &machine);

/// The jobs that run and wait, as the queue goes on with them: at each place so many at a time, in Slurm all. For
/// workers.
[[nodiscard]] Estimate estimateQueue(const Catalog &catalog, const JobsSeen &seen, const QString &state,
                                     const QDateTime &now = QDateTime::currentDateTimeUtc());

/// "44 builds take about 17 h 30 min, until 2026-11-24 12:10."; empty without builds.
[[nodiscard]] QString summaryOf(const Estimate &estimate);
/// "No plan takes less than 16 h 40 min (the work of all builds on 5 slots); this one takes 1.05 times that."
[[nodiscard]] QString boundText(const Estimate &estimate);
/// "Longest chain: 3 h 0 min, pytorch-..., then torchvision-...."; of builds that wait for none: "Longest build: ..."
[[nodiscard]] QString chainText(const Estimate &estimate);
/// "Times: 40 of like builds here, 4 by default (2 h for a GPU, 1 h without)."
[[nodiscard]] QString timesText(const Estimate &estimate);

} // namespace tmx
