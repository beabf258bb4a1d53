// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/NearestNames.h"
#include "tests/support/TestMain.h"

#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class TestNearestNames : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void examples_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("expected");
        QTest::newRow("a letter is missing") << u"lst"_s << u"list"_s;
        QTest::newRow("another order") << u"mian"_s << u"main"_s;
        QTest::newRow("another letter") << u"avx5"_s << u"avx2 avx9"_s;
        QTest::newRow("the same") << u"list"_s << QString();
        QTest::newRow("nothing near") << u"zzz"_s << QString();
        QTest::newRow("empty") << QString() << QString();
        QTest::newRow("endless") << QString(100000, u'a') << QString();
    }
    void examples()
    {
        QFETCH(const QString, word);
        QFETCH(const QString, expected);
        const QStringList names{u"list"_s, u"main"_s, u"avx2"_s, u"avx9"_s, u"audit"_s, QString(100000, u'b')};
        QCOMPARE(nearestNames(word, names).join(u' '), expected);
        QCOMPARE(meantSentence(word, names).isEmpty(), expected.isEmpty());
    }

    // One mistake in a long name finds it again, whatever the mistake is.
    void oneMistake()
    {
        QRandomGenerator random(3);
        QStringList names;
        for (int i = 0; i < 100; ++i)
            names.append(u"torchvision-python313-cuda%1-sm%2-avx512"_s.arg(1000 + 37 * i).arg(100 + 23 * i));
        for (int round = 0; round < 80; ++round) {
            const QString &meant = names.at(random.bounded(names.size()));
            QString word = meant;
            const qsizetype at = random.bounded(word.size() - 1);
            switch (random.bounded(4)) {
            case 0: word.remove(at, 1); break;
            case 1: word.insert(at, u'~'); break;
            case 2: word[at] = u'~'; break;
            default: word[at] = meant.at(at + 1); word[at + 1] = meant.at(at);
            }
            QVERIFY2(word == meant || nearestNames(word, names).contains(meant), qPrintable(word));
        }
    }
};

TM_TEST(TestNearestNames, QCoreApplication)
#include "tst_nearestnames.moc"
