// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
//
// Words of new recipes that are true of another row or instruction set.
#include "model/snapshot/TrueWords.h"
#include "tests/support/BranchContents.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

class TrueWordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data()
    {
        QTest::addColumn<QString>("cell"); // row and instruction set
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("wanted"); // empty: the same
        const auto row = [](const char *name, const QString &cell, const QString &text, const QString &wanted = {}) {
            QTest::newRow(name) << cell << text << (wanted.isEmpty() ? text : wanted);
        };
        row("true", u"sm90 avx512"_s, u"Hopper (SM90: H100, H200) + AVX-512, Skylake-X+"_s);
        row("a board of another row", u"sm90 avx512"_s, u"(SM90: H100, L40S) for NVIDIA H100/H200/L40S"_s,
            u"(SM90: H100, H200) for NVIDIA H100/H200"_s);
        row("with a CPU of its own", u"sm90 armv9"_s, u"GH200 or L40S"_s, u"GH200"_s);
        row("another row's", u"sm90 avx512"_s, u"for L40S use sm89"_s);
        row("CPUs without it", u"sm90 armv9"_s, u"+ ARMv9 (Graviton3+, Grace)"_s,
            u"+ ARMv9 (Neoverse V2, Grace, Graviton4+)"_s);
        row("CPUs of a board", u"sm121 armv9"_s, u"+ ARMv9 (Graviton4, Grace)"_s, u"+ ARMv9 (DGX Spark)"_s);
        row("requirements of a board", u"sm87 armv8_2"_s, u"- CPU: ARM Neoverse N1, AWS Graviton2"_s,
            u"- CPU: AGX Orin, Orin NX, Orin Nano (ARMv8.2-A)"_s);
        row("a server", u"sm87 armv8_2"_s, u"If you have AGX Orin datacenter GPU on ARM server (Graviton2)"_s,
            u"If you have AGX Orin"_s);
        row("servers", u"sm121 armv9"_s, u"DGX Spark on ARM servers, 128 GB"_s, u"DGX Spark, 128 GB"_s);
        row("a server of a server's GPU", u"sm80 armv8_2"_s, u"A100 datacenter GPU on ARM server (Graviton2)"_s);
        row("an impossible other", u"sm87 armv8_2"_s,
            u"It is for Orin. For newer ARM servers (Graviton3+, Grace), use armv9 variant instead."_s,
            u"It is for Orin."_s);
        row("a possible other", u"sm80 armv8_2"_s, u"For newer CPUs, use armv9 variant instead."_s);
        row("CPUs of the other platform", u"sm90 armv8_2"_s, u"illegal instructions on Sandy Bridge/Ivy Bridge CPUs"_s,
            u"illegal instructions on Neoverse N1, Graviton2, Graviton3, Ampere Altra CPUs"_s);
        row("CPUs that lack it", u"sm90 avx2"_s, u"runs on Sandy Bridge CPUs"_s,
            u"runs on Intel Haswell+ (2013), AMD Excavator+ (2015), Zen CPUs"_s);
        row("not for them", u"sm90 avx2"_s, u"it does not run on Sandy Bridge CPUs"_s);
        row("the class of another row", u"sm70 avx"_s,
            u"SM70 (Volta consumer architecture), Volta Datacenter (SM70), V100 or TITAN V workstation GPU"_s,
            u"SM70 (Volta architecture), Volta (SM70), V100 or TITAN V GPU"_s);
        row("its own class", u"sm89 avx512"_s, u"Ada Lovelace consumer architecture, consumer GPUs"_s);
        row("illegal instructions", u"sm90 avx512"_s,
            u"built with AVX-512 flags, to avoid illegal instructions on Intel Skylake-X+ (2017), AMD CPUs. So it is"_s,
            u"built with AVX-512 flags. So it is"_s);
        row("alone", u"sm90 armv8_2"_s, u"the ARMv8.2-A-only build"_s, u"the ARMv8.2-A build"_s);
        row("alone of the first", u"sm90 avx"_s, u"the AVX-only build"_s);
        row("praise", u"sm90 armv8_2"_s, u"ARMv8.2-A (maximum compatibility)"_s,
            u"ARMv8.2-A (ARM servers without SVE2)"_s);
        row("praise of its own", u"sm90 avx2"_s, u"AVX2 (broad compatibility)"_s);
    }
    void words()
    {
        QFETCH(const QString, cell);
        QFETCH(const QString, text);
        QFETCH(const QString, wanted);
        const QString other = u"pytorch-python313-cuda12_9-sm89-avx"_s;
        const QString like = other + u'2';
        const BranchContent content{
            u"main"_s,
            QString(40, u'a'),
            true,
            {recipeFile(other, "{ torch }: torch # AVX (maximum compatibility) for a Consumer GPU\n"),
             recipeFile(like, "{ torch }: torch # AVX2 (broad compatibility)\n")}};
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        const Variant variant{u"pytorch"_s, u"python313"_s, u"12.9"_s, cell.section(u' ', 0, 0), cell.section(u' ', 1)};
        const QString code = u"{ torch }: torch\n# %1\n"_s;
        QCOMPARE(QString::fromUtf8(withTrueWords(builtInCatalog(), snapshot, variant, code.arg(text).toUtf8())),
                 code.arg(wanted));
        QCOMPARE(modelOfWords(snapshot, variant).isEmpty(), cell.endsWith("avx"_L1) || cell.endsWith("avx2"_L1));
    }

    // What no word of the catalog replaces is told with its line, where the model's row or instruction set alone makes
    // it true.
    void doubts()
    {
        const QString like = u"pytorch-python313-cuda12_9-sm61-avx2"_s;
        const BranchContent content{
            u"main"_s,
            QString(40, u'a'),
            true,
            {recipeFile(like, "{ torch }: torch # broad compatibility,\n# a known limitation of "
                              "Pascal, older CPUs without AVX2\n")}};
        const BranchSnapshot snapshot = makeSnapshot(builtInCatalog(), u"/"_s, content);
        const auto doubts = [&](const QString &row, const QString &isa, const QByteArray &text) {
            return linesInDoubt(*builtInCatalog(), snapshot, {u"pytorch"_s, u"python313"_s, u"12.9"_s, row, isa},
                                "{ torch }: torch\n" + text);
        };
        const QByteArray text = "# older hardware without\n# AVX-512 support, or maximum CPU\n# compatibility, a known "
                                "limitation of Volta GPUs\n";
        QVERIFY2(doubts(u"sm70"_s, u"avx512"_s, text).contains("2, 3, 4"_L1),
                 qPrintable(doubts(u"sm70"_s, u"avx512"_s, text)));
        QVERIFY(doubts(u"sm70"_s, u"avx512"_s, "# AVX-512, for V100\n").isEmpty());
        QVERIFY(doubts(u"sm70"_s, u"avx2"_s, "# broad compatibility\n").isEmpty());
        QVERIFY(doubts(u"sm70"_s, u"avx512"_s, "# Optimized for BF16 training\n").contains("2"_L1));
        QVERIFY(doubts(u"sm70"_s, u"avx512bf16"_s, "# Optimized for BF16 training\n").isEmpty());
        QVERIFY(doubts(u"sm61"_s, u"avx"_s, "# maximum compatibility, a limitation of Pascal\n").isEmpty());
    }
};

TM_TEST(TrueWordsTest, QCoreApplication)
#include "tst_truewords.moc"
