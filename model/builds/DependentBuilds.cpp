// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/DependentBuilds.h"

#include "model/base/Tr.h"
#include "model/fleet/Dependents.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// What a branch has to build, with the Job::key() of the torches that it needs.
struct Part {
    const FleetBranch *branch;
    QStringList names;
    QHash<QString, QStringList> needs; ///< by name
};

/// The builds of one branch. Adds to `builds` what is left out and what may fail.
QList<Job> jobsOf(const Part &part, const Catalog &catalog, const BranchSnapshot &snapshot, const BuildWish &wish,
                  const MachineAndQueue &machine, const QString &state, DependentBuilds &builds)
{
    const auto leaveOut = [&](const QString &why) {
        builds.notes.append(Tr::tr("%1: %2", "branch, sentence").arg(part.branch->label(), why));
    };
    WantedBuilds wanted = wantedBuilds(snapshot, state, {part.names, {}, wish});
    for (const Error &error : std::as_const(wanted.errors))
        leaveOut(error.sentence());
    wanted.jobs.removeIf([&](const Job &job) {
        const VariantEntry *entry = snapshot.findPackage(job.variant);
        const bool published = entry->facts && entry->facts->torch.kind == TorchSource::Kind::Published;
        if (published)
            leaveOut(Tr::tr("%1 takes the published %2. Publish that first, then build it.")
                         .arg(job.package, entry->facts->torch.file));
        return published;
    });
    const QList<PreflightItem> items = preflightJobs(catalog, snapshot, wanted.jobs, OtherPlatforms::LeaveOut, machine);
    for (const PreflightItem &item : items) {
        if (item.blocks)
            wanted.jobs.clear();
        if (item.blocks || item.leftOut)
            leaveOut(item.sentence);
        else
            builds.warnings.append(item.sentence);
    }
    for (Job &job : wanted.jobs)
        job.after = part.needs.value(job.variant);
    return wanted.jobs;
}

} // namespace

DependentBuilds
dependentBuilds(const Catalog &catalog, const Fleet &fleet, QList<Job> &jobs, const BuildWish &wish, const Queue &queue,
                const std::function<Result<std::shared_ptr<const BranchSnapshot>>(const FleetBranch &)> &read,
                const std::function<PreflightProbes(BuildEngine)> &probe)
{
    DependentBuilds builds;
    QHash<QString, qsizetype> wanted; ///< index of a product
    for (qsizetype i = 0; i < jobs.size(); ++i)
        wanted.insert(jobs.at(i).product(), i);
    QList<Part> parts;
    for (const Dependent &dependent : dependentsOf(fleet)) {
        const auto torch = wanted.constFind(productOf(jobKeyOf(*dependent.torchBranch, *dependent.torch)));
        if (torch == wanted.cend())
            continue;
        const Job &needed = jobs.at(*torch);
        const auto own = wanted.constFind(productOf(jobKeyOf(*dependent.branch, *dependent.recipe)));
        if (own != wanted.cend()) {
            jobs[*own].after.append(needed.key());
            continue;
        }
        if (const QString &revision = dependent.recipe->torch.revision;
            !revision.isEmpty() && revision != needed.commit && dependent.branch != dependent.torchBranch) {
            builds.notes.append(Tr::tr("%1 imports %2 at the commit %3, not at %4. Change the revision that it "
                                       "imports, then build it.",
                                       "packages, commits")
                                    .arg(dependent.label(), needed.package, revision.left(7), needed.commit.left(7)));
            continue;
        }
        auto part = std::ranges::find(parts, dependent.branch, &Part::branch);
        if (part == parts.end())
            part = parts.insert(parts.end(), {dependent.branch, {}, {}});
        const QString name = dependent.recipe->variant.name();
        if (!part->names.contains(name))
            part->names.append(name);
        part->needs[name].append(needed.key());
    }
    std::ranges::stable_partition(jobs, [](const Job &job) { return job.after.isEmpty(); });
    const MachineAndQueue machine{.probe = probe, .parallel = atOnce(queue.contents(), jobs.size())};
    for (const Part &part : std::as_const(parts)) {
        const auto snapshot = read(*part.branch);
        if (snapshot)
            builds.jobs += jobsOf(part, catalog, **snapshot, wish, machine, queue.state(), builds);
        else
            builds.notes.append(
                Tr::tr("%1: %2", "branch, sentence").arg(part.branch->label(), snapshot.error().sentence()));
    }
    return builds;
}

} // namespace tmx
