// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/MachinePicks.h"

#include "model/hardware/Judge.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// GPUs by architecture, in the machine's order; a GPU of unknown architecture is grouped by its name.
QList<QList<GpuInfo>> kindsOf(const QList<GpuInfo> &gpus)
{
    QList<QList<GpuInfo>> kinds;
    for (const GpuInfo &gpu : gpus) {
        const auto alike = [&gpu](const QList<GpuInfo> &kind) {
            const GpuInfo &first = kind.constFirst();
            return first.capability == gpu.capability && (!gpu.capability.isEmpty() || first.name == gpu.name);
        };
        if (const auto kind = std::find_if(kinds.begin(), kinds.end(), alike); kind != kinds.end())
            kind->append(gpu);
        else
            kinds.append({gpu});
    }
    return kinds;
}

QString namesOf(const QList<GpuInfo> &kind)
{
    QStringList names;
    for (const GpuInfo &gpu : kind)
        names.append(described(gpu));
    names.removeDuplicates();
    return spoken(names);
}

} // namespace

MachinePicks picksFor(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload)
{
    Picks here = pickVariants(catalog, choice, host, workload);
    MachinePicks result{.picks = std::move(here.run),
                        .better = std::move(here.better),
                        .whyNothing = std::move(here.whyNothing),
                        .doNotRun = std::move(here.doNotRun)};
    if (result.picks.size() > 2)
        std::stable_sort(result.picks.begin() + 1, result.picks.end(), [](const Pick &a, const Pick &b) {
            const auto fit = [](const Pick &pick) {
                return std::tuple(pick.variant.cuda.isEmpty(), pick.fit, pick.gpusLeftOut);
            };
            return fit(a) < fit(b);
        });
    const QList<QList<GpuInfo>> kinds = kindsOf(host.gpus);
    if (kinds.size() < 2)
        return result;
    for (const QList<GpuInfo> &kind : kinds) {
        HostReport alone = host;
        alone.gpus = kind;
        const Picks picks = pickVariants(catalog, choice, alone, workload);
        GpuPick one{namesOf(kind), {}, picks.whyNothing};
        if (one.why.isEmpty() && !picks.run.isEmpty())
            one.pick = picks.run.constFirst();
        result.perGpu.append(one);
    }
    const auto serves = [](const Pick &pick) { return pick.gpusLeftOut == 0; };
    if (const auto all = std::find_if(result.picks.cbegin(), result.picks.cend(), serves); all != result.picks.cend())
        result.forAll = *all;
    return result;
}

FitVerdicts judgeAll(const Catalog &catalog, const HostReport &host, Workload workload,
                     const QList<Candidate> &candidates)
{
    const Judge judge(catalog, host, workload);
    FitVerdicts verdicts{host.name, {}};
    for (const Candidate &candidate : candidates) {
        const Pick pick = judge(candidate.variant, candidate.systems).pick;
        verdicts.of.insert(candidate.variant.name(), {pick.fit, pick.reasons.join(u' ')});
    }
    return verdicts;
}

} // namespace tmx
