// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantFacts.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/EditedSettings.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

class CatalogTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = builtInCatalog();

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void comparesVersionsByNumber()
    {
        QCOMPARE(compareVersions(u"12.8"_s, u"12.10"_s), -1);
        QCOMPARE(compareVersions(u"580"_s, u"580.0.0"_s), 0);
        QCOMPARE(compareVersions(u"525.60.13"_s, u"525.60.9"_s), 1);
        QCOMPARE(compareVersions(u"570"_s, u"525.60.13"_s), 1);
        QCOMPARE(compareVersions({}, u"0.1"_s), -1);
        QCOMPARE(compareVersions(u"999999999999999999"_s, u"1"_s), 1);
        QCOMPARE(compareVersions(u"9999999999999999999999"_s, u"1"_s), -1); // too large to be a number
    }

    void findsEntriesInAnyOrder()
    {
        const Catalog &one = *m_catalog;
        Catalog other = one; // the same ids at other places
        std::ranges::reverse(other.rows);
        other.isas.removeFirst();
        QRandomGenerator random(7);
        const auto check = [](const auto &entries, const QString &id, const auto *found) {
            const auto wanted = std::ranges::find_if(entries, [&id](const auto &entry) { return entry.id == id; });
            QCOMPARE(found, wanted == entries.end() ? nullptr : &*wanted);
        };
        for (int i = 0; i < 2000; ++i) {
            const Catalog &catalog = random.bounded(2) ? one : other;
            const QString row = random.bounded(9) ? one.rows.at(random.bounded(one.rows.size())).id : u"sm1"_s;
            const QString isa = random.bounded(9) ? one.isas.at(random.bounded(one.isas.size())).id : u"z80"_s;
            check(catalog.rows, row, catalog.row(row));
            check(catalog.isas, isa, catalog.isa(isa));
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// By family, then the newest Python, then the build: whichever way it is found out.
    void profileKeysAreInTheirOrder()
    {
        const QStringList pythons{u"python3"_s,  u"python38"_s,  u"python39"_s,   u"python310"_s, u"python313"_s,
                                  u"python27"_s, u"python3x9"_s, u"python3x10"_s, u"pypy310"_s,   {}};
        const QStringList builds{{}, u"12.8"_s, u"12.10"_s, u"12.8.1"_s, u"cpu"_s, u"metal"_s};
        QList<ProfileKey> keys;
        for (const QString &family : {u"pytorch"_s, u"torchvision"_s}) {
            for (const QString &python : pythons) {
                for (const QString &build : builds)
                    keys.append({family, python, build});
            }
        }
        for (const ProfileKey &a : keys) {
            for (const ProfileKey &b : keys) {
                QCOMPARE(a == b, (a <=> b) == 0);
                QCOMPARE(a<b, b> a);
                if (a.family != b.family) {
                    QCOMPARE(a < b, a.family < b.family);
                } else if (const int step = compareVersions(pythonVersion(b.python), pythonVersion(a.python))) {
                    QCOMPARE(a < b, step < 0);
                } else if (a.python == b.python && a.isCuda() && b.isCuda()) {
                    QCOMPARE(a < b, compareVersions(a.build, b.build) < 0);
                }
            }
        }
        QVERIFY(std::ranges::is_sorted(QStringList{u"12.8"_s, u"12.10"_s, u"cpu"_s, u"metal"_s}, buildLess));
    }

    void rowsAndColumnsAreInGridOrder()
    {
        QStringList rows;
        for (const GpuRow &row : m_catalog->rows)
            rows.append(row.id);
        QCOMPARE(rows.join(u' '),
                 u"sm61 sm70 sm75 sm80 sm86 sm87 sm89 sm90 sm100 sm103 sm110 sm120 sm121 cpu darwin-mps"_s);
        QCOMPARE(m_catalog->isaIds().join(u' '), u"avx avx2 avx512 avx512bf16 avx512vnni armv8_2 armv9"_s);
        QStringList lines;
        for (const Settings &settings : m_catalog->builtIn)
            lines.append(settings.branch);
        QCOMPARE(lines.join(u' '), u"main cuda-12_9 cuda-13_0"_s);
    }

    void factsAreComplete()
    {
        for (const GpuRow &row : m_catalog->rows) {
            QVERIFY(!row.generation.isEmpty() && !row.platforms.isEmpty());
            QCOMPARE(row.isGpu(), row.id.startsWith("sm"_L1));
            QCOMPARE(row.isGpu(), !row.firstCuda.isEmpty());
            if (row.isGpu())
                QVERIFY(!row.products.isEmpty());
            QCOMPARE(m_catalog->row(row.id), &row);
        }
        for (const Isa &isa : m_catalog->isas) {
            QVERIFY(!isa.title.isEmpty() && !isa.hardware.isEmpty() && !isa.useCase.isEmpty() &&
                    !isa.cpuinfo.isEmpty());
            QVERIFY(!isa.flags.isEmpty());
            QCOMPARE(isa.flags.size(), isa.flagNotes.size());
            QCOMPARE(isa.lacksAvx2, isa.id == "avx"_L1);
        }
        QCOMPARE(m_catalog->rowOfCapability(u"8.9"_s)->id, u"sm89"_s);
        QVERIFY(m_catalog->row(u"sm89"_s)->products.contains("L40S"_L1));
        QVERIFY(!m_catalog->rowOfCapability(u"5.0"_s));
        QVERIFY(!m_catalog->rowOfCapability({}));
        QVERIFY(!m_catalog->row(u"sm61"_s)->cudnn && !m_catalog->row(u"sm70"_s)->cudnn &&
                m_catalog->row(u"sm75"_s)->cudnn);
    }

    void linesPromiseTheirTotals_data()
    {
        QTest::addColumn<int>("total");
        QTest::addColumn<int>("cpu");
        QTest::newRow("main") << 44 << 6;
        QTest::newRow("cuda-12_9") << 50 << 6;
        QTest::newRow("cuda-13_0") << 59 << 7;
    }

    void linesPromiseTheirTotals()
    {
        QFETCH(int, total);
        QFETCH(int, cpu);
        const Settings *settings = m_catalog->settings(QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(settings);
        QCOMPARE(toString(settings->source), u"built-in"_s);
        const QList<Variant> promised = settings->promised();
        QCOMPARE(promised.size(), total);
        QCOMPARE(QSet<Variant>(promised.cbegin(), promised.cend()).size(), total);
        QCOMPARE(std::count_if(promised.cbegin(), promised.cend(), [](const Variant &v) { return v.row == "cpu"_L1; }),
                 cpu);
        for (const Variant &variant : promised) {
            const Validity validity = m_catalog->validity(variant);
            QVERIFY2(validity.valid, qPrintable(variant.name() + u": "_s + validity.reason));
            QVERIFY(validity.reason.isEmpty());
            QVERIFY(settings->covers(variant));
        }
        QList<Variant> sorted = promised;
        const auto rank = [this](const Variant &v) {
            return std::pair(m_catalog->row(v.row) - m_catalog->rows.constData(),
                             m_catalog->isa(v.isa) - m_catalog->isas.constData());
        };
        std::stable_sort(sorted.begin(), sorted.end(),
                         [&](const Variant &a, const Variant &b) { return rank(a) < rank(b); });
        QCOMPARE(promised, sorted);
    }

    void coversNothingElse()
    {
        const Settings *settings = m_catalog->settings(u"cuda-13_0"_s);
        QVERIFY(!settings->covers(torchOn("12.8", "sm90", "avx2")));
        QVERIFY(!settings->covers(torchOn("13.0", "sm110", "avx2")));
        QVERIFY(!settings->covers(torchOn("13.0", "cpu", "avx2")));
        Variant other = torchOn("13.0", "sm90", "avx2");
        QVERIFY(settings->covers(other));
        other.python = u"python312"_s;
        QVERIFY(!settings->covers(other));
        other = torchOn("13.0", "sm90", "avx2");
        other.family = u"torchvision"_s;
        QVERIFY(!settings->covers(other));
        QCOMPARE(settings->common(&Profile::cudaAttribute, {{}, {}, {u"13.0"_s}}), u"cudaPackages_13"_s);
        QCOMPARE(m_catalog->settings(u"cuda-12_9"_s)->common(&Profile::release, {{}, {}, {u"12.9"_s}}), u"12.9.1"_s);
        QCOMPARE(m_catalog->settings(u"main"_s)->common(&Profile::release, {{}, {}, {u"12.8"_s}}), u"12.8"_s);
    }

    void aLineMayHoldSeveralOfEverything()
    {
        const auto several = [](WrittenSettings &settings) {
            settings.pythons = {u"python312"_s, u"python313"_s};
            settings.cudas.append({u"12.9"_s,
                                   {{u"release"_s, u"12.9.1"_s}, {u"attribute"_s, u"cudaPackages_12_9"_s}},
                                   {{u"pytorch"_s, {{u"gpu_template"_s, u"pytorch/two-stage-gpu"_s}}}}});
            settings.coverage.append({{u"sm90"_s, u"darwin-mps"_s}, {u"avx2"_s}}); // sm90 avx2 overlaps
        };
        Settings settings = test::edited(*m_catalog->settings(u"main"_s), *m_catalog, several);
        QCOMPARE(settings.promised().size(), 2 * (2 * 38 + 6 + 1));
        settings = test::edited(settings, *m_catalog, [](WrittenSettings &form) {
            form.cudas.clear();
            form.coverage.removeIf([](const auto &block) { return !block.where.builds.isEmpty(); });
        });
        QCOMPARE(settings.promised().size(), 2 * (6 + 1));
    }

    void saysWhyAVariantCannotExist_data()
    {
        QTest::addColumn<Variant>("variant");
        QTest::addColumn<QString>("reason");
        QTest::newRow("too old") << torchOn("12.8", "sm121", "armv9")
                                 << "nvcc 12.8 does not know sm_121: it needs CUDA 12.9 or newer.";
        QTest::newRow("Thor") << torchOn("12.9", "sm110", "armv9")
                              << "nvcc 12.9 does not know sm_110: it needs CUDA 13.0 or newer.";
        QTest::newRow("x86 Thor") << torchOn("13.0", "sm110", "avx512")
                                  << "Thor boards are ARM: no x86 variant of sm110 exists.";
        QTest::newRow("x86 Spark") << torchOn("13.0", "sm121", "avx2")
                                   << "DGX Spark machines are ARM: no x86 variant of sm121 exists.";
        QTest::newRow("ARMv9 Orin")
            << torchOn("12.8", "sm87", "armv9")
            << "All boards of sm87 have a processor with ARMv8.2-A: it does not run ARMv9-A SVE2.";
        QTest::newRow("x86 Orin") << torchOn("12.8", "sm87", "avx2")
                                  << "Jetson Orin boards are ARM: no x86 variant of sm87 exists.";
        QTest::newRow("dropped") << torchOn("13.0", "sm61", "avx2")
                                 << "CUDA 13.0 dropped sm61 (Pascal): the last toolkit is 12.9.";
        QTest::newRow("dropped before") << torchOn("13.1", "sm70", "avx2")
                                        << "CUDA 13.0 dropped sm70 (Volta): the last toolkit is 12.9.";
        QTest::newRow("ARM Pascal") << torchOn("12.8", "sm61", "armv9")
                                    << "CUDA on ARM hosts begins with Volta: no ARM variant of sm61 exists.";
        QTest::newRow("no CUDA") << torchOn("", "sm90", "avx2") << "Builds for sm90 need a CUDA toolkit.";
        QTest::newRow("CUDA on cpu") << torchOn("12.8", "cpu", "avx2") << "Builds for cpu have no CUDA.";
        QTest::newRow("no ISA") << torchOn("12.8", "sm90", "") << "";
        QTest::newRow("no ISA on a row of ARM boards") << torchOn("13.0", "sm110", "") << "";
        QTest::newRow("no ISA, dropped toolkit")
            << torchOn("13.0", "sm70", "") << "CUDA 13.0 dropped sm70 (Volta): the last toolkit is 12.9.";
        QTest::newRow("every GPU") << torchOn("12.8", "all", "avx2") << "";
        QTest::newRow("every GPU, no CUDA") << torchOn("", "all", "avx2") << "Builds for all need a CUDA toolkit.";
        QTest::newRow("ISA on a Mac") << torchOn("", "darwin-mps", "armv9")
                                      << "Builds for darwin-mps have no instruction set of their own.";
        QTest::newRow("unknown row") << torchOn("12.8", "sm99", "avx2") << "The catalog has no row \"sm99\".";
        QTest::newRow("unknown ISA") << torchOn("12.8", "sm90", "sse2")
                                     << "The catalog has no instruction set \"sse2\".";
        QTest::newRow("first toolkit") << torchOn("12.9", "sm121", "armv9") << "";
        QTest::newRow("last toolkit") << torchOn("12.9", "sm61", "avx") << "";
        QTest::newRow("unlisted toolkit") << torchOn("12.5", "sm90", "avx2") << "";
        QTest::newRow("Mac") << torchOn("", "darwin-mps", "") << "";
    }

    void saysWhyAVariantCannotExist()
    {
        QFETCH(Variant, variant);
        QFETCH(QString, reason);
        const Validity validity = m_catalog->validity(variant);
        QCOMPARE(validity.reason, reason);
        QCOMPARE(validity.valid, reason.isEmpty());
    }

    void aPyTorchKnowsTheGpusOfItsTime()
    {
        const Variant blackwell{u"pytorch"_s, u"python313"_s, u"12.8"_s, u"sm120"_s, u"avx2"_s};
        QVERIFY(m_catalog->validity(blackwell).valid);
        QVERIFY(m_catalog->validity(blackwell, u"2.7.0"_s).valid);
        QCOMPARE(m_catalog->validity(blackwell, u"2.6.0"_s).reason,
                 u"PyTorch 2.6.0 does not know sm_120: it needs PyTorch 2.7 or newer."_s);
        Variant hopper = blackwell;
        hopper.row = u"sm90"_s;
        QVERIFY(m_catalog->validity(hopper, u"2.6.0"_s).valid);
        // A companion goes by its torch.
        Settings settings = *m_catalog->settings(u"main"_s);
        settings.set(&Profile::version, u"2.6.0"_s, {{u"pytorch"_s}});
        Variant vision = blackwell;
        vision.family = u"torchvision"_s;
        QVERIFY(!m_catalog->validity(vision, settings).valid);
        vision.row = u"sm90"_s;
        QVERIFY(m_catalog->validity(vision, settings).valid);
    }

    void driverFloorIsTheLarger_data()
    {
        QTest::addColumn<Variant>("variant");
        QTest::addColumn<QString>("floor");
        QTest::newRow("Hopper 12.8") << torchOn("12.8", "sm90", "avx2") << "525.60.13";
        QTest::newRow("Pascal 12.9") << torchOn("12.9", "sm61", "avx2") << "525.60.13";
        QTest::newRow("Blackwell 12.8") << torchOn("12.8", "sm120", "avx2") << "570";
        QTest::newRow("B300 12.9") << torchOn("12.9", "sm103", "avx2") << "570";
        QTest::newRow("Blackwell 13.0") << torchOn("13.0", "sm100", "avx2") << "580";
        QTest::newRow("Hopper 13.1") << torchOn("13.1", "sm90", "avx2") << "580";
        QTest::newRow("unlisted toolkit") << torchOn("12.5", "sm90", "avx2") << "525.60.13";
        QTest::newRow("unknown major") << torchOn("14.0", "sm90", "avx2") << "";
        QTest::newRow("cpu") << torchOn("", "cpu", "avx2") << "";
    }

    void driverFloorIsTheLarger()
    {
        QFETCH(Variant, variant);
        QFETCH(QString, floor);
        QCOMPARE(m_catalog->driverFloor(variant), floor);
    }

    void factsOfAVariant()
    {
        const VariantFacts facts =
            factsOf(*m_catalog, *m_catalog->settings(u"main"_s), torchOn("12.8", "sm90", "avx512bf16"));
        QCOMPARE(facts.name, u"pytorch-python313-cuda12_8-sm90-avx512bf16"_s);
        QCOMPARE(facts.gpu, u"Hopper (sm90, compute capability 9.0)"_s);
        QCOMPARE(facts.products.join(u' '), u"H100 H200 GH200"_s);
        QCOMPARE(facts.cpu, u"AVX-512 BF16"_s);
        QCOMPARE(facts.flags.size(), 6);
        QCOMPARE(facts.pythonVersion, u"3.13"_s);
        QCOMPARE(facts.frameworkVersion, u"2.8.0"_s);
        QCOMPARE(facts.driver, u"NVIDIA 525.60.13 or newer"_s);
        QCOMPARE(facts.platform, u"x86_64-linux"_s);
        QCOMPARE(facts.useCase,
                 u"Hopper (H100, H200, GH200) with AVX-512 BF16: BF16 mixed-precision training on the CPU."_s);
        QCOMPARE(facts.buildCommand, u"flox build pytorch-python313-cuda12_8-sm90-avx512bf16"_s);

        const VariantFacts cpu =
            factsOf(*m_catalog, *m_catalog->settings(u"cuda-13_0"_s), torchOn("", "cpu", "armv8_2"));
        QCOMPARE(cpu.gpu, u"None (CPU only)"_s);
        QCOMPARE(cpu.driver, QString());
        QCOMPARE(cpu.platform, u"aarch64-linux"_s);
        QCOMPARE(cpu.useCase, u"No GPU, ARMv8.2-A: ARM servers without SVE2."_s);
        // Of a board with its own processor no other machine is named.
        const VariantFacts board =
            factsOf(*m_catalog, *m_catalog->settings(u"cuda-13_0"_s), torchOn("13.0", "sm121", "armv8_2"));
        QVERIFY(board.cpuHardware.isEmpty() && !board.useCase.contains(u"server"_s));
        QVERIFY2(board.useCase.endsWith(u" with ARMv8.2-A."_s), qPrintable(board.useCase));
    }
};

TM_TEST(CatalogTest, QCoreApplication)
#include "tst_catalog.moc"
