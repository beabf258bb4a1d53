// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/catalog/Catalog.h"
#include "model/hardware/Fit.h"
#include "model/hardware/HostReport.h"

namespace tmx {

enum class Workload { General, Bf16Training, Int8Inference, WidestReach };

/// A variant that a machine may be given.
struct Candidate {
    /// From the readiest to the remotest.
    enum class Recipe { Sound, Broken, None };

    Variant variant;
    QString branch;  ///< that has the recipe, or would get it
    QString package; ///< what flox calls the recipe; empty without one
    Recipe recipe = Recipe::None;
    bool covered = false; ///< the settings of the branch list it
    QString version;      ///< of the framework: "2.9.1"; empty: unknown
    bool operator==(const Candidate &) const = default;
};

/// What a pick is made from: first of all the recipes that are there, then what the settings could generate.
struct PickChoice {
    QString branch; ///< empty: several branches
    QList<Candidate> candidates;
    /// Family, Python and toolkit that the settings know, the preferred one first; row and ISA are empty. A variant of
    /// these can be generated, whether or not it is covered.
    QList<Variant> kinds;
    QList<Candidate> elsewhere; ///< recipes of other branches, named where they fit better
    bool allRead = false;       ///< `elsewhere` holds every recipe of every other branch
};

/// One verdict, with every reason in words.
struct Pick {
    Variant variant;
    Fit fit = Fit::DoesNotRun;
    QStringList reasons;  ///< a sentence each, the deciding one first
    bool covered = false; ///< the settings of the branch list it
    int gpusLeftOut = 0;  ///< unlike GPUs of the machine that it does not use
    QString branch = {};  ///< as Candidate::branch
    QString package = {}; ///< as Candidate::package
    Candidate::Recipe recipe = Candidate::Recipe::None;
    /// What flox builds: `package`, or the name that the recipe would have.
    [[nodiscard]] QString name() const { return package.isEmpty() ? variant.name() : package; }
    bool operator==(const Pick &) const = default;
};

/// Verdict of one variant on one machine: capability and binary compatibility, driver against toolkit and architecture,
/// CPU flags (the whole set), platform.
Pick judge(const Catalog &catalog, const HostReport &host, const Variant &variant);

/// The candidates, judged.
struct Picks {
    QList<Pick> run;      ///< best first
    QList<Pick> doNotRun; ///< in the order of their names, each with its reasons
    /// One sentence with what to do where no variant uses the GPU (`run` then holds the CPU variants, which run without
    /// it), or where nothing runs; else empty.
    QString whyNothing;
};

/// Ranks what there is to choose from on a machine. Variants that use its GPU come before those for the CPU alone,
/// recipes that are there before what could be generated, exact ones before untuned ones. Where no candidate is built
/// for the machine's GPU (or, without one, its CPU), the variant that would be exact is proposed with covered = false.
/// Other branches are named in the reasons of the best one, or in `whyNothing`.
Picks pickVariants(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload);

/// Columns of the catalog whose whole flag set the CPU shows, best first for the workload.
QStringList isasThatRun(const Catalog &catalog, const HostReport &host, Workload workload);

} // namespace tmx
