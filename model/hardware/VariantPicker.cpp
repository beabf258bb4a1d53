// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/VariantPicker.h"

#include "model/hardware/Judge.h"
#include "model/hardware/WhyNothing.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(tmx::VariantPicker)
};

/// Best first: class, GPUs left out, nearness of the architecture, the workload's order of instruction sets, driver,
/// newest toolkit, the line's order of Pythons. The name at last, so that no two orders are possible.
class Ranking
{
public:
    Ranking(const Catalog &catalog, const Line &line, const QStringList &isas)
        : m_families(catalog.familyIds())
        , m_line(line)
        , m_isas(isas)
    {
    }

    bool operator()(const Judged &a, const Judged &b) const
    {
        if (const auto ka = key(a), kb = key(b); ka != kb)
            return ka < kb;
        if (const int newer = compareVersions(a.pick.variant.cuda, b.pick.variant.cuda); newer != 0)
            return newer > 0;
        if (const int newer = compareVersions(capability(a), capability(b)); newer != 0)
            return newer > 0;
        const qsizetype pythonA = m_line.pythons.indexOf(a.pick.variant.python);
        const qsizetype pythonB = m_line.pythons.indexOf(b.pick.variant.python);
        return pythonA != pythonB ? pythonA < pythonB : a.pick.variant.name() < b.pick.variant.name();
    }

private:
    using Key = std::tuple<qsizetype, Fit, int, int, qsizetype, bool>;
    [[nodiscard]] Key key(const Judged &judged) const
    {
        const Pick &pick = judged.pick;
        return {m_families.indexOf(pick.variant.family), pick.fit,        pick.gpusLeftOut, judged.gpuDistance,
                m_isas.indexOf(pick.variant.isa),        judged.oldDriver};
    }
    /// "sm103" counts as 103: among rows that are equally near, the newer GPU's comes first.
    static QString capability(const Judged &judged) { return judged.pick.variant.row.mid(2); }

    QStringList m_families;
    const Line &m_line;
    const QStringList &m_isas;
};

/// Variants outside the coverage that would be exact for a GPU (or, without one, for the CPU) which no promised variant
/// is built for. Not for Jetson boards: no recipe shape covers what is special about them.
QList<Judged> beyondCoverage(const Catalog &catalog, const Line &line, const Judge &judge,
                             const QList<Judged> &promised)
{
    QList<Judged> result;
    if (judge.isas().isEmpty())
        return result;
    const auto served = [&promised](const QString &row) {
        return std::any_of(promised.cbegin(), promised.cend(),
                           [&row](const Judged &j) { return j.runs() && j.pick.variant.row == row; });
    };
    const QString family =
        promised.isEmpty() ? catalog.familyIds().value(0) : promised.constFirst().pick.variant.family;
    const auto add = [&](const QString &row, const QString &cuda) {
        const Judged judged = judge({family, line.pythons.value(0), cuda, row, judge.isas().constFirst()});
        if (judged.runs() || judged.driverOnly)
            result.append(judged);
    };
    for (const GpuInfo &gpu : judge.gpus()) {
        const GpuRow *row = catalog.rowOfCapability(gpu.capability);
        if (!row || row->jetson || served(row->id))
            continue;
        for (const CudaProfile &cuda : line.cudas)
            add(row->id, cuda.version);
    }
    if (judge.gpus().isEmpty() && !served(u"cpu"_s))
        add(u"cpu"_s, {});
    return result;
}

} // namespace

Pick judge(const Catalog &catalog, const HostReport &host, const Variant &variant)
{
    return Judge(catalog, host, Workload::General)(variant).pick;
}

QList<Pick> pickVariants(const Catalog &catalog, const Line &line, const HostReport &host, Workload workload,
                         QString *whyNothing)
{
    const Judge judge(catalog, host, workload);
    QList<Judged> all;
    const QList<Variant> promised = line.promised();
    for (const Variant &variant : promised) {
        all.append(judge(variant));
        all.last().pick.covered = true;
    }
    for (const Judged &judged : beyondCoverage(catalog, line, judge, all)) {
        const auto same = [&judged](const Judged &other) { return other.pick.variant == judged.pick.variant; };
        if (std::none_of(all.cbegin(), all.cend(), same))
            all.append(judged);
    }
    std::sort(all.begin(), all.end(), Ranking(catalog, line, judge.isas()));

    const QString why = whyNothingFits(catalog, line, host, judge, all);
    QList<Pick> picks;
    for (const Judged &judged : std::as_const(all)) {
        if (!judged.runs())
            continue;
        Pick pick = judged.pick;
        if (!why.isEmpty())
            pick.reasons.prepend(why);
        // Said where it decided: with the instruction set that was taken instead of a better one.
        if (const Isa *isa = catalog.isa(pick.variant.isa); isa && isa->id == judge.isas().value(0)) {
            const QStringList better = whyNotBetter(catalog, host, *isa, workload);
            pick.reasons = pick.reasons.mid(0, 1) + better + pick.reasons.mid(1);
        }
        if (!pick.covered)
            pick.reasons.append(Text::tr("The line %1 does not promise it.").arg(line.branch));
        picks.append(pick);
    }
    if (whyNothing)
        *whyNothing = why;
    return picks;
}

} // namespace tmx
