// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/CpuVerdict.h"

#include "model/base/Tr.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Best first. General: any AVX-512 before AVX2. ARM has a single order for all workloads. Columns that are not listed
/// here, added by users, come after those that are, newest first.
QStringList preference(Workload workload)
{
    switch (workload) {
    case Workload::General:
        return {u"avx512"_s, u"avx512vnni"_s, u"avx512bf16"_s, u"avx2"_s, u"avx"_s, u"armv9"_s, u"armv8_2"_s};
    case Workload::Bf16Training:
        return {u"avx512bf16"_s, u"avx512"_s, u"avx512vnni"_s, u"avx2"_s, u"avx"_s, u"armv9"_s, u"armv8_2"_s};
    case Workload::Int8Inference:
        return {u"avx512vnni"_s, u"avx512"_s, u"avx512bf16"_s, u"avx2"_s, u"avx"_s, u"armv9"_s, u"armv8_2"_s};
    case Workload::WidestReach:
        return {u"avx2"_s, u"avx"_s, u"avx512"_s, u"avx512vnni"_s, u"avx512bf16"_s, u"armv9"_s, u"armv8_2"_s};
    }
    return {};
}

QString workloadName(Workload workload)
{
    return workload == Workload::Int8Inference ? Tr::tr("INT8 inference") : Tr::tr("BF16 training");
}

/// A flag of the CPU with a similar name, but for another instruction set: avx_vnni if avx512_vnni is missing.
QString lookalike(const HostReport &host, const QStringList &missing)
{
    return missing.contains(u"avx512_vnni"_s) && host.cpuFlags.contains(u"avx_vnni"_s) ? u"avx_vnni"_s : QString();
}

} // namespace

QString spoken(const QStringList &words)
{
    if (words.size() < 2)
        return words.join(QString());
    return Tr::tr("%1 and %2", "list").arg(words.first(words.size() - 1).join(", "_L1), words.constLast());
}

CpuVerdict judgeCpu(const HostReport &host, const Isa &isa)
{
    CpuVerdict verdict;
    if (isa.platform != host.architecture) {
        verdict.sentence = Tr::tr("%1 is for %2; this machine is %3.").arg(isa.title, isa.platform, host.architecture);
        return verdict;
    }
    for (const QString &flag : isa.cpuinfo) {
        if (!host.cpuFlags.contains(flag))
            verdict.missing.append(flag);
    }
    verdict.runs = verdict.missing.isEmpty();
    if (verdict.runs)
        return verdict;
    const QString alike = lookalike(host, verdict.missing);
    if (host.cpuFlags.isEmpty())
        verdict.sentence =
            Tr::tr("%1 needs %2; the instruction sets of this CPU are unknown.").arg(isa.title, spoken(isa.cpuinfo));
    else if (alike.isEmpty())
        verdict.sentence =
            Tr::tr("%1 needs %2, which this CPU does not report.").arg(isa.title, spoken(verdict.missing));
    else
        verdict.sentence = Tr::tr("%1 needs %2, which this CPU does not report; its %3 is another instruction set.")
                               .arg(isa.title, spoken(verdict.missing), alike);
    return verdict;
}

QStringList isasThatRun(const Catalog &catalog, const HostReport &host, Workload workload)
{
    QStringList result;
    for (const Isa &isa : catalog.isas) {
        if (judgeCpu(host, isa).runs)
            result.prepend(isa.id);
    }
    const QStringList order = preference(workload);
    const auto rank = [&order](const QString &id) { return order.contains(id) ? order.indexOf(id) : order.size(); };
    std::stable_sort(result.begin(), result.end(),
                     [&rank](const QString &a, const QString &b) { return rank(a) < rank(b); });
    return result;
}

QString whyLater(const Isa &isa, const Isa &best, Workload workload)
{
    const QString serves = isa.id == "avx512vnni"_L1   ? workloadName(Workload::Int8Inference)
                           : isa.id == "avx512bf16"_L1 ? workloadName(Workload::Bf16Training)
                                                       : QString();
    if (workload == Workload::Bf16Training || workload == Workload::Int8Inference)
        return Tr::tr("For %1, %2 comes before %3.").arg(workloadName(workload), best.title, isa.title);
    return serves.isEmpty() ? Tr::tr("%1 comes before %2.", "instruction sets").arg(best.title, isa.title)
                            : Tr::tr("%1 comes before %2, which adds instructions for %3 only.", "instruction sets")
                                  .arg(best.title, isa.title, serves);
}

QStringList whyNotBetter(const Catalog &catalog, const HostReport &host, const Isa &isa, Workload workload)
{
    const bool special = workload == Workload::Bf16Training || workload == Workload::Int8Inference;
    QStringList reasons;
    QSet<QString> met; // Flags required by earlier columns: avx512's fma adds nothing to avx2's.
    for (const Isa &other : catalog.isas) {
        if (other.platform != host.architecture)
            continue;
        QStringList shown; // New flags of this column that the CPU has.
        for (const QString &flag : other.cpuinfo) {
            if (!met.contains(flag) && host.cpuFlags.contains(flag))
                shown.append(flag);
        }
        met.unite(QSet<QString>(other.cpuinfo.cbegin(), other.cpuinfo.cend()));
        const CpuVerdict verdict = judgeCpu(host, other);
        if (other.id == isa.id || verdict.runs)
            continue;
        if (special && preference(workload).constFirst() == other.id) {
            const QString alike = lookalike(host, verdict.missing);
            reasons.append(alike.isEmpty()
                               ? Tr::tr("For %1, %2 would be best, but this CPU does not report %3.")
                                     .arg(workloadName(workload), other.title, spoken(verdict.missing))
                               : Tr::tr("For %1, %2 would be best, but this CPU does not report %3; its %4 is another "
                                        "instruction set.")
                                     .arg(workloadName(workload), other.title, spoken(verdict.missing), alike));
        } else if (!shown.isEmpty()) {
            reasons.append(Tr::tr("%1 does not run here: this CPU has %2 but not %3.")
                               .arg(other.title, spoken(shown), spoken(verdict.missing)));
        }
    }
    return reasons;
}

} // namespace tmx
