// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/TeamBuilds.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/history/BuildHistory.h"
#include "model/job/Queue.h"
#include "model/job/SlurmArray.h"

namespace tmx {

/// The user's options for a build.
struct BuildWish {
    std::optional<BuildEngine> engine; ///< none: flox, or nix-build if only that is installed
    int cores = 0;                     ///< 0: the machine's default
    QString stability;                 ///< flox's --stability; empty: flox's default
    std::optional<QString> builders;   ///< Nix's `builders` for this build, one line; none: Nix's configuration
    bool here = false;   ///< in the user's working tree with uncommitted changes; only for the checked-out branch
    Place place;         ///< this machine, another one, or a cluster
    SlurmWish slurm;     ///< for builds with Slurm
    bool ownPin = false; ///< <nixpkgs> is the one that the recipe fetches
    bool operator==(const BuildWish &) const = default;
};

/// Whether Nix can take this as its builders: one line without comments.
bool isBuildersLine(const QString &builders);
/// NIX_PATH with the nixpkgs that the recipe fetches; empty if it fetches none, or several.
QString ownNixPath(const VariantEntry &entry);
/// The variables of a build started by this process, with the options in `wish`.
QMap<QString, QString> environmentFor(const BuildWish &wish);

/// The job that builds a branch's recipe: its commit and the committed text, or with `here` the text in the working
/// tree. Reads PATH and the disk: for workers. Errors: there is no recipe, it is not committed, flox cannot build its
/// name, the branch is not checked out, the builders are not one line.
Result<Job> jobFor(const BranchSnapshot &snapshot, const QString &variant, const BuildWish &wish);

/// Why a build of the committed recipe would fail; selections by state leave it out.
std::optional<Error> cannotBuild(const VariantEntry &entry);

/// Whether a job builds a recipe of this branch.
bool isOf(const Job &job, const BranchSnapshot &snapshot);

enum class BuildSelection {
    Missing, ///< never built here
    Stale,   ///< built from an older recipe
    Failed,
    All, ///< all of these; with `again` also built and published ones
};
/// The variants of a branch whose committed recipe is in one of these states, in the grid's order. `states`: from
/// buildStates().
QStringList selectBuilds(const BranchSnapshot &snapshot, const QHash<QString, BuildState> &states,
                         BuildSelection selection, bool again = false);

/// The requested builds: these variants, and all that are in one of these states.
struct BuildRequest {
    QStringList names;
    QList<BuildSelection> selections;
    BuildWish wish;
    bool again = false;          ///< build again what is already built
    bool withDependents = false; ///< also what is built against these, in all repositories (DependentBuilds)
    /// Whether variants are selected by state: then those that cannot be built are left out. Named variants must all be
    /// buildable.
    [[nodiscard]] bool chooses() const { return !selections.isEmpty(); }
};
struct WantedBuilds {
    QList<Job> jobs;
    QList<Error> errors; ///< for variants that cannot be built
    Again again = Again::No;
};
/// The jobs of a request, each variant once. Reads the jobs below `state` if needed: for workers.
WantedBuilds wantedBuilds(const BranchSnapshot &snapshot, const QString &state, const BuildRequest &request);

/// The result of queueing in a sentence or two; empty if every job was queued.
QString summaryOf(const QList<QueuedJob> &queued);

} // namespace tmx
