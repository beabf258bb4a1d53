// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Process.h"
#include "model/build/Job.h"

#include <functional>

namespace tmx {

/// What the process that runs a job lends to whoever builds it elsewhere.
struct RunnerTools {
    QProcessEnvironment environment;
    /// Runs a program to its end; a request to stop that comes meanwhile ends it. Files for its output and its errors;
    /// -1: /dev/null.
    std::function<ProcessOutcome(const QString &program, const QStringList &arguments, int output, int errors)> start;
    std::function<int()> requests; ///< how often the job was asked to stop so far
    /// How far it is, for whoever looks: called while `log` grows and where the connection is lost.
    std::function<void(const QString &trouble)> progress;
};

/// Builds a job on another machine over ssh, with git and the engine that it has. The commit goes to a bare repository
/// there, remote.sh builds it in a session of its own, and its log comes here as it grows. When the connection is lost,
/// or this process, the job goes on there: the next call finds it by the job's id and continues the log where it ended.
/// A request to stop is passed on. Nothing stays there but the repository, the results and their links, and the job,
/// until removeThere().
JobOutcome runThere(const JobFolder &folder, const Job &job, int log, const RunnerTools &tools);
/// Removes a job from that machine: once its outcome is written here, so that no kill loses it.
void removeThere(const JobFolder &folder, const Job &job, const RunnerTools &tools);

} // namespace tmx
