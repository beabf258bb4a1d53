// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/TerminalText.h"
#include "model/catalog/Catalog.h"
#include "model/job/LogFollower.h"
#include "model/job/Queue.h"
#include "model/job/RunningBuilds.h"
#include "model/snapshot/BranchSnapshot.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tmx {

/// Shared by the verbs about builds.

/// Prints a log safely: colours stay on a terminal and are removed elsewhere. Other escape sequences, which could move
/// the cursor or set the title, are shown as text.
class LogPrinter
{
public:
    LogPrinter();
    void print(const QByteArray &bytes);

private:
    TerminalStream m_stream;
};

QString phaseWord(const JobRecord &record); ///< "waiting", "running", "built", "compile-error"
/// What became of a request to build, in a line.
QString whatText(const QueuedJob &queued);
/// What JSON says of how a build ended. `ended`: whether it has; the values are empty or null before.
QJsonObject outcomeJson(const BuildOutcome &outcome, bool ended);
/// `running`: the build's state from RunningBuilds.
QJsonObject jobJson(const JobRecord &record, const BuildState &running);

/// Prints how a build ended to standard error: the outcome's sentence, the line of the recipe that caused the failure,
/// and the verb that corrects a wrong hash.
void tellOutcome(const Job &job, const BuildOutcome &outcome);

/// Reads the jobs, and marks those whose runner is gone as lost. For workers.
QList<JobRecord> settledJobs(const Queue &queue);
/// The same for verbs that tell of builds: if the process that starts waiting builds is gone, starts it again.
QList<JobRecord> servedJobs(const Queue &queue);
/// The same before something else reads the jobs. Reads them only if there is something in the queue.
void serveQueue();

/// The jobs that these words name: ids, packages or variants of the jobs for which `fits` returns true. Errors: a word
/// that names no job (a usage error if no build could have it); jobs for which `fits` returns false.
Result<QStringList> jobsNamed(const QList<JobRecord> &jobs, const QStringList &words,
                              const std::function<bool(const JobRecord &)> &fits);

/// The variants that these words name, of this branch or of any. Errors: as variantNamed().
Result<QStringList> variantsNamed(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &words);

/// --builders LINE.
CLI::Option *addBuildersOption(CLI::App &verb, std::optional<std::string> &builders);

} // namespace tmx
