// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/MachinePicks.h"
#include "tests/model/hardware/Machines.h"
#include "tests/support/Choices.h"
#include "tests/support/TestMain.h"

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// GPUs of several architectures in one machine.
class MachinePicksTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }
    void picksForEachOfUnlikeGpus_data();
    void picksForEachOfUnlikeGpus();
};

void MachinePicksTest::picksForEachOfUnlikeGpus_data()
{
    QTest::addColumn<QString>("branch");
    QTest::addColumn<QStringList>("gpus"); // "name, capability"
    QTest::addColumn<QStringList>("each"); // "row-isa", or the beginning of why not
    QTest::addColumn<QString>("all");
    const QString ada = u"NVIDIA GeForce RTX 4090, 8.9"_s;
    const QString ampere = u"NVIDIA GeForce RTX 3090, 8.6"_s;
    const QString pascal = u"NVIDIA GeForce GTX 1080 Ti, 6.1"_s;
    QTest::newRow("one") << u"main"_s << QStringList{ada} << QStringList() << QString();
    QTest::newRow("two alike") << u"main"_s << QStringList{ada, ada} << QStringList() << QString();
    QTest::newRow("two of one architecture")
        << u"main"_s << QStringList{ampere, u"NVIDIA RTX A6000, 8.6"_s} << QStringList() << QString();
    QTest::newRow("same major") << u"main"_s << QStringList{ada, ampere}
                                << QStringList{u"sm89-avx512"_s, u"sm86-avx512"_s} << u"sm86-avx512"_s;
    QTest::newRow("whatever the order") << u"main"_s << QStringList{ampere, ada}
                                        << QStringList{u"sm86-avx512"_s, u"sm89-avx512"_s} << u"sm86-avx512"_s;
    QTest::newRow("other majors") << u"main"_s << QStringList{pascal, ada}
                                  << QStringList{u"sm61-avx2"_s, u"sm89-avx512"_s} << QString();
    QTest::newRow("one is too old for the line")
        << u"cuda-13_0"_s << QStringList{pascal, ada} << QStringList{u"CUDA 13.0"_s, u"sm89-avx512"_s} << QString();
    QTest::newRow("three, two of them alike") << u"main"_s << QStringList{ada, ampere, ada}
                                              << QStringList{u"sm89-avx512"_s, u"sm86-avx512"_s} << u"sm86-avx512"_s;
}

void MachinePicksTest::picksForEachOfUnlikeGpus()
{
    const auto loaded = Catalog::load();
    QVERIFY(loaded);
    const std::shared_ptr<const Catalog> catalog = *loaded;
    QFETCH(const QString, branch);
    QFETCH(const QStringList, gpus);
    QFETCH(const QStringList, each);
    QFETCH(const QString, all);
    QString smi;
    for (qsizetype i = 0; i < gpus.size(); ++i)
        smi += smiRow(gpus.at(i).section(u", "_s, 0, 0), gpus.at(i).section(u", "_s, 1), u"580.95.05"_s, int(i));
    const HostReport report = machine(u"ryzen-9-7950x"_s, smi);
    const MachinePicks picks = picksFor(*catalog, choiceOf(*catalog->settings(branch)), report, Workload::General);
    const auto cell = [](const Pick &pick) { return pick.variant.row + u'-' + pick.variant.isa; };
    const Picks plain = pickVariants(*catalog, choiceOf(*catalog->settings(branch)), report, Workload::General);
    QCOMPARE(picks.picks.value(0), plain.run.value(0));
    QVERIFY(std::ranges::is_permutation(picks.picks, plain.run));
    for (qsizetype i = 2; i < picks.picks.size(); ++i) { // best first
        const Pick &before = picks.picks.at(i - 1), &after = picks.picks.at(i);
        QVERIFY2(std::pair(before.variant.cuda.isEmpty(), before.fit) <=
                     std::pair(after.variant.cuda.isEmpty(), after.fit),
                 qPrintable(after.name()));
    }
    QCOMPARE(picks.perGpu.size(), each.size());
    for (qsizetype i = 0; i < each.size(); ++i) {
        const GpuPick &one = picks.perGpu.at(i);
        QCOMPARE(one.pick.has_value(), one.why.isEmpty());
        QVERIFY2(one.pick ? cell(*one.pick) == each.at(i) : one.why.contains(each.at(i)),
                 qPrintable(one.pick ? cell(*one.pick) : one.why));
    }
    QCOMPARE(picks.forAll ? cell(*picks.forAll) : QString(), all);
    if (picks.forAll)
        QVERIFY(picks.forAll->variant.row.startsWith(u"sm"_s)); // the CPU's serves none of them
}

TM_TEST(MachinePicksTest, void)
#include "tst_machinepicks.moc"
