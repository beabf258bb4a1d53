// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/WhyNothing.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::WhyNothing)
};

QString withoutStop(QString sentence)
{
    if (sentence.endsWith(u'.'))
        sentence.chop(1);
    return sentence;
}

QString whyNoIsa(const Catalog &catalog, const HostReport &host)
{
    if (host.cpuFlags.isEmpty())
        return Text::tr("No variant can be chosen, since the instruction sets of this CPU are not known; look at "
                        "/proc/cpuinfo and detect again.");
    for (const Isa &isa : catalog.isas) { // in grid order: the first of a platform asks for the least
        if (isa.platform == host.architecture) {
            return Text::
                tr("No variant runs on this CPU: %1, the least that recipes ask for, needs %2, which it does not show.")
                    .arg(isa.title, spoken(judgeCpu(host, isa).missing));
        }
    }
    return Text::tr("No variant runs on this machine: recipes are not made for %1.").arg(host.architecture);
}

/// The best variant for the GPU on another built-in line, the one with the newest toolkit, in half a sentence; empty
/// when none has one.
QString otherLine(const Catalog &catalog, const Line &line, const Judge &judge, const GpuRow &row)
{
    QString branch;
    Variant best;
    for (const Line &other : catalog.lines) {
        if (other.branch == line.branch)
            continue;
        for (const Variant &variant : other.promised()) {
            if (variant.row != row.id || !judge(variant).runs())
                continue;
            const int newer = compareVersions(variant.cuda, best.cuda);
            if (branch.isEmpty() || newer > 0 ||
                (newer == 0 && judge.isas().indexOf(variant.isa) < judge.isas().indexOf(best.isa))) {
                branch = other.branch;
                best = variant;
            }
        }
    }
    return branch.isEmpty() ? QString() : Text::tr("the line %1 has %2").arg(branch, best.name());
}

QString whyNotThisGpu(const Catalog &catalog, const Line &line, const HostReport &host, const Judge &judge,
                      const GpuInfo &gpu)
{
    if (gpu.capability.isEmpty()) {
        return host.driver.isEmpty()
                   ? Text::tr("The architecture of the %1 is unknown; install the NVIDIA driver and detect again.")
                         .arg(gpu.name)
                   : Text::tr("The architecture of the %1 is unknown; install the list of PCI names (package pci.ids "
                              "or hwdata) and detect again.")
                         .arg(gpu.name);
    }
    const GpuRow *row = catalog.rowOfCapability(gpu.capability);
    if (!row)
        return Text::tr("No recipe covers the %1; the catalog has no such architecture.").arg(described(gpu));
    QString why = Text::tr("No recipe of the line %1 covers the %2").arg(line.branch, described(gpu));
    if (!line.cudas.isEmpty()) {
        const Validity validity = catalog.validity({catalog.familyIds().value(0), line.pythons.value(0),
                                                    line.cudas.constLast().version, row->id, judge.isas().value(0)});
        if (!validity.valid)
            why = Text::tr("%1, so no recipe of the line %2 covers the %3")
                      .arg(withoutStop(validity.reason), line.branch, described(gpu));
    }
    const QString remedy = otherLine(catalog, line, judge, *row);
    return remedy.isEmpty() ? Text::tr("%1, and no other line promises one.").arg(why)
                            : Text::tr("%1; %2.").arg(why, remedy);
}

} // namespace

QString whyNothingFits(const Catalog &catalog, const Line &line, const HostReport &host, const Judge &judge,
                       const QList<Judged> &ranked)
{
    const bool fits = std::any_of(ranked.cbegin(), ranked.cend(), [&judge](const Judged &judged) {
        return judged.runs() && (judge.gpus().isEmpty() || judged.gpuDistance < Judge::cpuDistance);
    });
    if (fits)
        return {};
    if (judge.isas().isEmpty())
        return whyNoIsa(catalog, host);
    if (judge.gpus().isEmpty())
        return Text::tr("The line %1 has no variant for a machine without an NVIDIA GPU.").arg(line.branch);

    const auto waiting =
        std::find_if(ranked.cbegin(), ranked.cend(), [](const Judged &judged) { return judged.driverOnly; });
    if (waiting != ranked.cend()) {
        const QString name = waiting->pick.variant.name();
        return host.driver.isEmpty()
                   ? Text::tr("%1 fits once NVIDIA driver %2 or newer is installed; none is loaded now.")
                         .arg(name, waiting->neededDriver)
                   : Text::tr("%1 fits once NVIDIA driver %2 or newer is installed; this machine has %3.")
                         .arg(name, waiting->neededDriver, host.driver);
    }
    // A GPU of known architecture tells more than an unknown one.
    QList<GpuInfo> gpus = judge.gpus();
    std::stable_partition(gpus.begin(), gpus.end(), [&catalog](const GpuInfo &gpu) {
        return catalog.rowOfCapability(gpu.capability) != nullptr;
    });
    return whyNotThisGpu(catalog, line, host, judge, gpus.constFirst());
}

} // namespace tmx
