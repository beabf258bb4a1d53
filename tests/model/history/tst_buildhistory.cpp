// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/history/BuildHistory.h"

#include "model/job/EndedJobs.h"
#include "model/job/Job.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;
using Kind = BuildOutcome::Kind;

namespace {

BuildRecord recordOf(const QString &job, const QString &variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s,
                     qint64 seconds = 100)
{
    BuildRecord record;
    record.job = job;
    record.variant = record.package = variant;
    record.branch = u"main"_s;
    record.repository = u"/r"_s;
    record.machine = u"m"_s;
    record.engine = u"flox"_s;
    record.queued = QDateTime::fromSecsSinceEpoch(1000);
    record.started = QDateTime::fromSecsSinceEpoch(2000);
    record.ended = record.started.addSecs(seconds);
    record.outcome = Kind::Built;
    record.reason = u"It is built; “naïve”, 'quoted'"_s;
    return record;
}

} // namespace

class tst_BuildHistory : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("complete runs", "saysThatAnotherProgramUsesIt")

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] QString path() const { return m_folder->filePath(u"state/builds.sqlite"_s); }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void keepsWhatWasRecorded()
    {
        BuildRecord record = recordOf(u"a"_s);
        record.peakMemory = 1LL << 40;
        record.outcome = Kind::OutOfMemory;
        record.log = u"/s/jobs/a/log"_s;
        BuildRecord waiting = recordOf(u"b"_s);
        waiting.started = waiting.ended = {};
        waiting.outcome = Kind::Stopped;
        {
            auto history = BuildHistory::open(path());
            QVERIFY(history.ok());
            QVERIFY(*history->record(record));
            QVERIFY(*history->record(waiting));
            BuildRecord other = record; // the same job, seen by another program
            other.reason = u"changed"_s;
            QVERIFY(!*history->record(other));
        }
        auto again = BuildHistory::open(path());
        QVERIFY(again.ok());
        QVERIFY(again->notice().isEmpty());
        QCOMPARE(*again->records({.outcome = u"out-of-memory"_s}), QList{record});
        QCOMPARE(*again->records({.outcome = u"stopped"_s}), QList{waiting});
        QCOMPARE(again->records({.limit = 1})->size(), 1);
        QCOMPARE(again->records({.variant = u"' OR 1=1 --"_s})->size(), 0);
        QVERIFY(again->setVerified(u"a"_s, true, 12345).ok());
        const BuildRecord changed = again->records({.outcome = u"out-of-memory"_s})->constFirst();
        QCOMPARE(changed.verified, u"passed"_s);
        QCOMPARE(changed.size, 12345);
    }

    void setsADamagedFileAside_data()
    {
        QTest::addColumn<QByteArray>("how");
        QTest::newRow("no database") << QByteArray("text");
        QTest::newRow("a page lost") << QByteArray("page");
        QTest::newRow("cut") << QByteArray("cut");
    }

    void setsADamagedFileAside()
    {
        QFETCH(QByteArray, how);
        {
            auto history = BuildHistory::open(path());
            QVERIFY(history.ok());
            for (int i = 0; i < 300; ++i)
                QVERIFY(history->record(recordOf(u"job-%1"_s.arg(i))).ok());
        }
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.size() > 40'000);
        if (how == "text") {
            file.resize(0);
            file.write(QByteArray("this is no database\n").repeated(1000));
        } else if (how == "cut") {
            file.resize(10'000);
        } else {
            file.seek(4096);
            file.write(QByteArray(20'000, '\x5a'));
        }
        file.close();
        const QByteArray damaged = [&] { return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray(); }();
        auto history = BuildHistory::open(path());
        QVERIFY2(history.ok(), history.ok() ? "" : qPrintable(history.error().sentence()));
        QVERIFY(history->notice().contains("was damaged"_L1));
        QVERIFY(history->records()->isEmpty());
        QVERIFY(history->record(recordOf(u"new"_s)).ok());
        // All of it is still there.
        const QDir folder(QFileInfo(path()).path());
        const QStringList aside = folder.entryList({u"builds.sqlite.damaged-*"_s});
        QVERIFY(!aside.isEmpty());
        QFile kept(folder.filePath(aside.constFirst()));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), damaged);
    }

    void migratesAnOlderFile()
    {
        QVERIFY(QDir().mkpath(QFileInfo(path()).path()));
        {
            // As created by the first version.
            QSqlDatabase old = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"old"_s);
            old.setDatabaseName(path());
            QVERIFY(old.open());
            QSqlQuery query(old);
            QVERIFY(query.exec(u"CREATE TABLE builds (job TEXT PRIMARY KEY, variant TEXT NOT NULL, package TEXT NOT "
                               "NULL, blob TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL, repository "
                               "TEXT NOT NULL, machine TEXT NOT NULL, engine TEXT NOT NULL, queued INTEGER, started "
                               "INTEGER, ended INTEGER, peak_memory INTEGER NOT NULL, outcome TEXT NOT NULL, reason "
                               "TEXT NOT NULL, log TEXT NOT NULL, result TEXT NOT NULL, size INTEGER NOT NULL, "
                               "published TEXT NOT NULL, verified TEXT NOT NULL)"_s));
            QVERIFY(query.exec(u"CREATE INDEX builds_by_variant ON builds (repository, branch, variant)"_s));
            QVERIFY(query.exec(u"INSERT INTO builds VALUES ('j', 'pytorch-python313-cuda12_8-sm90-avx512', 'p', '', "
                               "'main', '', '/r', 'm', 'flox', 1, 1000, 91000, 0, 'built', '', '', '', 0, '', '')"_s));
            QVERIFY(query.exec(u"PRAGMA user_version = 1"_s));
        }
        QSqlDatabase::removeDatabase(u"old"_s);
        auto history = BuildHistory::open(path());
        QVERIFY2(history.ok(), history.ok() ? "" : qPrintable(history.error().sentence()));
        QCOMPARE(history->records()->size(), 1);
        QCOMPARE(history->earlierBuilds(u"pytorch-python312-cuda12_8-sm80-avx2"_s, u"m"_s).constFirst().seconds, 90);
    }

    /// Sorting all builds for each question would take longer with every build.
    void saysThatAnotherProgramUsesIt()
    {
        auto history = BuildHistory::open(path());
        QVERIFY(history.ok());
        {
            QSqlDatabase other = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"other"_s);
            other.setDatabaseName(path());
            QVERIFY(other.open());
            QVERIFY(QSqlQuery(other).exec(u"BEGIN EXCLUSIVE"_s));
            const auto recorded = history->record(recordOf(u"a"_s));
            QVERIFY(!recorded);
            QVERIFY2(recorded.error().remedy.contains("Another program"_L1), qPrintable(recorded.error().sentence()));
            QVERIFY(QSqlQuery(other).exec(u"ROLLBACK"_s));
            QVERIFY(*history->record(recordOf(u"a"_s)));
        }
        QSqlDatabase::removeDatabase(u"other"_s);
    }

    void findsTheLastBuildsByAnIndex()
    {
        QVERIFY(BuildHistory::open(path()).ok());
        {
            QSqlDatabase read = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"read"_s);
            read.setDatabaseName(path());
            QVERIFY(read.open());
            for (const char *question :
                 {"SELECT job FROM builds ORDER BY COALESCE(ended, started, queued) DESC, job DESC LIMIT 50",
                  "SELECT job FROM builds WHERE likeness = 'k' AND machine = 'm' AND outcome = 'built' AND started IS "
                  "NOT NULL AND ended > started ORDER BY ended DESC LIMIT 50"}) {
                QSqlQuery plan(read);
                QVERIFY(plan.exec(u"EXPLAIN QUERY PLAN "_s + QString::fromLatin1(question)));
                QString steps;
                while (plan.next())
                    steps += plan.value(3).toString() + u'\n';
                QVERIFY2(steps.contains("USING INDEX"_L1) && !steps.contains("TEMP B-TREE"_L1), qPrintable(steps));
            }
        }
        QSqlDatabase::removeDatabase(u"read"_s);
    }

    void refusesAFileOfANewerVersion()
    {
        {
            QVERIFY(BuildHistory::open(path()).ok());
            QSqlDatabase newer = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"newer"_s);
            newer.setDatabaseName(path());
            QVERIFY(newer.open());
            QSqlQuery query(newer);
            QVERIFY(query.exec(u"PRAGMA user_version = 99"_s));
        }
        QSqlDatabase::removeDatabase(u"newer"_s);
        const auto history = BuildHistory::open(path());
        QVERIFY(!history.ok());
        QVERIFY(history.error().sentence().contains("newer version"_L1));
    }

    void takesManyWriters()
    {
        QList<QThread *> threads;
        QAtomicInt wrote;
        for (int writer = 0; writer < 4; ++writer) {
            threads.append(QThread::create([this, &wrote] {
                auto history = BuildHistory::open(path());
                for (int i = 0; history.ok() && i < 50; ++i) {
                    const auto recorded = history->record(recordOf(u"job-%1"_s.arg(i)));
                    if (recorded.ok() && *recorded)
                        wrote.fetchAndAddRelaxed(1);
                }
            }));
            threads.constLast()->start();
        }
        for (QThread *thread : threads) {
            QVERIFY(thread->wait(60'000));
            delete thread;
        }
        QCOMPARE(wrote.loadRelaxed(), 50); // each job once
        QCOMPARE(BuildHistory::open(path())->records()->size(), 50);
    }

    void estimatesFromLikeBuilds()
    {
        auto history = BuildHistory::open(path());
        QVERIFY(history.ok());
        const QString like = u"pytorch-python312-cuda12_8-sm80-avx2"_s;
        const auto left = [&](const QString &variant, const QMap<int, qint64> &twentieths, qint64 elapsed) {
            return timeLeft(history->earlierBuilds(variant, u"m"_s), twentieths, elapsed);
        };
        QVERIFY(!left(like, {}, 0));
        int n = 0;
        for (const qint64 seconds : {100, 200, 300, 400, 5000}) {
            QVERIFY(
                history->record(recordOf(u"a%1"_s.arg(n), u"pytorch-python313-cuda12_8-sm90-avx512"_s, seconds)).ok());
            ++n;
        }
        BuildRecord other = recordOf(u"other"_s, u"pytorch-python313-cuda12_8-sm90-avx512"_s, 9);
        other.machine = u"another"_s;
        QVERIFY(history->record(other).ok());
        other = recordOf(u"failed"_s, like, 1);
        other.outcome = Kind::CompileError;
        QVERIFY(history->record(other).ok());
        QVERIFY(history->record(recordOf(u"cpu"_s, u"pytorch-python313-cpu-avx2"_s, 7)).ok());
        QCOMPARE(left(like, {}, 0)->seconds, 300);
        QCOMPARE(left(like, {}, 0)->builds, 5);
        QCOMPARE(left(like, {{2, 10}}, 120)->seconds, 180); // The steps were not recorded: estimate by the total time.
        QVERIFY(!left(like, {}, 9999));                     // it takes longer than any of them
        QVERIFY(!left(u"torchvision-python313-cuda12_8-sm90-avx512"_s, {}, 0));
        QCOMPARE(left(u"pytorch-python312-cpu-avx512"_s, {}, 0)->seconds, 7);
        // If steps were recorded, the time from the same step counts: here the first half is the fast one.
        QVERIFY(history->addSteps(u"a2"_s, {{0, 0}, {5, 25}, {10, 100}, {19, 290}}));
        QCOMPARE(left(like, {{5, 2000}}, 2000)->seconds, 300 - 25);
        QCOMPARE(left(like, {{5, 2000}}, 2010)->seconds, 300 - 25 - 10);
        QCOMPARE(left(like, {{5, 2000}}, 2010)->builds, 1);
    }

    /// A build that progresses like the earlier ones: at any time, its remaining time and its age add up to their total
    /// time.
    void estimatesExactlyWhatRepeatsItself()
    {
        Fuzzing fuzzing(newSeed());
        for (int i = 0; i < fuzzInputs(200); ++i) {
            EarlierBuild one;
            for (int twentieth = 0; twentieth <= 20; ++twentieth) {
                one.seconds += 1 + fuzzing.below(500);
                if (fuzzing.below(10) > 0) // Sometimes it progressed too fast to be recorded.
                    one.twentieths.insert(twentieth, one.seconds);
            }
            one.seconds += 1 + fuzzing.below(500);
            const QList<EarlierBuild> earlier(1 + fuzzing.below(9), one);
            for (qint64 elapsed = 0; elapsed < one.seconds; elapsed += 1 + fuzzing.below(50)) {
                QMap<int, qint64> now;
                for (auto it = one.twentieths.begin(); it != one.twentieths.end() && *it <= elapsed; ++it)
                    now.insert(it.key(), *it);
                const std::optional<BuildEstimate> left = timeLeft(earlier, now, elapsed);
                QVERIFY(left);
                QCOMPARE(left->seconds + elapsed, one.seconds);
                QCOMPARE(left->builds, int(earlier.size()));
            }
            QVERIFY(!timeLeft(earlier, one.twentieths, one.seconds));
        }
    }

    void knowsWhatIsPublished()
    {
        auto history = BuildHistory::open(path());
        QVERIFY(history.ok());
        BuildRecord record = recordOf(u"a"_s);
        record.blob = u"b1"_s;
        QVERIFY(history->record(record).ok());
        Publication publication{
            u"/r"_s, u"main"_s, record.package, u"b0"_s, u"org/"_s + record.package, QDateTime::fromSecsSinceEpoch(5)};
        QVERIFY(history->setPublished(publication).ok());
        QVERIFY(history->records()->constFirst().published.isEmpty()); // another recipe
        publication.blob = u"b1"_s;
        publication.when = QDateTime::fromSecsSinceEpoch(9);
        QVERIFY(history->setPublished(publication).ok());
        QCOMPARE(history->records()->constFirst().published, publication.as);
        QCOMPARE(*history->publications(u"/r"_s, u"main"_s), QList{publication});
        QCOMPARE(history->publications(u"/r"_s)->size(), 1);
        QCOMPARE(history->publications(u"/r"_s, u"other"_s)->size(), 0);
        QCOMPARE(history->publications(u"/other"_s)->size(), 0);
    }

    void recordsTheJobsThatEnded()
    {
        const QString state = m_folder->filePath(u"state"_s);
        Job job;
        job.repository = u"/r"_s;
        job.branch = u"main"_s;
        job.commit = QString(40, u'a');
        job.blob = QString(40, u'b');
        job.recipe = u".flox/pkgs/x.nix"_s;
        job.package = u"x"_s;
        job.variant = u"pytorch-python313-cpu-avx2"_s;
        job.created = QDateTime::fromSecsSinceEpoch(1000);
        const JobFolder ended = *JobFolder::create(state, job);
        QVERIFY(JobFolder::create(state, job).ok()); // still waits
        JobOutcome outcome;
        outcome.build.kind = Kind::Built;
        outcome.build.sentence = u"It is built."_s;
        outcome.storePaths = QStringList{u"/nix/store/x"_s};
        outcome.started = QDateTime::fromSecsSinceEpoch(1010);
        outcome.ended = QDateTime::fromSecsSinceEpoch(1100);
        outcome.peakMemory = 77;
        ended.writeProgress({20, 20, u"fixupPhase"_s, {{0, 5}, {20, 80}}});
        QVERIFY(ended.writeOutcome(outcome).ok());
        auto history = BuildHistory::open(path());
        QVERIFY(history.ok());
        QCOMPARE(*recordEndedJobs(*history, state), 1);
        QCOMPARE(*recordEndedJobs(*history, state), 0);
        const BuildRecord record = history->records()->constFirst();
        QCOMPARE(record.job, ended.id());
        QCOMPARE(record.variant, job.variant);
        QCOMPARE(record.seconds(), 90);
        QCOMPARE(record.result, u"/nix/store/x"_s);
        QCOMPARE(record.log, ended.logFile());
        QCOMPARE(record.peakMemory, 77);
        const QList<EarlierBuild> earlier = history->earlierBuilds(job.variant, record.machine);
        QCOMPARE(earlier.size(), 1);
        QCOMPARE(earlier.constFirst().twentieths, (QMap<int, qint64>{{0, 5}, {20, 80}}));
    }

    void exportsCsv()
    {
        BuildRecord record = recordOf(u"a"_s);
        record.branch = u"=cmd()"_s;
        record.reason = u"failed: \"x\", twice\nand more"_s;
        const QByteArray csv = toCsv({record});
        QVERIFY(csv.contains(",'=cmd(),"));
        QVERIFY(csv.contains(",\"failed: \"\"x\"\", twice\nand more\","));
        QCOMPARE(csv.count("\r\n"), 2);
        QCOMPARE(csv.left(csv.indexOf("\r\n")).count(','), 20);
    }
};

TM_TEST(tst_BuildHistory, QCoreApplication)
#include "tst_buildhistory.moc"
