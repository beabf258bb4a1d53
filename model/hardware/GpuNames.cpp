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

struct Older {
    QLatin1StringView capability;
    QLatin1StringView names; ///< separated by commas
};

// Products whose architecture has no row, because no toolkit of the catalog's builds for it or no PyTorch is made for
// it (developer.nvidia.com/cuda-legacy-gpus). A name is never mistaken for one of a row.
constexpr Older olderProducts[] = {
    {"3.5"_L1, "K40,K40c,K40m,K20,K20X,K20c,GTX TITAN,GTX TITAN Black,GTX 780,GTX 780 Ti,GT 710,GT 730"_L1},
    {"3.7"_L1, "K80"_L1},
    {"5.0"_L1, "M10,M30,GTX 750,GTX 750 Ti,MX110,MX130,940MX,Quadro K2200,Quadro K620,Quadro M2000M,Quadro M1200"_L1},
    {"5.2"_L1, "M4,M6,M40,M60,GTX TITAN X,GTX 980,GTX 980 Ti,GTX 970,GTX 960,GTX 950,Quadro M6000,Quadro M5000,Quadro "
               "M4000,Quadro M2000"_L1},
    {"6.0"_L1, "P100,Quadro GP100"_L1},
    {"7.2"_L1, "Xavier,AGX Xavier,Xavier NX"_L1},
};

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
        "COLLECTORS|AC|PG\\d+|\\d{3}|\\d+G\\.\\d+GB|WORKSTATION|SERVER|EDITION|OEM|MIG|\\(.*\\))\\z"_s);
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
    const auto compare = [&](const QString &capability, const QStringList &names) {
        for (const QString &known : names) {
            const QStringList product = wordsOf(known);
            if (cut && product.join(u' ').startsWith(beginning))
                begun.insert(capability);
            // The last word of a name that was cut may be the beginning of a detail.
            if (!isWhole(words, product) && !(cut && isWhole(words.first(words.size() - 1), product)))
                continue;
            if (product.size() > best.size()) {
                best = product;
                ofTheBest.clear();
            }
            if (product.size() == best.size())
                ofTheBest.insert(capability);
        }
    };
    for (const GpuRow &row : catalog.rows) {
        if (!row.capability.isEmpty())
            compare(row.capability, row.products + row.names);
    }
    for (const Older &older : olderProducts)
        compare(older.capability, QString(older.names).split(u','));
    if (cut)
        ofTheBest.unite(begun);
    return ofTheBest.size() == 1 ? *ofTheBest.cbegin() : QString();
}

namespace {

/// The instruction set of the processor that a board is sold with, or nullptr.
const Isa *hostIsaOf(const Catalog &catalog, const GpuRow &row, const QString &name)
{
    static const QRegularExpression grace(u"^G[HB]\\d00\\z"_s); // GH200, GB200, GB300: with Grace
    return catalog.isa(grace.match(wordsOf(name).value(0)).hasMatch() ? u"armv9"_s : row.hostIsa);
}

/// A board is sold with one processor: where a text says nothing of it, the GPU does.
void addProcessor(const Catalog &catalog, HostReport &report)
{
    const GpuRow *row = report.gpus.isEmpty() ? nullptr : catalog.rowOfCapability(report.gpus.constFirst().capability);
    const Isa *isa = row ? hostIsaOf(catalog, *row, report.gpus.constFirst().name) : nullptr;
    const auto isAnother = [row](const GpuInfo &gpu) { return gpu.capability != row->capability; };
    if (!isa || !report.cpuFlags.isEmpty() || !report.cpuModel.isEmpty() ||
        std::ranges::any_of(report.gpus, isAnother) ||
        (report.architecture != isa->platform && report.sources.contains(u"system"_s) &&
         report.sources.value(u"system"_s) != assumed()))
        return;
    report.architecture = isa->platform;
    // The instruction sets of a platform are listed from the lowest on.
    for (const Isa &one : catalog.isas) {
        if (one.platform == isa->platform)
            report.cpuFlags += one.cpuinfo;
        if (&one == isa)
            break;
    }
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
