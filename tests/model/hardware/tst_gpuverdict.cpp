// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Catalog.h"
#include "model/hardware/GpuVerdict.h"
#include "model/hardware/VariantPicker.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/TestMain.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// The facts of the domain as tables, and what follows from them for every pair of code and GPU.
class GpuVerdictTest : public QObject
{
    Q_OBJECT

    const std::shared_ptr<const Catalog> m_catalog = testing::builtInCatalog();

private Q_SLOTS:
    /// NVIDIA's compute-capability tables and CUDA's release notes: capability, first and last toolkit, hosts.
    void architectures()
    {
        QStringList rows;
        for (const GpuRow &row : m_catalog->rows) {
            if (!row.isGpu())
                continue;
            QStringList hosts;
            for (const QString &platform : row.platforms)
                hosts.append(platform == u"x86_64-linux"_s    ? u"x86"_s
                             : platform == u"aarch64-linux"_s ? u"arm"_s
                                                              : platform);
            hosts.sort();
            rows.append(u"%1 %2 %3-%4 %5%6"_s.arg(row.id, row.capability, row.firstCuda, row.lastCuda, hosts.join(u','),
                                                  row.jetson ? u" jetson"_s : QString()));
        }
        QCOMPARE(rows,
                 QStringList({u"sm61 6.1 8.0-12.9 x86"_s, u"sm70 7.0 9.0-12.9 arm,x86"_s, u"sm75 7.5 10.0- arm,x86"_s,
                              u"sm80 8.0 11.0- arm,x86"_s, u"sm86 8.6 11.1- arm,x86"_s, u"sm87 8.7 11.4- arm jetson"_s,
                              u"sm89 8.9 11.8- arm,x86"_s, u"sm90 9.0 11.8- arm,x86"_s, u"sm100 10.0 12.8- arm,x86"_s,
                              u"sm103 10.3 12.9- arm,x86"_s, u"sm110 11.0 13.0- arm jetson"_s,
                              u"sm120 12.0 12.8- arm,x86"_s, u"sm121 12.1 12.9- arm"_s}));
    }

    /// CUDA's release notes, Linux: a toolkit's own driver, and the oldest one by minor-version compatibility.
    void toolkits()
    {
        QStringList rows;
        for (const Toolkit &toolkit : m_catalog->toolkits)
            rows.append(
                QStringList{toolkit.version, toolkit.ownDriver, toolkit.compatibleDriver, toolkit.attribute}.join(
                    u' '));
        QCOMPARE(rows,
                 QStringList(
                     {u"12.4 550.54.14 525.60.13 cudaPackages_12_4"_s, u"12.6 560.28.03 525.60.13 cudaPackages_12_6"_s,
                      u"12.8 570.26 525.60.13 cudaPackages_12_8"_s, u"12.9 575.51.03 525.60.13 cudaPackages_12_9"_s,
                      u"13.0 580.65.06 580 cudaPackages_13_0"_s, u"13.1 590.44.01 580 cudaPackages_13_1"_s}));
    }

    /// Everything that /proc/cpuinfo must have for an instruction set.
    void instructionSets()
    {
        QStringList rows;
        for (const Isa &isa : m_catalog->isas)
            rows.append(isa.id + u": "_s + isa.cpuinfo.join(u' ') + u" | "_s + isa.flags.join(u' '));
        const QString avx512 = u"avx512f avx512dq avx512vl avx512bw fma"_s;
        const QString flags = u"-mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma"_s;
        QStringList wanted{u"avx: avx | -mavx -mno-fma -mno-bmi -mno-bmi2 -mno-avx2"_s,
                           u"avx2: avx2 fma f16c | -mavx2 -mfma -mf16c"_s,
                           u"avx512: %1 | %2"_s.arg(avx512, flags),
                           u"avx512vnni: %1 avx512_vnni | %2 -mavx512vnni"_s.arg(avx512, flags),
                           u"avx512bf16: %1 avx512_bf16 | %2 -mavx512bf16"_s.arg(avx512, flags),
                           u"armv8_2: fphp asimdhp asimddp | -march=armv8.2-a+fp16+dotprod"_s,
                           u"armv9: sve sve2 | -march=armv9-a+sve+sve2"_s};
        rows.sort();
        wanted.sort();
        // The order of the flags is up to the recipe, the set of flags is not.
        const auto sorted = [](QStringList &list) {
            for (QString &row : list) {
                QStringList shown = row.section(u": "_s, 1).section(u" | "_s, 0, 0).split(u' ');
                QStringList given = row.section(u" | "_s, 1).split(u' ');
                shown.sort();
                given.sort();
                row = row.section(u':', 0, 0) + u": "_s + shown.join(u' ') + u" | "_s + given.join(u' ');
            }
        };
        sorted(rows);
        sorted(wanted);
        QCOMPARE(rows, wanted);
    }

    /// CUDA C Programming Guide, binary compatibility: same major version, no newer minor version, and Jetson boards
    /// share no code with desktop GPUs.
    void whatRunsWhere()
    {
        QStringList pairs;
        for (const GpuRow &code : m_catalog->rows) {
            QStringList runs;
            for (const GpuRow &on : m_catalog->rows) {
                if (!code.isGpu() || !on.isGpu())
                    continue;
                const GpuVerdict verdict = judgeGpu(*m_catalog, {u"GPU"_s, on.capability, {}, {}, {}}, code);
                QCOMPARE(verdict.kind == GpuVerdict::Kind::Exact, code.id == on.id);
                QCOMPARE(verdict.sentence.isEmpty(), verdict.kind == GpuVerdict::Kind::Exact);
                if (verdict.kind != GpuVerdict::Kind::No)
                    runs.append(on.capability);
            }
            if (code.isGpu())
                pairs.append(code.id + u": "_s + runs.join(u' '));
        }
        QCOMPARE(pairs,
                 QStringList({u"sm61: 6.1"_s, u"sm70: 7.0 7.5"_s, u"sm75: 7.5"_s, u"sm80: 8.0 8.6 8.9"_s,
                              u"sm86: 8.6 8.9"_s, u"sm87: 8.7"_s, u"sm89: 8.9"_s, u"sm90: 9.0"_s, u"sm100: 10.0 10.3"_s,
                              u"sm103: 10.3"_s, u"sm110: 11.0"_s, u"sm120: 12.0 12.1"_s, u"sm121: 12.1"_s}));
    }

    /// A product's name does not determine anything, whatever a document says: an L40S is 8.9, and a GPU named H100 is
    /// what its capability says.
    void namesDecideNothing()
    {
        const GpuRow *hopper = m_catalog->row(u"sm90"_s);
        QVERIFY(judgeGpu(*m_catalog, {u"NVIDIA L40S"_s, u"8.9"_s, {}, {}, {}}, *hopper).kind == GpuVerdict::Kind::No);
        QVERIFY(judgeGpu(*m_catalog, {u"NVIDIA H100"_s, u"8.9"_s, {}, {}, {}}, *hopper).kind == GpuVerdict::Kind::No);
        QVERIFY(judgeGpu(*m_catalog, {u"NVIDIA L40S"_s, {}, {}, {}, {}}, *m_catalog->row(u"sm89"_s)).kind ==
                GpuVerdict::Kind::No);
        QVERIFY(m_catalog->row(u"sm89"_s)->products.contains(u"L40S"_s));
        for (const GpuRow &row : m_catalog->rows)
            QVERIFY(row.id == u"sm89"_s || !row.products.contains(u"L40S"_s));
    }
};

TM_TEST(GpuVerdictTest, void)
#include "tst_gpuverdict.moc"
