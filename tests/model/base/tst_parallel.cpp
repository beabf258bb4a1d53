// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Parallel.h"
#include "model/base/WindowThread.h"
#include "tests/support/TestMain.h"

#include <QList>
#include <QTest>
#include <QThreadPool>

#include <atomic>
#include <stdexcept>
#include <sys/resource.h>
#include <vector>

using namespace tmx;

class ParallelTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// The threads of a pool, and what they start, leave the processor to this thread.
    void thisThreadComesFirst()
    {
        const int own = ::getpriority(PRIO_PROCESS, 0);
        QThreadPool pool;
        pool.setMaxThreadCount(4);
        putThisThreadFirst(&pool);
        static std::atomic_int lower; // static, because the thread sanitizer does not see how Qt's pool hands over
        lower = 0;
        for (int i = 0; i < 40; ++i) {
            pool.start([own] {
                inParallel(2, [own](qsizetype) { lower += ::getpriority(PRIO_PROCESS, 0) == std::min(own + 5, 19); });
            });
        }
        QVERIFY(pool.waitForDone());
        QCOMPARE(lower, 80);
        QCOMPARE(::getpriority(PRIO_PROCESS, 0), own);
    }

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
