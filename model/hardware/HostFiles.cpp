// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/HostFiles.h"

#include "model/base/MachineMemory.h"
#include "model/base/Tr.h"
#include "model/hardware/CpuInfo.h"
#include "model/hardware/PciGpus.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStorageInfo>
#include <QSysInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// Debian and Ubuntu; Fedora, Arch and openSUSE; NixOS.
constexpr QLatin1StringView pciIdsPlaces[] = {"usr/share/misc/pci.ids"_L1, "usr/share/hwdata/pci.ids"_L1,
                                              "run/current-system/sw/share/pci.ids"_L1};

// Limit for reading a file; /proc/cpuinfo of a machine with 1,000 threads has about 2 MB.
constexpr qint64 largestFile = 16 * 1024 * 1024;

QByteArray contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(largestFile) : QByteArray();
}

QString lineOf(const QString &path)
{
    return QString::fromUtf8(contentOf(path)).trimmed();
}

QList<PciDevice> readPciDevices(const QDir &folder)
{
    QList<PciDevice> devices;
    for (const QString &busId : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        const QString path = folder.filePath(busId) + u'/';
        PciDevice device{busId, lineOf(path + "vendor"_L1), {}, {}};
        if (device.vendor != "0x10de"_L1)
            continue; // A server has hundreds of PCI functions; only NVIDIA's are read further.
        device.device = lineOf(path + "device"_L1);
        device.deviceClass = lineOf(path + "class"_L1);
        devices.append(device);
    }
    return devices;
}

void readProcessor(const QDir &root, HostReport &host)
{
    const CpuInfo cpu = readCpuInfo(QString::fromUtf8(contentOf(root.filePath(u"proc/cpuinfo"_s))));
    host.architecture = cpu.architecture.isEmpty()
                            ? nixSystem(QSysInfo::currentCpuArchitecture(), QSysInfo::kernelType())
                            : cpu.architecture;
    host.cpuModel = cpu.model;
    host.cpuFlags = cpu.flags;
    host.cores = cpu.cores;
    const QString cpuinfo = u"/proc/cpuinfo"_s;
    host.sources.insert(u"system"_s, cpu.architecture.isEmpty() ? Tr::tr("the running program") : cpuinfo);
    if (!cpu.flags.isEmpty() || !cpu.model.isEmpty())
        host.sources.insert(u"cpu"_s, cpuinfo);
    if (cpu.flags.isEmpty())
        host.remarks.append(Tr::tr("/proc/cpuinfo does not say which instruction sets the CPU has."));
    else if (cpu.unlike)
        host.remarks.append(Tr::tr("The CPU has different kinds of cores; only features of all cores count."));
}

/// The environment of builds besides the CPU: operating system, disk, what Nix builds here and on builders.
void readSurroundings(const QDir &root, HostReport &host)
{
    host.os = osName(QString::fromUtf8(contentOf(root.filePath(u"etc/os-release"_s))));
    host.builders = nixBuilders(QString::fromUtf8(contentOf(root.filePath(u"etc/nix/machines"_s))));
    host.nixSystems = nixSystems(QString::fromUtf8(contentOf(root.filePath(u"etc/nix/nix.conf"_s))));
    if (!host.nixSystems.isEmpty() && !host.nixSystems.contains(host.architecture))
        host.nixSystems.prepend(host.architecture);
    QString store;
    for (const QString &place : {u"nix/store"_s, u"nix"_s, u"."_s}) {
        if (store.isEmpty() && QFileInfo::exists(root.filePath(place)))
            store = root.filePath(place);
    }
    host.freeDiskBytes = std::max<qint64>(0, QStorageInfo(store).bytesAvailable());
    if (host.freeDiskBytes > 0)
        host.sources.insert(u"disk"_s,
                            Tr::tr("the file system of %1").arg(u'/' + root.relativeFilePath(store).remove(u"."_s)));
    if (!host.os.isEmpty())
        host.sources.insert(u"os"_s, u"/etc/os-release"_s);
    if (!host.builders.isEmpty())
        host.sources.insert(u"builders"_s, u"/etc/nix/machines"_s);
    if (!host.nixSystems.isEmpty())
        host.sources.insert(u"nixSystems"_s, u"/etc/nix/nix.conf"_s);
}

void readGpus(const QDir &root, HostFiles &files)
{
    const QDir pci(root.filePath(u"sys/bus/pci/devices"_s));
    files.hasPci = pci.exists();
    const QList<PciDevice> devices = files.hasPci ? readPciDevices(pci) : QList<PciDevice>();
    if (std::any_of(devices.cbegin(), devices.cend(), isNvidiaGpu)) {
        QByteArray names; // 1.5 MB, so it is only read if it is needed.
        for (const QLatin1StringView place : pciIdsPlaces) {
            if (names.isEmpty())
                names = contentOf(root.filePath(place));
        }
        files.hasPciNames = !names.isEmpty();
        files.pciGpus = gpusOnPci(devices, names);
    }
    files.boardGpus = gpusOfDeviceTree(contentOf(root.filePath(u"proc/device-tree/compatible"_s)),
                                       contentOf(root.filePath(u"proc/device-tree/model"_s)));
}

/// Fills in what nvidia-smi did not report about one of its GPUs.
void complete(GpuInfo &gpu, const HostFiles &files, qsizetype gpuCount)
{
    const auto onPci = std::find_if(files.pciGpus.cbegin(), files.pciGpus.cend(), [&gpu](const GpuInfo &other) {
        return !gpu.busId.isEmpty() && other.busId == gpu.busId;
    });
    if (onPci != files.pciGpus.cend() && !onPci->capability.isEmpty()) {
        gpu.capability = onPci->capability;
        gpu.source = u"nvidia-smi, PCI id"_s;
    } else if (gpuCount == 1 && files.boardGpus.size() == 1) {
        gpu.capability = files.boardGpus.constFirst().capability;
        gpu.source = u"nvidia-smi, device tree"_s;
    }
}

} // namespace

QString kernelDriverVersion(const QString &text)
{
    static const QRegularExpression pattern(u"^NVRM version:.*?\\s(\\d+(\\.\\d+)+)\\s"_s,
                                            QRegularExpression::MultilineOption);
    return pattern.match(text).captured(1);
}

QString osName(const QString &osRelease)
{
    static const QRegularExpression pattern(u"^PRETTY_NAME=\"?([^\"\\n]*)\"?$"_s, QRegularExpression::MultilineOption);
    return pattern.match(osRelease).captured(1);
}

HostFiles readHostFiles(const QString &root)
{
    const QDir folder(root);
    HostFiles files;
    files.host.name = lineOf(folder.filePath(u"proc/sys/kernel/hostname"_s));
    files.host.sources.insert(u"name"_s, files.host.name.isEmpty() ? u"uname"_s : u"/proc/sys/kernel/hostname"_s);
    if (files.host.name.isEmpty())
        files.host.name = QSysInfo::machineHostName();
    readProcessor(folder, files.host);
    files.host.memoryBytes = readMemTotal(QString::fromUtf8(contentOf(folder.filePath(u"proc/meminfo"_s))));
    if (files.host.memoryBytes > 0)
        files.host.sources.insert(u"memory"_s, u"/proc/meminfo"_s);
    readSurroundings(folder, files.host);
    readGpus(folder, files);
    files.kernelDriver =
        kernelDriverVersion(QString::fromUtf8(contentOf(folder.filePath(u"proc/driver/nvidia/version"_s))));
    return files;
}

HostReport combine(const HostFiles &files, const NvidiaSmiAnswer &smi, const NixAnswer &nix)
{
    HostReport report = files.host;
    takeNixAnswer(report, nix);
    report.driver = smi.driver.isEmpty() ? files.kernelDriver : smi.driver;
    if (!report.driver.isEmpty())
        report.sources.insert(u"driver"_s, smi.driver.isEmpty() ? u"/proc/driver/nvidia/version"_s : u"nvidia-smi"_s);
    report.gpus = smi.gpus;
    for (GpuInfo &gpu : report.gpus) {
        if (gpu.capability.isEmpty())
            complete(gpu, files, smi.gpus.size());
    }
    if (report.gpus.isEmpty())
        report.gpus = files.pciGpus;
    if (report.gpus.isEmpty())
        report.gpus = files.boardGpus;
    // The driver's program without a GPU on the bus means nothing; if the bus is invisible, it means that there is a
    // GPU.
    if (report.gpus.isEmpty() && smi.gpuUnknown && !files.hasPci)
        report.gpus.append({Tr::tr("NVIDIA GPU"), {}, {}, {}, u"nvidia-smi"_s});

    if (!report.gpus.isEmpty())
        report.sources.insert(u"gpus"_s, report.gpus.constFirst().source);
    if (!smi.problem.isEmpty())
        report.remarks.append(smi.problem);
    if (report.gpus.isEmpty()) {
        report.remarks.append(
            files.hasPci
                ? Tr::tr("No NVIDIA GPU was found.")
                : Tr::tr("No NVIDIA GPU was found; the PCI bus cannot be seen from here, as in some containers."));
        return report;
    }
    const bool byPci = report.gpus.constFirst().source == "PCI id"_L1;
    if (byPci && report.driver.isEmpty())
        report.remarks.append(Tr::tr("The GPUs were found on the PCI bus; no NVIDIA driver is loaded."));
    else if (byPci)
        report.remarks.append(Tr::tr("The GPUs were found on the PCI bus."));
    if (byPci && !files.hasPciNames)
        report.remarks.append(
            Tr::tr("Their names are unknown: install the list of PCI names (package pci.ids or hwdata)."));
    for (const GpuInfo &gpu : std::as_const(report.gpus)) {
        const QString remark = Tr::tr("The architecture of the %1 is unknown.").arg(gpu.name);
        if (gpu.capability.isEmpty() && !report.remarks.contains(remark))
            report.remarks.append(remark);
    }
    return report;
}

} // namespace tmx
