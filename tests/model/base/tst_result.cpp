// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Result.h"
#include "tests/support/TestMain.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

class TestResult : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysOneSentenceAndWhatToDo_data()
    {
        QTest::addColumn<QString>("why");
        QTest::addColumn<QString>("remedy");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("all") << u"it is bare"_s << u"Clone it."_s << u"Could not open /x: it is bare. Clone it."_s;
        QTest::newRow("no remedy") << u"it is bare"_s << u""_s << u"Could not open /x: it is bare."_s;
        QTest::newRow("no reason") << u""_s << u"Try again."_s << u"Could not open /x. Try again."_s;
        QTest::newRow("a reason with its own stop")
            << u"no such GPU exists."_s << u""_s << u"Could not open /x: no such GPU exists."_s;
    }
    void saysOneSentenceAndWhatToDo()
    {
        QFETCH(QString, why);
        QFETCH(QString, remedy);
        QTEST(Error({u"open"_s, u"/x"_s, why, remedy}).sentence(), "sentence");
    }

    void holdsAValueOrAnError()
    {
        const Result<int> value(3);
        QVERIFY(value && value.ok());
        QCOMPARE(*value, 3);
        const Result<int> error(Error{u"count"_s, {}, u"there is nothing"_s, {}});
        QVERIFY(!error);
        QCOMPARE(error.error().sentence(), u"Could not count: there is nothing."_s);
        QVERIFY(Result<void>());
        QVERIFY(!Result<void>(Error{}));
    }
};

TM_TEST(TestResult, void)
#include "tst_result.moc"
