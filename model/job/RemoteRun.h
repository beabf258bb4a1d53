// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"
#include "model/job/Job.h"

#include <functional>

namespace tmx {

/// Functions that a job's runner provides for building elsewhere.
struct RunnerTools {
    QProcessEnvironment environment;
    /// Runs a program to its end, or until a stop is requested. File descriptors for its output and its errors; -1:
    /// /dev/null.
    std::function<ProcessOutcome(const QString &program, const QStringList &arguments, int output, int errors)> start;
    std::function<int()> requests; ///< number of requests to stop so far
    /// Reports progress; called while `log` grows and when the connection is lost.
    std::function<void(const QString &trouble)> progress;
};

/// Builds a job on another machine over ssh, with that machine's git and engine. The commit is pushed to a bare
/// repository there, remote.sh builds it in its own session, and its log is copied here as it grows. If the connection
/// or this process is lost, the job continues there: the next call finds it by its id and continues the log. Requests
/// to stop are passed on. The machine keeps the repository, the results with their links and, until removeThere(), the
/// job.
JobOutcome runThere(const JobFolder &folder, const Job &job, int log, const RunnerTools &tools);
/// Removes a job from that machine. Call it after its outcome is written here, so that a kill loses nothing.
void removeThere(const JobFolder &folder, const Job &job, const RunnerTools &tools);

} // namespace tmx
