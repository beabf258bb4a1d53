// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/JobText.h"
#include "app/verbs/Verb.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/StateFolder.h"
#include "model/base/Tr.h"
#include "model/builds/Estimate.h"
#include "model/fleet/BuildMemory.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int mostSlots = 10'000;
constexpr int mostStarted = 64; ///< upper limit of "queue set --parallel"

struct EstimateOptions {
    std::vector<std::string> names;
    std::string branch;
    std::vector<std::string> only;
    std::optional<std::string> builders;
    int slotCount = 0;
    bool again = false;
    bool longestFirst = false;
    bool list = false;
};

BuildSelection selectionOf(const std::string &word)
{
    return word == "missing"  ? BuildSelection::Missing
           : word == "stale"  ? BuildSelection::Stale
           : word == "failed" ? BuildSelection::Failed
                              : BuildSelection::All;
}

/// The planned builds, ordered by start.
QList<int> inTime(const Estimate &estimate)
{
    QList<int> order(estimate.builds.size());
    std::iota(order.begin(), order.end(), 0);
    order.removeIf([&](int build) { return estimate.plan.builds.at(build).machine < 0; });
    std::ranges::stable_sort(order, {}, [&](int build) { return estimate.plan.builds.at(build).begin; });
    return order;
}

/// What the asked builds take of each machine.
QList<FarmUse> askedUses(const Estimate &estimate)
{
    QList<FarmUse> uses(estimate.farm.machines.size());
    for (qsizetype i = 0; i < estimate.builds.size(); ++i) {
        const FarmBuild &build = estimate.plan.builds.at(i);
        if (build.machine < 0 || !estimate.builds.at(i).asked)
            continue;
        uses[build.machine].builds += 1;
        uses[build.machine].busy += build.end - build.begin;
    }
    return uses;
}

QJsonObject toJson(const Estimate &estimate, const QString &branch)
{
    const FarmPlan &plan = estimate.plan;
    const auto time = [&](qint64 seconds) { return estimate.at(seconds).toUTC().toString(Qt::ISODate); };
    QJsonArray machines;
    const QList<FarmUse> uses = askedUses(estimate);
    for (qsizetype i = 0; i < uses.size(); ++i) {
        const FarmMachine &machine = estimate.farm.machines.at(i);
        machines.append(QJsonObject{{u"name"_s, machine.name},
                                    {u"slots"_s, machine.atOnce},
                                    {u"speed"_s, machine.speed},
                                    {u"builds"_s, uses.at(i).builds},
                                    {u"busySeconds"_s, uses.at(i).busy}});
    }
    QJsonArray builds;
    for (const int i : inTime(estimate)) {
        const PlannedBuild &build = estimate.builds.at(i);
        const FarmBuild &planned = plan.builds.at(i);
        QJsonArray needs;
        for (const int need : estimate.farm.jobs.at(i).needs)
            needs.append(estimate.builds.at(need).variant);
        builds.append(QJsonObject{{u"name"_s, build.variant},
                                  {u"package"_s, build.package},
                                  {u"branch"_s, build.branch},
                                  {u"job"_s, build.job},
                                  {u"asked"_s, build.asked},
                                  {u"running"_s, build.started.isValid()},
                                  {u"machine"_s, estimate.farm.machines.at(planned.machine).name},
                                  {u"slot"_s, planned.slot + 1},
                                  {u"begins"_s, time(planned.begin)},
                                  {u"ends"_s, time(planned.end)},
                                  {u"seconds"_s, planned.end - planned.begin},
                                  {u"likeBuilds"_s, build.time.builds},
                                  {u"needs"_s, needs}});
    }
    QJsonArray chain;
    for (const int i : plan.chain)
        chain.append(estimate.builds.at(i).variant);
    QJsonArray leftOut;
    for (const LeftOut &one : estimate.leftOut)
        leftOut.append(QJsonObject{{u"name"_s, one.variant}, {u"reason"_s, one.sentence}});
    return {{u"branch"_s, branch},
            {u"begins"_s, time(0)},
            {u"ends"_s, time(estimate.seconds())},
            {u"seconds"_s, estimate.seconds()},
            {u"otherBuilds"_s, estimate.others()},
            {u"longestFirstSeconds"_s, estimate.longestFirst},
            {u"boundSeconds"_s, plan.bound.seconds},
            {u"bound"_s, plan.bound.by == FarmBound::By::Chain ? u"chain"_s : u"work"_s},
            {u"ratio"_s, estimate.ratio()},
            {u"chainSeconds"_s, plan.chainSeconds},
            {u"chain"_s, chain},
            {u"fromHistory"_s, estimate.asked() - estimate.defaults()},
            {u"byDefault"_s, estimate.defaults()},
            {u"queueParallel"_s, estimate.startsAtOnce},
            {u"queuePaused"_s, estimate.paused},
            {u"machines"_s, machines},
            {u"leftOut"_s, leftOut},
            {u"builds"_s, builds}};
}

void printMachines(const Estimate &estimate)
{
    const FarmPlan &plan = estimate.plan;
    qsizetype widest = 0;
    for (const FarmMachine &machine : estimate.farm.machines)
        widest = std::max(widest, machine.name.size());
    const QList<FarmUse> uses = askedUses(estimate);
    for (qsizetype i = 0; i < uses.size(); ++i) {
        const FarmMachine &machine = estimate.farm.machines.at(i);
        const FarmUse &use = uses.at(i);
        const qint64 room = plan.seconds * std::max(1, machine.atOnce);
        print(u"  %1  %2 at a time  %3  busy %4 (%5 %)%6"_s.arg(
            machine.name.leftJustified(widest), QString::number(machine.atOnce).rightJustified(3),
            (use.builds == 1 ? u"1 build"_s : u"%1 builds"_s.arg(use.builds)).rightJustified(10),
            roughTimeText(use.busy), QString::number(room > 0 ? use.busy * 100 / room : 0),
            machine.speed > 0 && machine.speed != 1 ? u", %1 times as fast"_s.arg(machine.speed) : QString()));
    }
}

void printBuilds(const Estimate &estimate)
{
    qsizetype machines = 0;
    qsizetype names = 0;
    const QList<int> order = inTime(estimate);
    for (const int i : order) {
        machines = std::max(machines, estimate.farm.machines.at(estimate.plan.builds.at(i).machine).name.size());
        names = std::max(names, estimate.builds.at(i).variant.size());
    }
    for (const int i : order) {
        const PlannedBuild &build = estimate.builds.at(i);
        const FarmBuild &planned = estimate.plan.builds.at(i);
        const auto time = [&](qint64 seconds) {
            return estimate.at(seconds).toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s);
        };
        const QString source = build.started.isValid()  ? u"runs"_s
                               : build.time.builds == 0 ? u"default"_s
                               : build.time.builds == 1 ? u"1 similar build"_s
                                                        : u"%1 similar builds"_s.arg(build.time.builds);
        print(u"%1  %2  %3 %4  %5  %6  %7"_s.arg(
            time(planned.begin), time(planned.end),
            estimate.farm.machines.at(planned.machine).name.leftJustified(machines),
            QString::number(planned.slot + 1).leftJustified(3), build.variant.leftJustified(names),
            roughTimeText(planned.end - planned.begin).rightJustified(9), source));
    }
}

/// Prints each reason once, with the names it applies to.
void tellLeftOut(const Estimate &estimate, bool all)
{
    QStringList reasons;
    for (const LeftOut &one : estimate.leftOut) {
        if (reasons.contains(one.reason))
            continue;
        reasons.append(one.reason);
        QStringList others;
        for (const LeftOut &other : estimate.leftOut) {
            if (other.reason == one.reason && other.variant != one.variant)
                others.append(other.variant);
        }
        tell(Tr::tr("Left out: %1").arg(one.sentence));
        if (!others.isEmpty())
            tell(Tr::tr("Left out for the same reason: %1.").arg(all ? others.join(u", "_s) : shortList(others)));
    }
}

/// Prints what prevents the builds from running as planned.
void tellObstacles(const Estimate &estimate)
{
    if (estimate.asked() == 0)
        return;
    if (const int used = estimate.usedAtOnce(); used > estimate.startsAtOnce)
        tell(Tr::tr("note: The queue starts %1 at a time, this estimate assumes %2. \"torch-matrix queue set "
                    "--parallel %3\" "
                    "changes "
                    "that.")
                 .arg(estimate.startsAtOnce)
                 .arg(used)
                 .arg(std::min(used, mostStarted)));
    if (estimate.paused)
        tell(Tr::tr("note: The queue is paused; \"torch-matrix queue resume\" continues."));
}

Result<int> estimate(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                     const EstimateOptions &options)
{
    TM_TRY(reading, readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch)));
    const BranchSnapshot &snapshot = *reading->snapshot;
    TM_TRY(names, variantsNamed(*catalog, snapshot, toStringList(options.names)));
    EstimateRequest request;
    request.builds.names = *names;
    for (const std::string &word : options.only)
        request.builds.selections.append(selectionOf(word));
    if (names->isEmpty() && options.only.empty())
        request.builds.selections.append(BuildSelection::All);
    request.builds.again = options.again;
    if (options.builders)
        request.builds.wish.builders = QString::fromStdString(*options.builders);
    request.atOnce = options.slotCount;
    request.order = options.longestFirst ? FarmOrder::LongestFirst : FarmOrder::AsGiven;
    const Estimate estimate =
        estimateBuilds(*catalog, snapshot, stateFolder(), request, probeBuilders(request.builds.wish));
    const bool nothing = estimate.asked() == 0;
    if (context.json) {
        print(toJson(estimate, snapshot.branch));
    } else if (!nothing) {
        if (options.list)
            printBuilds(estimate);
        print(summaryOf(estimate));
        const auto queued = std::ranges::count_if(
            estimate.builds, [](const PlannedBuild &build) { return build.asked && !build.job.isEmpty(); });
        if (queued > 0)
            print(queued == estimate.asked() ? Tr::tr("The queue has all of them already.")
                                             : Tr::tr("The queue has %1 of them already.").arg(queued));
        printMachines(estimate);
        for (const QString &line :
             {othersText(estimate), chainText(estimate), boundText(estimate), timesText(estimate)}) {
            if (!line.isEmpty())
                print(line);
        }
        QList<BuildMemory> memory;
        EarlierPeaks peaks;
        QList<qint64> needsHere;
        QStringList broken;
        int withTorch = 0;
        for (qsizetype i = 0; i < estimate.builds.size(); ++i) {
            const PlannedBuild &build = estimate.builds.at(i);
            if (estimate.plan.builds.at(i).machine == 0)
                needsHere.append(build.memory);
            const VariantEntry *entry = build.asked ? snapshot.find(build.variant) : nullptr;
            if (!entry)
                continue;
            memory.append(buildMemory(*catalog, *entry, 0, BuildMachine::here(), peaks.of(build.variant)));
            if (entry->firstError())
                broken.append(build.variant);
            withTorch += entry->facts && entry->facts->torch.kind == TorchSource::Kind::Fetched;
        }
        printText(memoryText(memory).toUtf8());
        if (const QString crowded = crowdedText(needsHere, BuildMachine::here().memory, estimate.slotsHere);
            !crowded.isEmpty())
            tell(Tr::tr("note: %1").arg(crowded));
        if (!broken.isEmpty())
            tell(Tr::tr("note: The audit finds errors in %1. They are built only if they are named.")
                     .arg(shortList(broken)));
        if (withTorch > 0)
            tell(Tr::tr("note: %n recipes build on a PyTorch recipe of another repository. Where no cache has it, its "
                        "build comes before, and its time is not in these.",
                        nullptr, withTorch));
        if (estimate.others() == 0 && estimate.longestFirst + 60 <= estimate.plan.seconds)
            print(Tr::tr("The longest builds first would take about %1 (--longest-first).")
                      .arg(roughTimeText(estimate.longestFirst)));
    }
    if (!context.json)
        tellLeftOut(estimate, options.list);
    tellObstacles(estimate);
    if (nothing && estimate.leftOut.isEmpty())
        tell(joinedSentences({Tr::tr("Nothing to build on %1.").arg(snapshot.title()),
                              estimate.others() > 0
                                  ? Tr::tr("The queue has %n other builds.", nullptr, estimate.others())
                                  : QString()}));
    // Who names variants wants these.
    return nothing && !names->isEmpty() ? CouldNotBeDone : Done;
}

} // namespace

void addEstimate(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<EstimateOptions>();
    CLI::App *verb = app.add_subcommand(
        "estimate",
        Help::tr("Print how long builds will take, on which machines, and the shortest possible time. Builds "
                 "nothing"));
    verb->add_option("NAME", options->names, Help::tr("Variants (default: what \"build --all\" would queue)"));
    verb->add_option("--only", options->only, Help::tr("missing, stale, failed or all, as for build. May be repeated"))
        ->check(CLI::IsMember({"missing", "stale", "failed", "all"}))
        ->allow_extra_args(false)
        ->type_name("WHICH");
    verb->add_flag("--again", options->again, Help::tr("Also variants that are already built"));
    verb->add_option("--slots", options->slotCount,
                     Help::tr("Builds at a time on this machine (default: as \"queue set --parallel\" says)"))
        ->check(CLI::Range(1, mostSlots))
        ->type_name("N");
    addBuildersOption(*verb, options->builders);
    verb->add_flag("--longest-first", options->longestFirst,
                   Help::tr("Begin with the longest builds (default: in the order of the queue)"));
    verb->add_flag("--list", options->list, Help::tr("Print when and where each build begins and ends"));
    verb->add_option("--branch", options->branch, Help::tr("Branch to build (default: the checked-out one)"))
        ->type_name("B");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context)->excludes(verb->get_option("--list"));
    runOnCatalog(*verb, context, options, &estimate);
}

} // namespace tmx
