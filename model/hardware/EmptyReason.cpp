// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/EmptyReason.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

QString whyNoIsa(const Catalog &catalog, const HostReport &host)
{
    for (const Isa &isa : catalog.isas) { // In grid order: the first one of a platform has the lowest requirements.
        if (isa.platform == host.architecture) {
            return Tr::tr("No variant runs on this CPU: the lowest instruction set of recipes, %1, needs %2, which the "
                          "CPU does not report.")
                .arg(isa.title, spoken(judgeCpu(host, isa).missing));
        }
    }
    return Tr::tr("No variant runs on this machine: recipes are not made for %1.").arg(host.architecture);
}

QString whyNotThisGpu(const Catalog &catalog, const PickChoice &choice, const HostReport &host, const Judge &judge,
                      const GpuInfo &gpu, const QList<Judged> &elsewhere)
{
    if (gpu.capability.isEmpty() && gpu.source.startsWith("nvidia-smi"_L1))
        return forSurface(
                   Tr::tr(
                       "The architecture of the %1 is unknown; nvidia-smi --query-gpu=name,compute_cap,driver_version "
                       "--format=csv prints it."),
                   Tr::tr("The architecture of the %1 is unknown. Copy command in Another machine copies a command "
                          "that prints it."))
            .arg(gpu.name);
    if (gpu.capability.isEmpty()) {
        return host.driver.isEmpty()
                   ? Tr::tr("The architecture of the %1 is unknown; install the NVIDIA driver and detect again.")
                         .arg(gpu.name)
                   : Tr::tr("The architecture of the %1 is unknown; install the list of PCI names (package pci.ids "
                            "or hwdata) and detect again.")
                         .arg(gpu.name);
    }
    const GpuRow *row = catalog.rowOfCapability(gpu.capability);
    if (!row)
        return Tr::tr("No recipe covers the %1; the catalog has no such architecture.").arg(described(gpu));
    QString why = choice.branch.isEmpty()
                      ? Tr::tr("No recipe covers the %1").arg(described(gpu))
                      : Tr::tr("No recipe of branch %1 covers the %2").arg(choice.branch, described(gpu));
    QString newest;
    for (const Variant &kind : choice.kinds) {
        if (compareVersions(kind.cuda, newest) > 0)
            newest = kind.cuda;
    }
    if (!newest.isEmpty()) {
        const Variant &kind = choice.kinds.constFirst();
        const Validity validity = catalog.validity({kind.family, kind.python, newest, row->id, judge.isas().value(0)});
        if (!validity.valid)
            why = Tr::tr("%1: %2").arg(why, validity.reason);
        if (why.endsWith(u'.'))
            why.chop(1);
    }
    const auto there = std::ranges::find_if(elsewhere, [row](const Judged &other) {
        return other.gpuDistance < Judge::cpuDistance && other.pick.variant.row == row->id;
    });
    if (there != elsewhere.cend())
        return Tr::tr("%1; branch %2 has %3.").arg(why, there->pick.branch, there->pick.name());
    return choice.allRead && !choice.branch.isEmpty() ? Tr::tr("%1, and no other branch has one.").arg(why)
                                                      : withFullStop(why);
}

} // namespace

QString emptyReason(const Catalog &catalog, const PickChoice &choice, const HostReport &host, const Judge &judge,
                    const QList<Judged> &ranked, const QList<Judged> &elsewhere)
{
    const bool fits = std::any_of(ranked.cbegin(), ranked.cend(), [&judge](const Judged &judged) {
        return judged.runs() && (judge.gpus().isEmpty() || judged.gpuDistance < Judge::cpuDistance);
    });
    if (fits)
        return {};
    if (judge.isas().isEmpty())
        return whyNoIsa(catalog, host);
    if (judge.gpus().isEmpty())
        return choice.branch.isEmpty()
                   ? Tr::tr("No branch has a recipe for a machine without an NVIDIA GPU.")
                   : Tr::tr("Branch %1 has no recipe for a machine without an NVIDIA GPU.").arg(choice.branch);

    const Judged *waiting = nullptr; // of those that fit the GPU best, the one with the oldest driver
    for (const Judged &judged : ranked) {
        if (judged.driverOnly && (!waiting || (judged.gpuDistance == waiting->gpuDistance &&
                                               compareVersions(judged.neededDriver, waiting->neededDriver) < 0)))
            waiting = &judged;
    }
    if (waiting) {
        const QString name = waiting->pick.name();
        return host.driver.isEmpty()
                   ? Tr::tr("%1 fits once NVIDIA driver %2 or newer is installed; none is loaded now.")
                         .arg(name, waiting->neededDriver)
                   : Tr::tr("%1 fits once NVIDIA driver %2 or newer is installed; this machine has %3.")
                         .arg(name, waiting->neededDriver, host.driver);
    }
    // A GPU of known architecture is more useful than an unknown one.
    QList<GpuInfo> gpus = judge.gpus();
    std::stable_partition(gpus.begin(), gpus.end(), [&catalog](const GpuInfo &gpu) {
        return catalog.rowOfCapability(gpu.capability) != nullptr;
    });
    return whyNotThisGpu(catalog, choice, host, judge, gpus.constFirst(), elsewhere);
}

} // namespace tmx
