// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/QueueCounts.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTest>

#include <algorithm>
#include <random>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

using Kind = BuildOutcome::Kind;

QDateTime at(int seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::UTC);
}

JobRecord asked(const QString &id, int created, JobPhase phase)
{
    JobRecord record;
    record.job.id = record.job.package = id;
    record.job.created = at(created);
    record.phase = phase;
    return record;
}

JobRecord ended(const QString &id, int created, int end, Kind kind)
{
    JobRecord record = asked(id, created, JobPhase::Ended);
    record.outcome = JobOutcome();
    record.outcome->ended = at(end);
    record.outcome->build.kind = kind;
    record.outcome->build.sentence = u"Why <b>%1</b>."_s.arg(id);
    return record;
}

} // namespace

class tst_QueueTally : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void theLongestRunIsThatOfRunningJobs()
    {
        JobsSeen seen;
        seen.jobs = {asked(u"a"_s, 100, JobPhase::Running), asked(u"b"_s, 100, JobPhase::Running),
                     asked(u"w"_s, 1, JobPhase::Waiting), ended(u"e"_s, 1, 2, Kind::Built)};
        for (JobRecord &record : seen.jobs) {
            record.runner = JobRunner();
            record.runner->started = at(record.job.id == "b"_L1 ? 200 : 10);
        }
        QCOMPARE(longestRun(seen, {u"b"_s, u"w"_s, u"e"_s, u"gone"_s}, at(900)), 700);
        QCOMPARE(longestRun(seen, {u"a"_s, u"b"_s}, at(900)), 890);
        QCOMPARE(longestRun(seen, {}, at(900)), 0);
    }

    void oneLineForAllBuilds()
    {
        JobsSeen seen;
        QCOMPARE(lineOf(seen, {}), u"No build is running or waiting"_s);
        seen.jobs = {ended(u"a"_s, 100, 200, Kind::Built), ended(u"b"_s, 100, 300, Kind::OutOfMemory),
                     asked(u"c"_s, 299, JobPhase::Running), asked(u"d"_s, 299, JobPhase::Waiting)};
        seen.jobs[2].job.variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        seen.jobs[1].job.variant = u"b"_s;
        QCOMPARE(lineOf(seen, {}),
                 u"Building cuda12_8 sm90 avx512 · 1 waiting · 1 built · 1 failed, b: out of memory"_s);
        seen.progress.insert(u"c"_s, BuildState{BuildState::Phase::Running, 344, 1000});
        const QDateTime soon = QDateTime::currentDateTime().addSecs(60);
        QCOMPARE(
            lineOf(seen, soon),
            u"Building cuda12_8 sm90 avx512, 34 % · 1 waiting · done about %1 · 1 built · 1 failed, b: out of memory"_s
                .arg(QLocale().toString(soon, u"HH:mm"_s)));
        seen.queue.paused = true;
        seen.jobs.append(asked(u"e"_s, 299, JobPhase::Stopping));
        QCOMPARE(lineOf(seen, {}), u"2 builds running · 1 waiting, paused · 1 built · 1 failed, b: out of memory"_s);
        // A name without parts is told as it is.
        seen.jobs = {asked(u"c"_s, 299, JobPhase::Running)};
        seen.jobs[0].job.variant = u"<b>magma"_s;
        seen.progress.clear();
        QCOMPARE(lineOf(seen, {}), u"Building <b>magma"_s);
    }

    void countsSinceTheQueueWasIdle()
    {
        JobsSeen seen;
        QCOMPARE(countsOf(seen), QueueCounts());
        // Yesterday's; then four at once, of which one still waits; the third was queued before the first ended.
        seen.jobs = {ended(u"old"_s, 1, 50, Kind::Built),        ended(u"a"_s, 100, 200, Kind::Built),
                     ended(u"b"_s, 100, 300, Kind::OutOfMemory), ended(u"s"_s, 150, 160, Kind::Stopped),
                     asked(u"c"_s, 299, JobPhase::Running),      asked(u"d"_s, 299, JobPhase::Waiting)};
        seen.progress.insert(u"c"_s, BuildState{BuildState::Phase::Running, 1, 2});
        QueueCounts tally = countsOf(seen);
        QCOMPARE(tally.running, 1);
        QCOMPARE(tally.waiting, 1);
        QCOMPARE(tally.built, 1);
        QCOMPARE(tally.failed, 1);
        QCOMPARE(tally.stopped, 1);
        QCOMPARE(tally.progress, 3.5 / 5);
        QCOMPARE(titleOf(tally), u"70 %"_s);
        // Everything ended: the same builds are counted.
        seen.jobs[4] = ended(u"c"_s, 299, 400, Kind::Built);
        seen.jobs[5] = ended(u"d"_s, 299, 401, Kind::Built);
        tally = countsOf(seen);
        QCOMPARE(tally.all(), 5);
        QCOMPARE(tally.progress, 1.0);
        QCOMPARE(titleOf(tally), QString());
        // Another one later is alone.
        seen.jobs.append(asked(u"e"_s, 500, JobPhase::Running));
        QCOMPARE(countsOf(seen).alone, u"e"_s);
        QCOMPARE(countsOf(seen).progress, 0.0);
    }

    /// For any times of queueing: running and waiting jobs are counted, in any order of the list, never more than all.
    void countsWhatIsActive()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            JobsSeen seen;
            int active = 0;
            for (int i = 0; i < int(random() % 12); ++i) {
                const QString id = QString::number(i);
                const int created = int(random() % 50);
                if (random() % 3 == 0) {
                    seen.jobs.append(asked(id, created, random() % 2 ? JobPhase::Running : JobPhase::Waiting));
                    ++active;
                } else {
                    seen.jobs.append(
                        ended(id, created, created + int(random() % 20), random() % 2 ? Kind::Built : Kind::Failed));
                }
            }
            const QueueCounts tally = countsOf(seen);
            QCOMPARE(tally.running + tally.waiting, active);
            QVERIFY(tally.all() <= seen.jobs.size() && (tally.all() > 0) == !seen.jobs.isEmpty());
            QVERIFY(tally.progress >= 0 && tally.progress <= 1);
            QCOMPARE(tally.progress == 1, active == 0 && !seen.jobs.isEmpty());
            std::shuffle(seen.jobs.begin(), seen.jobs.end(), random);
            const QueueCounts shuffled = countsOf(seen);
            QCOMPARE(shuffled.all(), tally.all());
            QCOMPARE(shuffled.failed, tally.failed);
        }
    }

    void tellsWhatEnded()
    {
        JobsSeen before;
        before.jobs = {ended(u"old"_s, 1, 50, Kind::Failed), asked(u"a"_s, 100, JobPhase::Running),
                       asked(u"b"_s, 100, JobPhase::Waiting)};
        QVERIFY(!newsOf(before, before));
        QVERIFY(!newsOf({}, before)); // a window that opens does not tell of yesterday
        JobsSeen now = before;
        now.jobs[1] = ended(u"a"_s, 100, 200, Kind::Built);
        QCOMPARE(newsOf(before, now), (BuildNews{u"a is built"_s, u"1 of 2 builds ended."_s, false, false}));
        now.jobs[1] = ended(u"a"_s, 100, 200, Kind::CompileError);
        QCOMPARE(newsOf(before, now),
                 (BuildNews{u"a failed"_s, u"Why <b>a</b>.\n1 of 2 builds ended."_s, true, false}));
        now.queue.paused = true;
        QCOMPARE(newsOf(before, now)->text, u"Why <b>a</b>.\nThe queue is paused, 1 build waits."_s);
        now.queue.paused = false;
        const JobsSeen between = now;
        now.jobs[2] = ended(u"b"_s, 100, 300, Kind::Built);
        QCOMPARE(newsOf(between, now),
                 (BuildNews{u"All builds ended"_s, u"1 built, 1 failed, 0 stopped."_s, true, true}));
        now.jobs[2] = ended(u"b"_s, 100, 300, Kind::Stopped);
        QVERIFY(!newsOf(between, now));
        // One alone.
        JobsSeen one;
        one.jobs = {asked(u"a"_s, 100, JobPhase::Running)};
        JobsSeen after;
        after.jobs = {ended(u"a"_s, 100, 200, Kind::Built)};
        QCOMPARE(newsOf(one, after), (BuildNews{u"a is built"_s, {}, false, true}));
    }
};

TM_TEST(tst_QueueTally, QCoreApplication)
#include "tst_queuecounts.moc"
