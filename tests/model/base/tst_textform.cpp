// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TextForm.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class TestTextForm : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void durations_data()
    {
        QTest::addColumn<qint64>("milliseconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(0) << u"0:00"_s;
        QTest::newRow("a clock that was set back") << qint64(-5'000) << u"0:00"_s;
        QTest::newRow("seconds") << qint64(9'999) << u"0:09"_s;
        QTest::newRow("minutes") << qint64(65'000) << u"1:05"_s;
        QTest::newRow("less than an hour") << qint64(3'599'999) << u"59:59"_s;
        QTest::newRow("an hour") << qint64(3'600'000) << u"1:00:00"_s;
        QTest::newRow("days") << qint64(100 * 3'600'000 + 62'000) << u"100:01:02"_s;
    }
    void durations()
    {
        QFETCH(const qint64, milliseconds);
        QTEST(durationText(milliseconds), "text");
    }

    void sizes_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::newRow("gibibytes") << u"1.5G"_s << (qint64(1536) << 20) << u"1.5 GiB"_s;
        QTest::newRow("whole") << u"5 GiB"_s << (qint64(5) << 30) << u"5 GiB"_s;
        QTest::newRow("mebibytes") << u"500m"_s << (qint64(500) << 20) << u"500 MiB"_s;
        QTest::newRow("three decimals") << u"1.234G"_s << qint64(1'324'997'410) << u"1.234 GiB"_s;
        QTest::newRow("bytes") << u"1"_s << qint64(1) << u"1 B"_s;
        QTest::newRow("odd bytes") << u"1324997411"_s << qint64(1'324'997'411) << u"1324997411 B"_s;
        QTest::newRow("none") << u"0"_s << qint64(0) << u"0 B"_s;
        QTest::newRow("a unit below") << u"2048K"_s << (qint64(2) << 20) << u"2 MiB"_s;
    }
    void sizes()
    {
        QFETCH(const QString, given);
        QFETCH(const qint64, bytes);
        QCOMPARE(bytesOf(given), std::optional(bytes));
        QTEST(exactSizeText(bytes), "shown");
    }

    void refusesWhatIsNoSize()
    {
        for (const QString &text :
             {u""_s, u"much"_s, u"-5"_s, u"1.2345G"_s, u"5P"_s, u"1e3"_s, u"999999999T"_s, u"1,5G"_s})
            QVERIFY2(!bytesOf(text), qPrintable(text));
    }

    // A size is shown without being rounded.
    void isReadBackAsItWas()
    {
        QRandomGenerator random(20'260'102);
        for (int round = 0; round < 5'000; ++round) {
            const int shift = random.bounded(50);
            const qint64 bytes = random.bounded(2) ? qint64(random.generate64() >> (14 + shift))
                                                   : qint64(random.bounded(1, 1'000)) << random.bounded(40);
            QCOMPARE(bytesOf(exactSizeText(bytes)), std::optional(bytes));
        }
    }
};

TM_TEST(TestTextForm, QCoreApplication)
#include "tst_textform.moc"
