// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/TerminalText.h"
#include "model/build/LogFollower.h"
#include "model/build/Queue.h"
#include "model/build/RunningBuilds.h"
#include "model/catalog/Catalog.h"
#include "model/snapshot/BranchSnapshot.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace tmx {

/// What the verbs on builds share.

/// A log as it can be printed: its colours stay on a terminal and are left out elsewhere; other escape sequences, which
/// could move the cursor or set the title, are shown as text.
class LogPrinter
{
public:
    LogPrinter();
    void print(const QByteArray &bytes);

private:
    TerminalStream m_stream;
};

QString phaseWord(const JobRecord &record); ///< "waiting", "running", "built", "compile-error"
/// `running`: what RunningBuilds knows of it.
QJsonObject jobJson(const JobRecord &record, const BuildState &running);
/// "buildPhase, 123 of 4567, about 1 h 20 min left (of 5 like builds)"; parts that are not known are left out.
QString progressText(const BuildState &running);

/// How a build ended, for standard error: the outcome's sentence, the line of the recipe that is to blame, and the verb
/// that corrects a wrong hash.
void tellOutcome(const Job &job, const BuildOutcome &outcome);

/// The jobs that a user means by these words: ids, packages or variants, of the jobs for which `fits` holds. Errors: a
/// word that none of them has, of usage where no build could have it; jobs for which `fits` does not hold.
Result<QStringList> jobsNamed(const QList<JobRecord> &jobs, const QStringList &words,
                              const std::function<bool(const JobRecord &)> &fits);

/// The variants that a user means by these words, of this branch or of any. Errors: as variantNamed().
Result<QStringList> variantsNamed(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &words);

/// --builders LINE.
CLI::Option *addBuildersOption(CLI::App &verb, std::optional<std::string> &builders);

} // namespace tmx
