// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Machine.h"

#include "app/verbs/Verb.h"
#include "model/base/Tr.h"
#include "model/hardware/GpuNames.h"
#include "model/hardware/HardwareProbe.h"
#include "model/hardware/HostText.h"
#include "model/hardware/MachineStore.h"
#include "model/hardware/RemoteProbe.h"

#include <CLI/CLI.hpp>

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>

#include <cstdio>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Result<HostReport> reportFromFile(const QString &path)
{
    if (path != u"-"_s)
        return readHostFile(path);
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return Error{Tr::tr("read the machine from"), Tr::tr("standard input"), input.errorString().toLower(), {}};
    return readHostText(input.read(largestHostText), u"standard input"_s);
}

/// Probes are asynchronous for the window; a verb just waits for them.
HostReport thisMachine()
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

Result<HostReport> reportOverSsh(const QString &host)
{
    RemoteProbe probe;
    std::optional<Result<HostReport>> report;
    QEventLoop loop;
    QObject::connect(&probe, &RemoteProbe::finished, &loop, [&](const Result<HostReport> &found) {
        report = found;
        loop.quit();
    });
    probe.start(host);
    loop.exec();
    return *report;
}

Result<HostReport> chosenReport(const MachineChoice &choice)
{
    if (!choice.ssh.empty())
        return reportOverSsh(QString::fromStdString(choice.ssh));
    if (!choice.from.empty())
        return reportFromFile(QString::fromStdString(choice.from));
    const QString machine = QString::fromStdString(choice.machine);
    if (machine.isEmpty())
        return thisMachine();
    const MachineStore store;
    if (!store.names().contains(machine) && QFileInfo(machine).isFile())
        return reportFromFile(machine);
    return store.load(machine);
}

} // namespace

void addOnOption(CLI::App &verb, MachineChoice &choice)
{
    verb.add_option(
            "--on", choice.machine,
            Help::tr("A machine that detect --save named, or a file that describes one (default: this machine)"))
        ->type_name("MACHINE");
}

Result<HostReport> reportOf(const Catalog &catalog, const MachineChoice &choice)
{
    const Result<HostReport> report = chosenReport(choice);
    return report ? Result(recognisedByName(catalog, *report)) : report;
}

BuilderReport askBuilders()
{
    BuilderProbe probe;
    BuilderReport report;
    QEventLoop loop;
    QObject::connect(&probe, &BuilderProbe::finished, &loop, [&](const BuilderReport &found) {
        report = found;
        loop.quit();
    });
    probe.start();
    loop.exec();
    return report;
}

} // namespace tmx
