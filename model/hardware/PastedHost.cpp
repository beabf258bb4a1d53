// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/PastedHost.h"

#include "model/base/Tr.h"
#include "model/hardware/CpuInfo.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/NvidiaSmi.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString firstMatch(const QString &text, const QString &pattern)
{
    return QRegularExpression(pattern, QRegularExpression::MultilineOption).match(text).captured(1).trimmed();
}

/// Reads lscpu, which has the content of /proc/cpuinfo in another format.
void readLscpu(const QString &text, HostReport &report)
{
    if (report.cpuFlags.isEmpty()) {
        QStringList flags = firstMatch(text, u"^Flags:\\s+(.*)$"_s).split(u' ', Qt::SkipEmptyParts);
        flags.sort();
        report.cpuFlags = flags;
    }
    if (report.cpuModel.isEmpty())
        report.cpuModel = firstMatch(text, u"^(?:BIOS )?Model name:\\s+(.*)$"_s);
    if (report.cores == 0)
        report.cores = firstMatch(text, u"^CPU\\(s\\):\\s+(\\d+)$"_s).toInt();
    const QString architecture = firstMatch(text, u"^Architecture:\\s+(\\S+)$"_s);
    if (report.architecture.isEmpty() && !architecture.isEmpty())
        report.architecture = nixSystem(architecture, u"linux"_s);
}

/// Rows of a CSV query with columns in any order: each value is recognised by its form, and the value without a known
/// form is the name. A row without a compute capability counts if nvidia-smi could not report it ("[N/A]") and another
/// column shows that it is a row, because other text has commas too.
QList<GpuInfo> gpusOfCsv(const QString &text, QString &driver)
{
    static const QRegularExpression index(u"^\\d{1,3}\\z"_s);
    static const QRegularExpression capability(u"^\\d{1,2}\\.\\d\\z"_s);
    static const QRegularExpression version(u"^\\d{3}\\.\\d+(\\.\\d+)?\\z"_s);
    static const QRegularExpression memory(u"^\\d+ [KMGT]i?B\\z"_s);
    static const QRegularExpression uuid(u"^GPU-"_s);
    static const QRegularExpression untold(u"^\\[.*\\]\\z"_s);
    QList<GpuInfo> gpus;
    for (const QString &line : text.split(u'\n')) {
        GpuInfo gpu;
        gpu.source = u"nvidia-smi"_s;
        QString itsDriver;
        bool isUntold = false;
        for (const QString &field : line.split(u',')) {
            const QString value = field.trimmed();
            if (capability.match(value).hasMatch())
                gpu.capability = value;
            else if (version.match(value).hasMatch())
                itsDriver = value;
            else if (memory.match(value).hasMatch())
                gpu.memory = value;
            else if (const QString bus = sysfsBusId(value); !bus.isEmpty())
                gpu.busId = bus;
            else if (untold.match(value).hasMatch())
                isUntold = true;
            else if (gpu.name.isEmpty() && !index.match(value).hasMatch() && !uuid.match(value).hasMatch())
                gpu.name = value;
        }
        const bool isRow =
            !itsDriver.isEmpty() || !gpu.memory.isEmpty() || !gpu.busId.isEmpty() || gpu.name.startsWith("NVIDIA "_L1);
        if (gpu.capability.isEmpty() ? !isUntold || !isRow : gpu.name.isEmpty() || gpu.name.contains(u':'))
            continue;
        if (gpu.name.isEmpty())
            gpu.name = Tr::tr("NVIDIA GPU");
        gpus.append(gpu);
        if (!itsDriver.isEmpty())
            driver = itsDriver;
    }
    return gpus;
}

/// The same GPU may be in the text twice, once with fewer columns: the row with more columns counts.
QList<GpuInfo> withoutRepeats(const QList<GpuInfo> &gpus)
{
    const bool withBus = std::any_of(gpus.begin(), gpus.end(), [](const GpuInfo &gpu) { return !gpu.busId.isEmpty(); });
    QList<GpuInfo> result;
    for (const GpuInfo &gpu : gpus) {
        const auto same = [&gpu](const GpuInfo &other) { return other.busId == gpu.busId; };
        if (withBus ? !gpu.busId.isEmpty() && std::none_of(result.begin(), result.end(), same) : true)
            result.append(gpu);
    }
    return result;
}

/// Parses nvidia-smi's default table: "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:00:06.0 Off |".
QList<GpuInfo> gpusOfTable(const QString &text)
{
    static const QRegularExpression row(
        u"^\\|\\s+\\d+\\s+(\\S.*?)\\s+(?:On|Off|N/A)?\\s*\\|\\s+([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])"_s,
        QRegularExpression::MultilineOption);
    QList<GpuInfo> gpus;
    for (auto it = row.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        gpus.append({match.captured(1), {}, {}, sysfsBusId(match.captured(2)), u"nvidia-smi"_s});
    }
    return gpus;
}

} // namespace

Result<HostReport> readPastedHost(const QByteArray &bytes, const QString &name)
{
    const QString text = QString::fromUtf8(bytes).remove(u'\r');
    HostReport report;
    report.name = name;
    const CpuInfo cpu = readCpuInfo(text);
    report.architecture = cpu.architecture;
    report.cpuModel = cpu.model;
    report.cpuFlags = cpu.flags;
    report.cores = cpu.cores;
    readLscpu(text, report);
    report.memoryBytes = readMemTotal(text);
    report.os = osName(text);
    report.gpus = withoutRepeats(gpusOfCsv(text, report.driver));
    const QList<GpuInfo> table = gpusOfTable(text);
    if (report.gpus.isEmpty())
        report.gpus = table;
    if (report.gpus.isEmpty() && nvidiaSmiFailed(text))
        report.gpus.append({Tr::tr("NVIDIA GPU"), {}, {}, {}, u"nvidia-smi"_s});
    if (report.driver.isEmpty())
        report.driver = firstMatch(text, u"Driver Version\\s*:\\s*([\\d.]+)"_s);
    if (report.driver.isEmpty())
        report.driver = kernelDriverVersion(text);

    if (report.cpuFlags.isEmpty() && report.gpus.isEmpty())
        return Error{Tr::tr("read the machine"), name, Tr::tr("the text describes neither a CPU nor a GPU"),
                     Tr::tr("Paste what lscpu prints, and what nvidia-smi "
                            "--query-gpu=name,compute_cap,driver_version --format=csv prints.")};
    const bool architectureTold = !report.architecture.isEmpty();
    if (!architectureTold)
        report.architecture = u"x86_64-linux"_s;
    const QString pasted = Tr::tr("pasted text");
    const std::pair<QString, bool> facts[] = {{u"cpu"_s, !report.cpuFlags.isEmpty() || !report.cpuModel.isEmpty()},
                                              {u"memory"_s, report.memoryBytes > 0},
                                              {u"os"_s, !report.os.isEmpty()},
                                              {u"driver"_s, !report.driver.isEmpty()},
                                              {u"gpus"_s, !report.gpus.isEmpty()}};
    for (const auto &[fact, told] : facts) {
        if (told)
            report.sources.insert(fact, pasted);
    }
    report.sources.insert(u"system"_s, architectureTold ? pasted : Tr::tr("assumed"));
    if (report.cpuFlags.isEmpty())
        report.remarks.append(
            Tr::tr("The text does not say which instruction sets the CPU has; paste what lscpu prints as well."));
    if (std::any_of(report.gpus.begin(), report.gpus.end(),
                    [](const GpuInfo &gpu) { return gpu.capability.isEmpty(); }))
        report.remarks.append(Tr::tr("The text names no compute capability; paste what nvidia-smi "
                                     "--query-gpu=name,compute_cap,driver_version --format=csv prints as well."));
    if (report.gpus.isEmpty())
        report.remarks.append(Tr::tr("The text mentions no NVIDIA GPU."));
    return report;
}

} // namespace tmx
