// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// A machine that builds, with what planning needs.
struct FarmMachine {
    QString name;      ///< for people
    int atOnce = 1;    ///< builds at a time; 0 or less: none
    double speed = 1;  ///< a build's seconds are divided by this; 0 or less counts as 1
    qint64 memory = 0; ///< bytes that its builds may take together (hasRoom()); 0: unknown
    bool operator==(const FarmMachine &) const = default;
};

/// A kind of builds: all that the same machines take.
struct FarmKind {
    QString name;        ///< "aarch64-linux"
    QList<int> machines; ///< indices of the machines that take them
    qint64 memory = 0;   ///< bytes that each of them takes; 0: unknown
    bool operator==(const FarmKind &) const = default;
};

struct FarmJob {
    int kind = 0;       ///< index into Farm::kinds
    qint64 seconds = 0; ///< duration on a machine of speed 1
    QList<int> needs;   ///< indices of jobs that must end before it starts
    int runsOn = -1;    ///< index of the machine that builds it now, where `seconds` remain whatever its speed; -1: it
                        ///< waits
    bool operator==(const FarmJob &) const = default;
};

struct Farm {
    QList<FarmMachine> machines;
    QList<FarmKind> kinds;
    QList<FarmJob> jobs;
    bool operator==(const Farm &) const = default;
};

/// Which of the jobs that can start is started first.
enum class FarmOrder {
    AsGiven,      ///< in the order of Farm::jobs, like the queue
    LongestFirst, ///< the one with the longest way to the end: its own duration and that of the jobs that need it
};

/// When and where one job is built.
struct FarmBuild {
    int machine = -1; ///< -1: no machine takes it or a job that it needs, or it needs itself
    int slot = 0;     ///< slot of the machine, from 0; a slot has one build at a time
    qint64 begin = 0; ///< seconds from now
    qint64 end = 0;
    bool operator==(const FarmBuild &) const = default;
};

struct FarmUse {
    int builds = 0;
    qint64 busy = 0; ///< total seconds of all its slots
    bool operator==(const FarmUse &) const = default;
};

/// A lower bound for every plan.
struct FarmBound {
    enum class By {
        Chain, ///< jobs that wait for each other, each on the fastest machine that takes it; or the longest single job
        Work,  ///< the work of the jobs of `kind`, and of all others that only its machines take, spread over the slots
    };
    qint64 seconds = 0;
    By by = By::Chain;
    int kind = -1; ///< for Work; -1: all jobs on all machines
    bool operator==(const FarmBound &) const = default;
};

struct FarmPlan {
    QList<FarmBuild> builds; ///< one per job of Farm::jobs
    QList<FarmUse> uses;     ///< one per machine of Farm::machines
    QList<int> chain;        ///< the longest chain of jobs that wait for each other, in order
    qint64 chainSeconds = 0; ///< its duration, with each job on the fastest machine that takes it
    FarmBound bound;
    qint64 seconds = 0; ///< until the last job ends
    bool operator==(const FarmPlan &) const = default;
};

/// List scheduling: whenever a slot is free, it takes the first job in `order` that can start, that its machine takes
/// and that has room in its memory. Of several free machines, the fastest takes the job, then the one that takes the
/// fewest kinds, then the first. If all slots have the same speed and take all jobs, the plan takes at most 2 - 1/slots
/// times the bound (R. L. Graham, Bounds on Multiprocessing Timing Anomalies, 1969). Times are rounded up to seconds.
/// The same farm gives the same plan. Pure.
[[nodiscard]] FarmPlan planFarm(const Farm &farm, FarmOrder order);

} // namespace tmx
