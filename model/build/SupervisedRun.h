// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"

#include <QProcessEnvironment>
#include <QStringList>

#include <functional>

namespace tmx {

/// One program that this process, which has no event loop and one thread, runs and answers for.
struct SupervisedRequest {
    QString program; ///< absolute
    QStringList arguments;
    QString folder;
    QProcessEnvironment environment;
    int output = -1;                    ///< its standard output and standard error, both this file; -1: /dev/null
    int errors = -1;                    ///< its standard error; -1: where its output goes
    std::chrono::milliseconds grace{0}; ///< between one request to stop and the next stage that follows by itself
    /// How often it was asked so far that it stop; called whenever `wake` is readable, and four times a second at most
    /// while it ends.
    std::function<int()> stopRequests = [] { return 0; };
    /// A stop that was asked for came to its next stage; SIGKILL follows after this time, unless all end before. 0:
    /// now.
    std::function<void(std::chrono::milliseconds untilKill)> escalated = [](std::chrono::milliseconds) {};
    std::function<void()> sampled = [] {}; ///< called while the program runs, every two seconds at most
    qint64 spared = 0;                     ///< a child of this process that stays, with its own children; 0: none
    int wake = -1;                         ///< readable when stopRequests() may have changed; read empty here
};

struct SupervisedOutcome {
    ProcessOutcome process;
    qint64 peakMemory = 0;   ///< bytes in memory of all processes together; at most a sample each two seconds
    QList<qint64> survivors; ///< that not even SIGKILL ended within half a minute
};

/// This process becomes the one that orphans below it are given to, so that a grandchild that leaves its parent, group
/// and session is still found. SIGINT and SIGTERM stop being deadly: they count as requests (see signalRequests()).
/// HUP, QUIT and PIPE are ignored. Call once, before any other thread is there.
void becomeSupervisor();
/// How many SIGINT and SIGTERM came.
int signalRequests();

/// Runs the program in a process group of its own, with an empty standard input, until it and everything that it
/// started, in whatever group or session, are gone. What outlives the program gets two seconds, then SIGTERM, two more,
/// then SIGKILL. A request to stop sends SIGINT to its group; the next one, or the end of `grace`, SIGTERM to every
/// process; the next SIGKILL. Blocks.
SupervisedOutcome runSupervised(const SupervisedRequest &request);

} // namespace tmx
