// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/VariantPicker.h"

#include "model/base/Tr.h"
#include "model/hardware/EmptyReason.h"
#include "model/hardware/Judge.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// Best first: use of the GPU, existing recipe, class, GPUs left out, similarity of the architecture, the workload's
/// order of instruction sets, driver; then newest toolkit, GPU and framework, the preferred Python. Branch and name
/// come last, so that the order is unique.
class Ranking
{
public:
    /// `isCpuKnown`: one instruction set fits better than another.
    Ranking(const Catalog &catalog, const PickChoice &choice, const QStringList &isas, bool isCpuKnown)
        : m_families(catalog.familyIds())
        , m_isas(isas)
        , m_isCpuKnown(isCpuKnown)
    {
        for (const Variant &kind : choice.kinds)
            m_pythons.append(kind.python);
    }

    bool operator()(const Judged &a, const Judged &b) const
    {
        if (const auto ka = std::tuple(standing(a), nearness(a), a.oldDriver),
            kb = std::tuple(standing(b), nearness(b), b.oldDriver);
            ka != kb)
            return ka < kb;
        for (const auto &[left, right] : {std::pair(a.pick.variant.cuda, b.pick.variant.cuda),
                                          std::pair(capability(a), capability(b)), std::pair(a.version, b.version)}) {
            if (const int newer = compareVersions(left, right); newer != 0)
                return newer > 0;
        }
        const auto last = [this](const Judged &judged) {
            const qsizetype python = m_pythons.indexOf(judged.pick.variant.python);
            return std::tuple(python < 0 ? m_pythons.size() : python, m_isas.indexOf(judged.pick.variant.isa),
                              judged.pick.branch, judged.pick.name());
        };
        return last(a) < last(b);
    }

    /// Whether `a` fits the machine better, ignoring whether the recipes exist.
    [[nodiscard]] bool suitsBetter(const Judged &a, const Judged &b) const
    {
        return a.runs() && std::tuple(cpuAlone(a), nearness(a)) < std::tuple(cpuAlone(b), nearness(b));
    }

private:
    static bool cpuAlone(const Judged &judged) { return judged.gpuDistance >= Judge::cpuDistance; }
    [[nodiscard]] std::tuple<qsizetype, bool, Candidate::Recipe> standing(const Judged &judged) const
    {
        return {m_families.indexOf(judged.pick.variant.family), cpuAlone(judged), judged.pick.recipe};
    }
    [[nodiscard]] std::tuple<Fit, int, int, qsizetype> nearness(const Judged &judged) const
    {
        const Pick &pick = judged.pick;
        return {pick.fit, pick.gpusLeftOut, judged.gpuDistance, m_isCpuKnown ? m_isas.indexOf(pick.variant.isa) : 0};
    }
    /// "sm103" counts as 103: among equally similar rows, the newer GPU's comes first.
    static QString capability(const Judged &judged) { return judged.pick.variant.row.mid(2); }

    QStringList m_families;
    QStringList m_pythons;
    const QStringList &m_isas;
    bool m_isCpuKnown;
};

Judged judged(const Judge &judge, const Candidate &candidate)
{
    Judged result = judge(candidate.variant, candidate.systems);
    result.pick.branch = candidate.branch;
    result.pick.package = candidate.package;
    result.pick.recipe = candidate.recipe;
    result.pick.covered = candidate.covered;
    result.version = candidate.version;
    return result;
}

/// Variants that are no candidates, but would be exact for a GPU (or, without one, for the CPU) that no candidate is
/// built for. Not for Jetson boards: no form of recipe handles their peculiarities.
QList<Judged> beyondCoverage(const Catalog &catalog, const PickChoice &choice, const Judge &judge,
                             const QList<Judged> &candidates)
{
    QList<Judged> result;
    if (judge.isas().isEmpty() || choice.kinds.isEmpty())
        return result;
    const auto served = [&candidates](const QString &row) {
        return std::any_of(candidates.cbegin(), candidates.cend(),
                           [&row](const Judged &j) { return j.runs() && j.pick.variant.row == row; });
    };
    const Variant &preferred = choice.kinds.constFirst();
    const auto add = [&](const QString &row, const QString &cuda) {
        const Variant variant{preferred.family, preferred.python, cuda, row, judge.isas().constFirst()};
        const Judged one = judged(judge, {.variant = variant, .branch = choice.branch});
        const auto same = [&variant](const Judged &other) { return other.pick.variant == variant; };
        if ((one.runs() || one.driverOnly) && std::none_of(candidates.cbegin(), candidates.cend(), same))
            result.append(one);
    };
    for (const GpuInfo &gpu : judge.gpus()) {
        const GpuRow *row = catalog.rowOfCapability(gpu.capability);
        if (!row || row->jetson || served(row->id))
            continue;
        for (const Variant &kind : choice.kinds) {
            if (kind.family == preferred.family && kind.python == preferred.python && !kind.cuda.isEmpty())
                add(row->id, kind.cuda);
        }
    }
    const bool hasCpu = std::ranges::any_of(choice.kinds, [&preferred](const Variant &kind) {
        return kind.family == preferred.family && kind.cuda.isEmpty();
    });
    if (judge.gpus().isEmpty() && hasCpu && !served(u"cpu"_s))
        add(u"cpu"_s, {});
    return result;
}

} // namespace

Pick judge(const Catalog &catalog, const HostReport &host, const Candidate &candidate)
{
    return judged(Judge(catalog, host, Workload::General), candidate).pick;
}

Picks pickVariants(const Catalog &catalog, const PickChoice &choice, const HostReport &host, Workload workload)
{
    const Judge judge(catalog, host, workload);
    QList<Judged> all;
    for (const Candidate &candidate : choice.candidates)
        all.append(judged(judge, candidate));
    all += beyondCoverage(catalog, choice, judge, all);
    const bool isCpuKnown = !host.cpuFlags.isEmpty();
    const Ranking ranking(catalog, choice, judge.isas(), isCpuKnown);
    std::sort(all.begin(), all.end(), ranking);

    QList<Judged> elsewhere;
    for (const Candidate &candidate : choice.elsewhere) {
        if (Judged other = judged(judge, candidate); other.runs())
            elsewhere.append(std::move(other));
    }
    std::sort(elsewhere.begin(), elsewhere.end(), ranking);

    Picks picks{.whyNothing = emptyReason(catalog, choice, host, judge, all, elsewhere)};
    for (const Judged &one : std::as_const(all)) {
        Pick pick = one.pick;
        if (!one.runs()) {
            picks.doNotRun.append(pick);
            continue;
        }
        if (!picks.whyNothing.isEmpty())
            pick.reasons.prepend(picks.whyNothing);
        // Reported if it was decisive, with the instruction set that was taken instead of a better one.
        if (const Isa *isa = catalog.isa(pick.variant.isa); isa && isCpuKnown && isa->id == judge.isas().value(0)) {
            const QStringList better = whyNotBetter(catalog, host, *isa, workload);
            pick.reasons = pick.reasons.mid(0, 1) + better + pick.reasons.mid(1);
        } else if (const Isa *best = catalog.isa(judge.isas().value(0));
                   isa && best && isCpuKnown && pick.fit == Fit::Exact) {
            pick.reasons.insert(1, whyLater(*isa, *best, workload));
        }
        if (picks.run.isEmpty() && picks.whyNothing.isEmpty()) {
            const auto suitsBetter = [&](const Judged &other) {
                return other.pick.variant.family == pick.variant.family && ranking.suitsBetter(other, one);
            };
            const auto made = std::ranges::find_if(all, suitsBetter);
            if (made != all.cend())
                picks.better.append(
                    {made->pick,
                     made->pick.recipe == Candidate::Recipe::Broken
                         ? Tr::tr("%1 would fit better, but its recipe is broken.").arg(made->pick.name())
                         : Tr::tr("%1 would fit better, but has no recipe; generate it.").arg(made->pick.name())});
            if (const auto other = std::ranges::find_if(elsewhere, suitsBetter); other != elsewhere.cend()) {
                const BetterPick better{
                    other->pick,
                    Tr::tr("Branch %1 has %2, which fits better.").arg(other->pick.branch, other->pick.name())};
                const bool first = made != all.cend() && ranking.suitsBetter(*other, *made);
                picks.better.insert(first ? 0 : picks.better.size(), better);
            }
            for (const BetterPick &better : std::as_const(picks.better))
                pick.reasons.append(better.sentence);
        }
        if (!pick.covered)
            pick.reasons.append(Tr::tr("The settings of branch %1 do not list it.").arg(pick.branch));
        picks.run.append(pick);
    }
    std::sort(picks.doNotRun.begin(), picks.doNotRun.end(), [](const Pick &a, const Pick &b) {
        return std::tuple(a.name(), a.branch) < std::tuple(b.name(), b.branch);
    });
    return picks;
}

} // namespace tmx
