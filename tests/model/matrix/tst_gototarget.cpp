// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/GoToTarget.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/Snapshots.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace tmx;
using namespace tmx::testing;
using namespace Qt::StringLiterals;

class GoToTargetTest : public QObject
{
    Q_OBJECT

    static GoToTarget cell(const QString &name, const QString &detail = u"2.9.1, current"_s)
    {
        return {GoToTarget::Kind::Cell, name, name, detail};
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// Before anything is typed they are listed as in the grid: sm90 before sm100.
    void cellsAreInTheOrderOfTheGrid()
    {
        QStringList names;
        for (const GoToTarget &target : cellTargets(branchOf(u"main"_s)))
            names.append(target.text);
        const auto at = [&names](const QString &end) { return names.indexOf(u"pytorch-python313-"_s + end); };
        QVERIFY(at(u"cuda12_8-sm61-avx"_s) >= 0 && at(u"cuda12_8-sm61-avx"_s) < at(u"cuda12_8-sm90-avx2"_s));
        QVERIFY(at(u"cuda12_8-sm90-avx2"_s) < at(u"cuda12_8-sm100-avx2"_s));
        QVERIFY(at(u"cuda12_8-sm90-avx2"_s) < at(u"cuda12_8-sm90-avx512"_s));
    }

    void findsByAFewLetters_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("first"); ///< empty: nothing
        QTest::newRow("row and ISA") << u"90 512"_s << u"pytorch-python313-cuda12_9-sm90-avx512"_s;
        QTest::newRow("row, ISA, version") << u"90 avx2 2.10"_s << u"pytorch-python313-cuda13_0-sm90-avx2"_s;
        QTest::newRow("toolkit with a dot") << u"13.0 100"_s << u"pytorch-python313-cuda13_0-sm100-avx512"_s;
        QTest::newRow("not sm120") << u"20 avx2"_s << QString();
        QTest::newRow("case") << u"SM90 AVX2 CUDA12_9"_s << u"pytorch-python313-cuda12_9-sm90-avx2"_s;
        QTest::newRow("branch") << u"feat"_s << u"feature/new-pin"_s;
        QTest::newRow("action") << u"compare"_s << u"Compare branches…"_s;
        QTest::newRow("none") << u"90 nothing"_s << QString();
    }

    void findsByAFewLetters()
    {
        QFETCH(QString, words);
        QFETCH(QString, first);
        QList<GoToTarget> targets;
        for (const QString &name :
             {u"pytorch-python313-cuda12_9-sm90-avx512bf16"_s, u"pytorch-python313-cuda12_9-sm90-avx512"_s,
              u"pytorch-python313-cuda12_9-sm90-avx2"_s, u"pytorch-python313-cuda13_0-sm103-avx512"_s,
              u"pytorch-python313-cuda13_0-sm100-avx512"_s})
            targets.append(cell(name));
        targets.append(cell(u"pytorch-python313-cuda13_0-sm90-avx2"_s, u"2.10.0, missing"_s));
        targets.append({GoToTarget::Kind::Branch, u"feature/new-pin"_s, u"feature/new-pin"_s, u"branch"_s});
        targets.append({GoToTarget::Kind::Action, u"0"_s, u"Compare branches…"_s, u"menu View"_s});
        const QList<GoToTarget> found = matching(targets, words);
        if (words == "20 avx2"_L1)
            QVERIFY(std::ranges::none_of(found, [](const GoToTarget &one) { return one.text.contains("sm120"_L1); }));
        else
            QCOMPARE(found.value(0).text, first);
    }

    /// Whatever is asked, what is found contains every word, and nothing that contains all is left out.
    void leavesNothingOut()
    {
        test::Fuzzing fuzzing(test::newSeed());
        for (int round = 0; round < 300; ++round) {
            const auto word = [&fuzzing] {
                QString text;
                for (int i = 1 + fuzzing.below(3); i > 0; --i)
                    text += QChar(u"ab1_"[fuzzing.below(4)]);
                return text;
            };
            QList<GoToTarget> targets;
            for (int i = fuzzing.below(30); i > 0; --i)
                targets.append(cell(word() + u'-' + word(), word()));
            const QStringList words{word(), word()};
            const QList<GoToTarget> found = matching(targets, words.join(u' '));
            const auto plain = [](QString text) { return text.replace(u'_', u'.'); };
            for (const GoToTarget &target : std::as_const(targets)) {
                const QString text = plain(target.text + u' ' + target.detail);
                QCOMPARE(found.contains(target), text.contains(plain(words[0])) && text.contains(plain(words[1])));
            }
        }
        QCOMPARE(matching(QList<GoToTarget>(500, cell(u"a"_s)), u"a"_s).size(), 100);
        QCOMPARE(matching({cell(u"a"_s), cell(u"b"_s)}, u"  "_s).size(), 2);
    }
};

TM_TEST(GoToTargetTest, QCoreApplication)
#include "tst_gototarget.moc"
