// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// A machine that builds, as far as a plan asks.
struct FarmMachine {
    QString name;     ///< for people
    int atOnce = 1;   ///< builds at a time; none with 0 or less
    double speed = 1; ///< a build takes its seconds divided by this; 1 where it is not above 0
    bool operator==(const FarmMachine &) const = default;
};

/// Builds that the same machines take.
struct FarmKind {
    QString name;        ///< "aarch64-linux"
    QList<int> machines; ///< that take them; indices
    bool operator==(const FarmKind &) const = default;
};

struct FarmJob {
    int kind = 0;       ///< index
    qint64 seconds = 0; ///< that it takes on a machine of speed 1
    QList<int> needs;   ///< jobs that end before it begins; indices
    int runsOn = -1;    ///< the machine that builds it now, where `seconds` remain, whatever its speed; -1: it waits
    bool operator==(const FarmJob &) const = default;
};

struct Farm {
    QList<FarmMachine> machines;
    QList<FarmKind> kinds;
    QList<FarmJob> jobs;
    bool operator==(const Farm &) const = default;
};

/// Which of the jobs that could begin begins first.
enum class FarmOrder {
    AsGiven,      ///< the first of Farm::jobs, as the queue does
    LongestFirst, ///< the one with the longest way to the end: its own time and that of the jobs that need it
};

/// When and where one job is built.
struct FarmBuild {
    int machine = -1; ///< -1: no machine takes it or what it needs, or it needs itself
    int slot = 0;     ///< of the machine, from 0; no two builds are in it at a time
    qint64 begin = 0; ///< seconds from now
    qint64 end = 0;
    bool operator==(const FarmBuild &) const = default;
};

struct FarmUse {
    int builds = 0;
    qint64 busy = 0; ///< seconds of all slots together
    bool operator==(const FarmUse &) const = default;
};

/// What no plan can be shorter than.
struct FarmBound {
    enum class By {
        Chain, ///< jobs that wait for each other, each on the fastest machine that takes it; or the longest job
        Work,  ///< the work of the jobs of `kind`, and of all that no other machine takes, spread over the slots
    };
    qint64 seconds = 0;
    By by = By::Chain;
    int kind = -1; ///< with Work; -1: all jobs on all machines
    bool operator==(const FarmBound &) const = default;
};

struct FarmPlan {
    QList<FarmBuild> builds; ///< one for each of Farm::jobs
    QList<FarmUse> uses;     ///< one for each of Farm::machines
    QList<int> chain;        ///< the longest chain of jobs that wait for each other, the first one first
    qint64 chainSeconds = 0; ///< of that, each on the fastest machine that takes it
    FarmBound bound;
    qint64 seconds = 0; ///< until the last one ends
    bool operator==(const FarmPlan &) const = default;
};

/// List scheduling: whenever a slot is free, the first job in `order` that can begin and that the machine takes begins
/// there; of several free machines the fastest takes it, then the one that takes the fewest kinds, then the first. With
/// slots of one speed that all take all, it takes at most 2 - 1/slots times the bound (R. L. Graham, Bounds on
/// Multiprocessing Timing Anomalies, 1969). Times are rounded up to seconds. The same farm gives the same plan. Pure.
[[nodiscard]] FarmPlan planFarm(const Farm &farm, FarmOrder order);

} // namespace tmx
