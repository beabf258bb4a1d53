// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/build/Job.h"
#include "model/build/Queue.h"
#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"
#include "model/hardware/NixBuilders.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/workspace/Building.h"

#include <functional>

namespace tmx {

/// What must hold before a build starts, as it was found.
struct PreflightProbes {
    QString package;
    BuildEngine engine = BuildEngine::Flox;
    QString machine;                 ///< that builds, for people: "this machine", "gpu-box"
    QString missingProgram;          ///< what would hand the build over: "ssh", "sbatch"; empty: it is there
    QString engineVersion;           ///< "1.14.0"; empty: its program is not there; "?": the other machine knows
    bool git = true;                 ///< the git program, which says what is tracked, is there
    bool environment = false;        ///< .flox/env.json is there
    bool environmentTracked = false; ///< .flox/env.json and .flox/env are where the build looks: the commit, the index
    bool recipe = false;             ///< the recipe is there
    bool recipeTracked = false;
    bool ownTree = true; ///< built in a working tree of the program's own: what is not tracked is missing there
    int auditErrors = 0;
    QString firstAuditError;  ///< its sentence
    QString platform;         ///< of the variant: "x86_64-linux"
    QStringList features;     ///< that its recipe says it requires: "big-parallel"
    NixBuilding building;     ///< who may build it: remote builders, this machine's features
    HostReport host;          ///< this machine: system, what Nix builds, cores, memory
    bool gpu = false;         ///< the variant is compiled for a GPU: its compilers take more memory
    bool usesNixpkgs = false; ///< with the nix engine: the recipe needs <nixpkgs>
    bool nixpkgs = false;     ///< <nixpkgs> is there
    QString storePath;        ///< "/nix/store"
    QString temporaryPath;    ///< where Nix builds
    qint64 storeFree = -1;    ///< bytes; -1: not known
    qint64 temporaryFree = -1;
    bool oneDisk = false; ///< both are on one file system
    int parallel = 1;     ///< builds at a time
    int cores = 0;        ///< asked for; 0: none
};

struct PreflightItem {
    QString id; ///< "engine", "nixpkgs", "settings", "environment", "recipe", "audit", "platform", "feature", "disk",
                ///< "memory"
    bool blocks = false; ///< the build would fail for certain; else it may
    QString sentence;    ///< what is wrong, and what to do
    bool operator==(const PreflightItem &) const = default;
};

/// Who takes a build, by its platform and features.
struct Builders {
    bool own = false;        ///< this machine; also where its platform, or the build's, is not known
    QList<qsizetype> remote; ///< of PreflightProbes::building, by index; where the build's platform is not known, those
                             ///< for this machine's
    bool operator==(const Builders &) const = default;
};
[[nodiscard]] Builders buildersFor(const PreflightProbes &probes); ///< Pure.
/// Why none of them takes it; nullopt: one does. Pure.
[[nodiscard]] std::optional<PreflightItem> platformItem(const PreflightProbes &probes);

/// All that would make a build fail, in the order in which it would. Pure.
[[nodiscard]] QList<PreflightItem> preflight(const PreflightProbes &probes);

/// Cores for a build: all of them, or as many as the memory has room for compilers (gigabytesOfACore()),
/// shared among `parallel` builds. At least 1; 0 where the machine's cores are not known.
[[nodiscard]] int proposedCores(const HostReport &host, bool gpu, int parallel = 1);

/// What of it is this machine's: the engine, disks, memory. Runs the engine: for workers.
[[nodiscard]] PreflightProbes probeMachine(BuildEngine engine);
/// What is known of another place before a build goes there: the report of a saved machine of that name. For workers.
[[nodiscard]] PreflightProbes probePlace(const Place &place, BuildEngine engine);
/// Adds what a variant's name says: platform and GPU. Pure.
void addVariant(PreflightProbes &probes, const Catalog &catalog, const Variant &variant);
/// Adds what a job's recipe says: that, and the features that it requires. Pure.
void addRecipe(PreflightProbes &probes, const Catalog &catalog, const BranchSnapshot &snapshot, const Job &job);
/// Adds what is a job's: the remote builders that it may use, its files in the commit that it builds (with `here`: in
/// git's index), what its recipe needs. Runs git: for workers.
[[nodiscard]] PreflightProbes probeJob(PreflightProbes machine, const Catalog &catalog, const BranchSnapshot &snapshot,
                                       const Job &job);

enum class OtherPlatforms {
    Block,
    LeaveOut, ///< jobs for them are taken out of the list, each with a sentence
};
/// Where jobs would be built.
struct MachineAndQueue {
    std::function<PreflightProbes(BuildEngine)> probe = probeMachine;
    int parallel = 1; ///< builds at a time
};
/// How many builds run at a time when `more` are added to a queue. Pure.
[[nodiscard]] int atOnce(const QueueContents &queue, qsizetype more);
/// preflight() of several jobs of a branch, each sentence once; jobs that ask for no cores get the proposed ones where
/// the memory has no room for all. For workers.
[[nodiscard]] QList<PreflightItem> preflightJobs(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                 QList<Job> &jobs, OtherPlatforms others = OtherPlatforms::Block,
                                                 const MachineAndQueue &place = {});

/// Builds before they are queued, as a person looks at them.
struct BuildPlan {
    WantedBuilds wanted;
    QList<PreflightItem> items;
    QStringList machines;    ///< places to choose from, as toString(Place): the saved machines
    QStringList builders;    ///< Nix's remote builders as it is set up, as toLine()
    int cores = 0;           ///< proposed for a build; 0: not known
    QString engineVersion;   ///< of what builds; empty: it is missing, or there is nothing to build
    QStringList uncommitted; ///< files that a build of the working tree takes as they are
    [[nodiscard]] bool blocks() const;
    /// Nobody needs to be asked.
    [[nodiscard]] bool isSound() const { return items.isEmpty() && wanted.errors.isEmpty(); }
};
/// For workers.
[[nodiscard]] BuildPlan planBuilds(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &state,
                                   const BuildRequest &request, MachineAndQueue place = {});

} // namespace tmx
