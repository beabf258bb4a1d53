// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/PastedHost.h"

#include "model/base/MachineMemory.h"
#include "model/base/Tr.h"
#include "model/hardware/CpuInfo.h"
#include "model/hardware/HostFiles.h"
#include "model/hardware/NvidiaSmi.h"
#include "model/hardware/PciGpus.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

// Frequent words of /proc/cpuinfo (Linux, arch/x86/include/asm/cpufeatures.h and arch/arm64/kernel/cpuinfo.c): they
// tell whether a line that a terminal cut ends with a word or within one.
constexpr QLatin1StringView frequentFlags =
    "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush dts acpi mmx fxsr sse sse2 ss ht "
    "tm pbe syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc arch_perfmon pebs bts rep_good nopl xtopology "
    "nonstop_tsc cpuid extd_apicid aperfmperf rapl tsc_known_freq pni pclmulqdq dtes64 monitor ds_cpl vmx smx est tm2 "
    "ssse3 sdbg fma cx16 xtpr pdcm pcid dca sse4_1 sse4_2 x2apic movbe popcnt tsc_deadline_timer aes xsave avx f16c "
    "rdrand hypervisor lahf_lm cmp_legacy svm extapic cr8_legacy abm sse4a misalignsse 3dnowprefetch osvw ibs skinit "
    "wdt tce topoext perfctr_core perfctr_nb bpext perfctr_llc mwaitx cpb cat_l3 cdp_l3 hw_pstate ssbd mba ibrs ibpb "
    "stibp vmmcall fsgsbase bmi1 avx2 smep bmi2 erms invpcid cqm rdt_a avx512f avx512dq rdseed adx smap avx512ifma "
    "clflushopt clwb intel_pt avx512cd sha_ni avx512bw avx512vl xsaveopt xsavec xgetbv1 xsaves cqm_llc "
    "cqm_occup_llc cqm_mbm_total cqm_mbm_local avx_vnni avx512_bf16 avx512vbmi avx512_vbmi2 gfni vaes vpclmulqdq "
    "avx512_vnni avx512_bitalg avx512_vpopcntdq la57 rdpid cldemote movdiri movdir64b fsrm md_clear serialize "
    "amx_bf16 avx512_fp16 amx_tile amx_int8 flush_l1d arch_capabilities invpcid_single pti ssbd "
    "fp asimd evtstrm pmull sha1 sha2 crc32 atomics fphp asimdhp asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 sm4 asimddp "
    "sha512 sve asimdfhm dit uscat ilrcpc flagm sb paca pacg dcpodp sve2 sveaes svepmull svebitperm svesha3 svesm4 "
    "flagm2 frint svei8mm svebf16 i8mm bf16 dgh rng bti"_L1;

bool isFrequentFlag(const QString &word)
{
    static const QSet<QString> words = [] {
        const QStringList list = QString(frequentFlags).split(u' ', Qt::SkipEmptyParts);
        return QSet<QString>(list.cbegin(), list.cend());
    }();
    return words.contains(word);
}

/// The text of bytes in UTF-8, or in UTF-16 as PowerShell writes it.
QString plainText(const QByteArray &bytes)
{
    if (const auto encoding = QStringConverter::encodingForData(bytes); encoding && *encoding != QStringConverter::Utf8)
        return QStringDecoder(*encoding)(bytes);
    return QString::fromUtf8(bytes);
}

/// The lines without what a terminal or a chat adds: control sequences, carriage returns, "> " of a quotation.
QStringList linesOf(const QByteArray &bytes)
{
    static const QRegularExpression control(u"\x1b\\[[0-9;?]*[A-Za-z]|[\r\x1b\uFEFF]"_s);
    static const QRegularExpression quoted(u"^(?:> ?)+"_s);
    QStringList lines = plainText(bytes).remove(control).replace(QChar::Nbsp, u' ').split(u'\n');
    for (QString &line : lines)
        line.remove(quoted);
    return lines;
}

/// A line "key: value" of lscpu or /proc/cpuinfo.
struct KeyedLine {
    QString key; ///< lower case
    QString value;
};

std::optional<KeyedLine> keyedLine(const QString &line)
{
    static const QRegularExpression pattern(u"^\\s*([A-Za-z][A-Za-z0-9 ()_/-]{0,40}?)\\s*:\\s*(.*?)\\s*$"_s);
    const QRegularExpressionMatch match = pattern.match(line);
    if (!match.hasMatch())
        return std::nullopt;
    return KeyedLine{match.captured(1).toLower(), match.captured(2)};
}

/// A list of flags that a terminal cut into several lines, in one again: at the width of the terminal within a word, or
/// between words.
QString unwrapped(const QStringList &lines)
{
    QString text = lines.constFirst().trimmed();
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QString next = lines.at(i).trimmed();
        const QString last = text.section(u' ', -1);
        const QString first = next.section(u' ', 0, 0);
        const bool words = isFrequentFlag(last) && isFrequentFlag(first);
        // A terminal cuts all lines of a value but the last at the same width.
        const bool cut = lines.at(i - 1).size() >= lines.at(i).size();
        const bool within = !words && (isFrequentFlag(last + first) || cut);
        text += within ? next : u' ' + next;
    }
    return text;
}

/// What lscpu says: the flags that all its clusters have, and their names.
struct Lscpu {
    QString architecture;
    QStringList models;
    QStringList flags;
    int cores = 0;
    bool isArm = false;
    bool isCut = false; ///< the end of the flags is missing
};

/// Whether a value is a list of a processor's flags; lspci's "Flags: bus master, fast devsel" is none.
bool areFlags(const QString &value)
{
    const QStringList words = value.split(u' ', Qt::SkipEmptyParts);
    const auto known = std::ranges::count_if(words, isFrequentFlag);
    return known > 0 && known * 2 >= words.size();
}

Lscpu readLscpu(const QStringList &lines)
{
    Lscpu cpu;
    std::optional<QSet<QString>> common;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const std::optional<KeyedLine> line = keyedLine(lines.at(i));
        if (!line)
            continue;
        if (line->key == "architecture"_L1 && cpu.architecture.isEmpty()) {
            cpu.architecture = line->value.section(u' ', 0, 0);
        } else if (line->key == "vendor id"_L1) {
            cpu.isArm = cpu.isArm || line->value == "ARM"_L1 || line->value == "Ampere"_L1;
        } else if (line->key == "model name"_L1 || line->key == "bios model name"_L1) {
            if (!line->value.isEmpty() && !cpu.models.contains(line->value) &&
                (line->key == "model name"_L1 || cpu.models.isEmpty()))
                cpu.models.append(line->value.simplified());
        } else if (line->key == "cpu(s)"_L1 && cpu.cores == 0) {
            cpu.cores = line->value.toInt();
        } else if (line->key != "vulnerabilities"_L1 && areFlags(line->value)) { // Their title is translated.
            QStringList value{lines.at(i).sliced(lines.at(i).indexOf(u':') + 1)};
            // The whole line's width decides where it was cut.
            QStringList whole{lines.at(i)};
            static const QRegularExpression more(u"^\\s*[a-z0-9][a-z0-9_ ]*$"_s);
            while (i + 1 < lines.size() && more.match(lines.at(i + 1)).hasMatch())
                whole.append(lines.at(++i));
            whole.first() = QString(whole.first().size() - value.first().size(), u' ') + value.first();
            const QString text = unwrapped(whole);
            cpu.isCut = cpu.isCut || text.contains("..."_L1) || text.contains(u'…');
            const QStringList flags = text.split(u' ', Qt::SkipEmptyParts);
            const QSet<QString> own(flags.cbegin(), flags.cend());
            common = common ? common->intersect(own) : own;
        }
    }
    if (common)
        cpu.flags = QStringList(common->cbegin(), common->cend());
    cpu.flags.sort();
    return cpu;
}

/// The system, from what names it or from flags that only one kind of processor has.
QString systemOf(const QStringList &lines, const Lscpu &lscpu, const QStringList &flags)
{
    if (!lscpu.architecture.isEmpty())
        return nixSystem(lscpu.architecture, u"linux"_s);
    if (lscpu.isArm || flags.contains(u"asimd"_s))
        return u"aarch64-linux"_s;
    if (flags.contains(u"lm"_s) || flags.contains(u"sse2"_s))
        return u"x86_64-linux"_s;
    // PyTorch's collect_env: "OS: Ubuntu 22.04.5 LTS (aarch64)"; uname -a.
    static const QRegularExpression named(
        u"^(?:OS: .*\\((x86_64|aarch64|arm64)\\)|Linux \\S+ .* (x86_64|aarch64) GNU/Linux|(x86_64|aarch64|arm64)\\s*$)"_s);
    for (const QString &line : lines) {
        if (const auto match = named.match(line); match.hasMatch())
            return nixSystem(match.captured(1) + match.captured(2) + match.captured(3), u"linux"_s);
    }
    return {};
}

constexpr QLatin1StringView fromSmi = "nvidia-smi"_L1;

/// Words of nvidia-smi that stand where a name could, too.
bool isName(const QString &value)
{
    static const QRegularExpression other(
        u"^(?:GPU|\\[.*\\]|N/A|ERR!|Default|Enabled|Disabled|Active|Not "
        u"Active|Exclusive_Process|Exclusive_Thread|Prohibited|"
        "On|Off|TCC|WDDM|MCDM|P\\d+|GPU-.*|MIG-.*|[\\d.:%\\s/-]+(?:[KMGT]i?B|W|C|MHz|%)?)\\z"_s);
    return !value.isEmpty() && value.front().isLetter() && !value.contains(u':') && !other.match(value).hasMatch();
}

bool startsLikeAGpu(const QString &line)
{
    static const QRegularExpression maker(u"^\\s*(?:NVIDIA|Tesla|Quadro|GeForce|TITAN|GRID|HGX)\\b"_s);
    return maker.match(line).hasMatch();
}

struct CsvForms {
    const QRegularExpression index{u"^\\d{1,3}\\z"_s};
    const QRegularExpression capability{u"^\\d{1,2}\\.\\d\\z"_s};
    const QRegularExpression version{u"^\\d{3}\\.\\d+(\\.\\d+)?\\z"_s};
    const QRegularExpression memory{u"^\\d+ [KMGT]i?B\\z"_s};
    const QRegularExpression time{u"^\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?\\z"_s};
    const QRegularExpression product{u"^(?:NVIDIA |Tesla |Quadro |GeForce |GRID |HGX )+(?:.*\\d|TITAN)|^TITAN "_s};
    const QRegularExpression untold{u"^\\[.*\\]\\z"_s};
    const QRegularExpression column{u"^[a-z][a-z_.]*(?: \\[[A-Za-z%/]+\\])?\\z"_s};
};

QStringList fieldsOf(const QString &line)
{
    QStringList fields = line.split(line.contains(u',') ? u',' : u'\t');
    for (QString &field : fields)
        field = field.trimmed();
    return fields;
}

/// The columns of a query, if the line is its heading.
QStringList headingOf(const QStringList &fields, const CsvForms &forms)
{
    QStringList columns;
    for (const QString &field : fields) {
        if (!forms.column.match(field).hasMatch())
            return {};
        columns.append(field.section(u' ', 0, 0));
    }
    return columns.contains("name"_L1) || columns.contains("gpu_name"_L1) || columns.contains("compute_cap"_L1)
               ? columns
               : QStringList();
}

struct CsvRow {
    GpuInfo gpu;
    QString driver;
};

CsvRow rowBelow(const QStringList &columns, const QStringList &fields, const CsvForms &forms)
{
    CsvRow row;
    for (qsizetype i = 0; i < columns.size(); ++i) {
        const QString &column = columns.at(i);
        const QString &value = fields.at(i);
        if ((column == "name"_L1 || column == "gpu_name"_L1) && isName(value))
            row.gpu.name = value;
        else if (column == "compute_cap"_L1 && forms.capability.match(value).hasMatch())
            row.gpu.capability = value;
        else if (column == "driver_version"_L1 && forms.version.match(value).hasMatch())
            row.driver = value;
        else if (column == "memory.total"_L1 && forms.memory.match(value).hasMatch())
            row.gpu.memory = value;
        else if (column == "pci.bus_id"_L1 || column == "gpu_bus_id"_L1)
            row.gpu.busId = sysfsBusId(value);
    }
    return row;
}

/// A row without a heading, with columns in any order: each value is recognised by its form, and the first value
/// without a known form is the name. A row without a compute capability counts if nvidia-smi could not report it
/// ("[N/A]") and another column shows that it is a row, or if all but a product's name are values, because other text
/// has commas too.
std::optional<CsvRow> rowByForm(const QStringList &fields, const CsvForms &forms)
{
    CsvRow row;
    GpuInfo &gpu = row.gpu;
    bool isUntold = false;
    bool isOther = false;
    int names = 0;
    for (const QString &value : fields) {
        names += isName(value);
        if (forms.capability.match(value).hasMatch())
            gpu.capability = value;
        else if (forms.version.match(value).hasMatch())
            row.driver = value;
        else if (forms.memory.match(value).hasMatch())
            gpu.memory = value;
        else if (const QString bus = sysfsBusId(value); !bus.isEmpty())
            gpu.busId = bus;
        else if (forms.untold.match(value).hasMatch())
            isUntold = true;
        else if (isName(value) && (gpu.name.isEmpty() || (!startsLikeAGpu(gpu.name) && startsLikeAGpu(value))))
            gpu.name = value; // The first, unless it is what a cut left of another column.
        else
            isOther = isOther || (value.contains(u':') && !forms.time.match(value).hasMatch());
    }
    const bool isRow =
        !row.driver.isEmpty() || !gpu.memory.isEmpty() || !gpu.busId.isEmpty() || gpu.name.startsWith("NVIDIA "_L1);
    const bool isTold = !gpu.capability.isEmpty() && (isRow || startsLikeAGpu(gpu.name)) && !gpu.name.isEmpty();
    const bool isNamed = names == 1 && forms.product.match(gpu.name).hasMatch();
    if (fields.size() < 2 || isOther || !(isTold || (gpu.capability.isEmpty() && (isNamed || (isUntold && isRow)))))
        return std::nullopt;
    return row;
}

/// GPUs of one kind of text, and the driver that it names.
struct Listed {
    QList<GpuInfo> gpus;
    QString driver;
};

bool hasBus(const QList<GpuInfo> &gpus, const QString &busId)
{
    return std::ranges::find(gpus, busId, &GpuInfo::busId) != gpus.end();
}

Listed csvOf(const QStringList &lines)
{
    static const CsvForms forms;
    Listed listed;
    QStringList columns;
    for (const QString &line : lines) {
        const QStringList fields = fieldsOf(line);
        if (const QStringList heading = headingOf(fields, forms); !heading.isEmpty()) {
            columns = heading;
            continue;
        }
        // A query ends with the first line that has other columns. Prose has one.
        if (fields.size() != columns.size() ||
            (columns.size() == 1 && !startsLikeAGpu(line) && !forms.capability.match(line.trimmed()).hasMatch()))
            columns.clear();
        if (fields.size() < 2 && columns.isEmpty())
            continue;
        std::optional<CsvRow> row;
        if (!columns.isEmpty())
            row = rowBelow(columns, fields, forms);
        if (!row || (row->gpu.name.isEmpty() && row->gpu.capability.isEmpty()))
            row = rowByForm(fields, forms);
        if (!row)
            continue;
        row->gpu.source = fromSmi;
        listed.gpus.append(row->gpu);
        if (!row->driver.isEmpty())
            listed.driver = row->driver;
    }
    // The same GPU may be in the text twice, once with fewer columns: the row with more columns counts.
    const bool withBus = std::ranges::any_of(listed.gpus, [](const GpuInfo &gpu) { return !gpu.busId.isEmpty(); });
    QList<GpuInfo> once;
    for (const GpuInfo &gpu : std::as_const(listed.gpus)) {
        if (!withBus || (!gpu.busId.isEmpty() && !hasBus(once, gpu.busId)))
            once.append(gpu);
    }
    listed.gpus = once;
    return listed;
}

/// nvidia-smi's default table: "|   0  NVIDIA H100 80GB HBM3          On  |   00000000:00:06.0 Off |". Jetson boards
/// have no bus address; long names are cut ("NVIDIA GeForce RTX 208...").
Listed tableOf(const QStringList &lines)
{
    static const QRegularExpression row(
        u"^\\s*\\|\\s+\\d{1,3}\\s+(\\S.*?)\\s+(?:On|Off|N/A|ERR!|TCC|WDDM|MCDM)?\\s*\\|\\s+"
        "([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7]|N/A)\\s+(?:On|Off|N/A)\\s*\\|"_s);
    // From 610 on "KMD Version"; "NVIDIA-SMI 540.3.0" is the tool's own.
    static const QRegularExpression driver(
        u"\\|\\s*NVIDIA-SMI.*?\\s(?:Driver|KMD) Version\\s*:\\s*(\\d+(?:\\.\\d+)+)"_s);
    Listed listed;
    for (const QString &line : lines) {
        if (const auto match = row.match(line); match.hasMatch()) {
            GpuInfo gpu{match.captured(1), {}, {}, sysfsBusId(match.captured(2)), fromSmi};
            const bool again = !gpu.busId.isEmpty() && hasBus(listed.gpus, gpu.busId);
            if (isName(gpu.name) && !again)
                listed.gpus.append(gpu);
        } else if (const auto named = driver.match(line); named.hasMatch() && listed.driver.isEmpty()) {
            listed.driver = named.captured(1);
        }
    }
    return listed;
}

/// nvidia-smi -q: a section "GPU 00000000:01:00.0" for each GPU.
Listed queryOf(const QStringList &lines)
{
    static const QRegularExpression section(
        u"^\\s*GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])\\s*$"_s);
    static const QRegularExpression field(u"^(\\s*)([A-Z][A-Za-z /]+?)\\s*:\\s*(.*?)\\s*$"_s);
    static const QRegularExpression version(u"^\\d+(\\.\\d+)+\\z"_s);
    static const QRegularExpression memory(u"^\\d+ [KMGT]i?B\\z"_s);
    Listed listed;
    for (const QString &line : lines) {
        if (const auto match = section.match(line); match.hasMatch()) {
            listed.gpus.append({{}, {}, {}, sysfsBusId(match.captured(1)), fromSmi});
            continue;
        }
        const auto match = field.match(line);
        if (!match.hasMatch())
            continue;
        const QString key = match.captured(2);
        const QString value = match.captured(3);
        if (key == "Driver Version"_L1 && version.match(value).hasMatch() && listed.driver.isEmpty())
            listed.driver = value;
        if (listed.gpus.isEmpty())
            continue;
        if (key == "Product Name"_L1 && listed.gpus.last().name.isEmpty() && isName(value))
            listed.gpus.last().name = value;
        else if (key == "Total"_L1 && listed.gpus.last().memory.isEmpty() && memory.match(value).hasMatch())
            listed.gpus.last().memory = value;
    }
    return listed;
}

/// nvidia-smi -L and PyTorch's collect_env: "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-...)". MIG lines are parts of a
/// GPU.
Listed numberedOf(const QStringList &lines)
{
    static const QRegularExpression numbered(
        u"^\\s*(?:GPU models and configuration:\\s*)?GPU (\\d{1,3}): (\\S.*?)(?:\\s+\\((?:U[^)]*\\)?)?)?\\s*$"_s);
    static const QRegularExpression driver(u"^\\s*Nvidia driver version:\\s*(\\d+(?:\\.\\d+)+)"_s);
    // deviceQuery of NVIDIA's samples.
    static const QRegularExpression device(u"^\\s*Device \\d{1,3}: \"(.+)\"\\s*$"_s);
    static const QRegularExpression capability(
        u"^\\s*CUDA Capability Major/Minor version number:\\s*(\\d{1,2}\\.\\d)\\s*$"_s);
    Listed listed;
    QSet<QString> seen;
    for (const QString &line : lines) {
        if (const auto match = numbered.match(line); match.hasMatch() && isName(match.captured(2))) {
            const QString identity = match.captured(1) + u' ' + match.captured(2);
            if (!seen.contains(identity))
                listed.gpus.append({match.captured(2), {}, {}, {}, fromSmi});
            seen.insert(identity);
        } else if (const auto named = driver.match(line); named.hasMatch()) {
            listed.driver = named.captured(1);
        } else if (const auto one = device.match(line); one.hasMatch() && isName(one.captured(1))) {
            listed.gpus.append({one.captured(1), {}, {}, {}, u"deviceQuery"_s});
        } else if (const auto told = capability.match(line); told.hasMatch() && !listed.gpus.isEmpty()) {
            listed.gpus.last().capability = told.captured(1);
        }
    }
    return listed;
}

/// lspci, with or without -n, -nn and a domain; of NVIDIA's functions only GPUs.
Listed lspciOf(const QStringList &lines)
{
    static const QRegularExpression device(
        u"^\\s*((?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])\\s+(?:03(?:00|02|80):\\s+10de:([0-9a-f]{4})|"
        "(?:VGA compatible controller|3D controller|Display controller)(?:\\s+\\[03[0-9a-f]{2}\\])?:\\s+NVIDIA "
        "Corporation\\s+(.*?)(?:\\s+\\[10de:([0-9a-f]{4})\\])?)(?:\\s+\\(rev [0-9a-f]+\\))?(?:\\s+\\(prog-if "
        ".*)?\\s*$"_s);
    Listed listed;
    for (const QString &line : lines) {
        const auto match = device.match(line);
        if (!match.hasMatch())
            continue;
        const QString bus =
            sysfsBusId(match.captured(1).count(u':') == 1 ? u"0000:"_s + match.captured(1) : match.captured(1));
        QString named = match.captured(3), id = match.captured(2) + match.captured(4);
        if (named.startsWith("Device"_L1)) {
            id = id.isEmpty() ? named.section(u' ', 1, 1) : id;
            named.clear();
        }
        if (!hasBus(listed.gpus, bus))
            listed.gpus.append(gpuOfPci(bus, named, id));
    }
    return listed;
}

/// Lines with nothing but a product's name, as a person types it: "RTX 5090", "2x NVIDIA L40S". A name without its
/// maker's words ("H100") counts only in a short text, as any other word could look like it.
Listed namesOf(const QStringList &lines)
{
    static const QRegularExpression named(
        u"^\\s*(?:[-*]\\s+)?(?:(\\d{1,2})\\s*x\\s*)?((?:(?:NVIDIA(?!-)|Tesla|Quadro|GeForce|TITAN|RTX|GTX|GRID|HGX|DGX|"
        "Jetson)\\b[A-Za-z0-9 ()/-]{0,60}|(?:RTX|GTX)\\d{3,4}[A-Za-z0-9 -]{0,40})|"
        "([ABHLTVP]\\d{1,3}[A-Za-z]?(?:[ -](?:PCIe|[A-Z0-9]{2,10})){0,3}))\\s*$"_s);
    static const QRegularExpression product(u"\\d|\\b(?:TITAN|Jetson|Orin|Thor|Spark|Rubin)\\b"_s);
    constexpr int shortText = 6;
    const auto count = std::ranges::count_if(lines, [](const QString &line) { return !line.trimmed().isEmpty(); });
    Listed listed;
    for (const QString &line : lines) {
        const auto match = named.match(line);
        const QString name = match.captured(2).simplified();
        const bool told = name.contains(product);
        if (!match.hasMatch() || !isName(name) || !told || (!match.captured(3).isEmpty() && count > shortText))
            continue;
        for (int i = qMax(1, match.captured(1).toInt()); i > 0; --i)
            listed.gpus.append({name, {}, {}, {}, Tr::tr("pasted text")});
    }
    return listed;
}

/// Whether two names may be one GPU's: they share a word with a number ("A100-SXM4-80GB", "A100 SXM4 80GB"), or one
/// names no product. A text may be about several machines, whose GPUs have the same address.
bool mayBeOne(const QString &name, const QString &onBus)
{
    static const QRegularExpression between(u"[\\s/-]+"_s);
    if (name == Tr::tr("NVIDIA GPU") || name == "NVIDIA Graphics Device"_L1)
        return true;
    const QStringList others = onBus.toUpper().split(between);
    const QStringList words = name.toUpper().split(between);
    return std::ranges::any_of(words, [&others](const QString &word) {
        return others.contains(word) && std::ranges::any_of(word, [](QChar c) { return c.isDigit(); });
    });
}

/// Adds what the bus says of GPUs that another text named without their architecture.
void complete(QList<GpuInfo> &gpus, const QList<GpuInfo> &onBus)
{
    for (qsizetype i = 0; i < gpus.size(); ++i) {
        GpuInfo &gpu = gpus[i];
        if (!gpu.capability.isEmpty())
            continue;
        const auto same = std::ranges::find(onBus, gpu.busId, &GpuInfo::busId);
        const GpuInfo *other = !gpu.busId.isEmpty() && same != onBus.end()          ? &*same
                               : gpu.busId.isEmpty() && onBus.size() == gpus.size() ? &onBus.at(i)
                                                                                    : nullptr;
        if (!other || other->capability.isEmpty() || !mayBeOne(gpu.name, other->name))
            continue;
        gpu.capability = other->capability;
        gpu.source = u"nvidia-smi, PCI id"_s;
    }
}

/// nvidia-smi's own words that it does not reach a GPU; empty if there are none.
QString failureIn(const QStringList &lines)
{
    const auto found = std::ranges::find_if(lines, [](const QString &line) { return nvidiaSmiFailed(line); });
    return found == lines.end() ? QString() : found->simplified().left(160);
}

void addGpus(const QStringList &lines, HostReport &report)
{
    const Listed csv = csvOf(lines);
    const Listed query = queryOf(lines);
    const Listed table = tableOf(lines);
    const Listed numbered = numberedOf(lines);
    const Listed bus = lspciOf(lines);
    const QString failure = failureIn(lines);
    const Listed names = failure.isEmpty() ? namesOf(lines) : Listed();
    for (const Listed *one : {&csv, &query, &table, &numbered, &bus, &names}) {
        if (report.gpus.isEmpty())
            report.gpus = one->gpus;
        if (report.driver.isEmpty())
            report.driver = one->driver;
    }
    for (GpuInfo &gpu : report.gpus) {
        if (gpu.name.isEmpty())
            gpu.name = Tr::tr("NVIDIA GPU");
    }
    for (GpuInfo &gpu : report.gpus) { // Of the text it is not known whether a driver is loaded.
        if (gpu.source == "PCI id"_L1)
            gpu.source = u"lspci"_s;
    }
    complete(report.gpus, bus.gpus);
    static const QRegularExpression unread(u"^\\s*\\|\\s+\\d{1,3}\\s+(?:ERR!|\\[[A-Z].*?\\])\\s"_s);
    if (const auto count =
            std::ranges::count_if(lines, [](const QString &line) { return unread.match(line).hasMatch(); });
        count > 0)
        report.remarks.append(Tr::tr("nvidia-smi could not read %n GPUs (ERR!).", nullptr, int(count)));
    // The module that is loaded counts, not the library beside it.
    const QString loaded = kernelDriverVersion(lines.join(u'\n'));
    if (!loaded.isEmpty() && (report.driver.isEmpty() || !failure.isEmpty()))
        report.driver = loaded;
    if (report.gpus.isEmpty() && failure.isEmpty() && !report.driver.isEmpty()) {
        report.gpus.append({Tr::tr("NVIDIA GPU"), {}, {}, {}, fromSmi});
        report.remarks.append(Tr::tr("The text names a driver, but no GPU; paste what nvidia-smi -L prints as well."));
    }
    if (!failure.isEmpty()) {
        if (report.gpus.isEmpty())
            report.gpus.append({Tr::tr("NVIDIA GPU"), {}, {}, {}, fromSmi});
        report.remarks.append(failure.contains("mismatch"_L1)
                                  ? Tr::tr("nvidia-smi does not reach the GPU: %1. Restart the machine, or load the "
                                           "driver's module again.")
                                        .arg(failure)
                                  : Tr::tr("nvidia-smi does not reach the GPU: %1.").arg(failure));
    }
}

} // namespace

QString wantsCapability()
{
    return Tr::tr("The text names no compute capability; paste what nvidia-smi "
                  "--query-gpu=name,compute_cap,driver_version --format=csv prints as well.");
}

QString wantsProcessor()
{
    return Tr::tr("The text does not say which instruction sets the CPU has; paste what lscpu prints as well.");
}

QString mentionsNoGpu()
{
    return Tr::tr(
        "The text mentions no NVIDIA GPU. If the machine has one, paste what nvidia-smi -L or lspci -nn prints "
        "as well.");
}

QString assumed()
{
    return Tr::tr("assumed");
}

Result<HostReport> readPastedHost(const QByteArray &bytes, const QString &name)
{
    const QStringList lines = linesOf(bytes);
    const QString text = lines.join(u'\n');
    HostReport report;
    report.name = name;
    const CpuInfo cpu = readCpuInfo(text);
    const Lscpu lscpu = readLscpu(lines);
    // lscpu's reader knows wrapped lines; /proc/cpuinfo's knows names of ARM cores.
    report.cpuFlags = lscpu.isCut ? QStringList() : lscpu.flags.isEmpty() ? cpu.flags : lscpu.flags;
    report.cpuModel = cpu.model.isEmpty() ? lscpu.models.join(" + "_L1) : cpu.model;
    report.cores = cpu.cores > 0 ? cpu.cores : lscpu.cores;
    report.architecture = systemOf(lines, lscpu, report.cpuFlags);
    report.memoryBytes = readMemTotal(text);
    report.os = osName(text);
    addGpus(lines, report);

    if (report.cpuFlags.isEmpty() && report.gpus.isEmpty())
        return Error{Tr::tr("read the machine"), name,
                     Tr::tr("the text has neither the flags of a CPU nor an NVIDIA GPU"),
                     Tr::tr("Paste what lscpu prints, and what nvidia-smi "
                            "--query-gpu=name,compute_cap,driver_version --format=csv prints.")};
    const bool architectureTold = !report.architecture.isEmpty();
    if (!architectureTold)
        report.architecture = u"x86_64-linux"_s;
    const QString pasted = Tr::tr("pasted text");
    const std::pair<QString, bool> facts[] = {{u"cpu"_s, !report.cpuFlags.isEmpty() || !report.cpuModel.isEmpty()},
                                              {u"memory"_s, report.memoryBytes > 0},
                                              {u"os"_s, !report.os.isEmpty()},
                                              {u"driver"_s, !report.driver.isEmpty()},
                                              {u"gpus"_s, !report.gpus.isEmpty()}};
    for (const auto &[fact, told] : facts) {
        if (told)
            report.sources.insert(fact, pasted);
    }
    report.sources.insert(u"system"_s, architectureTold ? pasted : assumed());
    if (lscpu.isCut)
        report.remarks.append(Tr::tr("The list of the CPU's flags is cut; paste the whole line of lscpu."));
    else if (report.cpuFlags.isEmpty())
        report.remarks.append(wantsProcessor());
    if (std::any_of(report.gpus.begin(), report.gpus.end(),
                    [](const GpuInfo &gpu) { return gpu.capability.isEmpty(); }))
        report.remarks.append(text.contains("compute_cap\" is not a valid field"_L1)
                                  ? Tr::tr("This driver's nvidia-smi does not know compute_cap; paste what nvidia-smi "
                                           "-L or lspci -nn prints as well.")
                                  : wantsCapability());
    if (report.gpus.isEmpty())
        report.remarks.append(mentionsNoGpu());
    else if (report.driver.isEmpty())
        report.remarks.append(Tr::tr("The text does not say which NVIDIA driver is loaded."));
    return report;
}

} // namespace tmx
