// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/EndedJobs.h"

#include "model/job/Job.h"
#include "model/outcome/OutcomeText.h"

namespace tmx {

Result<int> recordEndedJobs(BuildHistory &history, const QString &state)
{
    const QSet<QString> jobs = history.jobs();
    int added = 0;
    for (const JobFolder &folder : JobFolder::all(state)) {
        if (jobs.contains(folder.id()))
            continue;
        const std::optional<JobOutcome> outcome = folder.outcome();
        const Result<Job> job = folder.job();
        if (!outcome || !job)
            continue;
        const std::optional<JobRunner> runner = folder.runner();
        // Before the job is recorded: afterwards it counts as known and is not read again.
        if (const Result<void> kept =
                history.addSteps(folder.id(), folder.progress().value_or(JobProgress()).twentieths);
            !kept)
            return kept.error();
        TM_TRY(wrote, history.record({.job = folder.id(),
                                      .variant = job->variant,
                                      .package = job->package,
                                      .blob = job->recipeId(),
                                      .branch = job->branch,
                                      .commit = job->commit,
                                      .repository = job->repository,
                                      .machine = runner ? runner->machine : machineId(),
                                      .engine = toString(job->engine),
                                      .queued = job->created,
                                      .started = outcome->started,
                                      .ended = outcome->ended,
                                      .peakMemory = outcome->peakMemory,
                                      .outcome = outcome->build.kind,
                                      .reason = sentenceOf(outcome->build),
                                      .log = folder.logFile(),
                                      .result = outcome->storePaths.value(0)}));
        added += *wrote ? 1 : 0;
    }
    return added;
}

} // namespace tmx
