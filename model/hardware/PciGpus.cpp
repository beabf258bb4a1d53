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

QString pciName(const QByteArray &pciIds, const QString &vendor, const QString &device)
{
    const QByteArray vendorLine = '\n' + hexadecimal(vendor) + "  ";
    const QByteArray deviceLine = "\n\t" + hexadecimal(device) + "  ";
    qsizetype begin = pciIds.startsWith(QByteArrayView(vendorLine).sliced(1)) ? 0 : pciIds.indexOf(vendorLine);
    if (begin < 0)
        return {};
    begin = pciIds.indexOf('\n', begin + 1);
    while (begin >= 0 && begin + 1 < pciIds.size()) {
        const char first = pciIds.at(begin + 1);
        if (first != '\t' && first != '#' && first != '\n')
            return {}; // the next vendor
        const qsizetype end = pciIds.indexOf('\n', begin + 1);
        if (QByteArrayView(pciIds).sliced(begin).startsWith(deviceLine)) {
            const qsizetype name = begin + deviceLine.size();
            return QString::fromUtf8(pciIds.mid(name, end < 0 ? -1 : end - name)).trimmed();
        }
        begin = end;
    }
    return {};
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

QList<GpuInfo> gpusOnPci(const QList<PciDevice> &devices, const QByteArray &pciIds)
{
    QList<GpuInfo> gpus;
    for (const PciDevice &device : devices) {
        if (!isNvidiaGpu(device))
            continue;
        GpuInfo gpu;
        gpu.busId = device.busId;
        gpu.source = u"PCI id"_s;
        const QString name = pciName(pciIds, device.vendor, device.device);
        gpu.capability = capabilityOfChip(name);
        gpu.name = name.isEmpty() ? Tr::tr("NVIDIA GPU %1:%2").arg(device.vendor.sliced(2), device.device.mid(2))
                                  : productOfPciName(name);
        gpus.append(gpu);
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
