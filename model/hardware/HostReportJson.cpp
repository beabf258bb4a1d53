// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostReportJson.h"

#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/hardware/VariantPicker.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;

namespace tmx {

QJsonObject toJson(const HostReport &report)
{
    QJsonArray gpus;
    for (const GpuInfo &gpu : report.gpus) {
        gpus.append(QJsonObject{{u"name"_s, gpu.name},
                                {u"capability"_s, gpu.capability},
                                {u"memory"_s, gpu.memory},
                                {u"busId"_s, gpu.busId},
                                {u"source"_s, gpu.source}});
    }
    QJsonObject sources;
    for (auto it = report.sources.begin(); it != report.sources.end(); ++it)
        sources.insert(it.key(), it.value());
    return {{u"name"_s, report.name},
            {u"system"_s, report.architecture},
            {u"cpu"_s, QJsonObject{{u"model"_s, report.cpuModel},
                                   {u"cores"_s, report.cores},
                                   {u"flags"_s, QJsonArray::fromStringList(report.cpuFlags)}}},
            {u"memoryBytes"_s, report.memoryBytes},
            {u"driver"_s, report.driver},
            {u"gpus"_s, gpus},
            {u"os"_s, report.os},
            {u"freeDiskBytes"_s, report.freeDiskBytes},
            {u"nixSystems"_s, QJsonArray::fromStringList(report.nixSystems)},
            {u"builders"_s, QJsonArray::fromStringList(report.builders)},
            {u"sources"_s, sources},
            {u"remarks"_s, QJsonArray::fromStringList(report.remarks)}};
}

namespace {

QStringList strings(const QJsonValue &array)
{
    QStringList result;
    for (const QJsonValue &value : array.toArray())
        result.append(value.toString());
    return result;
}

} // namespace

Result<HostReport> hostReportFromJson(const QJsonObject &object)
{
    HostReport report;
    report.name = object[u"name"_s].toString();
    report.architecture = object[u"system"_s].toString();
    if (report.architecture.isEmpty())
        return Error{Tr::tr("read the machine"), report.name, Tr::tr("the text names no \"system\""),
                     forSurface(Tr::tr("It is made by: torch-matrix detect --json."),
                                Tr::tr("Choose a machine that this program has saved."))};
    const QJsonObject cpu = object[u"cpu"_s].toObject();
    report.cpuModel = cpu[u"model"_s].toString();
    report.cores = cpu[u"cores"_s].toInt();
    report.cpuFlags = strings(cpu[u"flags"_s]);
    report.memoryBytes = object[u"memoryBytes"_s].toInteger();
    report.driver = object[u"driver"_s].toString();
    for (const QJsonValue &gpu : object[u"gpus"_s].toArray())
        report.gpus.append({gpu[u"name"_s].toString(), gpu[u"capability"_s].toString(), gpu[u"memory"_s].toString(),
                            gpu[u"busId"_s].toString(), gpu[u"source"_s].toString()});
    report.os = object[u"os"_s].toString();
    report.freeDiskBytes = object[u"freeDiskBytes"_s].toInteger();
    report.nixSystems = strings(object[u"nixSystems"_s]);
    report.builders = strings(object[u"builders"_s]);
    const QJsonObject sources = object[u"sources"_s].toObject();
    for (auto it = sources.begin(); it != sources.end(); ++it)
        report.sources.insert(it.key(), it.value().toString());
    report.remarks = strings(object[u"remarks"_s]);
    return report;
}

QJsonObject toJson(const Pick &pick)
{
    QJsonObject object = partsJson(pick.variant);
    object.insert(u"name"_s, pick.variant.name());
    object.insert(u"file"_s, pick.variant.file());
    object.insert(u"fit"_s, toString(pick.fit));
    object.insert(u"covered"_s, pick.covered);
    object.insert(u"reasons"_s, QJsonArray::fromStringList(pick.reasons));
    return object;
}

QString toString(Fit fit)
{
    switch (fit) {
    case Fit::Exact: return u"exact"_s;
    case Fit::RunsUntuned: return u"runs-untuned"_s;
    case Fit::DoesNotRun: return u"does-not-run"_s;
    }
    return {};
}

} // namespace tmx
