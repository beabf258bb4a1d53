// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/NearestNames.h"
#include "tests/support/TestMain.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// By the definition, one letter after the other.
qsizetype editsOf(QStringView one, QStringView other)
{
    if (one.isEmpty() || other.isEmpty())
        return one.size() + other.size();
    const bool same = one.back() == other.back();
    qsizetype least = std::min({editsOf(one.chopped(1), other) + 1, editsOf(one, other.chopped(1)) + 1,
                                editsOf(one.chopped(1), other.chopped(1)) + !same});
    if (one.size() > 1 && other.size() > 1 && one.back() == other.chopped(1).back() &&
        other.back() == one.chopped(1).back())
        least = std::min(least, editsOf(one.chopped(2), other.chopped(2)) + 1);
    return least;
}

} // namespace

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

    void lettersAreCountedByTheDefinition()
    {
        QRandomGenerator random(QRandomGenerator::global()->generate());
        const auto word = [&random] {
            QString text(random.bounded(6), u'a');
            for (QChar &letter : text)
                letter = QChar(u'a' + random.bounded(3));
            return text;
        };
        for (int i = 0; i < 1'000; ++i) {
            const QString one = word(), other = word();
            const qsizetype edits = editsOf(one, other);
            for (qsizetype most = 0; most < 6; ++most)
                QVERIFY2(lettersBetween(one, other, most) == std::min(edits, most + 1), qPrintable(one + u' ' + other));
        }
    }
};

TM_TEST(TestNearestNames, QCoreApplication)
#include "tst_nearestnames.moc"
