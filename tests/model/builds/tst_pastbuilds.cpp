// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/PastBuilds.h"
#include "tests/support/TestMain.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = BuildOutcome::Kind;

namespace {

BuildRecord record(int number, const QString &branch, Kind kind, qint64 seconds)
{
    BuildRecord one;
    one.job = u"job%1"_s.arg(number);
    one.variant = u"pytorch-python313-cuda12_8-sm%1-avx2"_s.arg(number);
    one.branch = branch;
    one.outcome = kind;
    one.reason = kind == Kind::Built ? u"It is built."_s : u"nvcc ran out of patience."_s;
    one.started = QDateTime::fromSecsSinceEpoch(1'000 * number, QTimeZone::UTC);
    one.ended = one.started.addSecs(seconds);
    return one;
}

const QList<BuildRecord> four{record(4, u"main"_s, Kind::Built, 7'200), record(3, u"next"_s, Kind::OutOfMemory, 60),
                              record(2, u"main"_s, Kind::Stopped, 5), record(1, u"main"_s, Kind::CompileError, 3'600)};

QString shown(const PastBuilds &model)
{
    QStringList jobs;
    for (const BuildRecord &one : model.shown())
        jobs.append(one.job);
    return jobs.join(u' ');
}

} // namespace

class TestPastBuilds : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theNewestFailureIsOfTheLastDay()
    {
        PastBuilds model;
        model.setRecords(four);
        const QDateTime last = four.constFirst().ended;
        QCOMPARE(model.newestFailure(last), 1);
        QCOMPARE(model.newestFailure(last.addDays(2)), -1);
        QCOMPARE(model.newestFailure(last.addYears(-60)), -1);
        model.setFilter({.branch = u"main"_s, .outcome = {}, .text = {}}); // the row that is shown
        QCOMPARE(model.newestFailure(last), 2);
        model.setFilter({.branch = {}, .outcome = u"built"_s, .text = {}});
        QCOMPARE(model.newestFailure(last), -1);
    }

    void filters_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QString>("outcome");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const QString any;
        QTest::newRow("all") << any << any << any << u"job4 job3 job2 job1"_s;
        QTest::newRow("branch") << u"main"_s << any << any << u"job4 job2 job1"_s;
        QTest::newRow("every failure") << any << u"failed"_s << any << u"job3 job1"_s;
        QTest::newRow("one kind of failure") << any << wordOf(Kind::OutOfMemory) << any << u"job3"_s;
        QTest::newRow("stopped is no failure") << any << wordOf(Kind::Stopped) << any << u"job2"_s;
        QTest::newRow("name") << any << any << u"SM4-"_s << u"job4"_s;
        QTest::newRow("reason") << any << any << u"Patience"_s << u"job3 job2 job1"_s;
        QTest::newRow("all three") << u"main"_s << u"failed"_s << u"sm1"_s << u"job1"_s;
        QTest::newRow("none") << u"gone"_s << any << any << QString();
    }
    void filters()
    {
        QFETCH(const QString, branch);
        QFETCH(const QString, outcome);
        QFETCH(const QString, text);
        PastBuilds model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRecords(four);
        model.setFilter({branch, outcome, text});
        QTEST(shown(model), "expected");
        QCOMPARE(model.rowCount(), int(model.shown().size()));
        model.setFilter({});
        QCOMPARE(model.rowCount(), 4);
    }

    // For any filters in any order, rows and records agree.
    void rowsAndRecordsAgree()
    {
        QRandomGenerator random(20'260'101);
        QList<BuildRecord> records;
        for (int i = 0; i < 60; ++i)
            records.append(record(i, random.bounded(2) ? u"main"_s : u"next"_s, Kind(random.bounded(4)), i));
        PastBuilds model;
        model.setRecords(records);
        for (int round = 0; round < 200; ++round) {
            model.setFilter({random.bounded(2) ? u"main"_s : QString(),
                             random.bounded(2) ? wordOf(Kind(random.bounded(4))) : QString(),
                             random.bounded(2) ? QString::number(random.bounded(60)) : QString()});
            for (const BuildRecord &one : std::as_const(records)) {
                const int row = model.rowOf(one.job);
                QCOMPARE(row >= 0, model.shown().contains(one));
                if (row >= 0)
                    QCOMPARE(*model.recordAt(row), one);
            }
        }
    }

    void says()
    {
        PastBuilds model;
        QVERIFY(model.isEmpty());
        model.setRecords(four);
        QCOMPARE(model.summary(), u"4 of 4 builds: 1 built, 2 failed; median time 2:00:00"_s);
        QCOMPARE(model.branches(), QStringList({u"main"_s, u"next"_s}));
        QStringList words{wordOf(Kind::Built), wordOf(Kind::Stopped), u"failed"_s, wordOf(Kind::CompileError),
                          wordOf(Kind::OutOfMemory)};
        QCOMPARE(model.outcomes(), words);
        const auto text = [&model](int row, PastBuilds::Column column) {
            return model.index(row, int(column)).data().toString();
        };
        QCOMPARE(text(0, PastBuilds::Column::Time), u"2:00:00"_s);
        QCOMPARE(text(0, PastBuilds::Column::Memory), QString());
        QVERIFY(model.index(1, 0).data(Qt::ToolTipRole).toString().contains(u"patience"_s));
        QCOMPARE(text(0, PastBuilds::Column::Why), QString()); // it was built
        for (int row = 1; row < 4; ++row)
            QCOMPARE(text(row, PastBuilds::Column::Why).isEmpty(),
                     !isFailure(model.recordAt(row)->outcome) || model.recordAt(row)->reason.isEmpty());
        model.setFilter({.branch = u"next"_s});
        QCOMPARE(model.summary(), u"1 of 4 builds: 0 built, 1 failed"_s);
    }

    // It counts what the list shows, own builds and those of the team, and says whose they are.
    void theLastDay()
    {
        PastBuilds model;
        const QDateTime now = four.constFirst().ended.addSecs(60);
        QCOMPARE(model.lastDay(now), QString());
        QList<BuildRecord> records = four;
        for (qsizetype i = 0; i < records.size(); ++i)
            records[i].variant =
                u"pytorch-python313-cuda12_8-sm%1-avx2"_s.arg(QStringList{u"90"_s, u"89"_s, u"86"_s, u"80"_s}.at(i));
        model.setRecords(records);
        QVERIFY(model.isUnknown(PastBuilds::Column::Who));
        QCOMPARE(model.lastDay(now),
                 u"In the last day: 2 failed, 1 built, 1 stopped. sm89 avx2: nvcc ran out of patience. "
                 "sm80 avx2: nvcc ran out of patience."_s);
        QCOMPARE(model.lastDay(records.constFirst().ended.addDays(1)), u"In the last day: 1 built."_s);
        QCOMPARE(model.ofLastDay(now).size(), 4);
        QCOMPARE(model.ofLastDay(records.constFirst().ended.addDays(1)).size(), 1);
        // What happened, without what to do about it.
        const QString was = records.at(1).reason;
        records[1].reason = u"It failed at step 7 of 12: 'x' was not declared; did you mean 'y.z'? Read the log."_s;
        model.setRecords(records);
        QVERIFY2(
            model.lastDay(now).endsWith(u"sm89 avx2: It failed at step 7 of 12: 'x' was not declared; did you mean "
                                        "'y.z'? sm80 avx2: nvcc ran out of patience."_s),
            qPrintable(model.lastDay(now)));
        records[1].reason = was;
        QCOMPARE(model.lastDay(now.addDays(1)), QString());
        const auto give = [&records](qsizetype i) {
            records[i].elsewhere = true;
            records[i].machine = u"ada-box"_s;
            records[i].reason = plainWordOf(records.at(i).outcome); // none was shared
        };
        give(1);
        model.setRecords(records);
        QVERIFY(!model.isUnknown(PastBuilds::Column::Who));
        const auto text = [&model](int row, PastBuilds::Column column) {
            return model.index(row, int(column)).data().toString();
        };
        QCOMPARE(text(0, PastBuilds::Column::Who), u"you"_s);
        QCOMPARE(text(1, PastBuilds::Column::Who), u"ada-box"_s);
        QCOMPARE(text(1, PastBuilds::Column::Why), u"log on ada-box"_s); // where the rest can be read
        QVERIFY2(model.lastDay(now).startsWith(u"In the last day, 1 of 4 by the team: 2 failed, 1 built, 1 stopped."),
                 qPrintable(model.lastDay(now)));
        for (const qsizetype i : {0, 2, 3})
            give(i);
        model.setRecords({records.at(0), records.at(3)});
        QCOMPARE(model.lastDay(now), u"In the last day, all by the team: 1 failed, 1 built. sm80 avx2: %1, log on "
                                     "ada-box."_s.arg(plainWordOf(Kind::CompileError)));
        records[3].reason = u"‘x’ was not declared"_s;
        model.setRecords({records.at(0), records.at(3)});
        QCOMPARE(text(1, PastBuilds::Column::Why), u"‘x’ was not declared"_s);
        QCOMPARE(model.lastDay(now), u"In the last day, all by the team: 1 failed, 1 built. sm80 avx2: %1, ‘x’ was "
                                     "not declared (log on ada-box)."_s.arg(plainWordOf(Kind::CompileError)));
    }
};

TM_TEST(TestPastBuilds, QCoreApplication)
#include "tst_pastbuilds.moc"
