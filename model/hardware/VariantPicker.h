// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/DriverVerdict.h"
#include "model/hardware/Fit.h"
#include "model/hardware/HostReport.h"

namespace tmx {

enum class Workload { General, Bf16Training, Int8Inference, WidestReach };

/// A variant that could be picked for a machine.
struct Candidate {
    /// From ready to far from ready.
    enum class Recipe { Sound, Broken, None };

    Variant variant;
    QString branch;  ///< branch that has the recipe, or would get it
    QString package; ///< flox's name for the recipe; empty if there is none
    Recipe recipe = Recipe::None;
    bool covered = false; ///< the branch's settings cover it
    QString version;      ///< version of the framework: "2.9.1"; empty: unknown
    QStringList systems;  ///< Nix systems that the recipe is for; empty: unknown
    bool operator==(const Candidate &) const = default;
};

/// What a pick is chosen from: existing recipes first, then what the settings could generate.
struct PickChoice {
    QString branch; ///< empty: several branches
    QList<Candidate> candidates;
    /// Family, Python and toolkit of the settings, the preferred one first; row and ISA are empty. Variants of these
    /// can be generated, whether they are covered or not.
    QList<Variant> kinds;
    QList<Candidate> elsewhere; ///< recipes of other branches; they are mentioned if they fit better
    bool allRead = false;       ///< `elsewhere` has all recipes of all other branches
};

/// A verdict with all its reasons in words.
struct Pick {
    Variant variant;
    Fit fit = Fit::DoesNotRun;
    QStringList reasons;  ///< one sentence each, the deciding one first
    bool covered = false; ///< the branch's settings cover it
    int gpusLeftOut = 0;  ///< number of different GPUs of the machine that it does not use
    QString branch = {};  ///< see Candidate::branch
    QString package = {}; ///< see Candidate::package
    Candidate::Recipe recipe = Candidate::Recipe::None;
    DriverVerdict driver = {}; ///< of its toolkit; the sentence is among the reasons
    QString state = {};        ///< "not built", "no recipe yet": of the branch that is shown; empty: not known
    QStringList stated = {};   ///< reasons that the state says
    /// The package to build: `package`, or the name that the recipe would have.
    [[nodiscard]] QString name() const { return package.isEmpty() ? variant.name() : package; }
    bool operator==(const Pick &) const = default;
};

/// Verdict on one recipe or variant for one machine: capability and binary compatibility, driver with toolkit and
/// architecture, CPU flags (the complete set), platform.
Pick judge(const Catalog &catalog, const HostReport &host, const Candidate &candidate);

/// A variant that fits better than the best one whose recipe is there and sound on the branch.
struct BetterPick {
    Pick pick;        ///< of another branch, or without a sound recipe
    QString sentence; ///< among the reasons of the best one
    bool operator==(const BetterPick &) const = default;
};

/// The judged candidates.
struct Picks {
    QList<Pick> run;          ///< existing recipes first, each the best first
    QList<BetterPick> better; ///< the best first, at most one of the branch and one of the others
    QList<Pick> doNotRun;     ///< sorted by name, each with its reasons
    /// One sentence with a solution if no variant uses the GPU (`run` then has the CPU variants, which run without it),
    /// or if nothing runs; else empty.
    QString whyNothing;
};

/// Ranks the candidates for a machine. Variants that use its GPU come before CPU variants, existing recipes before
/// those that could be generated, exact ones before untuned ones. If no candidate is built for the machine's GPU (or,
/// without one, its CPU), the variant that would be exact is proposed with covered = false. Other branches are
/// mentioned in the best pick's reasons, or in `whyNothing`.
Picks pickVariants(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload);

/// Columns of the catalog whose complete set of flags the CPU has, best first for the workload.
QStringList isasThatRun(const Catalog &catalog, const HostReport &host, Workload workload);

} // namespace tmx
