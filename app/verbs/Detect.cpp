// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/hardware/HardwareProbe.h"
#include "model/hardware/HostReportJson.h"
#include "model/hardware/VariantPicker.h"
#include "model/workspace/Operations.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>
#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct PickOptions {
    std::string branch;
    std::string workload = "general";
};

/// The probe is asynchronous for the window's sake; a verb has nothing else to do meanwhile.
HostReport probeThisMachine()
{
    HardwareProbe probe;
    HostReport report;
    QEventLoop loop;
    QObject::connect(&probe, &HardwareProbe::finished, &loop, [&](const HostReport &found) {
        report = found;
        loop.quit();
    });
    probe.start();
    loop.exec();
    return report;
}

void printReport(const Catalog &catalog, const HostReport &report)
{
    const auto line = [](const QString &label, const QString &value) {
        if (!value.isEmpty())
            print(u"%1  %2"_s.arg(label.leftJustified(8), value));
    };
    line(u"machine"_s, u"%1 (%2)"_s.arg(report.name, report.architecture));
    line(u"CPU"_s, report.cores > 0 ? u"%1, %2 cores"_s.arg(report.cpuModel).arg(report.cores) : report.cpuModel);
    line(u"runs"_s, isasThatRun(catalog, report, Workload::General).join(u", "_s));
    if (report.memoryBytes > 0)
        line(u"memory"_s, u"%1 GiB"_s.arg(double(report.memoryBytes) / (1024.0 * 1024.0 * 1024.0), 0, 'f', 1));
    for (const GpuInfo &gpu : report.gpus) {
        const GpuRow *row = gpu.capability.isEmpty() ? nullptr : catalog.rowOfCapability(gpu.capability);
        const QString architecture = gpu.capability.isEmpty() ? u"compute capability unknown"_s : u"compute capability %1"_s.arg(gpu.capability);
        line(u"GPU"_s, u"%1, %2%3 (from %4)"_s.arg(gpu.name, architecture, row ? u", "_s + row->id : QString(), gpu.source));
    }
    line(u"driver"_s, report.driver);
    for (const QString &remark : report.remarks)
        line(u"note"_s, remark);
}

int detect(const VerbContext &context)
{
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const HostReport report = probeThisMachine();
    if (context.json)
        print(toJson(report));
    else
        printReport(*catalog, report);
    return Done;
}

int pick(const VerbContext &context, const PickOptions &options)
{
    static const QHash<QString, Workload> workloads{{u"general"_s, Workload::General},
                                                    {u"bf16"_s, Workload::Bf16Training},
                                                    {u"int8"_s, Workload::Int8Inference},
                                                    {u"widest"_s, Workload::WidestReach}};
    const auto catalog = loadCatalogOrComplain();
    if (!catalog)
        return CouldNotBeDone;
    const Result<Reading> reading = readRepository(catalog, context.repoPath(), QString::fromStdString(options.branch));
    if (!reading)
        return complain(reading.error());
    const BranchSnapshot &snapshot = *reading->snapshot;
    const HostReport report = probeThisMachine();
    QString whyNothing;
    const QList<Pick> picks =
        pickVariants(*catalog, snapshot.line, report, workloads.value(QString::fromStdString(options.workload)), &whyNothing);
    const auto stateOf = [&snapshot](const Pick &pick) {
        const VariantEntry *entry = snapshot.find(pick.variant.name());
        return toString(entry ? entry->state : RecipeState::NotCovered);
    };
    if (context.json) {
        QJsonArray list;
        for (const Pick &pick : picks) {
            QJsonObject object = toJson(pick);
            object.insert(u"recipe"_s, stateOf(pick));
            list.append(object);
        }
        print(QJsonObject{{u"branch"_s, snapshot.branch}, {u"workload"_s, QString::fromStdString(options.workload)},
                          {u"machine"_s, toJson(report)}, {u"picks"_s, list}, {u"why"_s, whyNothing}});
        return picks.isEmpty() ? DoneWithFindings : Done;
    }
    if (picks.isEmpty()) {
        tell(whyNothing);
        return DoneWithFindings;
    }
    // The name alone goes to standard output, so that `flox build $(torch-matrix pick)` works; what explains it goes beside it.
    print(picks.first().variant.name());
    for (const QString &reason : picks.first().reasons)
        tell(u"  "_s + reason);
    if (!whyNothing.isEmpty())
        tell(u"  "_s + whyNothing);
    tell(u"  Its recipe on %1: %2."_s.arg(snapshot.branch, stateOf(picks.first())));
    return Done;
}

} // namespace

void addDetect(CLI::App &app, VerbContext &context)
{
    CLI::App *verb = app.add_subcommand("detect", "Say what this machine is: CPU, instruction sets, GPUs, driver");
    addJsonOption(*verb, context);
    verb->callback([&context] { context.run = [&context] { return detect(context); }; });
}

void addPick(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<PickOptions>();
    CLI::App *verb = app.add_subcommand("pick", "Name the variant of a branch that fits this machine, and say why");
    verb->add_option("--branch", options->branch, "Branch to pick from (default: the checked-out one)")->type_name("B");
    verb->add_option("--workload", options->workload, "What it is for: general, bf16, int8 or widest (default: general)")
        ->check(CLI::IsMember({"general", "bf16", "int8", "widest"}))
        ->type_name("W");
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] { context.run = [&context, options] { return pick(context, *options); }; });
}

} // namespace tmx
