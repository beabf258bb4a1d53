// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/hardware/CpuVerdict.h"
#include "model/hardware/VariantPicker.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Choices.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"

#include <QSet>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

class VariantPickerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init() { QTest::failOnWarning(); }
    void picks_data();
    void picks();
    void ranksInstructionSets_data();
    void ranksInstructionSets();
    void saysWhyNotBetter_data();
    void saysWhyNotBetter();
    void judges_data();
    void judges();
    void listsExactOnesFirst();
    void saysWhyOneInstructionSetComesFirst();
    void servesUnlikeGpus();
    void takesTheNewestToolkitThatTheDriverKnows();
    void takesRecipesBeforeWhatCouldBeGenerated();
    void inventsNoVariantForTheCpu();
    void namesOtherBranches();
    void ranksBranches();
    void answersTheSameWhateverTheOrder();
    void saysEachReasonAsASentence();

private:
    HostReport host(const QString &name) const;
    std::shared_ptr<const Catalog> m_catalog;
    QHash<QString, HostReport> m_hosts;
};

void VariantPickerTest::initTestCase()
{
    m_catalog = testing::builtInCatalog();
    const QByteArray orin("nvidia,p3701-0000\0nvidia,tegra234\0", 34);
    m_hosts = {
        {u"H100 + Sapphire Rapids"_s, capturedH100()},
        {u"RTX 3090 + i9-12900K"_s,
         machine(u"i9-12900k"_s, smiRow(u"NVIDIA GeForce RTX 3090"_s, u"8.6"_s, u"550.54.14"_s))},
        {u"RTX 4090 + Zen 4"_s,
         machine(u"ryzen-9-7950x"_s, smiRow(u"NVIDIA GeForce RTX 4090"_s, u"8.9"_s, u"580.95.05"_s))},
        {u"L40S + Sapphire Rapids"_s,
         machine(u"xeon-platinum-8570"_s, smiRow(u"NVIDIA L40S"_s, u"8.9"_s, u"580.95.05"_s))},
        {u"T4 + Sandy Bridge"_s, machine(u"xeon-e5-2670"_s, smiRow(u"Tesla T4"_s, u"7.5"_s, u"580.95.05"_s))},
        {u"GTX 1080 Ti + i7-8700K"_s,
         machine(u"i7-8700k"_s, smiRow(u"NVIDIA GeForce GTX 1080 Ti"_s, u"6.1"_s, u"580.95.05"_s))},
        {u"V100 + Broadwell"_s,
         machine(u"xeon-e5-2686-v4"_s, smiRow(u"Tesla V100-SXM2-16GB"_s, u"7.0"_s, u"535.183.01"_s))},
        {u"A100 + Graviton3"_s, machine(u"graviton3"_s, smiRow(u"NVIDIA A100-SXM4-40GB"_s, u"8.0"_s, u"580.95.05"_s))},
        {u"GH200"_s, machine(u"grace"_s, smiRow(u"NVIDIA GH200 480GB"_s, u"9.0"_s, u"580.95.05"_s))},
        {u"DGX Spark"_s, machine(u"gb10"_s, u"0, NVIDIA GB10, 12.1, 580.95.05, [N/A], 0000000F:01:00.0\n"_s)},
        {u"Thor"_s, machine(u"thor"_s, u"0, NVIDIA Thor, 11.0, 580.00, [N/A], 00000000:01:00.0\n"_s)},
        {u"Orin"_s, board(u"orin"_s, orin, "NVIDIA Jetson AGX Orin Developer Kit")},
        {u"B300"_s, machine(u"xeon-platinum-8570"_s, smiRow(u"NVIDIA B300 SXM6 AC"_s, u"10.3"_s, u"580.95.05"_s))},
        {u"RTX 5090 with driver 560"_s,
         machine(u"ryzen-9-7950x"_s, smiRow(u"NVIDIA GeForce RTX 5090"_s, u"12.0"_s, u"560.35.03"_s))},
        {u"Knights Landing"_s, machine(u"xeon-phi-7250"_s, {})},
        {u"Skylake-SP"_s, machine(u"xeon-gold-6148"_s, {})},
        {u"laptop"_s, machine(u"ryzen-7-5800u"_s, {})},
        {u"RTX 4090 and RTX 3090"_s,
         machine(u"ryzen-9-7950x"_s, smiRow(u"NVIDIA GeForce RTX 4090"_s, u"8.9"_s, u"580.95.05"_s) +
                                         smiRow(u"NVIDIA GeForce RTX 3090"_s, u"8.6"_s, u"580.95.05"_s, 1))},
        {u"RTX 4090 and GTX 1080 Ti"_s,
         machine(u"ryzen-9-7950x"_s, smiRow(u"NVIDIA GeForce GTX 1080 Ti"_s, u"6.1"_s, u"580.95.05"_s) +
                                         smiRow(u"NVIDIA GeForce RTX 4090"_s, u"8.9"_s, u"580.95.05"_s, 1))},
        {u"RTX 3090 without driver"_s, machineByPci(u"i9-12900k"_s, {u"2204"_s})},
        {u"RTX 3090, nvidia-smi broken"_s, machineByPci(u"i9-12900k"_s, {u"2204"_s}, u"580.95.05"_s)},
        {u"unknown PCI id"_s, machineByPci(u"ryzen-9-7950x"_s, {u"3340"_s})},
        {u"P100"_s, machineByPci(u"xeon-e5-2686-v4"_s, {u"15f9"_s}, u"535.183.01"_s)},
        {u"WSL"_s, // nvidia-smi answers, and no NVIDIA device is on the bus that Linux sees
         combine(filesOf(u"ryzen-9-7950x"_s),
                 readNvidiaSmi(smiRow(u"NVIDIA GeForce RTX 4090"_s, u"8.9"_s, u"560.94"_s).toUtf8(), 0, true))},
        {u"container with the GPU passed in"_s,
         [] {
             HostFiles files = filesOf(u"xeon-platinum-8570"_s);
             files.hasPci = false;
             return combine(files, readNvidiaSmi(smiRow(u"NVIDIA L40S"_s, u"8.9"_s, u"580.95.05"_s).toUtf8(), 0, true));
         }()},
        {u"container without /sys/bus/pci"_s,
         [] {
             HostFiles files = filesOf(u"xeon-platinum-8570"_s);
             files.hasPci = false;
             return combine(files, NvidiaSmiAnswer{.problem = u"nvidia-smi is not installed."_s});
         }()},
        {u"cpuinfo unreadable"_s,
         [] {
             HostReport report;
             report.architecture = u"x86_64-linux"_s;
             return report;
         }()},
        {u"RISC-V"_s,
         [] {
             HostReport report;
             report.architecture = u"riscv64-linux"_s;
             report.cpuFlags = {u"rv64imafdcv"_s};
             return report;
         }()},
        {u"ARM without half precision"_s,
         [] {
             HostReport report;
             report.architecture = u"aarch64-linux"_s;
             report.cpuFlags = {u"aes"_s, u"asimd"_s, u"crc32"_s, u"fp"_s};
             return report;
         }()},
    };
}

HostReport VariantPickerTest::host(const QString &name) const
{
    return m_hosts.value(name);
}

void VariantPickerTest::picks_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<QString>("branch");
    QTest::addColumn<Workload>("workload");
    QTest::addColumn<QString>("best"); // "name, exact", "name, runs, not promised"; "" = none
    QTest::addColumn<QString>("why");  // whyNothing
    const auto row = [](const char *machine, const char *branch, Workload workload, const QString &best,
                        const QString &why = {}) {
        QTest::addRow("%s on %s, %d", machine, branch, int(workload))
            << QString::fromUtf8(machine) << QString::fromUtf8(branch) << workload << best << why;
    };
    using enum Workload;
    row("H100 + Sapphire Rapids", "main", General, u"pytorch-python313-cuda12_8-sm90-avx512, exact"_s);
    row("H100 + Sapphire Rapids", "main", Bf16Training, u"pytorch-python313-cuda12_8-sm90-avx512bf16, exact"_s);
    row("H100 + Sapphire Rapids", "main", Int8Inference, u"pytorch-python313-cuda12_8-sm90-avx512vnni, exact"_s);
    row("H100 + Sapphire Rapids", "main", WidestReach, u"pytorch-python313-cuda12_8-sm90-avx2, exact"_s);
    row("H100 + Sapphire Rapids", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm90-avx512, exact"_s);
    row("RTX 3090 + i9-12900K", "main", General, u"pytorch-python313-cuda12_8-sm86-avx2, exact"_s);
    row("RTX 3090 + i9-12900K", "main", Int8Inference, u"pytorch-python313-cuda12_8-sm86-avx2, exact"_s);
    row("RTX 3090 + i9-12900K", "cuda-13_0", General, u"pytorch-python313-cpu-avx2, runs"_s,
        u"pytorch-python313-cuda13_0-sm86-avx2 fits once NVIDIA driver 580 or newer is installed; this machine has 550.54.14."_s);
    row("RTX 4090 + Zen 4", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm89-avx512, exact"_s);
    row("RTX 4090 + Zen 4", "cuda-12_9", Int8Inference, u"pytorch-python313-cuda12_9-sm89-avx512vnni, exact"_s);
    row("L40S + Sapphire Rapids", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm89-avx512, exact"_s);
    // The settings have sm75, but nothing for AVX only: the variant that would fit is proposed.
    row("T4 + Sandy Bridge", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm75-avx, exact, not promised"_s);
    row("T4 + Sandy Bridge", "main", General, u"pytorch-python313-cuda12_8-sm75-avx, exact, not promised"_s);
    row("GTX 1080 Ti + i7-8700K", "main", General, u"pytorch-python313-cuda12_8-sm61-avx2, exact"_s);
    row("GTX 1080 Ti + i7-8700K", "cuda-13_0", General, u"pytorch-python313-cpu-avx2, runs"_s,
        u"No recipe of branch cuda-13_0 covers the NVIDIA GeForce GTX 1080 Ti (compute capability 6.1): %1; branch cuda-12_9 has pytorch-python313-cuda12_9-sm61-avx2."_s);
    row("V100 + Broadwell", "main", General, u"pytorch-python313-cuda12_8-sm70-avx2, exact, not promised"_s);
    row("V100 + Broadwell", "cuda-13_0", General, u"pytorch-python313-cpu-avx2, runs"_s,
        u"No recipe of branch cuda-13_0 covers the Tesla V100-SXM2-16GB (compute capability 7.0): %1, and no other branch has one."_s);
    row("A100 + Graviton3", "main", General, u"pytorch-python313-cuda12_8-sm80-armv8_2, exact"_s);
    row("A100 + Graviton3", "cuda-13_0", WidestReach, u"pytorch-python313-cuda13_0-sm80-armv8_2, exact"_s);
    row("GH200", "main", General, u"pytorch-python313-cuda12_8-sm90-armv9, exact"_s);
    row("DGX Spark", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm121-armv9, exact"_s);
    row("DGX Spark", "main", General, u"pytorch-python313-cuda12_8-sm120-armv9, runs"_s);
    row("DGX Spark", "cuda-12_9", General, u"pytorch-python313-cuda12_9-sm120-armv9, runs"_s);
    row("Thor", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm110-armv9, exact"_s);
    row("Thor", "main", General, u"pytorch-python313-cpu-armv9, runs"_s,
        u"No recipe of branch main covers the NVIDIA Thor (compute capability 11.0): %1; branch cuda-13_0 has pytorch-python313-cuda13_0-sm110-armv9."_s);
    row("Orin", "main", General, u"pytorch-python313-cpu-armv8_2, runs"_s,
        u"No recipe of branch main covers the NVIDIA Jetson AGX Orin Developer Kit (compute capability 8.7), and no other branch has one."_s);
    row("Orin", "cuda-13_0", General, u"pytorch-python313-cpu-armv8_2, runs"_s,
        u"No recipe of branch cuda-13_0 covers the NVIDIA Jetson AGX Orin Developer Kit (compute capability 8.7), and no other branch has one."_s);
    row("B300", "cuda-12_9", General, u"pytorch-python313-cuda12_9-sm103-avx512, exact"_s);
    row("B300", "main", General, u"pytorch-python313-cuda12_8-sm100-avx512, runs"_s);
    row("RTX 5090 with driver 560", "main", General, u"pytorch-python313-cpu-avx512, runs"_s,
        u"pytorch-python313-cuda12_8-sm120-avx512 fits once NVIDIA driver 570 or newer is installed; this machine has 560.35.03."_s);
    row("Knights Landing", "main", General, u"pytorch-python313-cpu-avx2, exact"_s);
    row("Skylake-SP", "main", Int8Inference, u"pytorch-python313-cpu-avx512, exact"_s);
    row("Skylake-SP", "main", WidestReach, u"pytorch-python313-cpu-avx2, exact"_s);
    row("laptop", "main", General, u"pytorch-python313-cpu-avx2, exact"_s);
    row("RTX 4090 and RTX 3090", "main", General, u"pytorch-python313-cuda12_8-sm86-avx512, exact"_s);
    row("RTX 4090 and GTX 1080 Ti", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm89-avx512, exact"_s);
    row("RTX 3090 without driver", "main", General, u"pytorch-python313-cpu-avx2, runs"_s,
        u"pytorch-python313-cuda12_8-sm86-avx2 fits once NVIDIA driver 525.60.13 or newer is installed; none is loaded now."_s);
    row("RTX 3090, nvidia-smi broken", "main", General, u"pytorch-python313-cuda12_8-sm86-avx2, exact"_s);
    row("unknown PCI id", "main", General, u"pytorch-python313-cpu-avx512, runs"_s,
        u"The architecture of the NVIDIA GB120 is unknown; install the NVIDIA driver and detect again."_s);
    row("WSL", "main", General, u"pytorch-python313-cuda12_8-sm89-avx512, exact"_s);
    row("WSL", "cuda-13_0", General, u"pytorch-python313-cpu-avx512, runs"_s,
        u"pytorch-python313-cuda13_0-sm89-avx512 fits once NVIDIA driver 580 or newer is installed; this machine has 560.94."_s);
    row("container with the GPU passed in", "cuda-13_0", General, u"pytorch-python313-cuda13_0-sm89-avx512, exact"_s);
    row("container without /sys/bus/pci", "main", General, u"pytorch-python313-cpu-avx512, exact"_s);
    row("P100", "main", General, u"pytorch-python313-cpu-avx2, runs"_s,
        u"No recipe covers the NVIDIA Tesla P100 SXM2 16GB (compute capability 6.0); the catalog has no such architecture."_s);
    row("cpuinfo unreadable", "main", General, u"pytorch-python313-cpu-avx2, runs"_s);
    row("RISC-V", "main", General, {}, u"No variant runs on this machine: recipes are not made for riscv64-linux."_s);
    row("ARM without half precision", "main", General, {},
        u"No variant runs on this CPU: the lowest instruction set of recipes, ARMv8.2-A, needs fphp, asimdhp "_s
        u"and asimddp, which the CPU does not report."_s);
}

void VariantPickerTest::picks()
{
    QFETCH(QString, machine);
    QFETCH(QString, branch);
    QFETCH(Workload, workload);
    QFETCH(QString, best);
    QFETCH(QString, why);
    QVERIFY(m_hosts.contains(machine));
    const Settings *settings = m_catalog->settings(branch);
    QVERIFY(settings);

    const auto [picks, better, others, whyNothing] =
        pickVariants(*m_catalog, choiceOf(*settings, m_catalog.get()), host(machine), workload);
    for (const Pick &pick : others)
        QVERIFY(pick.fit == Fit::DoesNotRun && !pick.reasons.isEmpty());
    QString first;
    if (!picks.isEmpty()) {
        const Pick &pick = picks.constFirst();
        first = pick.variant.name() + (pick.fit == Fit::Exact ? u", exact"_s : u", runs"_s) +
                (pick.covered ? QString() : u", not promised"_s);
        QVERIFY(!pick.reasons.isEmpty());
    }
    QCOMPARE(first, best);
    if (why.contains("%1"_L1)) { // the catalog's own words about the invalid cell
        const QString row = m_catalog->rowOfCapability(host(machine).gpus.constFirst().capability)->id;
        QString reason = m_catalog
                             ->validity({u"pytorch"_s, u"python313"_s, settings->toolkits().constLast(), row,
                                         picks.constFirst().variant.isa})
                             .reason;
        QVERIFY(!reason.isEmpty());
        if (reason.endsWith(u'.'))
            reason.chop(1);
        why = why.arg(reason);
    }
    QCOMPARE(whyNothing, why);
    for (const Pick &pick : picks)
        QVERIFY(pick.fit != Fit::DoesNotRun);
    // The list alone says it too.
    if (!why.isEmpty() && !picks.isEmpty())
        QCOMPARE(picks.constFirst().reasons.constFirst(), why);
}

void VariantPickerTest::ranksInstructionSets_data()
{
    QTest::addColumn<QString>("cpu");
    QTest::addColumn<QString>("general");
    QTest::addColumn<QString>("bf16");
    QTest::addColumn<QString>("int8");
    QTest::addColumn<QString>("widest");
    const auto row = [](const char *cpu, const QString &general, const QString &bf16, const QString &int8,
                        const QString &widest) {
        QTest::newRow(cpu) << QString::fromUtf8(cpu) << general << bf16 << int8 << widest;
    };
    row("../hosts/h100-sapphire-rapids/cpuinfo", u"avx512 avx512vnni avx512bf16 avx2 avx"_s,
        u"avx512bf16 avx512 avx512vnni avx2 avx"_s, u"avx512vnni avx512 avx512bf16 avx2 avx"_s,
        u"avx2 avx avx512 avx512vnni avx512bf16"_s);
    row("ryzen-9-7950x", u"avx512 avx512vnni avx512bf16 avx2 avx"_s, u"avx512bf16 avx512 avx512vnni avx2 avx"_s,
        u"avx512vnni avx512 avx512bf16 avx2 avx"_s, u"avx2 avx avx512 avx512vnni avx512bf16"_s);
    row("xeon-gold-6148", u"avx512 avx2 avx"_s, u"avx512 avx2 avx"_s, u"avx512 avx2 avx"_s, u"avx2 avx avx512"_s);
    row("xeon-phi-7250", u"avx2 avx"_s, u"avx2 avx"_s, u"avx2 avx"_s, u"avx2 avx"_s);
    row("i9-12900k", u"avx2 avx"_s, u"avx2 avx"_s, u"avx2 avx"_s, u"avx2 avx"_s);
    row("xeon-e5-2670", u"avx"_s, u"avx"_s, u"avx"_s, u"avx"_s);
    row("graviton3", u"armv8_2"_s, u"armv8_2"_s, u"armv8_2"_s, u"armv8_2"_s);
    row("grace", u"armv9 armv8_2"_s, u"armv9 armv8_2"_s, u"armv9 armv8_2"_s, u"armv9 armv8_2"_s);
    row("gb10", u"armv9 armv8_2"_s, u"armv9 armv8_2"_s, u"armv9 armv8_2"_s, u"armv9 armv8_2"_s);
    row("orin", u"armv8_2"_s, u"armv8_2"_s, u"armv8_2"_s, u"armv8_2"_s);
}

void VariantPickerTest::ranksInstructionSets()
{
    QFETCH(QString, cpu);
    const HostReport report = filesOf(cpu).host;
    using enum Workload;
    for (const auto &[column, workload] : {std::pair("general", General), std::pair("bf16", Bf16Training),
                                           std::pair("int8", Int8Inference), std::pair("widest", WidestReach)}) {
        const QString expected = *static_cast<const QString *>(QTest::qData(column, qMetaTypeId<QString>()));
        QCOMPARE(isasThatRun(*m_catalog, report, workload).join(u' '), expected);
    }
}

void VariantPickerTest::saysWhyNotBetter_data()
{
    QTest::addColumn<QString>("cpu");
    QTest::addColumn<Workload>("workload");
    QTest::addColumn<QStringList>("reasons");
    using enum Workload;
    QTest::newRow("Graviton3") << u"graviton3"_s << General
                               << QStringList{u"ARMv9-A SVE2 does not run here: this CPU has sve but not sve2."_s};
    QTest::newRow("Grace") << u"grace"_s << General << QStringList();
    QTest::newRow("Orin: no SVE at all") << u"orin"_s << General << QStringList();
    QTest::newRow("Knights Landing")
        << u"xeon-phi-7250"_s << General
        << QStringList{u"AVX-512 does not run here: this CPU has avx512f but not avx512dq, avx512vl and "_s
                       u"avx512bw."_s};
    QTest::newRow("Skylake-SP") << u"xeon-gold-6148"_s << General << QStringList();
    QTest::newRow("Skylake-SP, INT8")
        << u"xeon-gold-6148"_s << Int8Inference
        << QStringList{u"For INT8 inference, AVX-512 VNNI would be best, but this CPU does not report avx512_vnni."_s};
    QTest::newRow("i9-12900K") << u"i9-12900k"_s << General << QStringList();
    QTest::newRow("i9-12900K, INT8") << u"i9-12900k"_s << Int8Inference
                                     << QStringList{
                                            u"For INT8 inference, AVX-512 VNNI would be best, but this CPU does "_s
                                            u"not report avx512f, avx512dq, avx512vl, avx512bw and avx512_vnni; "_s
                                            u"its avx_vnni is another instruction set."_s};
    QTest::newRow("Zen 4, BF16") << u"ryzen-9-7950x"_s << Bf16Training << QStringList();
    QTest::newRow("i7-8700K, BF16")
        << u"i7-8700k"_s << Bf16Training
        << QStringList{
               u"For BF16 training, AVX-512 BF16 would be best, but this CPU does not report avx512f, avx512dq, "_s
               u"avx512vl, avx512bw and avx512_bf16."_s};
    QTest::newRow("Sandy Bridge") << u"xeon-e5-2670"_s << General << QStringList();
}

void VariantPickerTest::saysWhyNotBetter()
{
    QFETCH(QString, cpu);
    QFETCH(Workload, workload);
    QFETCH(QStringList, reasons);
    const HostReport report = filesOf(cpu).host;
    const Isa *isa = m_catalog->isa(isasThatRun(*m_catalog, report, workload).constFirst());
    QCOMPARE(whyNotBetter(*m_catalog, report, *isa, workload), reasons);
    // And the pick says it.
    const QList<Pick> picks = pickVariants(*m_catalog, choiceOf(*m_catalog->settings(u"main"_s)), report, workload).run;
    for (const QString &reason : std::as_const(reasons))
        QVERIFY(picks.constFirst().reasons.contains(reason));
}

void VariantPickerTest::judges_data()
{
    QTest::addColumn<QString>("machine");
    QTest::addColumn<Variant>("variant");
    QTest::addColumn<Fit>("fit");
    QTest::addColumn<QStringList>("reasons");
    const auto row = [](const char *machine, const QString &cuda, const QString &gpu, const QString &isa, Fit fit,
                        const QStringList &reasons) {
        QTest::addRow("%s %s %s %s", machine, qPrintable(cuda), qPrintable(gpu), qPrintable(isa))
            << QString::fromUtf8(machine) << Variant{u"pytorch"_s, u"python313"_s, cuda, gpu, isa} << fit << reasons;
    };
    const QString good = u"Driver 580.95.05 is new enough for CUDA 12.8 (570.26 or later)."_s;
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm90"_s, u"avx512"_s, Fit::Exact,
        {u"Made for the NVIDIA H100 80GB HBM3 (compute capability 9.0); the CPU has all that AVX-512 needs."_s,
         u"Driver 580.159.04 is new enough for CUDA 12.8 (570.26 or later)."_s});
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm90"_s, u"avx2"_s, Fit::RunsUntuned,
        {u"Made for the NVIDIA H100 80GB HBM3 (compute capability 9.0)."_s,
         u"AVX2 runs on this CPU, which could use AVX-512."_s,
         u"Driver 580.159.04 is new enough for CUDA 12.8 (570.26 or later)."_s});
    row("H100 + Sapphire Rapids", u"13.1"_s, u"sm90"_s, u"avx512"_s, Fit::Exact,
        {u"Made for the NVIDIA H100 80GB HBM3 (compute capability 9.0); the CPU has all that AVX-512 needs."_s,
         u"Driver 580.159.04 is older than CUDA 13.1's own (590.44.01) and works by minor-version compatibility, from 580 on."_s});
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm90"_s, u"armv9"_s, Fit::DoesNotRun,
        {u"ARMv9-A SVE2 is for aarch64-linux; this machine is x86_64-linux."_s});
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm89"_s, u"avx512"_s, Fit::DoesNotRun,
        {u"Code for compute capability 8.9 does not run on the NVIDIA H100 80GB HBM3 (compute capability 9.0), "_s
         u"which has another major version."_s});
    row("H100 + Sapphire Rapids", {}, u"cpu"_s, u"avx512"_s, Fit::RunsUntuned,
        {u"Runs only on the CPU and leaves the GPU idle."_s, u"The CPU has all that AVX-512 needs."_s});
    row("H100 + Sapphire Rapids", {}, u"darwin-mps"_s, {}, Fit::DoesNotRun,
        {u"Apple Metal is for aarch64-darwin; this machine is x86_64-linux."_s});
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm90"_s, {}, Fit::Exact,
        {u"Made for the NVIDIA H100 80GB HBM3 (compute capability 9.0)."_s,
         u"Driver 580.159.04 is new enough for CUDA 12.8 (570.26 or later)."_s});
    // What the program does not know may not run.
    QTest::newRow("unknown instruction set")
        << u"H100 + Sapphire Rapids"_s << Variant{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, {}, u"amx"_s}
        << Fit::DoesNotRun << QStringList{u"The catalog has no instruction set amx."_s};
    row("H100 + Sapphire Rapids", u"12.8"_s, u"sm999"_s, u"avx2"_s, Fit::DoesNotRun, {});
    row("L40S + Sapphire Rapids", u"12.8"_s, u"sm86"_s, u"avx512"_s, Fit::RunsUntuned,
        {u"Runs on the NVIDIA L40S (compute capability 8.9) but is not tuned for it: the code is for 8.6, of the same major version."_s,
         u"The CPU has all that AVX-512 needs."_s, good});
    row("A100 + Graviton3", u"12.8"_s, u"sm86"_s, u"armv8_2"_s, Fit::DoesNotRun,
        {u"Code for compute capability 8.6 does not run on the NVIDIA A100-SXM4-40GB (compute capability 8.0), which is older."_s});
    row("A100 + Graviton3", u"12.8"_s, u"sm80"_s, u"armv9"_s, Fit::DoesNotRun,
        {u"ARMv9-A SVE2 needs sve2, which this CPU does not report."_s});
    row("Orin", u"12.8"_s, u"sm86"_s, u"armv8_2"_s, Fit::DoesNotRun,
        {u"Code for compute capability 8.6 does not run on the NVIDIA Jetson AGX Orin Developer Kit (compute capability 8.7): desktop GPUs and Jetson boards share no code."_s});
    row("Orin", u"12.8"_s, u"sm87"_s, u"armv8_2"_s, Fit::Exact,
        {u"Made for the NVIDIA Jetson AGX Orin Developer Kit (compute capability 8.7); the CPU has all that ARMv8.2-A needs."_s,
         u"CUDA 12.8 needs NVIDIA driver 525.60.13 or newer; this machine's driver is unknown."_s});
    row("Thor", u"13.0"_s, u"sm100"_s, u"armv9"_s, Fit::DoesNotRun,
        {u"Code for compute capability 10.0 does not run on the NVIDIA Thor (compute capability 11.0), which "_s
         u"has another major version."_s});
    row("Thor", u"13.0"_s, u"sm110"_s, u"armv9"_s, Fit::Exact,
        {u"Made for the NVIDIA Thor (compute capability 11.0); the CPU has all that ARMv9-A SVE2 needs."_s,
         u"Driver 580.00 is older than CUDA 13.0's own (580.65.06) and works by minor-version compatibility, from 580 on."_s});
    row("DGX Spark", u"12.8"_s, u"sm100"_s, u"armv9"_s, Fit::DoesNotRun,
        {u"Code for compute capability 10.0 does not run on the NVIDIA GB10 (compute capability 12.1), which "_s
         u"has another major version."_s});
    row("RTX 5090 with driver 560", u"12.8"_s, u"sm120"_s, u"avx512"_s, Fit::DoesNotRun,
        {u"Blackwell needs NVIDIA driver 570 or newer; this machine has 560.35.03."_s});
    row("RTX 5090 with driver 560", u"13.0"_s, u"sm120"_s, u"avx512"_s, Fit::DoesNotRun,
        {u"CUDA 13.0 needs NVIDIA driver 580 or newer; this machine has 560.35.03."_s});
    row("V100 + Broadwell", u"12.8"_s, u"sm70"_s, u"avx2"_s, Fit::Exact,
        {u"Made for the Tesla V100-SXM2-16GB (compute capability 7.0); the CPU has all that AVX2 needs."_s,
         u"Driver 535.183.01 is older than CUDA 12.8's own (570.26) and works by minor-version compatibility, from 525.60.13 on."_s});
    row("V100 + Broadwell", u"12.8"_s, u"sm70"_s, u"avx512"_s, Fit::DoesNotRun,
        {u"AVX-512 needs avx512f, avx512dq, avx512vl and avx512bw, which this CPU does not report."_s});
    row("i9 asked for VNNI", {}, u"cpu"_s, u"avx512vnni"_s, Fit::DoesNotRun, {});
    row("RTX 3090 without driver", u"12.8"_s, u"sm86"_s, u"avx2"_s, Fit::DoesNotRun,
        {u"No NVIDIA driver is loaded; CUDA 12.8 needs 525.60.13 or newer."_s});
    row("unknown PCI id", u"12.8"_s, u"sm120"_s, u"avx512"_s, Fit::DoesNotRun,
        {u"The architecture of the NVIDIA GB120 is unknown."_s});
    row("laptop", u"12.8"_s, u"sm90"_s, u"avx2"_s, Fit::DoesNotRun,
        {u"sm90 needs an NVIDIA GPU of compute capability 9.0; none was found."_s});
    row("laptop", {}, u"cpu"_s, u"avx"_s, Fit::RunsUntuned, {u"AVX runs on this CPU, which could use AVX2."_s});
    row("laptop", {}, u"cpu"_s, u"avx2"_s, Fit::Exact,
        {u"No NVIDIA GPU was found, and the CPU has all that AVX2 needs."_s});
    row("RTX 4090 and GTX 1080 Ti", u"12.8"_s, u"sm89"_s, u"avx512"_s, Fit::Exact,
        {u"Made for the NVIDIA GeForce RTX 4090 (compute capability 8.9); the CPU has all that AVX-512 needs."_s, good,
         u"Code for compute capability 8.9 does not run on the NVIDIA GeForce GTX 1080 Ti (compute capability "_s
         u"6.1), which has another major version."_s});
    row("RTX 4090 and RTX 3090", u"12.8"_s, u"sm86"_s, u"avx512"_s, Fit::Exact,
        {u"Made for the NVIDIA GeForce RTX 3090 (compute capability 8.6); the CPU has all that AVX-512 needs."_s,
         u"Runs on the NVIDIA GeForce RTX 4090 (compute capability 8.9) but is not tuned for it: the code is for 8.6, of the same major version."_s,
         good});
}

void VariantPickerTest::judges()
{
    QFETCH(QString, machine);
    QFETCH(Variant, variant);
    QFETCH(Fit, fit);
    QFETCH(QStringList, reasons);
    const HostReport report = machine == "i9 asked for VNNI"_L1 ? filesOf(u"i9-12900k"_s).host : host(machine);
    const Pick pick = judge(*m_catalog, report, {.variant = variant});
    QCOMPARE(pick.fit, fit);
    QCOMPARE(pick.variant, variant);
    if (machine == "i9 asked for VNNI"_L1)
        QVERIFY(pick.reasons.constFirst().endsWith("its avx_vnni is another instruction set."_L1));
    else if (variant.row == "sm999"_L1)
        QVERIFY(!pick.reasons.isEmpty());
    else if (fit == Fit::DoesNotRun)
        QCOMPARE(pick.reasons.mid(0, reasons.size()), reasons);
    else
        QCOMPARE(pick.reasons, reasons);
}

void VariantPickerTest::listsExactOnesFirst()
{
    QStringList names;
    const QList<Pick> picks = pickVariants(*m_catalog, choiceOf(*m_catalog->settings(u"main"_s)),
                                           host(u"L40S + Sapphire Rapids"_s), Workload::General)
                                  .run;
    for (const Pick &pick : picks)
        names.append((pick.fit == Fit::Exact ? u"= "_s : u"~ "_s) + pick.variant.row + u'-' + pick.variant.isa);
    QCOMPARE(names,
             QStringList({u"= sm89-avx512"_s, u"= sm89-avx512vnni"_s, u"= sm89-avx512bf16"_s,                   //
                          u"~ sm89-avx2"_s,                                                                     //
                          u"~ sm86-avx512"_s, u"~ sm86-avx512vnni"_s, u"~ sm86-avx512bf16"_s, u"~ sm86-avx2"_s, //
                          u"~ sm80-avx512"_s, u"~ sm80-avx512vnni"_s, u"~ sm80-avx512bf16"_s, u"~ sm80-avx2"_s, //
                          u"~ cpu-avx512"_s, u"~ cpu-avx512vnni"_s, u"~ cpu-avx512bf16"_s, u"~ cpu-avx2"_s}));
}

void VariantPickerTest::saysWhyOneInstructionSetComesFirst()
{
    const auto whyOf = [this](const QString &isa, Workload workload) {
        for (const Pick &pick : pickVariants(*m_catalog, choiceOf(*m_catalog->settings(u"main"_s)),
                                             host(u"H100 + Sapphire Rapids"_s), workload)
                                    .run) {
            if (pick.variant.row == "sm90"_L1 && pick.variant.isa == isa)
                return pick.reasons;
        }
        return QStringList();
    };
    QVERIFY(whyOf(u"avx512vnni"_s, Workload::General)
                .contains(u"AVX-512 comes before AVX-512 VNNI, which adds instructions for INT8 inference only."_s));
    QVERIFY(whyOf(u"avx512bf16"_s, Workload::General)
                .contains(u"AVX-512 comes before AVX-512 BF16, which adds instructions for BF16 training only."_s));
    QVERIFY(whyOf(u"avx512"_s, Workload::Int8Inference)
                .contains(u"For INT8 inference, AVX-512 VNNI comes before AVX-512."_s));
    QVERIFY(whyOf(u"avx512"_s, Workload::General).filter(u"comes before"_s).isEmpty());
    QVERIFY(whyOf(u"avx2"_s, Workload::General).filter(u"comes before"_s).isEmpty()); // it is slower, and that is said
}

void VariantPickerTest::servesUnlikeGpus()
{
    // sm86 runs on both, so it comes before sm89, which is exact as well but leaves the RTX 3090 out.
    QStringList names;
    for (const Pick &pick : pickVariants(*m_catalog, choiceOf(*m_catalog->settings(u"main"_s)),
                                         host(u"RTX 4090 and RTX 3090"_s), Workload::General)
                                .run.mid(0, 4))
        names.append(pick.variant.row + u'-' + pick.variant.isa);
    QCOMPARE(names, QStringList({u"sm86-avx512"_s, u"sm86-avx512vnni"_s, u"sm86-avx512bf16"_s, u"sm89-avx512"_s}));
}

void VariantPickerTest::takesTheNewestToolkitThatTheDriverKnows()
{
    const Settings settings = test::edited(*m_catalog->settings(u"main"_s), *m_catalog, [](WrittenSettings &form) {
        form.cudas = {{u"12.8"_s, {}}, {u"12.9"_s, {}}, {u"13.0"_s, {}}};
        form.coverage = {{{u"sm86"_s}, {u"avx2"_s}}};
    });
    const auto toolkits = [&](const QString &driver) {
        QStringList result;
        const HostReport report = machine(u"i9-12900k"_s, smiRow(u"NVIDIA GeForce RTX 3090"_s, u"8.6"_s, driver));
        for (const Pick &pick : pickVariants(*m_catalog, choiceOf(settings), report, Workload::General).run)
            result.append(pick.variant.cuda);
        return result;
    };
    QCOMPARE(toolkits(u"590.44.01"_s), QStringList({u"13.0"_s, u"12.9"_s, u"12.8"_s}));
    QCOMPARE(toolkits(u"570.86.10"_s), QStringList({u"12.8"_s, u"12.9"_s})); // 12.9 by compatibility alone
    QCOMPARE(toolkits(u"550.54.14"_s), QStringList({u"12.9"_s, u"12.8"_s}));
    QCOMPARE(toolkits(u"470.82.01"_s), QStringList());
}

void VariantPickerTest::takesRecipesBeforeWhatCouldBeGenerated()
{
    PickChoice choice = choiceOf(*m_catalog->settings(u"main"_s));
    const QString exact = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
    const auto best = [&] {
        return pickVariants(*m_catalog, choice, host(u"H100 + Sapphire Rapids"_s), Workload::General).run.constFirst();
    };
    QCOMPARE(best().name(), exact);
    const auto wanted = std::ranges::find_if(
        choice.candidates, [&](const Candidate &candidate) { return candidate.variant.name() == exact; });
    // With an old form of its name it is still the recipe, and flox knows it by that name.
    wanted->package = u"pytorch-py313-cuda12_8-sm90-avx512"_s;
    QCOMPARE(best().name(), wanted->package);
    wanted->recipe = Candidate::Recipe::Broken;
    QCOMPARE(best().variant.isa, u"avx512vnni"_s);
    QVERIFY(best().reasons.contains(u"%1 would fit better, but its recipe is broken."_s.arg(wanted->package)));
    wanted->recipe = Candidate::Recipe::None;
    wanted->package.clear();
    QCOMPARE(best().variant.isa, u"avx512vnni"_s);
    QVERIFY(best().reasons.contains(u"%1 would fit better, but has no recipe; generate it."_s.arg(exact)));
    // A variant that uses the GPU comes before a recipe that does not use it.
    for (Candidate &candidate : choice.candidates) {
        if (candidate.variant.row != "cpu"_L1)
            candidate.recipe = Candidate::Recipe::None;
    }
    QCOMPARE(best().name(), exact);
    QCOMPARE(int(best().recipe), int(Candidate::Recipe::None));
}

void VariantPickerTest::inventsNoVariantForTheCpu()
{
    PickChoice choice = choiceOf(*m_catalog->settings(u"main"_s));
    choice.candidates.removeIf([](const Candidate &candidate) { return candidate.variant.row == "cpu"_L1; });
    const auto picks = [&, this] { return pickVariants(*m_catalog, choice, host(u"laptop"_s), Workload::General); };
    QCOMPARE(picks().run.constFirst().variant.row, u"cpu"_s); // the settings have CPU recipes
    choice.kinds.removeIf([](const Variant &kind) { return kind.cuda.isEmpty(); });
    QCOMPARE(picks().run, QList<Pick>());
    QCOMPARE(picks().whyNothing, u"Branch main has no recipe for a machine without an NVIDIA GPU."_s);
}

void VariantPickerTest::namesOtherBranches()
{
    const HostReport b300 = host(u"B300"_s);
    PickChoice choice = choiceOf(*m_catalog->settings(u"main"_s), m_catalog.get());
    const auto says = [&](const QString &sentence) {
        return pickVariants(*m_catalog, choice, b300, Workload::General).run.constFirst().reasons.contains(sentence);
    };
    QVERIFY(says(u"Branch cuda-13_0 has pytorch-python313-cuda13_0-sm103-avx512, which fits better."_s));
    choice.elsewhere.clear();
    QVERIFY(!says(u"Branch cuda-13_0 has pytorch-python313-cuda13_0-sm103-avx512, which fits better."_s));
    // That no branch has one is only reported after all were read.
    choice = choiceOf(*m_catalog->settings(u"cuda-13_0"_s), m_catalog.get());
    const auto why = [&] {
        return pickVariants(*m_catalog, choice, host(u"V100 + Broadwell"_s), Workload::General).whyNothing;
    };
    QVERIFY(why().contains(u"no other branch"_s));
    choice.allRead = false;
    QVERIFY(!why().contains(u"no other branch"_s));
    QVERIFY2(why().endsWith(u'.') && !why().endsWith(u".."_s), qPrintable(why()));
}

void VariantPickerTest::ranksBranches()
{
    PickChoice choice;
    for (const Settings &settings : m_catalog->builtIn)
        choice.candidates += recipesOf(settings);
    const auto best = [&](const QString &machine) {
        return pickVariants(*m_catalog, choice, host(machine), Workload::General).run.constFirst().branch;
    };
    QCOMPARE(best(u"H100 + Sapphire Rapids"_s), u"cuda-13_0"_s); // the newest toolkit that the driver runs
    QCOMPARE(best(u"GTX 1080 Ti + i7-8700K"_s), u"cuda-12_9"_s);
    QCOMPARE(best(u"RTX 3090 + i9-12900K"_s), u"cuda-12_9"_s); // driver 550
    // What is missing is the oldest driver with which one fits.
    for (int order = 0; order < 2; ++order) {
        std::ranges::reverse(choice.candidates);
        const QString why =
            pickVariants(*m_catalog, choice, host(u"RTX 5090 with driver 560"_s), Workload::General).whyNothing;
        QVERIFY2(why.contains(u"-sm120-avx512 fits once NVIDIA driver 570 or newer"_s), qPrintable(why));
    }
    // Of one toolkit the newer framework comes first, whatever the branch's name.
    QList<Candidate> both;
    for (const auto &[branch, version] : {std::pair(u"a"_s, u"2.9.1"_s), std::pair(u"b"_s, u"2.10.0"_s)})
        both.append({{u"pytorch"_s, u"python313"_s, {}, u"cpu"_s, u"avx2"_s},
                     branch,
                     u"x"_s,
                     Candidate::Recipe::Sound,
                     true,
                     version});
    choice.candidates = both;
    QCOMPARE(best(u"laptop"_s), u"b"_s);
}

void VariantPickerTest::answersTheSameWhateverTheOrder()
{
    PickChoice choice = choiceOf(*m_catalog->settings(u"cuda-13_0"_s), m_catalog.get());
    const HostReport report = host(u"RTX 4090 + Zen 4"_s);
    const Picks before = pickVariants(*m_catalog, choice, report, Workload::General);
    std::ranges::reverse(choice.candidates);
    std::ranges::reverse(choice.elsewhere);
    const Picks after = pickVariants(*m_catalog, choice, report, Workload::General);
    QCOMPARE(after.run, before.run);
    QCOMPARE(after.doNotRun, before.doNotRun);
}

void VariantPickerTest::saysEachReasonAsASentence()
{
    int seen = 0;
    for (const HostReport &report : std::as_const(m_hosts)) {
        for (const Settings &settings : m_catalog->builtIn) {
            for (const Variant &variant : settings.promised()) {
                const Pick pick = judge(*m_catalog, report, {.variant = variant});
                QVERIFY2(!pick.reasons.isEmpty(), qPrintable(variant.name()));
                QCOMPARE(QSet<QString>(pick.reasons.cbegin(), pick.reasons.cend()).size(), pick.reasons.size());
                for (const QString &reason : pick.reasons) {
                    QVERIFY2(reason.endsWith(u'.') && !reason.contains("%"_L1) && !reason.contains("  "_L1) &&
                                 reason.front().isPrint(),
                             qPrintable(reason));
                    ++seen;
                }
            }
        }
    }
    QVERIFY(seen > 1000);
}

TM_TEST(VariantPickerTest, void)
#include "tst_variantpicker.moc"
