// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/MachineMemory.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/TestMain.h"

using namespace Qt::StringLiterals;
using namespace tmx;

class CpuInfoTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void readsTheCapture();
    void namesModelAndArchitecture_data();
    void namesModelAndArchitecture();
    void keepsOnlyWhatAllCoresHave();
    void takesNothingFromVmxFlags();
    void readsOddTexts_data();
    void readsOddTexts();
    void saysNixSystems();
    void readsMemory_data();
    void readsMemory();
};

void CpuInfoTest::readsTheCapture()
{
    const CpuInfo info = readCpuInfo(QString::fromUtf8(test::fixture(u"hosts/h100-sapphire-rapids/cpuinfo"_s)));
    QCOMPARE(info.model, u"Intel(R) Xeon(R) Processor"_s);
    QCOMPARE(info.architecture, u"x86_64-linux"_s);
    QCOMPARE(info.cores, 2); // the capture keeps two of sixteen
    QVERIFY(!info.unlike);
    QVERIFY(info.flags.contains(u"avx512_bf16"_s));
    QVERIFY(info.flags.contains(u"amx_tile"_s));
    QVERIFY(std::is_sorted(info.flags.cbegin(), info.flags.cend()));
}

void CpuInfoTest::namesModelAndArchitecture_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("architecture");
    QTest::newRow("i9-12900k") << u"12th Gen Intel(R) Core(TM) i9-12900K"_s << u"x86_64-linux"_s;
    QTest::newRow("xeon-e5-2670") << u"Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz"_s << u"x86_64-linux"_s;
    QTest::newRow("graviton3") << u"Neoverse-V1"_s << u"aarch64-linux"_s;
    QTest::newRow("grace") << u"Neoverse-V2"_s << u"aarch64-linux"_s;
    QTest::newRow("gb10") << u"Cortex-X925 + Cortex-A725"_s << u"aarch64-linux"_s;
    QTest::newRow("orin") << u"Cortex-A78AE"_s << u"aarch64-linux"_s;
}

void CpuInfoTest::namesModelAndArchitecture()
{
    QFETCH(QString, model);
    QFETCH(QString, architecture);
    const CpuInfo info =
        readCpuInfo(QString::fromUtf8(test::fixture(u"cpuinfo/"_s + QString::fromLatin1(QTest::currentDataTag()))));
    QCOMPARE(info.model, model);
    QCOMPARE(info.architecture, architecture);
    QCOMPARE(info.cores, 2);
}

void CpuInfoTest::keepsOnlyWhatAllCoresHave()
{
    // Alder Lake with the firmware that left AVX-512 on in the performance cores.
    const CpuInfo info = readCpuInfo(
        u"processor\t: 0\nflags\t\t: lm avx avx2 avx512f\n\nprocessor\t: 1\nflags\t\t: lm avx avx2 avx512f\n\n"
        "processor\t: 2\nflags\t\t: lm avx avx2\n"_s);
    QCOMPARE(info.flags, QStringList({u"avx"_s, u"avx2"_s, u"lm"_s}));
    QVERIFY(info.unlike);
    QCOMPARE(info.cores, 3);
}

void CpuInfoTest::takesNothingFromVmxFlags()
{
    const CpuInfo info = readCpuInfo(QString::fromUtf8(test::fixture(u"cpuinfo/i9-12900k"_s)));
    QVERIFY(info.flags.contains(u"vmx"_s));
    QVERIFY(!info.flags.contains(u"preemption_timer"_s));
}

void CpuInfoTest::readsOddTexts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<CpuInfo>("expected");
    QTest::newRow("empty") << QString() << CpuInfo{};
    QTest::newRow("garbage") << u"\x01\x02 flags\nno colon here\n:\n::::\n"_s << CpuInfo{};
    QTest::newRow("no flags") << u"processor : 0\nmodel name : X\n"_s << CpuInfo{.model = u"X"_s, .cores = 1};
    QTest::newRow("empty flags") << u"processor : 0\nflags :\n"_s << CpuInfo{.cores = 1};
    QTest::newRow("no last newline") << u"processor: 0\nflags: lm avx"_s
                                     << CpuInfo{.architecture = u"x86_64-linux"_s,
                                                .flags = {u"avx"_s, u"lm"_s},
                                                .cores = 1};
    QTest::newRow("old ARM kernel")
        << u"Processor\t: ARMv7 Processor rev 10 (v7l)\nprocessor\t: 0\nprocessor\t: 1\nFeatures\t: neon vfpv3\nCPU implementer\t: 0x41\nCPU part\t: 0xc09\n"_s
        << CpuInfo{.architecture = u"armv7l-linux"_s,
                   .model = u"ARM 0x41/0xc09"_s,
                   .flags = {u"neon"_s, u"vfpv3"_s},
                   .cores = 2};
    QTest::newRow("two sockets")
        << u"processor : 0\nmodel name : A  B\nphysical id : 0\nflags : lm\n\nprocessor : 1\nmodel name : A B\nphysical id : 1\nflags : lm\n"_s
        << CpuInfo{.architecture = u"x86_64-linux"_s, .model = u"A B"_s, .flags = {u"lm"_s}, .cores = 2};
    QTest::newRow("same flags in another order")
        << u"processor : 0\nflags : lm avx\nprocessor : 1\nflags : avx lm\n"_s
        << CpuInfo{.architecture = u"x86_64-linux"_s, .flags = {u"avx"_s, u"lm"_s}, .cores = 2};
}

void CpuInfoTest::readsOddTexts()
{
    QFETCH(QString, text);
    QFETCH(CpuInfo, expected);
    const CpuInfo info = readCpuInfo(text);
    QCOMPARE(info.architecture, expected.architecture);
    QCOMPARE(info.model, expected.model);
    QCOMPARE(info.flags, expected.flags);
    QCOMPARE(info.cores, expected.cores);
    QCOMPARE(info.unlike, expected.unlike);
}

void CpuInfoTest::saysNixSystems()
{
    QCOMPARE(nixSystem(u"x86_64"_s, u"linux"_s), u"x86_64-linux"_s);
    QCOMPARE(nixSystem(u"arm64"_s, u"linux"_s), u"aarch64-linux"_s);
    QCOMPARE(nixSystem(u"arm64"_s, u"darwin"_s), u"aarch64-darwin"_s);
    // Excerpts and virtual machines leave "lm" out: that alone makes no 32-bit machine.
    QCOMPARE(readCpuInfo(u"processor : 0\nflags : avx avx2\n"_s).architecture, QString());
    QCOMPARE(nixSystem(u"i386"_s, u"linux"_s), u"i686-linux"_s);
}

void CpuInfoTest::readsMemory_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");
    QTest::newRow("ordinary") << u"MemTotal:       131900000 kB\nMemFree:        1 kB\n"_s << qint64(131900000) * 1024;
    QTest::newRow("empty") << QString() << qint64(0);
    QTest::newRow("another unit") << u"MemTotal: 12 MB\n"_s << qint64(0);
    QTest::newRow("no number") << u"MemTotal: lots kB\n"_s << qint64(0);
    QTest::newRow("negative") << u"MemTotal: -5 kB\n"_s << qint64(0);
}

void CpuInfoTest::readsMemory()
{
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    QCOMPARE(readMemTotal(text), bytes);
}

TM_TEST(CpuInfoTest, void)
#include "tst_cpuinfo.moc"
