// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/BuildHistory.h"
#include "model/build/BuildState.h"
#include "model/build/Queue.h"
#include "model/build/SlurmArray.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/TeamBuilds.h"

namespace tmx {

/// How a recipe is to be built, as a user says it.
struct BuildWish {
    std::optional<BuildEngine> engine; ///< none: flox, or nix-build where only that is installed
    int cores = 0;                     ///< 0: as the machine is set up
    QString stability;                 ///< flox's; empty: its own choice
    std::optional<QString> builders;   ///< Nix's `builders` for this build, one line; none: as Nix is set up
    bool here = false; ///< in the user's working tree, uncommitted changes included; of the checked-out branch
    Place place;       ///< another machine, or a cluster
    SlurmWish slurm;   ///< with Slurm
    bool operator==(const BuildWish &) const = default;
};

/// Whether Nix can be given this as its builders: one line, without comments.
bool isBuildersLine(const QString &builders);
/// The variables that a build of this process gets, with what is wished for it.
QMap<QString, QString> environmentFor(const BuildWish &wish);

/// The job that builds the recipe of a branch: its commit and the text that it holds, or with `here` the text of the
/// working tree. Looks at PATH and the disk: for workers. Errors: there is no recipe, it is not committed, its name is
/// none that flox can build, the branch is not checked out, the builders are not one line.
Result<Job> jobFor(const BranchSnapshot &snapshot, const QString &variant, const BuildWish &wish);

/// Whether a job builds a recipe of this branch.
bool isOf(const Job &job, const BranchSnapshot &snapshot);

/// The recipe's working tree text is not what a job of its commit builds.
bool hasUnbuiltChanges(const VariantEntry &entry);

/// What the jobs say of each variant of a branch, and where they say nothing, what an earlier build left in the working
/// tree. A recipe that was published and has not changed since is published, whatever became of its result; one that
/// was not built here, and by others as it is, is built elsewhere. For workers: looks whether results are still there.
QHash<QString, BuildState> buildStates(const BranchSnapshot &snapshot, const QList<JobRecord> &jobs,
                                       const OtherBuilds &other = {});

enum class BuildSelection {
    Missing, ///< never built here
    Stale,   ///< built with an older recipe
    Failed,
    All, ///< all of these; again: what is built or published as well
};
/// The variants of a branch whose committed recipe is in such a state, in the grid's order. `states`: buildStates().
QStringList selectBuilds(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &states,
                         BuildSelection selection, bool again = false);

/// Builds that are asked for: these variants, and all that are in one of these states.
struct BuildRequest {
    QStringList names;
    QList<BuildSelection> selections;
    BuildWish wish;
    bool again = false; ///< what is built already, too
    /// Whoever names one variant wants that one; of several, those that can be built.
    [[nodiscard]] bool chooses() const { return !selections.isEmpty(); }
};
struct WantedBuilds {
    QList<Job> jobs;
    QList<Error> errors; ///< of variants that cannot be built
    Again again = Again::No;
};
/// The jobs of a request, each variant once. Reads the jobs below `state` where it has to: for workers.
WantedBuilds wantedBuilds(const BranchSnapshot &snapshot, const QString &state, const BuildRequest &request);

/// What became of them, in a sentence or two; empty where each was queued.
QString summaryOf(const QList<QueuedJob> &queued);

} // namespace tmx
