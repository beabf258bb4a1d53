// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/DriverVerdict.h"

#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/hardware/HostReport.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
DriverVerdict judgeDriver(const Catalog &catalog, const QString &driver, const QString &cuda, const GpuRow *row)
{
    DriverVerdict verdict;
    const Toolkit *toolkit = catalog.toolkit(cuda);
    const QString rowFloor = row ? row->driverFloor : QString();
    if (!toolkit) {
        verdict.needed = rowFloor;
        verdict.sentence = Tr::tr("The catalog does not know which drivers CUDA %1 needs.").arg(cuda);
        return verdict;
    }
    const bool rowDecides = compareVersions(rowFloor, toolkit->compatibleDriver) > 0;
    verdict.needed = rowDecides ? rowFloor : toolkit->compatibleDriver;
    if (driver.isEmpty()) {
        verdict.sentence = Tr::tr("CUDA %1 needs NVIDIA driver %2 or newer; this machine's driver is unknown.")
                               .arg(cuda, verdict.needed);
    } else if (compareVersions(driver, verdict.needed) < 0) {
        verdict.kind = DriverVerdict::Kind::TooOld;
        verdict.sentence = rowDecides ? Tr::tr("%1 needs NVIDIA driver %2 or newer; this machine has %3.")
                                            .arg(row->generation, verdict.needed, driver)
                                      : Tr::tr("CUDA %1 needs NVIDIA driver %2 or newer; this machine has %3.")
                                            .arg(cuda, verdict.needed, driver);
    } else if (compareVersions(driver, toolkit->ownDriver) < 0) {
        verdict.kind = DriverVerdict::Kind::MinorVersion;
        verdict.sentence =
            Tr::tr("Driver %1 is older than CUDA %2's own (%3) and works by minor-version compatibility, from %4 on.")
                .arg(driver, cuda, toolkit->ownDriver, verdict.needed);
    } else {
        verdict.kind = DriverVerdict::Kind::Good;
        verdict.sentence =
            Tr::tr("Driver %1 is new enough for CUDA %2 (%3 or later).").arg(driver, cuda, toolkit->ownDriver);
    }
    return verdict;
}

namespace {

/// Only PCI shows the GPU, and no kernel module reports its version. nvidia-smi and Jetson boards may not report the
/// version.
DriverVerdict missing(DriverVerdict verdict, const HostReport &host, const GpuInfo &gpu, const QString &cuda)
{
    if (!host.driver.isEmpty() || gpu.source != "PCI id"_L1)
        return verdict;
    verdict.kind = DriverVerdict::Kind::Missing;
    verdict.sentence = Tr::tr("No NVIDIA driver is loaded; CUDA %1 needs %2 or newer.").arg(cuda, verdict.needed);
    return verdict;
}

} // namespace

DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, const GpuInfo &gpu, const QString &cuda,
                          const GpuRow &row)
{
    const GpuRow *own = catalog.rowOfCapability(gpu.capability);
    return missing(judgeDriver(catalog, host.driver, cuda, own ? own : &row), host, gpu, cuda);
}

DriverVerdict judgeDriver(const Catalog &catalog, const HostReport &host, QStringList toolkits)
{
    if (host.gpus.isEmpty())
        return {};
    const GpuInfo &gpu = host.gpus.constFirst();
    std::ranges::sort(toolkits, [](const QString &a, const QString &b) { return compareVersions(a, b) > 0; });
    DriverVerdict verdict;
    for (const QString &cuda : std::as_const(toolkits)) {
        verdict =
            missing(judgeDriver(catalog, host.driver, cuda, catalog.rowOfCapability(gpu.capability)), host, gpu, cuda);
        if (verdict.runs())
            break;
    }
    return verdict;
}

} // namespace tmx
