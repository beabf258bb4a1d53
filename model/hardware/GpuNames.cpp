// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/GpuNames.h"

#include "model/base/Tr.h"
#include "model/hardware/PastedHost.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

/// The words of a name in upper case, without its maker: "NVIDIA A100-SXM4-80GB" -> A100 SXM4 80GB.
QStringList wordsOf(const QString &name)
{
    static const QRegularExpression between(u"[\\s/-]+"_s);
    static const QSet<QString> makers{u"NVIDIA"_s, u"GEFORCE"_s, u"TESLA"_s, u"HGX"_s, u"JETSON"_s};
    QStringList words = name.toUpper().split(between, Qt::SkipEmptyParts);
    while (!words.isEmpty() && makers.contains(words.constFirst()))
        words.removeFirst();
    return words;
}

/// A word that distinguishes products of one chip family: memory, form, speed.
bool isDetail(const QString &word)
{
    static const QRegularExpression detail(
        u"^(?:\\d+GB?|HBM\\d?E?|PCIE|SXM\\d?|NVL\\d*|LAPTOP|MOBILE|GPU|WITH|MAX|Q|DESIGN|GENERATION|TI|SUPER|D|SFF|"
        "WORKSTATION|SERVER|EDITION|OEM|MIG|\\(.*\\))\\z"_s);
    return detail.match(word).hasMatch();
}

bool isWhole(const QStringList &words, const QStringList &product)
{
    return words.size() >= product.size() && std::equal(product.begin(), product.end(), words.begin()) &&
           std::all_of(words.begin() + product.size(), words.end(), isDetail);
}

} // namespace

QString capabilityOfName(const Catalog &catalog, const QString &name)
{
    const bool cut = name.endsWith("..."_L1) || name.endsWith(u'…');
    const QStringList words = wordsOf(cut ? name.chopped(name.endsWith(u'…') ? 1 : 3) : name);
    if (words.isEmpty())
        return {};
    const QString beginning = words.join(u' ');
    QSet<QString> begun;     // of products that begin like a name that was cut
    QStringList best;        // the longest product that the name is
    QSet<QString> ofTheBest; // two rows may list one name
    for (const GpuRow &row : catalog.rows) {
        for (const QString &known : row.products + row.names) {
            if (row.capability.isEmpty())
                continue;
            const QStringList product = wordsOf(known);
            if (cut && product.join(u' ').startsWith(beginning))
                begun.insert(row.capability);
            // The last word of a name that was cut may be the beginning of a detail.
            if (!isWhole(words, product) && !(cut && isWhole(words.first(words.size() - 1), product)))
                continue;
            if (product.size() > best.size()) {
                best = product;
                ofTheBest.clear();
            }
            if (product.size() == best.size())
                ofTheBest.insert(row.capability);
        }
    }
    if (cut)
        ofTheBest.unite(begun);
    return ofTheBest.size() == 1 ? *ofTheBest.cbegin() : QString();
}

namespace {

/// A board is sold with one processor: where a text says nothing of it, the GPU does.
void addProcessor(const Catalog &catalog, HostReport &report)
{
    const GpuRow *row = report.gpus.isEmpty() ? nullptr : catalog.rowOfCapability(report.gpus.constFirst().capability);
    const Isa *isa = row ? catalog.isa(row->hostIsa) : nullptr;
    const auto isAnother = [row](const GpuInfo &gpu) { return gpu.capability != row->capability; };
    if (!isa || !report.cpuFlags.isEmpty() || !report.cpuModel.isEmpty() ||
        std::ranges::any_of(report.gpus, isAnother) ||
        (report.architecture != isa->platform && report.sources.contains(u"system"_s) &&
         report.sources.value(u"system"_s) != assumed()))
        return;
    report.architecture = isa->platform;
    report.cpuFlags = isa->cpuinfo;
    report.cpuFlags.sort();
    for (const QString &fact : {u"cpu"_s, u"system"_s})
        report.sources.insert(fact, Tr::tr("by its GPU"));
    report.remarks.removeAll(wantsProcessor());
    report.remarks.append(Tr::tr("The text does not name the CPU; boards with this GPU have %1.").arg(isa->title));
}

} // namespace

HostReport recognisedByName(const Catalog &catalog, HostReport report)
{
    QStringList names;
    for (GpuInfo &gpu : report.gpus) {
        if (!gpu.capability.isEmpty())
            continue;
        gpu.capability = capabilityOfName(catalog, gpu.name);
        if (gpu.capability.isEmpty())
            continue;
        gpu.source = Tr::tr("%1, by its name").arg(gpu.source);
        if (!names.contains(gpu.name))
            names.append(gpu.name);
    }
    if (!names.isEmpty() &&
        std::ranges::none_of(report.gpus, [](const GpuInfo &gpu) { return gpu.capability.isEmpty(); }))
        report.remarks.removeAll(wantsCapability());
    for (const QString &name : std::as_const(names))
        report.remarks.append(Tr::tr("The compute capability of %1 follows from its name. Confirm it with: nvidia-smi "
                                     "--query-gpu=name,compute_cap,driver_version --format=csv")
                                  .arg(name));
    addProcessor(catalog, report);
    return report;
}

} // namespace tmx
