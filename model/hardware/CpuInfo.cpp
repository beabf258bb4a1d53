// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/CpuInfo.h"

#include <QSet>
#include <QStringTokenizer>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

struct ArmPart {
    int implementer;
    int part;
    QLatin1StringView name;
};

// util-linux, sys-utils/lscpu-arm.c: the server and board cores that are used with NVIDIA GPUs, and their small cores.
constexpr ArmPart armParts[] = {
    {0x41, 0xd05, "Cortex-A55"_L1},    {0x41, 0xd07, "Cortex-A57"_L1},  {0x41, 0xd08, "Cortex-A72"_L1},
    {0x41, 0xd0b, "Cortex-A76"_L1},    {0x41, 0xd0c, "Neoverse-N1"_L1}, {0x41, 0xd40, "Neoverse-V1"_L1},
    {0x41, 0xd42, "Cortex-A78AE"_L1},  {0x41, 0xd49, "Neoverse-N2"_L1}, {0x41, 0xd4f, "Neoverse-V2"_L1},
    {0x41, 0xd83, "Neoverse-V3AE"_L1}, {0x41, 0xd84, "Neoverse-V3"_L1}, {0x41, 0xd85, "Cortex-X925"_L1},
    {0x41, 0xd87, "Cortex-A725"_L1},   {0x4e, 0x004, "Carmel"_L1},      {0xc0, 0xac3, "Ampere-1"_L1},
    {0xc0, 0xac4, "Ampere-1a"_L1},
};

QString armName(int implementer, int part)
{
    for (const ArmPart &known : armParts) {
        if (known.implementer == implementer && known.part == part)
            return known.name;
    }
    return u"ARM 0x%1/0x%2"_s.arg(implementer, 2, 16, '0'_L1).arg(part, 3, 16, '0'_L1);
}

QSet<QString> words(QStringView text)
{
    QSet<QString> result;
    for (const QStringView word : QStringTokenizer(text, u' ', Qt::SkipEmptyParts))
        result.insert(word.toString());
    return result;
}

} // namespace

CpuInfo readCpuInfo(const QString &text)
{
    CpuInfo info;
    QStringList models;
    QSet<QString> common;
    QStringView firstSet;
    bool arm = false;
    int implementer = 0;
    const auto addModel = [&models](const QString &model) {
        if (!model.isEmpty() && !models.contains(model))
            models.append(model);
    };
    for (const QStringView line : QStringTokenizer(text, u'\n')) {
        const qsizetype colon = line.indexOf(u':');
        if (colon < 0)
            continue;
        const QStringView key = line.first(colon).trimmed();
        const QStringView value = line.sliced(colon + 1).trimmed();
        if (key == "processor"_L1) {
            info.cores += !value.isEmpty() && value.front().isDigit() ? 1 : 0; // "processor : 0"
        } else if (key == "model name"_L1) {
            addModel(value.toString().simplified());
        } else if (key == "CPU implementer"_L1) {
            implementer = value.toInt(nullptr, 16);
        } else if (key == "CPU part"_L1) {
            addModel(armName(implementer, value.toInt(nullptr, 16)));
        } else if (key == "flags"_L1 || key == "Features"_L1) {
            arm = key == "Features"_L1;
            if (firstSet.isNull()) {
                firstSet = value;
                common = words(value);
            } else if (value != firstSet) { // Hundreds of cores print the same line; it is only parsed if it differs.
                const QSet<QString> own = words(value);
                info.unlike = info.unlike || own != words(firstSet);
                common.intersect(own);
            }
        }
    }
    info.model = models.join(" + "_L1);
    info.flags = QStringList(common.cbegin(), common.cend());
    info.flags.sort();
    if (!common.isEmpty()) {
        if (arm)
            info.architecture = common.contains(u"asimd"_s) ? u"aarch64-linux"_s : u"armv7l-linux"_s;
        else if (common.contains(u"lm"_s)) // Otherwise it is unknown: virtual machines and excerpts may leave it out.
            info.architecture = u"x86_64-linux"_s;
    }
    return info;
}

QString nixSystem(const QString &cpuArchitecture, const QString &kernelType)
{
    QString cpu = cpuArchitecture;
    if (cpu == "arm64"_L1)
        cpu = u"aarch64"_s;
    else if (cpu == "i386"_L1)
        cpu = u"i686"_s;
    return cpu + u'-' + kernelType;
}

} // namespace tmx
