// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostFacts.h"

#include "model/base/Tr.h"
#include "model/hardware/GpuNames.h"
#include "model/hardware/VariantPicker.h"

#include <QLocale>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

using Kind = HostFact::Kind;

const QString cpuCommand = u"lscpu"_s;
const QString gpuCommand =
    u"nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total,pci.bus_id --format=csv"_s;
const QString memoryCommand = u"grep MemTotal /proc/meminfo"_s;

HostFact missing(const QString &title, const QString &value, const QString &command)
{
    return {Kind::Missing, title, value, command};
}

QString isaTitles(const Catalog &catalog, const HostReport &report)
{
    QStringList titles;
    for (const QString &id : isasThatRun(catalog, report, Workload::General))
        titles.append(catalog.isa(id)->title);
    return titles.isEmpty() ? Tr::tr("none of the catalog") : titles.join(u", "_s);
}

QList<HostFact> cpuFacts(const Catalog &catalog, const HostReport &report)
{
    QList<HostFact> facts;
    const QString title = Tr::tr("Processor");
    QStringList words{report.cpuModel};
    if (report.cores > 0)
        words.append(Tr::tr("%n cores", nullptr, report.cores));
    words.removeAll(QString());
    if (words.isEmpty())
        facts.append(missing(title, Tr::tr("not in the text"), cpuCommand));
    else
        facts.append({Kind::Read, title, words.join(u", "_s), {}});
    const QString sets = Tr::tr("Instruction sets");
    if (const HostReport named = recognisedByName(catalog, report);
        report.cpuFlags.isEmpty() && !named.cpuFlags.isEmpty()) {
        facts.append({Kind::ByName, sets, isaTitles(catalog, named), cpuCommand});
        return facts;
    }
    if (report.cpuFlags.isEmpty()) {
        facts.append(missing(sets, Tr::tr("the text has no flags of the processor"), cpuCommand));
        return facts;
    }
    facts.append({Kind::Read, sets, isaTitles(catalog, report), {}});
    return facts;
}

QList<HostFact> gpuFacts(const Catalog &catalog, const HostReport &report)
{
    const HostReport named = recognisedByName(catalog, report);
    QList<HostFact> facts;
    const QString title = Tr::tr("GPU");
    struct Alike {
        GpuInfo gpu;
        bool byName;
        int count;
    };
    QList<Alike> alike;
    for (qsizetype i = 0; i < named.gpus.size(); ++i) {
        GpuInfo gpu = named.gpus.at(i);
        gpu.busId.clear();
        if (!alike.isEmpty() && alike.constLast().gpu == gpu)
            ++alike.last().count;
        else
            alike.append({gpu, gpu.capability != report.gpus.at(i).capability, 1});
    }
    for (const auto &[gpu, byName, count] : std::as_const(alike)) {
        const QString name = count > 1 ? Tr::tr("%1 × %2").arg(QString::number(count), gpu.name) : gpu.name;
        if (gpu.capability.isEmpty()) {
            facts.append(missing(title, Tr::tr("%1: its compute capability is not in the text").arg(name), gpuCommand));
            continue;
        }
        const GpuRow *row = catalog.rowOfCapability(gpu.capability);
        const QString what = row ? Tr::tr("%1: compute capability %2 (%3)").arg(name, gpu.capability, row->generation)
                                 : Tr::tr("%1: compute capability %2").arg(name, gpu.capability);
        facts.append({byName ? Kind::ByName : Kind::Read, title, what, byName ? gpuCommand : QString()});
    }
    if (facts.isEmpty())
        facts.append(missing(title, Tr::tr("the text names no NVIDIA GPU"), gpuCommand));
    const QString driver = Tr::tr("Driver");
    if (!report.driver.isEmpty())
        facts.append({Kind::Read, driver, Tr::tr("NVIDIA %1").arg(report.driver), {}});
    else if (!report.gpus.isEmpty())
        facts.append(missing(driver, Tr::tr("not in the text"), gpuCommand));
    return facts;
}

} // namespace

QStringList machineCommands()
{
    return {cpuCommand, gpuCommand, memoryCommand};
}

QList<HostFact> factsOf(const Catalog &catalog, const HostReport &report)
{
    QList<HostFact> facts = cpuFacts(catalog, report) + gpuFacts(catalog, report);
    const QString memory = Tr::tr("Memory");
    if (report.memoryBytes > 0)
        facts.append({Kind::Read, memory, QLocale().formattedDataSize(report.memoryBytes, 0), {}});
    else
        facts.append(missing(memory, Tr::tr("not in the text"), memoryCommand));
    if (!report.cpuFlags.isEmpty()) // Else it may be assumed.
        facts.append({Kind::Read, Tr::tr("System"), report.architecture, {}});
    return facts;
}

} // namespace tmx
