// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/NinjaProgress.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using tmx::NinjaProgress;

namespace {

QString read(NinjaProgress &progress, const QString &line)
{
    progress.read(line);
    return u"%1/%2 %3"_s.arg(progress.step()).arg(progress.total()).arg(progress.phase()).trimmed();
}

const QString opening = u"Building python3.13-pytorch-python313-cpu-avx2-2.8.0 in Nix expression mode"_s;
const QString torch = u"python3.13-pytorch-python313-cpu-avx2> "_s;

} // namespace

class tst_NinjaProgress : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void readsOneLine_data();
    void readsOneLine();
    void findsThePrefix_data();
    void findsThePrefix();
    void followsTheLargestTotal();
    void followsThePackageOnceItHasSteps();
    void doesNotTakeALongerNameForThePackage();
    void followsATotalThatShrinks();
    void followsThePhase();
    void tellsWhetherSomethingChanged();
};

void tst_NinjaProgress::readsOneLine_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("expected");
    QTest::newRow("prefix") << torch + u"[123/4567] Building CXX object x"_s << u"123/4567"_s;
    QTest::newRow("no prefix") << u"[1/9] Linking"_s << u"1/9"_s;
    QTest::newRow("padded") << u"[  7/900] Building"_s << u"7/900"_s;
    QTest::newRow("nothing after") << u"magma> [9/9]"_s << u"9/9"_s;
    QTest::newRow("zero") << u"x> [0/2] Re-checking globbed directories..."_s << u"0/2"_s;
    QTest::newRow("percent") << u"x> [ 12%] Building"_s << u"0/0"_s;
    QTest::newRow("more than all") << u"x> [9/3] Building"_s << u"0/0"_s;
    QTest::newRow("nix counts") << u"[3/9 built, 2 copied]"_s << u"0/0"_s;
    QTest::newRow("within the line") << u"x> step [3/9] of it"_s << u"0/0"_s;
    QTest::newRow("too large") << u"[99999999999/999999999999] x"_s << u"0/0"_s;
    QTest::newRow("negative") << u"[-1/9] x"_s << u"0/0"_s;
    QTest::newRow("no numbers") << u"[a/b] x"_s << u"0/0"_s;
    QTest::newRow("building nothing") << u"Building in Nix expression mode"_s << u"0/0"_s;
    QTest::newRow("building an empty name") << u"Building  in Nix expression mode"_s << u"0/0"_s;
    QTest::newRow("source code") << u"x> if (a[1/2] > b)"_s << u"0/0"_s;
}

void tst_NinjaProgress::readsOneLine()
{
    QFETCH(QString, line);
    NinjaProgress progress;
    QTEST(read(progress, line), "expected");
}

void tst_NinjaProgress::findsThePrefix_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("prefix");
    QTest::newRow("name") << torch + u"x"_s << torch.chopped(2);
    QTest::newRow("empty line of a builder") << u"magma-2.9.0> "_s << u"magma-2.9.0"_s;
    QTest::newRow("trimmed") << u"magma-2.9.0>"_s << u"magma-2.9.0"_s;
    QTest::newRow("plus and question mark") << u"gtk+3?x=1> y"_s << u"gtk+3?x=1"_s;
    QTest::newRow("none") << u"error: builder failed"_s << QString();
    QTest::newRow("nothing before") << u"> y"_s << QString();
    QTest::newRow("blank before") << u"       > ninja: build stopped"_s << QString();
    QTest::newRow("arrow") << u"a -> b"_s << QString();
    QTest::newRow("empty") << QString() << QString();
}

void tst_NinjaProgress::findsThePrefix()
{
    QFETCH(QString, line);
    QFETCH(QString, prefix);
    QCOMPARE(tmx::derivationPrefix(line).toString(), prefix);
}

void tst_NinjaProgress::followsTheLargestTotal()
{
    NinjaProgress progress;
    QCOMPARE(read(progress, torch + u"[4/4] Linking sleef"_s), u"4/4"_s);
    QCOMPARE(read(progress, torch + u"[1/5600] Building"_s), u"1/5600"_s);
    QCOMPARE(read(progress, torch + u"[2/5600] Building"_s), u"2/5600"_s);
    QCOMPARE(read(progress, torch + u"[1/40] Building a nested project"_s), u"2/5600"_s);
    QCOMPARE(read(progress, torch + u"[40/40] Building a nested project"_s), u"2/5600"_s);
    QCOMPARE(read(progress, torch + u"[3/5600] Building"_s), u"3/5600"_s);
}

void tst_NinjaProgress::followsThePackageOnceItHasSteps()
{
    NinjaProgress progress;
    read(progress, opening);
    QCOMPARE(read(progress, u"magma> [100/9000] Building"_s), u"100/9000"_s);
    QCOMPARE(read(progress, u"nccl> [7/30] Building"_s), u"100/9000"_s);
    QCOMPARE(read(progress, torch + u"[1/5600] Building"_s), u"1/5600"_s);
    QCOMPARE(progress.derivation(), torch.chopped(2));
    QCOMPARE(read(progress, u"magma> [101/9000] Building"_s), u"1/5600"_s);
    QCOMPARE(read(progress, u"triton> [101/99000] Building"_s), u"1/5600"_s);
    QCOMPARE(read(progress, torch + u"[2/5600] Building"_s), u"2/5600"_s);
}

void tst_NinjaProgress::doesNotTakeALongerNameForThePackage()
{
    NinjaProgress progress;
    read(progress, u"Building python3.13-pytorch-python313-cpu-avx512-2.8.0 in Nix expression mode"_s);
    read(progress, u"python3.13-pytorch-python313-cpu-avx5> [1/10] x"_s);
    QCOMPARE(read(progress, u"magma> [1/20] x"_s), u"1/20"_s); // The larger total: neither is the package.
    QCOMPARE(read(progress, u"python3.13-pytorch-python313-cpu-avx512> [1/10] x"_s), u"1/10"_s);
}

void tst_NinjaProgress::followsATotalThatShrinks()
{
    NinjaProgress progress;
    read(progress, torch + u"[2000/5600] Building"_s);
    QCOMPARE(read(progress, torch + u"[2001/5590] Building"_s), u"2001/5590"_s);
    QCOMPARE(read(progress, torch + u"[1/5400] Building"_s), u"2001/5590"_s);
    QCOMPARE(read(progress, torch + u"[2002/5588] Building"_s), u"2002/5588"_s);
}

void tst_NinjaProgress::followsThePhase()
{
    NinjaProgress progress;
    read(progress, opening);
    QCOMPARE(read(progress, u"magma> Running phase: buildPhase"_s), u"0/0 buildPhase"_s);
    QCOMPARE(read(progress, torch + u"Running phase: unpackPhase"_s), u"0/0 unpackPhase"_s);
    QCOMPARE(read(progress, u"magma> Running phase: installPhase"_s), u"0/0 unpackPhase"_s);
    QCOMPARE(read(progress, torch + u"Running phase: buildPhase"_s), u"0/0 buildPhase"_s);
}

void tst_NinjaProgress::tellsWhetherSomethingChanged()
{
    NinjaProgress progress;
    QVERIFY(!progress.read(opening));
    QVERIFY(progress.read(torch + u"Running phase: buildPhase"_s));
    QVERIFY(!progress.read(torch + u"Running phase: buildPhase"_s));
    QVERIFY(progress.read(torch + u"[1/2] x"_s));
    QVERIFY(!progress.read(torch + u"[1/2] x"_s));
    QVERIFY(!progress.read(torch + u"anything"_s));
}

TM_TEST(tst_NinjaProgress, QCoreApplication)
#include "tst_ninjaprogress.moc"
