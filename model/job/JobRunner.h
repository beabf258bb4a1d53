// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Job.h"

namespace tmx {

/// Runs the job of a folder to its end and writes its outcome: the implementation of `torch-matrix run-job DIR`. Call
/// it only in a separate process, which becomes the leader of a session. The job builds in a separate working tree of
/// its commit, which git creates below the state folder and which is removed at the end, or in the user's working tree
/// if the job says so. The engine writes the log itself. All processes that it started are gone when the outcome is
/// written. Each has TORCH_MATRIX_JOB=DIR in its environment, so that they can be found after the runner was killed.
/// Results become links in resultsFolder(), which are roots for Nix, and links next to the user's `.flox` if that
/// branch is checked out with that recipe. Errors: the job cannot be read; it was run already.
Result<void> runJob(const JobFolder &folder);

/// Cleans up after a job whose runner is gone: ends its remaining processes, removes its working tree, and writes the
/// outcome "lost" with the reason. Does nothing if the job is not lost, or if it ran on another machine. Takes up to
/// ten seconds.
void settleLost(const JobFolder &folder);

} // namespace tmx
