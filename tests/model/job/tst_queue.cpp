// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Needs.h"
#include "model/job/Queue.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <QTimeZone>

#include <utility>

using namespace Qt::StringLiterals;
using namespace tmx;

/// How many jobs run at a time.
class TestQueue : public QObject
{
    Q_OBJECT

    std::mt19937 m_random;
    int below(int limit) { return int(m_random() % quint32(limit)); }

    /// Of this machine or another one, with some of three builders.
    Job job(const QMap<QString, int> &builders)
    {
        Job job;
        if (below(4) == 0)
            job.place = {Place::Kind::Ssh, u"gpu-box"_s};
        for (auto [store, builds] : builders.asKeyValueRange()) {
            if (job.place.isHere() && below(2) == 0)
                job.builders.insert(store, builds);
        }
        return job;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// Whatever is queued: something always runs, and a number set by the user is never exceeded. Without one, each
    /// builder has no more jobs than it takes, and each machine runs one that no builder takes.
    void takesAsManyAsThereIsRoomFor()
    {
        m_random.seed(test::newSeed());
        const int rounds = test::fuzzInputs(300);
        for (int round = 0; round < rounds; ++round) {
            const QMap<QString, int> builders{
                {u"ssh://a"_s, 1 + below(4)}, {u"ssh://b"_s, 1 + below(4)}, {u"ssh://c"_s, 1}};
            const int parallel = below(3);
            QList<Job> running;
            for (int step = 0; step < 60; ++step) {
                if (!running.isEmpty() && below(3) == 0)
                    running.removeAt(below(int(running.size())));
                const Job next = job(builders);
                const bool may = mayStart(next, running, parallel);
                QVERIFY(may || !running.isEmpty());
                if (may)
                    running.append(next);
                QMap<QString, int> alone;
                QMap<QString, int> local;
                for (const Job &one : std::as_const(running)) {
                    if (parallel > 0 || one.builders.isEmpty())
                        ++local[toString(one.place)];
                    if (one.builders.size() == 1)
                        ++alone[one.builders.firstKey()];
                }
                for (const int count : std::as_const(local))
                    QVERIFY(count <= std::max(1, parallel));
                for (auto [store, count] : alone.asKeyValueRange())
                    QVERIFY(parallel > 0 || count <= builders[store]);
            }
        }
    }

    /// Whatever comes and goes: what this machine does at a time never takes more than it has, unless one build alone
    /// does.
    void neverMoreThanTheMemory()
    {
        m_random.seed(test::newSeed());
        const int rounds = test::fuzzInputs(100);
        for (int round = 0; round < rounds; ++round) {
            const qint64 memory = 1 + below(100);
            QList<Job> running;
            for (int step = 0; step < 60; ++step) {
                if (!running.isEmpty() && below(3) == 0)
                    running.removeAt(below(int(running.size())));
                Job next;
                next.memory = below(3) == 0 ? 0 : below(120);
                if (below(4) == 0)
                    next.builders = {{u"ssh://a"_s, 50}};
                const bool may = mayStart(next, running, 50, memory);
                qint64 sum = 0;
                int here = 0;
                for (const Job &one : std::as_const(running)) {
                    sum += one.builders.isEmpty() ? one.memory : 0;
                    here += one.builders.isEmpty();
                }
                const bool fits = !next.builders.isEmpty() || here == 0 || sum + next.memory <= memory;
                if (running.size() < 50)
                    QCOMPARE(may, fits);
                if (may)
                    running.append(next);
            }
        }
    }

    /// Whatever runs when the machine swaps: fewer run from then on, at least one, until none does; one, if it still
    /// swaps then.
    void swappingSlowsTheQueue()
    {
        m_random.seed(test::newSeed());
        int slowed = 0;
        for (int step = 0; step < 1000; ++step) {
            const int running = below(6);
            const bool swaps = below(4) == 0;
            const int before = std::exchange(slowed, slowedTo(slowed, running, swaps));
            if (running == 0)
                QCOMPARE(slowed, swaps ? 1 : 0);
            else if (!swaps)
                QCOMPARE(slowed, before);
            else
                QVERIFY(slowed >= 1 && slowed <= std::max(1, running - 1) && (before == 0 || slowed <= before));
        }
        QueueContents contents;
        contents.slowed = 1;
        QVERIFY(!contents.slowedText().isEmpty());
        contents.setParallel(3);
        QCOMPARE(contents.slowed, 0);
    }

    void examples()
    {
        Job here;
        Job arm;
        arm.builders = {{u"ssh://arm"_s, 2}};
        Job any;
        any.builders = {{u"ssh://arm"_s, 2}, {u"ssh://big"_s, 1}};
        QVERIFY(mayStart(here, {arm, arm}, 0));
        QVERIFY(!mayStart(here, {here}, 0));
        QVERIFY(mayStart(arm, {here, arm}, 0));
        QVERIFY(!mayStart(arm, {arm, arm}, 0));
        QVERIFY(mayStart(any, {arm, arm}, 0));
        QVERIFY(!mayStart(any, {arm, arm, any}, 0));
        // Only the user's number counts.
        QVERIFY(!mayStart(arm, {here}, 1));
        QVERIFY(mayStart(here, {here, here}, 3));
        Job slurm;
        slurm.place.kind = Place::Kind::Slurm;
        QVERIFY(mayStart(slurm, {slurm, slurm}, 1));
    }

    /// Each waiting job says what it waits for, or starts next: as the queue decides it.
    void saysWhyAJobWaits()
    {
        m_random.seed(test::newSeed());
        const NewestJob none = [](const QString &) { return std::nullopt; };
        for (int round = 0; round < test::fuzzInputs(100); ++round) {
            QueueContents contents;
            contents.parallel = below(4);
            contents.slowed = below(3);
            const qint64 memory = below(2) * 100;
            const bool swaps = below(5) == 0;
            QList<JobRecord> jobs;
            QueueRound now{{}, contents.parallel, contents.slowed, memory, swaps};
            for (int i = 0; i < 12; ++i) {
                JobRecord record;
                record.job = job({{u"ssh://a"_s, 2}});
                record.job.id = record.job.package = QString::number(below(9));
                record.job.id += u'-' + QString::number(i);
                record.job.memory = below(80);
                if (below(4) == 0) {
                    record.phase = JobPhase::Running;
                    now.running.append(record.job);
                } else {
                    contents.waiting.append(record.job.id);
                }
                jobs.append(record);
            }
            const QHash<QString, Wait> waits = waitsOf(jobs, contents, memory, swaps);
            for (const JobRecord &record : std::as_const(jobs)) {
                if (record.phase == JobPhase::Running)
                    continue;
                const auto wait = waitOf(record.job, now, none);
                QCOMPARE(waits.contains(record.job.id), wait.has_value());
                if (wait)
                    QVERIFY(waits.value(record.job.id) == *wait && !wait->text.isEmpty());
                else
                    now.running.append(record.job);
            }
            contents.paused = true;
            const QHash<QString, Wait> paused = waitsOf(jobs, contents, memory, swaps);
            QCOMPARE(paused.size(), contents.waiting.size());
        }
    }

    void reasonsToWait()
    {
        constexpr qint64 gigabyte = 1'000'000'000;
        QList<JobRecord> jobs;
        QueueContents contents;
        const auto add = [&](const QString &package, qint64 memory, JobPhase phase, const Place &place = {}) -> Job & {
            JobRecord record;
            record.job.id = record.job.package = package;
            record.job.memory = memory * gigabyte;
            record.job.place = place;
            record.phase = phase;
            if (phase == JobPhase::Waiting)
                contents.waiting.append(package);
            jobs.append(record);
            return jobs.last().job;
        };
        const Place box{Place::Kind::Ssh, u"gpu-box"_s};
        add(u"running"_s, 64, JobPhase::Running);
        add(u"there"_s, 0, JobPhase::Running, box);
        add(u"large"_s, 64, JobPhase::Waiting);
        add(u"next"_s, 10, JobPhase::Waiting);
        add(u"more"_s, 10, JobPhase::Waiting);
        add(u"vision"_s, 1, JobPhase::Waiting).after = {jobs.constFirst().job.key()};
        add(u"elsewhere"_s, 0, JobPhase::Waiting, box);
        add(u"array"_s, 0, JobPhase::Waiting, {Place::Kind::Slurm, {}});
        contents.waiting.removeAll(u"array"_s);
        QHash<QString, Wait> waits;
        const auto says = [&](int parallel) {
            contents.parallel = parallel;
            waits = waitsOf(jobs, contents, 100 * gigabyte, false);
            QStringList all;
            for (const QString &id : {u"large"_s, u"next"_s, u"more"_s, u"vision"_s, u"elsewhere"_s, u"array"_s})
                all.append(waits.contains(id) ? wordOf(waits.value(id).what) : u"-"_s);
            return all.join(u' ');
        };
        QCOMPARE(says(2), u"memory - slot need - slurm"_s);
        QCOMPARE(waits.value(u"large"_s).text, u"waits for memory: takes 64 GB, what runs takes 64 GB of 100 GB"_s);
        QCOMPARE(waits.value(u"more"_s).text, u"waits for a slot (2 at a time)"_s);
        QCOMPARE(waits.value(u"vision"_s).text, u"waits for running"_s);
        QCOMPARE(says(1), u"slot slot slot need slot slurm"_s);
        QCOMPARE(waits.value(u"elsewhere"_s).text, u"waits for a slot on gpu-box (1 at a time)"_s);
        contents.paused = true;
        QCOMPARE(says(2), u"resume resume resume need resume slurm"_s);
    }

    /// Older versions wrote a 1 as the default.
    void readsOlderFiles()
    {
        const QTemporaryDir folder;
        const auto parallelOf = [&folder](const QByteArray &text) {
            QFile file(folder.filePath(u"queue.json"_s));
            if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
                qFatal("cannot write");
            file.close();
            return Queue(folder.path()).contents().parallel;
        };
        QCOMPARE(parallelOf(R"({"version": 1, "parallel": 1})"), 0);
        QCOMPARE(parallelOf(R"({"version": 1, "parallel": 3})"), 3);
        QCOMPARE(parallelOf(R"({"version": 2, "parallel": 1})"), 1);
        QCOMPARE(parallelOf(R"({"version": 2, "parallel": -4})"), 0);
        Queue queue(folder.path());
        QVERIFY(queue.change([](QueueContents &contents) { contents.parallel = 1; }).ok());
        QCOMPARE(queue.contents().parallel, 1);
    }

    /// What waits for a build waits for the last one that was queued, whatever the clock said then.
    void theLastQueuedIsTheNewest()
    {
        const QTemporaryDir folder;
        Queue queue(folder.path());
        Job torch;
        torch.repository = u"/repository"_s;
        torch.branch = u"main"_s;
        torch.commit = QString(40, u'd');
        torch.package = torch.variant = u"pytorch-python313-cpu-avx2"_s;
        torch.recipe = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
        const auto add = [&](Job job, const QString &blob, int hours) {
            job.blob = blob;
            job.created = QDateTime(QDate(2026, 1, 1), QTime(hours, 0), QTimeZone::UTC);
            const auto queued = queue.add({job}, Again::No);
            return queued ? queued->constFirst().record : JobRecord();
        };
        const auto ends = [](const JobRecord &record, BuildOutcome::Kind kind) {
            JobOutcome outcome{.build = {.kind = kind}};
            outcome.started = outcome.ended = record.job.created;
            return record.folder.writeOutcome(outcome).ok();
        };
        const JobRecord first = add(torch, QString(40, u'a'), 12);
        QVERIFY(ends(first, BuildOutcome::Kind::Lost));
        Job vision = torch;
        vision.package = vision.variant = u"torchvision-python313-cpu-avx2"_s;
        vision.recipe = u".flox/pkgs/torchvision-python313-cpu-avx2.nix"_s;
        vision.after = {first.job.key()};
        const QString waits = add(vision, QString(40, u'c'), 13).job.id;
        QVERIFY(holdsOf(readJobs(folder.path())).value(waits).inVain);
        // The clock is set back by hours.
        const JobRecord second = add(torch, QString(40, u'b'), 10);
        QVERIFY(!holdsOf(readJobs(folder.path())).value(waits).inVain);
        QVERIFY(ends(second, BuildOutcome::Kind::Built));
        QVERIFY(holdsOf(readJobs(folder.path())).isEmpty());
    }
};

TM_TEST(TestQueue, QCoreApplication)
#include "tst_queue.moc"
