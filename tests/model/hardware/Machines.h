// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/CpuInfo.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/PciGpus.h"

#include "tests/support/FileText.h"

#include <QFile>
#include <QtTest>

namespace tmx::test {

inline QByteArray fixture(const QString &name)
{
    return tmx::test::contentOf(QStringLiteral(TM_FIXTURES "/") + name);
}

/// The files of a machine with that processor (a file in fixtures/cpuinfo) and no GPU.
inline HostFiles filesOf(const QString &cpu, qint64 gibibytes = 64)
{
    const CpuInfo info = readCpuInfo(QString::fromUtf8(fixture(QStringLiteral("cpuinfo/") + cpu)));
    HostFiles files;
    files.host.name = QStringLiteral("box");
    files.host.architecture = info.architecture;
    files.host.cpuModel = info.model;
    files.host.cpuFlags = info.flags;
    files.host.cores = info.cores;
    files.host.memoryBytes = gibibytes << 30;
    files.hasPci = true;
    return files;
}

/// A row of nvidia-smi's output.
inline QString smiRow(const QString &name, const QString &capability, const QString &driver, int index = 0)
{
    return QStringLiteral("%1, %2, %3, %4, 24576 MiB, 00000000:0%5:00.0\n")
        .arg(QString::number(index), name, capability, driver, QString::number(index + 1));
}

/// A machine according to its processor and nvidia-smi. `smi` is nvidia-smi's output, with rows separated by newlines.
inline HostReport machine(const QString &cpu, const QString &smi)
{
    return combine(filesOf(cpu), readNvidiaSmi(smi.toUtf8(), 0, true));
}

/// A machine without nvidia-smi whose PCI bus has these NVIDIA devices (identifiers as in pci.ids).
inline HostReport machineByPci(const QString &cpu, const QStringList &devices, const QString &kernelDriver = {})
{
    HostFiles files = filesOf(cpu);
    QList<PciDevice> onBus;
    for (const QString &device : devices)
        onBus.append({QStringLiteral("0000:0%1:00.0").arg(onBus.size() + 1), QStringLiteral("0x10de"),
                      QStringLiteral("0x") + device, QStringLiteral("0x030000")});
    files.pciGpus = gpusOnPci(onBus, fixture(QStringLiteral("pci.ids")));
    files.hasPciNames = true;
    files.kernelDriver = kernelDriver;
    return combine(files, NvidiaSmiAnswer{.problem = QStringLiteral("nvidia-smi is not installed.")});
}

/// A Jetson board without nvidia-smi.
inline HostReport board(const QString &cpu, const QByteArray &compatible, const QByteArray &model)
{
    HostFiles files = filesOf(cpu);
    files.boardGpus = gpusOfDeviceTree(compatible, model);
    return combine(files, NvidiaSmiAnswer{.problem = QStringLiteral("nvidia-smi is not installed.")});
}

/// The captured machine.
inline HostReport capturedH100()
{
    HostFiles files = filesOf(QStringLiteral("../hosts/h100-sapphire-rapids/cpuinfo"), 128);
    return combine(files,
                   readNvidiaSmi(fixture(QStringLiteral("hosts/h100-sapphire-rapids/nvidia-smi-query.csv")), 0, true));
}

} // namespace tmx::test
