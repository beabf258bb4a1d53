// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/builds/BuildRequest.h"
#include "model/catalog/Catalog.h"
#include "model/fleet/BuildMemory.h"
#include "model/hardware/HostReport.h"
#include "model/hardware/NixBuilders.h"
#include "model/job/GitAnswer.h"
#include "model/job/Job.h"
#include "model/job/Queue.h"
#include "model/snapshot/BranchSnapshot.h"

#include <functional>

namespace tmx {

/// The facts to check before a build starts.
struct PreflightProbes {
    QString package;
    BuildEngine engine = BuildEngine::Flox;
    QString machine;                 ///< name of the machine that builds: "this machine", "gpu-box"
    bool cluster = false;            ///< its nodes are unknown; `host` has the system that is expected
    QString missingProgram;          ///< missing program that would submit the build: "ssh", "sbatch"; empty if it
                                     ///< exists
    QString engineVersion;           ///< "1.14.0"; empty: its program is missing; "?": only the other machine knows
    bool git = true;                 ///< the git program exists, which tells what is tracked
    bool environment = false;        ///< .flox/env.json exists
    bool environmentTracked = false; ///< .flox/env.json and .flox/env are where the build reads them: in the commit, or
                                     ///< in the index
    bool recipe = false;             ///< the recipe exists
    bool recipeTracked = false;
    bool ownTree = true; ///< built in a separate working tree, which has tracked files only
    int auditErrors = 0;
    bool auditOfOther = false; ///< of the uncommitted text, while the committed one is built
    QString firstAuditError;   ///< sentence of the first error
    QString platform;          ///< platform of the variant: "x86_64-linux"
    QStringList features;      ///< features that the recipe requires: "big-parallel"
    NixBuilding building;      ///< possible builders: remote builders, this machine's features
    HostReport host;           ///< this machine: system, what Nix builds, cores, memory
    bool gpu = false;          ///< the variant has GPU code, whose compilers need more memory
    int jobGigabytes = 5;      ///< memory of one of its compile jobs
    int fixedJobs = 0;         ///< the recipe fixes the number of jobs; 0: --cores counts
    SettingPlace fixedBy;      ///< what does
    bool usesNixpkgs = false;  ///< with the nix engine: the recipe needs <nixpkgs>
    bool nixpkgs = false;      ///< <nixpkgs> exists
    QString storePath;         ///< "/nix/store"
    QString temporaryPath;     ///< folder where Nix builds
    qint64 storeFree = -1;     ///< in bytes; -1: unknown
    qint64 temporaryFree = -1;
    bool oneDisk = false; ///< both are on the same file system
    int parallel = 1;     ///< builds at a time
    int cores = 0;        ///< requested cores; 0: none
};

struct PreflightItem {
    QString id; ///< "engine", "nixpkgs", "settings", "environment", "recipe", "audit", "platform", "feature", "disk",
                ///< "memory", "failed"
    bool blocks = false;  ///< the build would certainly fail; otherwise it may fail
    QString sentence;     ///< the problem, and how to solve it
    bool leftOut = false; ///< the jobs are not in the list any more
    bool operator==(const PreflightItem &) const = default;
};

/// The builders that take a build, by platform and features.
struct Builders {
    bool own = false;        ///< this machine; also if its platform, or the build's, is unknown
    QList<qsizetype> remote; ///< indices into PreflightProbes::building; if the build's platform is unknown, those for
                             ///< this machine's
    bool operator==(const Builders &) const = default;
};
[[nodiscard]] Builders buildersFor(const PreflightProbes &probes); ///< Pure.
/// Why no builder takes the build; nullopt if one does. Pure.
[[nodiscard]] std::optional<PreflightItem> platformItem(const PreflightProbes &probes);

/// Everything that would make a build fail, in the order in which it would occur. Pure.
[[nodiscard]] QList<PreflightItem> preflight(const PreflightProbes &probes);

/// Proposed cores for a build: all cores, or as many as the memory allows at `gigabytes` a job, shared among `parallel`
/// builds. At least 1; 0 if the machine's cores are unknown.
[[nodiscard]] int proposedCores(const HostReport &host, int gigabytes, int parallel = 1);

/// The facts of this machine: engine, disks, memory. Runs the engine: for workers.
[[nodiscard]] PreflightProbes probeMachine(BuildEngine engine);
/// What is known about another place before it builds: the saved report of a machine with that name. For workers.
[[nodiscard]] PreflightProbes probePlace(const Place &place, BuildEngine engine);
/// Adds what a variant's name implies: platform and GPU. Pure.
void addVariant(PreflightProbes &probes, const Catalog &catalog, const Variant &variant);
/// Adds what a job's recipe implies: addVariant(), and the features that it requires. Pure.
void addRecipe(PreflightProbes &probes, const Catalog &catalog, const BranchSnapshot &snapshot, const Job &job);
/// Adds the facts of a job: the remote builders that it may use, its files in the commit to build (with `here`: in
/// git's index), what its recipe needs. Runs git: for workers.
[[nodiscard]] PreflightProbes probeJob(PreflightProbes machine, const Catalog &catalog, const BranchSnapshot &snapshot,
                                       const Job &job, const CommittedPaths &paths = {});

/// Gives a job of this machine the cores and the memory with which it would be queued. `probes`: with addRecipe();
/// `parallel`: builds at a time.
void sizeJob(const Catalog &catalog, const VariantEntry &entry, Job &job, PreflightProbes probes, int parallel,
             EarlierPeaks &peaks);

enum class OtherPlatforms {
    Block,
    LeaveOut, ///< jobs for them are removed from the list, each with a sentence
};
/// The machine and the queue for the jobs.
struct MachineAndQueue {
    std::function<PreflightProbes(BuildEngine)> probe = probeMachine;
    int parallel = 1; ///< builds at a time
};
/// How many builds run at a time after adding `more` jobs to a queue. Pure.
[[nodiscard]] int atOnce(const QueueContents &queue, qsizetype more);
/// preflight() for several jobs of a branch, each sentence once. Jobs that request no cores get the proposed number if
/// the memory is too small for all cores. For workers.
[[nodiscard]] QList<PreflightItem> preflightJobs(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                 QList<Job> &jobs, OtherPlatforms others = OtherPlatforms::Block,
                                                 const MachineAndQueue &place = {});

/// What failed before with the same recipe and would be tried again; nullopt: nothing. For workers.
[[nodiscard]] std::optional<PreflightItem> failedBefore(const QString &state, const WantedBuilds &wanted);

/// Builds before they are queued, for review by the user.
struct BuildPlan {
    WantedBuilds wanted;
    QList<Job> dependents;      ///< what is built against `wanted`, each with Job::after
    QStringList leftOut;        ///< a sentence for each dependent recipe, or branch, that is left out
    QString dependentsEstimate; ///< `estimate` for both
    QList<PreflightItem> items;
    QList<QStringList> memory; ///< memoryParagraphs() of the builds of this machine or for Slurm
    QStringList machines;      ///< places to choose from, as toString(Place): the saved machines
    QStringList builders;      ///< Nix's configured remote builders, as toLine()
    int cores = 0;             ///< proposed cores for a build; 0: unknown
    QString engineVersion;     ///< version of the engine; empty: it is missing, or there is nothing to build
    QString estimate;          ///< how long the builds take together, and until when; empty: unknown
    QStringList uncommitted;   ///< changed files that a build of the working tree includes
    [[nodiscard]] bool blocks() const;
    /// No question to the user is needed.
    [[nodiscard]] bool isSound() const;
};
/// For workers.
[[nodiscard]] BuildPlan planBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                                   const BuildRequest &request, MachineAndQueue place = {});

} // namespace tmx
