// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/JobWatch.h"
#include "model/builds/Preflight.h"
#include "model/job/Farm.h"

namespace tmx {

/// The likely duration of a build on this machine.
struct LikelyTime {
    qint64 seconds = 0;
    int builds = 0; ///< number of earlier similar builds whose median it is; 0: there are none, so it is a default
    bool operator==(const LikelyTime &) const = default;
};

/// Default for a variant with GPU code without similar builds here: the average in a large matrix.
constexpr qint64 usualGpuSeconds = 2 * 3600;
constexpr qint64 usualSeconds = 3600; ///< default for a variant without GPU code

/// Queries the history of this machine's builds, once for each likeness (likenessOf()). Reads the disk: for workers.
class LikelyTimes
{
public:
    explicit LikelyTimes(const QString &state);
    [[nodiscard]] LikelyTime of(const QString &variant, bool gpu);

private:
    std::optional<BuildHistory> m_history; ///< without a history every time is a default
    QHash<QString, LikelyTime> m_known;
};

/// A job of an estimate's farm.
struct PlannedBuild {
    QString variant;
    QString package;
    QString branch;
    QString job;       ///< id in the queue; empty: it is not queued
    QDateTime started; ///< invalid: it waits
    LikelyTime time;   ///< for the whole build
    bool asked = true; ///< false: only the queue has it
    qint64 memory = 0; ///< bytes that the queue counts for it; 0: unknown, or another machine's
    bool operator==(const PlannedBuild &) const = default;
};

/// A requested build that cannot be planned.
struct LeftOut {
    QString variant;
    QString sentence; ///< why, and how to solve it
    QString reason;   ///< equal for all that are left out for the same reason
    bool operator==(const LeftOut &) const = default;
};

/// A build that ended.
struct EndedBuild {
    QString variant;
    QString branch;
    QString job;
    QString machine; ///< as the farm's machines are named
    QDateTime started;
    QDateTime ended;
    BuildState::Phase phase = BuildState::Phase::Built; ///< Built, Failed, or None if it was stopped
    QString why = {};                                   ///< of a failure: the first error line, or the kind of outcome
    bool operator==(const EndedBuild &) const = default;
};

/// When and where builds would be done.
struct Estimate {
    QDateTime from; ///< time of the plan's second 0
    Farm farm;
    FarmPlan plan;
    qint64 longestFirst = 0;    ///< duration in seconds if the longest builds come first
    QList<PlannedBuild> builds; ///< one for each of farm.jobs
    QList<LeftOut> leftOut;
    QList<EndedBuild> ended; ///< in the day before `from`, by start; only of a queue, and what addOthers() added
    int startsAtOnce = 1;    ///< how many builds of one place the queue runs at a time
    int slotsHere = 1;       ///< builds at a time on this machine, if all have room in its memory
    bool paused = false;     ///< the queue is paused; the plan assumes that it continues now
    [[nodiscard]] QDateTime at(qint64 seconds) const { return from.addSecs(seconds); }
    [[nodiscard]] int asked() const;                                          ///< number of builds that were asked for
    [[nodiscard]] int others() const { return int(builds.size()) - asked(); } ///< those of the queue alone
    [[nodiscard]] qint64 seconds() const; ///< until the last build that was asked for ends
    [[nodiscard]] int defaults() const;   ///< number of asked builds whose time is a default
    [[nodiscard]] int usedAtOnce() const; ///< number of builds that the machines used by the plan take at a time
    [[nodiscard]] double ratio() const;   ///< the plan's duration divided by its bound; 1 if the bound is 0
};

struct EstimateRequest {
    BuildRequest builds; ///< builds on this machine
    int atOnce = 0;      ///< builds at a time on this machine; 0: the queue's setting
    FarmOrder order = FarmOrder::AsGiven;
    QList<Job> dependents = {}; ///< builds of other branches, planned after these
};

/// Probes this machine and its builders, with the variables of `wish` (its `builders`), for the parameter `machine` of
/// estimateBuilds(). Reads files: for workers.
[[nodiscard]] PreflightProbes probeBuilders(const BuildWish &wish);

/// Plans the builds of a request after the running and waiting jobs of this machine. Machines: this one, with as many
/// builds at a time as the queue allows and as have room in its memory, and Nix's remote builders (with their maxJobs,
/// and their speed factor as the speed relative to this machine). Each takes the platforms and features that Preflight
/// determines. A variant whose recipe imports another recipe of the branch waits for that one if it is built too. Times
/// come from LikelyTimes; if this machine does not take a kind of build itself, its times are those of the builder that
/// Nix asks first. For workers.
[[nodiscard]] Estimate estimateBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                                      const EstimateRequest &request, const PreflightProbes &machine);

/// Plans the running and waiting jobs in the queue's order: each place runs its number of builds at a time, Slurm runs
/// all; and lists those that ended in the last day. For workers.
[[nodiscard]] Estimate estimateQueue(const Catalog &catalog, const JobsSeen &seen, const QString &state,
                                     const QDateTime &now = QDateTime::currentDateTimeUtc());

/// Adds what the team built in the day before the estimate, each on its machine. Own builds in `records` are left out.
void addOthers(Estimate &estimate, const QList<BuildRecord> &records);

/// "44 builds take about 17 h 30 min, until 2026-11-24 12:10."; empty if no builds were asked for.
[[nodiscard]] QString summaryOf(const Estimate &estimate);
/// "2 other builds of the queue come before." Empty if there are none.
[[nodiscard]] QString othersText(const Estimate &estimate);
/// "No plan takes less than 16 h 40 min (the work of all builds on 5 slots); this one takes 1.05 times that." Empty
/// where there is no choice (one slot), and if the queue has other builds.
[[nodiscard]] QString boundText(const Estimate &estimate);
/// "Longest chain: 3 h 0 min, pytorch-..., then torchvision-...."; if no build waits for another: "Longest build: ..."
/// Of the builds that were asked for.
[[nodiscard]] QString chainText(const Estimate &estimate);
/// "Times: 40 of like builds here, 4 by default (2 h for a GPU, 1 h without)."
[[nodiscard]] QString timesText(const Estimate &estimate);

} // namespace tmx
