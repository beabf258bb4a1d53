// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NvidiaSmi.h"

#include "model/base/Tr.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// A longer message does not fit in a panel.
constexpr qsizetype longestQuote = 160;

QString matching(const QString &field, const QRegularExpression &pattern)
{
    return pattern.match(field).hasMatch() ? field : QString();
}

/// The first line with a letter, without control characters: nvidia-smi's own error message.
QString firstWords(const QString &text)
{
    for (const QString &line : text.split(u'\n')) {
        QString words;
        for (const QChar c : line)
            words += c.isPrint() ? c : u' ';
        words = words.simplified();
        if (std::any_of(words.cbegin(), words.cend(), [](QChar c) { return c.isLetter(); }))
            return words.size() > longestQuote ? words.first(longestQuote) + u'…' : words;
    }
    return {};
}

} // namespace

QStringList nvidiaSmiArguments(bool withCapability)
{
    return {withCapability ? u"--query-gpu=index,name,compute_cap,driver_version,memory.total,pci.bus_id"_s
                           : u"--query-gpu=index,name,driver_version,memory.total,pci.bus_id"_s,
            u"--format=csv,noheader"_s};
}

QString sysfsBusId(const QString &busId)
{
    static const QRegularExpression pattern(u"^0*([0-9a-f]{4,8}):([0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])\\z"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = pattern.match(busId);
    return match.hasMatch() ? (match.captured(1) + u':' + match.captured(2)).toLower() : QString();
}

bool nvidiaSmiFailed(const QString &text)
{
    static const QRegularExpression complaint(
        u"NVIDIA-SMI has failed|Failed to initialize NVML|Unable to determine the device handle|GPU is lost|"
        "No devices were found"_s);
    return text.contains(complaint);
}

NvidiaSmiAnswer readNvidiaSmi(const QByteArray &output, int exitCode, bool withCapability)
{
    static const QRegularExpression index(u"^\\d{1,4}\\z"_s);
    static const QRegularExpression capability(u"^\\d{1,2}\\.\\d\\z"_s);
    static const QRegularExpression version(u"^\\d+(\\.\\d+)+\\z"_s);
    static const QRegularExpression memory(u"^\\d+ [KMGT]i?B\\z"_s);
    const QString text = QString::fromUtf8(output);

    NvidiaSmiAnswer answer;
    const qsizetype columns = withCapability ? 6 : 5;
    for (const QString &line : text.split(u'\n', Qt::SkipEmptyParts)) {
        QStringList fields = line.split(u',');
        for (QString &field : fields)
            field = field.trimmed();
        if (fields.size() != columns || matching(fields.takeFirst(), index).isEmpty())
            continue;
        GpuInfo gpu;
        gpu.source = u"nvidia-smi"_s;
        const QString name = fields.takeFirst();
        gpu.name = name.isEmpty() || name.startsWith(u'[') ? Tr::tr("NVIDIA GPU") : name;
        if (withCapability)
            gpu.capability = matching(fields.takeFirst(), capability);
        const QString driver = matching(fields.takeFirst(), version);
        gpu.memory = matching(fields.takeFirst(), memory);
        gpu.busId = sysfsBusId(fields.takeFirst());
        if (answer.driver.isEmpty())
            answer.driver = driver;
        answer.gpus.append(gpu);
    }

    if (!answer.gpus.isEmpty()) {
        if (exitCode != 0)
            answer.problem = Tr::tr("nvidia-smi listed the GPUs but ended with exit code %1.").arg(exitCode);
        return answer;
    }
    // The name of the field is never translated, the sentence around it may be.
    answer.capabilityRefused = withCapability && exitCode == 2 && text.contains("compute_cap"_L1);
    answer.gpuUnknown = nvidiaSmiFailed(text);
    const QString words = firstWords(text);
    if (exitCode != 0 && words.isEmpty())
        answer.problem = Tr::tr("nvidia-smi failed with exit code %1 and printed nothing.").arg(exitCode);
    else if (exitCode != 0)
        answer.problem = Tr::tr("nvidia-smi failed with exit code %1: %2").arg(QString::number(exitCode), words);
    else if (words.isEmpty())
        answer.problem = Tr::tr("nvidia-smi gave no answer.");
    else
        answer.problem = Tr::tr("nvidia-smi listed no GPU; it printed: %1").arg(words);
    return answer;
}

} // namespace tmx
