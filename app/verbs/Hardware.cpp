// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Machine.h"
#include "app/verbs/Verb.h"

#include "model/base/Tr.h"
#include "model/change/Generate.h"
#include "model/hardware/HostReportJson.h"
#include "model/hardware/MachinePicks.h"
#include "model/hardware/MachineStore.h"
#include "model/workspace/BranchListing.h"
#include "model/workspace/PickChoices.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct DetectOptions {
    MachineChoice machine;
    std::string save;
    bool builders = false;
};

struct PickOptions {
    MachineChoice machine;
    bool allBranches = false;
    bool list = false;
    std::string branch;
    std::string workload = "general";
};

/// `asked`: the remote builders with their answers; null: they were not queried.
void printReport(const Catalog &catalog, const HostReport &report, const BuilderReport *asked)
{
    const auto line = [](const QString &label, const QString &value) {
        if (!value.isEmpty())
            print(u"%1  %2"_s.arg(label.leftJustified(8), value));
    };
    line(u"machine"_s, u"%1 (%2)"_s.arg(report.name, report.architecture));
    QStringList cpu{report.cpuModel, report.cores > 0 ? Tr::tr("%n cores", nullptr, report.cores) : QString()};
    cpu.removeAll(QString());
    line(u"CPU"_s, cpu.join(u", "_s));
    const QStringList isas = isasThatRun(catalog, report, Workload::General);
    line(u"runs"_s, isas.isEmpty() && !report.cpuFlags.isEmpty()
                        ? Tr::tr("no instruction set that recipes are made for")
                        : isas.join(u", "_s));
    if (report.memoryBytes > 0)
        line(u"memory"_s, u"%1 GiB"_s.arg(double(report.memoryBytes) / (1024.0 * 1024.0 * 1024.0), 0, 'f', 1));
    for (const GpuInfo &gpu : report.gpus) {
        const GpuRow *row = gpu.capability.isEmpty() ? nullptr : catalog.rowOfCapability(gpu.capability);
        const QString architecture =
            gpu.capability.isEmpty() ? u"compute capability unknown"_s : u"compute capability %1"_s.arg(gpu.capability);
        line(u"GPU"_s,
             u"%1, %2%3 (from %4)"_s.arg(gpu.name, architecture, row ? u", "_s + row->id : QString(), gpu.source));
    }
    line(u"driver"_s, report.driver);
    line(u"system"_s, report.os);
    if (report.freeDiskBytes > 0)
        line(u"disk"_s, Tr::tr("%1 GiB free where builds go")
                            .arg(double(report.freeDiskBytes) / (1024.0 * 1024.0 * 1024.0), 0, 'f', 0));
    line(u"builds"_s, report.nixSystems.join(u", "_s));
    for (const QString &builder : asked ? QStringList() : report.builders)
        line(u"builder"_s, builder);
    for (const BuilderAnswer &answer : asked ? asked->builders : QList<BuilderAnswer>()) {
        line(u"builder"_s, answer.builder.store);
        line({}, factsText(answer.builder));
        line({}, answerText(answer));
    }
    for (const QString &remark : asked ? asked->remarks : QStringList())
        line(u"note"_s, remark);
    for (const QString &remark : report.remarks)
        line(u"note"_s, remark);
}

Result<int> detect(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                   const DetectOptions &options)
{
    TM_TRY(report, reportOf(*catalog, options.machine));
    if (!options.save.empty()) {
        TM_CHECK(MachineStore().save(QString::fromStdString(options.save), *report));
    }
    const std::optional<BuilderReport> asked = options.builders ? std::optional(askBuilders()) : std::nullopt;
    if (context.json) {
        QJsonObject object = toJson(*report);
        QJsonArray answers;
        for (const BuilderAnswer &answer : asked ? asked->builders : QList<BuilderAnswer>())
            answers.append(toJson(answer));
        if (asked) {
            object.insert(u"remoteBuilders"_s, answers);
            object.insert(u"builderRemarks"_s, QJsonArray::fromStringList(asked->remarks));
        }
        print(object);
    } else {
        printReport(*catalog, *report, asked ? &*asked : nullptr);
        if (asked && asked->builders.isEmpty())
            tell(Tr::tr("Nix has no remote builders."));
    }
    const bool all = !asked || std::ranges::all_of(asked->builders, [](const BuilderAnswer &answer) {
        return answer.state == BuilderAnswer::State::Answers;
    });
    return all ? Done : DoneWithFindings;
}

/// The picks of a branch for the machine. Its recipes are let go: memory may not hold those of all branches.
struct BranchPicks {
    QString branch;
    QString title;
    QString settingsError;
    QHash<QString, RecipeState> states; ///< by variant
    QSet<QString> present;              ///< variants with a recipe
    QList<Candidate> candidates;
    MachinePicks machine;
    std::optional<UnreadBranch> unread; ///< what of it could not be read

    [[nodiscard]] QString recipe(const Pick &pick) const
    {
        return toString(states.value(pick.variant.name(), RecipeState::NotCovered));
    }
};

BranchPicks picksOf(const Catalog &catalog, const ReadBranch &branch,
                    const std::shared_ptr<const BranchRecipes> &others, const HostReport &report, Workload workload)
{
    const BranchSnapshot &snapshot = *branch.snapshot;
    const PickChoice choice = choiceOf(catalog, snapshot, others);
    BranchPicks picks{.branch = snapshot.branch,
                      .title = snapshot.title(),
                      .settingsError = snapshot.settingsError ? snapshot.settingsError->sentence() : QString(),
                      .states = {},
                      .present = {},
                      .candidates = choice.candidates,
                      .machine = picksFor(catalog, choice, report, workload),
                      .unread = std::nullopt};
    for (const auto &[name, entry] : snapshot.entries.asKeyValueRange()) {
        picks.states.insert(name, entry.state);
        if (entry.present)
            picks.present.insert(name);
    }
    tellOfRecipes(picks.machine, snapshot, buildsOf(snapshot));
    if (const Result<void> whole = checkWhole(*branch.content, Tr::tr("read")); !whole)
        picks.unread = {branch.source.label, whole.error()};
    return picks;
}

/// Sorts the branch with the best variant first, and branches where nothing runs last.
void rank(QList<BranchPicks> &branches, const Catalog &catalog, const HostReport &report, Workload workload)
{
    PickChoice choice;
    for (const BranchPicks &branch : std::as_const(branches))
        choice.candidates += branch.candidates;
    QHash<QString, qsizetype> places;
    for (const Pick &pick : pickVariants(catalog, choice, report, workload).run) {
        if (!places.contains(pick.branch))
            places.insert(pick.branch, places.size());
    }
    const auto place = [&places](const BranchPicks &branch) { return places.value(branch.branch, places.size()); };
    std::ranges::stable_sort(branches, {}, place);
}

QJsonObject json(const BranchPicks &branch, bool withAll)
{
    const auto withRecipe = [&branch](const Pick &pick) {
        QJsonObject object = toJson(pick);
        object.insert(u"recipe"_s, branch.recipe(pick));
        object.insert(u"package"_s, pick.package);
        object.insert(u"branch"_s, pick.branch);
        return object;
    };
    QJsonArray list;
    for (const Pick &pick : branch.machine.picks)
        list.append(withRecipe(pick));
    QJsonObject result{{u"branch"_s, branch.branch}, {u"picks"_s, list}, {u"why"_s, branch.machine.whyNothing}};
    if (withAll) {
        QJsonArray others;
        for (const Pick &pick : branch.machine.doNotRun)
            others.append(withRecipe(pick));
        result.insert(u"does_not_run"_s, others);
    }
    if (branch.machine.perGpu.isEmpty())
        return result;
    QJsonArray kinds;
    for (const GpuPick &kind : branch.machine.perGpu)
        kinds.append(QJsonObject{{u"gpus"_s, kind.gpus},
                                 {u"pick"_s, kind.pick ? withRecipe(*kind.pick) : QJsonValue()},
                                 {u"why"_s, kind.why}});
    result.insert(u"per_gpu"_s, kinds);
    result.insert(u"for_all"_s, branch.machine.forAll ? withRecipe(*branch.machine.forAll) : QJsonValue());
    return result;
}

/// For GPUs of several architectures: prints the best variant for each, and one that runs on all.
void tellOfUnlikeGpus(const BranchPicks &branch)
{
    const auto named = [&branch](const Pick &pick) {
        const bool elsewhere = !pick.branch.isEmpty() && pick.branch != branch.branch;
        const bool there = elsewhere || branch.present.contains(pick.variant.name());
        return there ? pick.name() : Tr::tr("%1 (there is no recipe)").arg(pick.name());
    };
    const MachinePicks &machine = branch.machine;
    for (const GpuPick &kind : machine.perGpu)
        tell(u"  %1"_s.arg(Tr::tr("For the %1: %2").arg(kind.gpus, kind.pick ? named(*kind.pick) : kind.why)));
    if (!machine.perGpu.isEmpty())
        tell(u"  %1"_s.arg(machine.forAll ? Tr::tr("For all of its GPUs: %1").arg(named(*machine.forAll))
                                          : Tr::tr("For all of its GPUs: no variant uses them all.")));
}

QJsonArray json(const QList<GpuRow> &rows)
{
    QJsonArray list;
    for (const GpuRow &row : rows)
        list.append(QJsonObject{{u"gpu"_s, row.id},
                                {u"capability"_s, row.capability},
                                {u"generation"_s, row.generation},
                                {u"products"_s, QJsonArray::fromStringList(row.products)}});
    return list;
}

/// Prints only the name to standard output, so that `flox build $(torch-matrix pick)` works; with many branches each
/// name follows its branch. Explanations go to standard error.
void printBest(const BranchPicks &branch, bool ofMany)
{
    if (!branch.settingsError.isEmpty())
        tell(u"%1: %2"_s.arg(branch.title, branch.settingsError));
    if (branch.machine.picks.isEmpty()) {
        tell(u"%1: %2"_s.arg(branch.title, branch.machine.whyNothing));
        return;
    }
    const Pick &best = branch.machine.picks.first();
    print(ofMany ? branch.branch + u'\t' + best.name() : best.name());
    for (const QString &reason : best.reasons)
        tell(u"  "_s + reason);
    tellOfUnlikeGpus(branch);
}

/// A readable word for how a variant fits.
QString wordOf(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return u"exact"_s;
    case Fit::RunsUntuned: return u"runs, not tuned"_s;
    case Fit::DoesNotRun: return u"does not run"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

/// Prints every variant of the branch, one per line: how it fits, its name, and the deciding reason.
void printList(const BranchPicks &branch, bool ofMany)
{
    for (const Pick &pick : branch.machine.picks + branch.machine.doNotRun)
        print(u"%1%2  %3  %4"_s.arg(ofMany ? branch.title + u'\t' : QString(), wordOf(pick.fit).leftJustified(15),
                                    pick.name(), pick.reasons.value(0)));
}

struct ReadPicks {
    QList<BranchPicks> branches;
    QList<UnreadBranch> unread;
};

/// Errors: as sourcesOf(); if no branch can be read, the first branch's error.
Result<ReadPicks> readPicks(const SnapshotReader &reader, const VerbContext &context, const PickOptions &options,
                            const std::function<BranchPicks(const ReadBranch &)> &picksOf)
{
    TM_TRY(sources, sourcesOf(context, options.branch, options.allBranches));
    std::vector<std::optional<BranchPicks>> all(size_t(sources->sources.size()));
    const BranchesReading reading =
        reader.readEach(*sources, [&](qsizetype i, const ReadBranch &branch) { all[size_t(i)] = picksOf(branch); });
    ReadPicks read{{}, reading.unread};
    for (const std::optional<BranchPicks> &picks : all) {
        if (picks)
            read.branches.append(*picks);
        if (picks && picks->unread)
            read.unread.append(*picks->unread);
    }
    if (read.branches.isEmpty() && !read.unread.isEmpty())
        return read.unread.constFirst().error;
    return read;
}

Result<int> pick(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const PickOptions &options)
{
    static const QHash<QString, Workload> workloads{{u"general"_s, Workload::General},
                                                    {u"bf16"_s, Workload::Bf16Training},
                                                    {u"int8"_s, Workload::Int8Inference},
                                                    {u"widest"_s, Workload::WidestReach}};
    TM_TRY(report, reportOf(*catalog, options.machine));
    const QString workload = QString::fromStdString(options.workload);
    const SnapshotReader reader(catalog);
    TM_TRY(recipes, readBranchRecipes(reader, context.repoPath()));
    const auto others = std::make_shared<const BranchRecipes>(std::move(recipes).value());
    TM_TRY(read, readPicks(reader, context, options, [&](const ReadBranch &branch) {
               return picksOf(*catalog, branch, others, *report, workloads.value(workload));
           }));
    QList<BranchPicks> &branches = read->branches;
    rank(branches, *catalog, *report, workloads.value(workload));
    const QList<GpuRow> uncovered = options.allBranches ? others->uncoveredGpus(*catalog) : QList<GpuRow>();
    // If no variant uses the GPU, a CPU variant is picked, but that counts as a finding: the GPU's owner wants to know.
    // A variant without a recipe is a finding too: it cannot be built yet.
    const bool any = std::ranges::any_of(branches, [](const BranchPicks &branch) {
        return !branch.machine.picks.isEmpty() && branch.machine.whyNothing.isEmpty() &&
               branch.machine.picks.constFirst().recipe != Candidate::Recipe::None;
    });
    if (context.json) {
        QJsonObject object{{u"workload"_s, workload}, {u"machine"_s, toJson(*report)}};
        QJsonArray list;
        for (const BranchPicks &branch : std::as_const(branches))
            list.append(json(branch, options.list));
        if (options.allBranches) {
            object.insert(u"branches"_s, list);
            object.insert(u"uncovered"_s, json(uncovered));
            object.insert(u"errors"_s, toJson(read->unread));
        } else {
            const QJsonObject only = list.first().toObject();
            for (auto it = only.begin(); it != only.end(); ++it)
                object.insert(it.key(), it.value());
        }
        print(object);
    } else {
        for (const BranchPicks &branch : std::as_const(branches))
            (options.list ? printList : printBest)(branch, options.allBranches);
        for (const GpuRow &row : std::as_const(uncovered)) {
            if (std::ranges::find(report->gpus, row.capability, &GpuInfo::capability) != report->gpus.cend())
                tell(Tr::tr("%1: no recipe on any branch").arg(shortTitle(row)));
        }
    }
    tellUnread(read->unread);
    return any && read->unread.isEmpty() ? Done : DoneWithFindings;
}

/// The systems that the checked-out branch's recipe is for; empty: that is not known.
QStringList systemsHere(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                        const Variant &variant)
{
    QStringList systems;
    const Result<BranchSources> sources = sourcesOf(context, {}, false);
    if (!sources || !variant.isa.isEmpty())
        return systems;
    const auto take = [&](qsizetype, const ReadBranch &branch) {
        const VariantEntry *entry = branch.snapshot->find(variant.name());
        systems = entry && entry->present ? entry->systems(*catalog) : QStringList();
    };
    std::ignore = SnapshotReader(catalog).readEach(*sources, take); // Outside of a repository the name alone counts.
    return systems;
}

Result<int> explain(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog, const QString &name,
                    const MachineChoice &machine)
{
    TM_TRY(variant, variantNamed(*catalog, name));
    TM_TRY(report, reportOf(*catalog, machine));
    const Pick verdict =
        judge(*catalog, *report, {.variant = *variant, .systems = systemsHere(context, catalog, *variant)});
    if (context.json) {
        print(toJson(verdict));
    } else {
        print(u"%1 on %2: %3"_s.arg(name, report->name, wordOf(verdict.fit)));
        for (const QString &reason : verdict.reasons)
            print(u"  "_s + reason);
    }
    return verdict.fit == Fit::DoesNotRun ? DoneWithFindings : Done;
}

} // namespace

void addDetect(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<DetectOptions>();
    CLI::App *verb =
        app.add_subcommand("detect", Help::tr("Print what a machine has: CPU, instruction sets, GPUs, driver"));
    auto *ssh = verb->add_option("--ssh", options->machine.ssh,
                                 Help::tr("Another machine, over ssh with your own configuration"))
                    ->type_name("HOST");
    verb->add_option("--from", options->machine.from,
                     Help::tr("A file with a saved report, or with what lscpu, nvidia-smi, lspci or PyTorch's "
                              "collect_env print, alone or mixed (- reads standard input)"))
        ->excludes(ssh)
        ->type_name("FILE");
    verb->add_flag("--builders", options->builders,
                   Help::tr("Ask each of Nix's remote builders whether it answers; exit code 1: one does not"))
        ->excludes(ssh)
        ->excludes(verb->get_option("--from"));
    verb->add_option("--save", options->save, Help::tr("Save the report under this name, for --on"))->type_name("NAME");
    addJsonOption(*verb, context);
    runOnCatalog(*verb, context, options, &detect);
}

void addPick(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PickOptions>();
    CLI::App *verb = app.add_subcommand("pick", Help::tr("Print the variant of a branch that fits a machine, and why"));
    auto *branch =
        verb->add_option("--branch", options->branch, Help::tr("Branch to pick from (default: the checked-out one)"))
            ->type_name("B");
    verb->add_flag("--all-branches", options->allBranches,
                   Help::tr("One pick for each local branch, the branch that fits best first"))
        ->excludes(branch);
    verb->add_flag(
        "--list", options->list,
        Help::tr("Every variant, best first, a line each; those that do not run come last, with the reason"));
    verb->add_option("--workload", options->workload,
                     Help::tr("Purpose: general, bf16, int8 or widest (default: general)"))
        ->check(CLI::IsMember({"general", "bf16", "int8", "widest"}))
        ->type_name("W");
    addOnOption(*verb, options->machine);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    runOnCatalog(*verb, context, options, &pick);
}

void addExplain(CLI::App &app, VerbContext &context)
{
    auto name = std::make_shared<std::string>();
    auto machine = std::make_shared<MachineChoice>();
    CLI::App *verb =
        app.add_subcommand("explain", Help::tr("Print whether a variant runs on a machine, with every reason"));
    verb->add_option("NAME", *name, Help::tr("Variant, as list prints it"))->required();
    addOnOption(*verb, *machine);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, name, machine] {
        context.runWith([&context, name, machine](const auto &catalog) {
            return explain(context, catalog, QString::fromStdString(*name), *machine);
        });
    });
}

} // namespace tmx
