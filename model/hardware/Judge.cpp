// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/Judge.h"

#include "model/base/Tr.h"
#include "model/hardware/PastedHost.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Of a CPU whose flags are unknown: the columns that it may have, the one that asks least first.
QStringList isasThatMayRun(const Catalog &catalog, const HostReport &host)
{
    QStringList isas;
    for (const Isa &isa : catalog.isas) {
        if (isa.platform == host.architecture)
            isas.append(isa.id);
    }
    return isas;
}

} // namespace

Judge::Judge(const Catalog &catalog, const HostReport &host, Workload workload)
    : m_catalog(catalog)
    , m_host(host)
    , m_isas(host.cpuFlags.isEmpty() ? isasThatMayRun(catalog, host) : isasThatRun(catalog, host, workload))
{
    for (const Workload each : {workload, Workload::General, Workload::Bf16Training, Workload::Int8Inference})
        m_tuned += isasThatRun(catalog, host, each).mid(0, 1);
    for (const GpuInfo &gpu : host.gpus) {
        const auto alike = [&gpu](const GpuInfo &other) {
            return other.name == gpu.name && other.capability == gpu.capability;
        };
        if (std::none_of(m_gpus.cbegin(), m_gpus.cend(), alike))
            m_gpus.append(gpu);
    }
}

Judged Judge::operator()(const Variant &variant, QStringList systems) const
{
    if (const QString named = systemInName(variant); systems.isEmpty() && !named.isEmpty())
        systems.append(named);
    Judged judged;
    judged.pick.variant = variant;
    QStringList &reasons = judged.pick.reasons;

    const GpuRow *row = m_catalog.row(variant.row);
    const Isa *isa = m_catalog.isa(variant.isa);
    if (const Validity validity = m_catalog.validity(variant); !validity.valid)
        reasons.append(validity.reason);
    else if (!row)
        reasons.append(Tr::tr("The catalog has no architecture %1.").arg(variant.row));
    else if (const QString unknown = isa ? QString() : variant.isa + variant.unknownIsa(); !unknown.isEmpty())
        reasons.append(Tr::tr("The catalog has no instruction set %1.").arg(unknown));
    else if (!isa && !row->platforms.contains(m_host.architecture))
        reasons.append(Tr::tr("%1 is for %2; this machine is %3.")
                           .arg(row->generation, spoken(row->platforms), m_host.architecture));
    else if (!isa && !systems.isEmpty() && !systems.contains(m_host.architecture))
        reasons.append(
            Tr::tr("It is built for %1; this machine is %2.").arg(systems.join(", "_L1), m_host.architecture));
    else if (isa) {
        if (const CpuVerdict cpu = judgeCpu(m_host, *isa); !m_isas.contains(isa->id))
            reasons.append(cpu.sentence);
    }
    if (!row)
        return judged;
    if (row->isGpu())
        judgeOnGpus(judged, *row, isa);
    else
        judgeOnCpuAlone(judged, isa);
    return judged;
}

QString Judge::cpuSentence(const Isa &isa) const
{
    if (m_host.cpuFlags.isEmpty())
        return Tr::tr("It is unknown whether the CPU has all that %1 needs: %2.").arg(isa.title, spoken(isa.cpuinfo));
    if (m_tuned.contains(isa.id))
        return Tr::tr("The CPU has all that %1 needs.").arg(isa.title);
    const Isa *best = m_isas.isEmpty() ? nullptr : m_catalog.isa(m_isas.constFirst());
    return Tr::tr("%1 runs on this CPU, which could use %2.").arg(isa.title, best ? best->title : QString());
}

void Judge::judgeOnCpuAlone(Judged &judged, const Isa *isa) const
{
    judged.gpuDistance = cpuDistance;
    judged.pick.gpusLeftOut = int(m_gpus.size());
    QStringList &reasons = judged.pick.reasons;
    if (!reasons.isEmpty())
        return;
    const bool tuned = !isa || m_tuned.contains(isa->id);
    judged.pick.fit = tuned && m_gpus.isEmpty() ? Fit::Exact : Fit::RunsUntuned;
    if (!m_gpus.isEmpty())
        reasons.append(Tr::tr("Runs only on the CPU and leaves the GPU idle."));
    else if (isa && tuned)
        reasons.append((m_host.remarks.contains(mentionsNoGpu())
                            ? Tr::tr("The text mentions no NVIDIA GPU, and the CPU has all that %1 needs.")
                            : Tr::tr("No NVIDIA GPU was found, and the CPU has all that %1 needs."))
                           .arg(isa->title));
    else if (!isa)
        reasons.append(Tr::tr("Made for this platform."));
    if (isa && (!tuned || !m_gpus.isEmpty()))
        reasons.append(cpuSentence(*isa));
}

void Judge::judgeOnGpus(Judged &judged, const GpuRow &row, const Isa *isa) const
{
    QStringList &reasons = judged.pick.reasons;
    const bool possible = reasons.isEmpty();
    if (m_gpus.isEmpty()) {
        reasons.append(
            Tr::tr("%1 needs an NVIDIA GPU of compute capability %2; none was found.").arg(row.id, row.capability));
        return;
    }
    QStringList exact;
    QStringList untuned;
    QStringList refused;
    QStringList driverRefused;
    DriverVerdict driverVerdict;
    int nearest = cpuDistance;        // among the GPUs that it runs on
    int nearestRefused = cpuDistance; // among the GPUs that only the driver prevents
    for (const GpuInfo &gpu : m_gpus) {
        const GpuVerdict verdict = judgeGpu(m_catalog, gpu, row);
        if (verdict.kind == GpuVerdict::Kind::No) {
            refused.append(verdict.sentence);
            continue;
        }
        const DriverVerdict driver = judgeDriver(m_catalog, m_host, gpu, judged.pick.variant.cuda, row);
        if (!driver.runs()) {
            driverRefused.append(driver.sentence);
            judged.neededDriver = driver.needed;
            nearestRefused = std::min(nearestRefused, verdict.distance);
            continue;
        }
        judged.oldDriver = driver.kind == DriverVerdict::Kind::MinorVersion;
        driverVerdict = driver;
        nearest = std::min(nearest, verdict.distance);
        if (verdict.kind == GpuVerdict::Kind::Exact)
            exact.append(described(gpu));
        else
            untuned.append(verdict.sentence);
    }
    judged.gpuDistance = nearest == cpuDistance ? nearestRefused : nearest;
    judged.pick.gpusLeftOut = int(refused.size() + driverRefused.size());
    driverRefused.removeDuplicates();
    if (!possible || (exact.isEmpty() && untuned.isEmpty())) {
        judged.driverOnly = possible && !driverRefused.isEmpty();
        reasons += driverRefused + refused;
        return;
    }
    const bool tuned = !isa || m_tuned.contains(isa->id);
    judged.pick.fit = tuned && !exact.isEmpty() ? Fit::Exact : Fit::RunsUntuned;
    if (!exact.isEmpty() && tuned && isa)
        reasons.append(Tr::tr("Made for the %1; the CPU has all that %2 needs.").arg(spoken(exact), isa->title));
    else if (!exact.isEmpty())
        reasons.append(Tr::tr("Made for the %1.").arg(spoken(exact)));
    reasons += untuned;
    if (isa && (exact.isEmpty() || !tuned))
        reasons.append(cpuSentence(*isa));
    reasons.append(driverVerdict.sentence);
    judged.pick.driver = driverVerdict;
    reasons += driverRefused + refused;
}

} // namespace tmx
