// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/PciGpus.h"

#include "model/base/Tr.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

struct Chip {
    QLatin1StringView pattern;
    QLatin1StringView capability;
};

// Names of pci.ids and NVIDIA's compute-capability tables. The complete chip code is matched, so GB10B and GB20B, which
// are different boards, are never mistaken for a GB10x or a GB20x.
constexpr Chip chips[] = {
    {"GP10[2-8]"_L1, "6.1"_L1},    {"GP100"_L1, "6.0"_L1},     {"GV100"_L1, "7.0"_L1},
    {"TU1[01][0-9]"_L1, "7.5"_L1}, {"GA100"_L1, "8.0"_L1},     {"GA10[2-7]"_L1, "8.6"_L1},
    {"AD10[0-9]"_L1, "8.9"_L1},    {"GH100"_L1, "9.0"_L1},     {"GB10B"_L1, "11.0"_L1},
    {"GB10[02]"_L1, "10.0"_L1},    {"GB11[02]"_L1, "10.3"_L1}, {"GB20B"_L1, "12.1"_L1},
    {"GB20[23567]"_L1, "12.0"_L1},
};

struct Ids {
    quint16 first, last;
    QLatin1StringView capability;
};

// Device identifiers of the chips above, from pci.ids 2025.06.09: no GPU of another chip has one in between. They tell
// a chip that an older pci.ids does not name.
constexpr Ids idsOfChips[] = {
    {0x15c2, 0x15ff, "6.0"_L1},  {0x1725, 0x172f, "6.0"_L1},  {0x1b00, 0x1d56, "6.1"_L1},  {0x1d81, 0x1df6, "7.0"_L1},
    {0x1e02, 0x1ff9, "7.5"_L1},  {0x2080, 0x20ff, "8.0"_L1},  {0x2182, 0x21d1, "7.5"_L1},  {0x2200, 0x223f, "8.6"_L1},
    {0x2302, 0x23f0, "9.0"_L1},  {0x2414, 0x25fb, "8.6"_L1},  {0x2681, 0x28f8, "8.9"_L1},  {0x2900, 0x29f1, "10.0"_L1},
    {0x2b85, 0x2c19, "12.0"_L1}, {0x2c38, 0x2d19, "12.0"_L1}, {0x2d39, 0x2dd8, "12.0"_L1}, {0x2e2a, 0x2e2a, "12.1"_L1},
    {0x2f04, 0x2f58, "12.0"_L1}, {0x31c0, 0x31c0, "10.3"_L1},
};

QByteArray hexadecimal(const QString &id)
{
    return (id.startsWith("0x"_L1) ? id.sliced(2) : id).toLatin1().toLower();
}

} // namespace

bool isNvidiaGpu(const PciDevice &device)
{
    return device.vendor == "0x10de"_L1 &&
           (device.deviceClass.startsWith("0x0300"_L1) || device.deviceClass.startsWith("0x0302"_L1));
}

QHash<QByteArray, QString> pciNames(const QByteArray &pciIds, const QString &vendor)
{
    QHash<QByteArray, QString> names;
    const QByteArray vendorLine = hexadecimal(vendor) + "  ";
    qsizetype begin = pciIds.startsWith(vendorLine) ? 0 : pciIds.indexOf('\n' + vendorLine) + 1;
    bool inside = begin > 0 || pciIds.startsWith(vendorLine);
    while (inside && (begin = pciIds.indexOf('\n', begin) + 1) > 0) {
        const qsizetype end = pciIds.indexOf('\n', begin);
        const QByteArrayView line = QByteArrayView(pciIds).sliced(begin, (end < 0 ? pciIds.size() : end) - begin);
        inside = line.isEmpty() || line.startsWith('\t') || line.startsWith('#');     // until the next vendor
        if (line.size() > 7 && line.startsWith('\t') && line.sliced(5, 2) == "  "_ba) // not of a subsystem
            names.insert(line.sliced(1, 4).toByteArray(), QString::fromUtf8(line.sliced(7)).trimmed());
    }
    return names;
}

QString productOfPciName(const QString &pciName)
{
    const qsizetype open = pciName.indexOf(u'[');
    const qsizetype close = pciName.lastIndexOf(u']');
    if (open < 0 || close == open + 1)
        return u"NVIDIA "_s + pciName;
    return u"NVIDIA "_s + pciName.mid(open + 1, close < open ? -1 : close - open - 1).trimmed(); // a line may be cut
}

QString capabilityOfChip(const QString &pciName)
{
    static const QList<QRegularExpression> patterns = [] {
        QList<QRegularExpression> result;
        for (const Chip &chip : chips)
            result.append(QRegularExpression(u"^%1(GLM|GL|BM|M|S)?(?![0-9A-Za-z])"_s.arg(chip.pattern)));
        return result;
    }();
    for (qsizetype i = 0; i < patterns.size(); ++i) {
        if (patterns.at(i).match(pciName).hasMatch())
            return chips[i].capability;
    }
    return {};
}

GpuInfo gpuOfPci(const QString &busId, const QString &name, const QString &device)
{
    const uint id = QString::fromLatin1(hexadecimal(device)).toUInt(nullptr, 16);
    const auto ids =
        std::ranges::find_if(idsOfChips, [id](const Ids &one) { return id >= one.first && id <= one.last; });
    const QString capability =
        name.isEmpty() && ids != std::end(idsOfChips) ? QString(ids->capability) : capabilityOfChip(name);
    return {name.isEmpty() ? Tr::tr("NVIDIA GPU %1:%2").arg(u"10de"_s, QString::fromLatin1(hexadecimal(device)))
                           : productOfPciName(name),
            capability,
            {},
            busId,
            u"PCI id"_s};
}

QList<GpuInfo> gpusOnPci(const QList<PciDevice> &devices, const QByteArray &pciIds)
{
    const QHash<QByteArray, QString> names = pciNames(pciIds, u"10de"_s);
    QList<GpuInfo> gpus;
    for (const PciDevice &device : devices) {
        if (!isNvidiaGpu(device))
            continue;
        gpus.append(gpuOfPci(device.busId, names.value(hexadecimal(device.device)), device.device));
    }
    std::sort(gpus.begin(), gpus.end(), [](const GpuInfo &a, const GpuInfo &b) { return a.busId < b.busId; });
    return gpus;
}

QList<GpuInfo> gpusOfDeviceTree(const QByteArray &compatible, const QByteArray &model)
{
    const QList<QByteArray> names = compatible.split('\0');
    GpuInfo gpu;
    if (names.contains("nvidia,tegra234"))
        gpu.capability = u"8.7"_s;
    else if (names.contains("nvidia,tegra264"))
        gpu.capability = u"11.0"_s;
    else
        return {};
    gpu.name = QString::fromUtf8(model.split('\0').constFirst()).simplified();
    if (gpu.name.isEmpty())
        gpu.name = gpu.capability == "8.7"_L1 ? u"NVIDIA Orin"_s : u"NVIDIA Thor"_s;
    gpu.source = u"device tree"_s;
    return {gpu};
}

} // namespace tmx
