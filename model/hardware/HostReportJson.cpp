// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostReportJson.h"

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
    return {{u"name"_s, report.name},
            {u"system"_s, report.architecture},
            {u"cpu"_s, QJsonObject{{u"model"_s, report.cpuModel}, {u"cores"_s, report.cores}, {u"flags"_s, QJsonArray::fromStringList(report.cpuFlags)}}},
            {u"memoryBytes"_s, report.memoryBytes},
            {u"driver"_s, report.driver},
            {u"gpus"_s, gpus},
            {u"remarks"_s, QJsonArray::fromStringList(report.remarks)}};
}

QJsonObject toJson(const Pick &pick)
{
    const Variant &variant = pick.variant;
    return {{u"name"_s, variant.name()},   {u"family"_s, variant.family},   {u"python"_s, variant.python},
            {u"cuda"_s, variant.cuda},     {u"gpu"_s, variant.row},         {u"isa"_s, variant.isa},
            {u"file"_s, variant.file()},   {u"fit"_s, toString(pick.fit)},  {u"covered"_s, pick.covered},
            {u"reasons"_s, QJsonArray::fromStringList(pick.reasons)}};
}

QString toString(Fit fit)
{
    switch (fit) {
    case Fit::Exact:
        return u"exact"_s;
    case Fit::RunsUntuned:
        return u"runs-untuned"_s;
    case Fit::DoesNotRun:
        return u"does-not-run"_s;
    }
    return {};
}

} // namespace tmx
