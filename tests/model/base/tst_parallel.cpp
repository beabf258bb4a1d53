// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Parallel.h"
#include "tests/support/TestMain.h"

#include <QList>
#include <QTest>

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace tmx;

class ParallelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void doesEachOnce()
    {
        for (const qsizetype count : {0, 1, 2, 7, 1000}) {
            std::vector<int> done(size_t(count), 0);
            inParallel(count, [&done](qsizetype i) { done[size_t(i)] += int(i) + 1; });
            for (qsizetype i = 0; i < count; ++i)
                QCOMPARE(done[size_t(i)], int(i) + 1);
        }
    }

    void oneInTheOther()
    {
        std::atomic_int sum = 0;
        inParallel(10, [&sum](qsizetype) { inParallel(10, [&sum](qsizetype i) { sum += int(i); }); });
        QCOMPARE(sum.load(), 450);
    }

    void anExceptionEndsItAndArrives()
    {
        std::atomic_int done = 0;
        const auto work = [&done](qsizetype i) {
            if (i == 3)
                throw std::runtime_error("three");
            ++done;
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, inParallel(1'000'000, work));
        QVERIFY(done < 1'000'000);
    }
};

TM_TEST(ParallelTest, void)
#include "tst_parallel.moc"
