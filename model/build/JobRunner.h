// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"

namespace tmx {

/// Runs the job of a folder to its end and writes its outcome: what `torch-matrix run-job DIR` does. Only in a process
/// of its own, which becomes the leader of a session. The job builds in a working tree that git makes of its commit
/// below the state folder and that is removed at the end, or in the user's where it says so. The engine writes the log
/// itself. Every process that it started is gone when the outcome is written; each has TORCH_MATRIX_JOB=DIR in its
/// environment, so that whoever comes after a killed runner finds them. Results become links in resultsFolder(), which
/// Nix takes for roots, and beside the user's `.flox` where that branch is checked out with that recipe.
/// Errors: the job cannot be read; it was run already.
Result<void> runJob(const JobFolder &folder);

/// Ends what a job has left running whose runner is gone, removes its working tree and writes that it was lost, with
/// the reason. Does nothing with a job that is not lost, or that ran on another machine. Takes up to ten seconds.
void settleLost(const JobFolder &folder);

} // namespace tmx
