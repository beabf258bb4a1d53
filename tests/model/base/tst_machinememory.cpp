// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/MachineMemory.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace tmx;

class MachineMemoryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void pressureOfTheKernelsText()
    {
        QCOMPARE(readMemoryPressure(u"some avg10=45.10 avg60=3.00 avg300=0.50 total=12\n"
                                    "full avg10=31.25 avg60=1.00 avg300=0.10 total=7\n"_s),
                 31.25);
        QCOMPARE(readMemoryPressure(u"some avg10=45.10 avg60=3.00\n"_s), 0.0);
        QCOMPARE(readMemoryPressure(u"full avg10=much\n"_s), 0.0);
        QCOMPARE(readMemoryPressure({}), 0.0);
    }

    void aLimitOfTheProcessCounts()
    {
        const qint64 whole = usableMemory();
        QVERIFY(whole > 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // These map more than any machine has.
        rlimit before = {};
        QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
        rlimit less = before;
        less.rlim_cur = rlim_t(whole / 2);
        QCOMPARE(::setrlimit(RLIMIT_AS, &less), 0);
        QCOMPARE(usableMemory(), whole / 2);
        QCOMPARE(::setrlimit(RLIMIT_AS, &before), 0);
        QCOMPARE(usableMemory(), whole);
#endif
    }
};

TM_TEST(MachineMemoryTest, QCoreApplication)
#include "tst_machinememory.moc"
