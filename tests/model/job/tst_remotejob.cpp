// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Place.h"
#include "model/job/RemoteJob.h"
#include "model/job/SlurmArray.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/FileText.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/GitFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = BuildOutcome::Kind;

namespace {

/// A job of Slurm in a state folder.
JobFolder slurmJob(const QString &state, const QString &commit)
{
    Job job;
    job.repository = u"/srv/build-pytorch"_s;
    job.commit = commit;
    job.blob = QString(40, u'a');
    job.package = job.variant = u"pytorch-python313-cpu-avx2"_s;
    job.recipe = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
    job.place = {Place::Kind::Slurm};
    const Result<JobFolder> folder = JobFolder::create(state, job);
    if (!folder)
        qFatal("%s", qUtf8Printable(folder.error().sentence()));
    return *folder;
}

void endJob(const JobFolder &folder)
{
    JobOutcome outcome;
    outcome.build.kind = Kind::Stopped;
    outcome.started = outcome.ended = QDateTime::currentDateTimeUtc();
    QVERIFY(folder.writeOutcome(outcome).ok());
}

} // namespace

class RemoteJobTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void placesAreNamed()
    {
        for (const Place &place : {Place(), Place{Place::Kind::Slurm}, Place{Place::Kind::Ssh, u"me@gpu-box"_s},
                                   Place{Place::Kind::Ssh, u"slurm"_s}})
            QVERIFY(placeNamed(toString(place)) == place);
        for (const char *word : {"ssh:", "ssh:-oProxyCommand=x", "ssh:a b", "slurm ", "gpu-box", "ssh:a\n"})
            QVERIFY(!placeNamed(QString::fromLatin1(word)));
    }

    void jobsKeepTheirPlace()
    {
        Job job;
        job.id = u"20261122-153012-0413f9"_s;
        job.repository = u"/srv/build-pytorch"_s;
        job.commit = job.blob = QString(40, u'a');
        job.package = job.variant = u"pytorch-python313-cpu-avx2"_s;
        job.recipe = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
        job.created = QDateTime::currentDateTimeUtc();
        job.place = {Place::Kind::Slurm};
        job.sbatch = {u"--mem=5G"_s, u"--comment=it's \"a\" $(b)"_s};
        const Result<Job> read = jobFromJson(toJson(job));
        QVERIFY(read.ok());
        QVERIFY(read->place == job.place);
        QCOMPARE(read->sbatch, job.sbatch);
        job.here = true; // in a working tree that is not there
        QVERIFY(!jobFromJson(toJson(job)).ok());
        // Jobs of versions that had no places.
        job.here = false;
        job.place = {};
        QJsonObject object = QJsonDocument::fromJson(toJson(job)).object();
        object.remove(u"place"_s);
        object.remove(u"sbatch"_s);
        QVERIFY(jobFromJson(QJsonDocument(object).toJson()).ok());
    }

    /// Whatever a remote machine writes is parsed or rejected.
    void endsAreRead()
    {
        QRandomGenerator random(test::newSeed());
        const QList<QByteArray> words{"how exit",
                                      "how stopped",
                                      "how other",
                                      "status 0",
                                      "status 137",
                                      "status -9",
                                      "ended 1795444160",
                                      "ended x",
                                      "started 1795444100",
                                      "started 99999999999999",
                                      "result result-x /nix/store/a",
                                      "result result-x-dev /nix/store/b",
                                      "result result-x relative",
                                      "result",
                                      "\x01\xff",
                                      "stops 2"};
        for (int round = 0; round < 2000; ++round) {
            QByteArray text;
            const int lines = int(random.bounded(12));
            for (int line = 0; line < lines; ++line)
                text += words.at(random.bounded(words.size())) + (random.bounded(20) == 0 ? "" : "\n");
            const auto end = remoteEndOf(text, u"x"_s);
            QVERIFY(!end || (end->ended.isValid() && end->started <= end->ended && end->results.size() <= 64));
        }
        const auto end = remoteEndOf("started 1795444100\nhow exit\nstatus 137\nstops 0\nended 1795444160\n"
                                     "result result-x-dev /nix/store/b-dev\nresult result-x /nix/store/a\n",
                                     u"x"_s);
        QVERIFY(end);
        QCOMPARE(end->status, 137);
        QCOMPARE(end->started.secsTo(end->ended), 60);
        QCOMPARE(end->results, (QStringList{u"/nix/store/a"_s, u"/nix/store/b-dev"_s}));
        QVERIFY(!remoteEndOf("status 0\nended 1795444160\n", u"x"_s)); // cut off before it says how
        QVERIFY(!remoteEndOf("how exit\nstatus 0\n", u"x"_s));
    }

    void outcomesAreThoseOfBuildsHere_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<QByteArray>("log");
        QTest::addColumn<Kind>("kind");
        const QByteArray times = "started 1795444100\nended 1795444160\n";
        const QByteArray result = "result result-x /nix/store/a\n";
        QTest::newRow("built") << times + "how exit\nstatus 0\n" + result << QByteArray() << Kind::Built;
        QTest::newRow("no result") << times + "how exit\nstatus 0\n" << QByteArray() << Kind::NoResult;
        QTest::newRow("killed") << times + "how exit\nstatus 139\n" << QByteArray() << Kind::Crashed;
        QTest::newRow("killed for memory") << times + "how exit\nstatus 137\n" << QByteArray() << Kind::OutOfMemory;
        QTest::newRow("stopped") << times + "how stopped\nstatus 130\n" << QByteArray() << Kind::Stopped;
        QTest::newRow("time") << times + "how time\nstatus 143\n" << QByteArray() << Kind::TimeLimit;
        QTest::newRow("missing") << times + "how missing\nstatus 127\n" << QByteArray() << Kind::FloxMissing;
        QTest::newRow("checkout") << times + "how checkout\nstatus 1\n"
                                  << QByteArray("fatal: reference is not a tree: abc\n") << Kind::Failed;
        QTest::newRow("out of disk") << times + "how exit\nstatus 1\n"
                                     << QByteArray("error: writing to file: No space left on device\n")
                                     << Kind::OutOfDisk;
    }
    void outcomesAreThoseOfBuildsHere()
    {
        QFETCH(QByteArray, said);
        QFETCH(QByteArray, log);
        QFETCH(Kind, kind);
        QTemporaryDir folder;
        QFile file(folder.filePath(u"log"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(log);
        file.close();
        Job job;
        job.package = u"x"_s;
        job.commit = QString(40, u'a');
        job.place = {Place::Kind::Ssh, u"gpu-box"_s};
        const auto end = remoteEndOf(said, job.package);
        QVERIFY(end);
        const JobOutcome outcome = outcomeOf(JobFolder(folder.path()), job, *end);
        QCOMPARE(outcome.build.kind, kind);
        QVERIFY(!sentenceOf(outcome.build).isEmpty());
        QCOMPARE(outcome.build.milliseconds, 60'000);
        QVERIFY(outcomeFromJson(toJson(outcome)).ok());
        QCOMPARE(outcome.storePaths.isEmpty(), kind != Kind::Built);
    }

    void recipesAreCalledAsNixNeedsThem()
    {
        Job job;
        job.engine = BuildEngine::Nix;
        job.package = u"x"_s;
        job.recipe = u".flox/pkgs/x.nix"_s;
        job.cores = 3;
        const auto valueOf = [&](const QByteArray &recipe, const QString &name) {
            for (const auto &[file, value] : remoteFiles(job, recipe)) {
                if (file == name)
                    return QString(value);
            }
            return u"none"_s;
        };
        QCOMPARE(valueOf("{ }: 1", u"command"_s), u"nix-build\n--out-link\n@TREE@/result-x\n@TREE@/.flox/pkgs/x.nix"_s);
        QVERIFY(valueOf("{ stdenv }: 1", u"command"_s).contains(u"callPackage"));
        QCOMPARE(valueOf("{ }: 1", u"config"_s), u"cores = 3"_s);
        // A line of the command is one word.
        QVERIFY(!valueOf("{ stdenv }: 1", u"command"_s).contains(u"\n\n"));
    }

    void slurmsBooksAreRead()
    {
        const auto states = slurmStates("12|0|PENDING|Resources\n12|1|RUNNING|None\nslurm_load_jobs error\n"
                                        "13_7|CANCELLED by 0|None\n14.batch|COMPLETED|\n15|x|RUNNING|None\n");
        QCOMPARE(states.size(), 3);
        QCOMPARE(states.value(u"12_0"_s), (SlurmState{u"PENDING"_s, u"Resources"_s}));
        QCOMPARE(states.value(u"12_1"_s), (SlurmState{u"RUNNING"_s, {}}));
        QCOMPARE(states.value(u"13_7"_s).state, u"CANCELLED"_s);
    }

    void slurmsEndsAreOutcomes_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<std::optional<Kind>>("kind");
        using Maybe = std::optional<Kind>;
        QTest::newRow("cancelled") << u"CANCELLED"_s << Maybe(Kind::Stopped);
        QTest::newRow("time") << u"TIMEOUT"_s << Maybe(Kind::TimeLimit);
        QTest::newRow("deadline") << u"DEADLINE"_s << Maybe(Kind::TimeLimit);
        QTest::newRow("node") << u"NODE_FAIL"_s << Maybe(Kind::NodeFailed);
        QTest::newRow("preempted") << u"PREEMPTED"_s << Maybe(Kind::Preempted);
        QTest::newRow("memory") << u"OUT_OF_MEMORY"_s << Maybe(Kind::OutOfMemory);
        for (const char *state :
             {"PENDING", "RUNNING", "COMPLETING", "REQUEUED", "SUSPENDED", "COMPLETED", "FAILED", ""})
            QTest::newRow(state) << QString::fromLatin1(state) << Maybe();
    }
    void slurmsEndsAreOutcomes()
    {
        QFETCH(QString, state);
        QFETCH(std::optional<Kind>, kind);
        const auto outcome = outcomeOf(SlurmState{state, {}}, true);
        QCOMPARE(outcome.has_value(), kind.has_value());
        if (outcome) {
            QCOMPARE(outcome->kind, *kind);
            QVERIFY(outcome->sentence.isEmpty() && !sentenceOf(*outcome).isEmpty());
        }
    }

    void sbatchIsToldTheResources()
    {
        QCOMPARE(withResources({}, 4, 20'000'000'000), (QStringList{u"--cpus-per-task=4"_s, u"--mem=20G"_s}));
        QCOMPARE(withResources({}, 4, 20'000'000'001), (QStringList{u"--cpus-per-task=4"_s, u"--mem=21G"_s}));
        // What the user says stays, and none is said twice.
        QCOMPARE(withResources({u"--mem-per-cpu=1G"_s}, 2, 1),
                 (QStringList{u"--cpus-per-task=2"_s, u"--mem-per-cpu=1G"_s}));
        const QStringList once = withResources({u"--partition=x"_s}, 2, 10'000'000'000);
        QCOMPARE(withResources(once, 9, 1), once);
    }

    void arraysHoldEachJob()
    {
        const QStringList words =
            sbatchArguments(u"/srv/a b"_s, u"torch-matrix-1"_s, 20, {u"--at-once=3"_s, u"--x=y"_s});
        QVERIFY(words.contains(u"--array=0-19%3"_s));
        QVERIFY(words.contains(u"--x=y"_s));
        QVERIFY(!words.join(u' ').contains(u"at-once"));
        QCOMPARE(words.last(2), (QStringList{u"/srv/a b/script"_s, u"/srv/a b"_s}));
        // An option never comes after the script, because it would be the script's argument.
        for (const QString &word : words.first(words.size() - 2))
            QVERIFY(word.startsWith(u"--"));
    }

    /// Folders of arrays and commits are removed together with the jobs that needed them, never while one of these
    /// waits, runs or has its log.
    void tidiesWhatSlurmLeft()
    {
        test::GitFixture git;
        const QTemporaryDir state;
        const QString repository = state.filePath(u"repositories/build-pytorch-0123456789ab.git"_s);
        tidySlurm(state.path()); // nothing is there
        git.git({u"init"_s, u"-q"_s, u"--bare"_s, repository});
        QStringList commits;
        for (const char *name : {"a", "b", "c", "d"})
            commits.append(git.commitFile(QString::fromLatin1(name), name));
        QList<JobFolder> jobs;
        for (const QString &commit : std::as_const(commits)) {
            git.git({u"push"_s, u"-q"_s, repository, u"%1:refs/torch-matrix/commits/%1"_s.arg(commit)});
            jobs.append(slurmJob(state.path(), commit));
        }
        const auto arrayOf = [&state](const JobFolder &first) {
            return state.filePath(u"slurm/torch-matrix-"_s + first.id());
        };
        const auto left = [&] {
            QStringList left;
            for (qsizetype i = 0; i < jobs.size(); ++i) {
                if (git.tryGit({u"-C"_s, repository, u"rev-parse"_s, u"-q"_s, u"--verify"_s,
                                u"refs/torch-matrix/commits/"_s + commits.at(i)}) == 0)
                    left.append(u"commit %1"_s.arg(i));
                if (QFileInfo::exists(arrayOf(jobs.at(i))))
                    left.append(u"array %1"_s.arg(i));
            }
            return left.join(u", "_s);
        };
        // One array of the first and the second job, one of the third; of the fourth there is no list yet.
        tmx::test::putFile(arrayOf(jobs.at(0)) + u"/jobs"_s,
                           (jobs.at(0).path() + u'\n' + jobs.at(1).path() + u'\n').toUtf8());
        tmx::test::putFile(arrayOf(jobs.at(2)) + u"/jobs"_s, jobs.at(2).path().toUtf8() + '\n');
        tmx::test::putFile(arrayOf(jobs.at(3)) + u"/remote.sh"_s, "#!/bin/sh\n");
        const QString all = u"commit 0, array 0, commit 1, commit 2, array 2, commit 3, array 3"_s;
        QCOMPARE(left(), all);
        tidySlurm(state.path());
        QCOMPARE(left(), all);

        tmx::test::putFile(jobs.at(1).logFile() + u".gz"_s, "kept");
        tmx::test::putFile(jobs.at(2).logFile(), "kept");
        for (const JobFolder &job : jobs.first(3))
            endJob(job);
        tidySlurm(state.path());
        QCOMPARE(left(), u"array 0, commit 1, commit 2, array 2, commit 3, array 3"_s);
        QVERIFY(QFile::remove(jobs.at(1).logFile() + u".gz"_s));
        QVERIFY(QFile::remove(jobs.at(2).logFile()));
        // The needs of a job that cannot be read are unknown.
        const QByteArray text = test::contentOf(jobs.at(3).file(u"job.json"_s));
        tmx::test::putFile(jobs.at(3).file(u"job.json"_s), "{");
        tidySlurm(state.path());
        QCOMPARE(left(), u"array 0, commit 1, commit 2, array 2, commit 3, array 3"_s);
        tmx::test::putFile(jobs.at(3).file(u"job.json"_s), text);
        tidySlurm(state.path());
        QCOMPARE(left(), u"commit 3, array 3"_s);
        endJob(jobs.at(3));
        tidySlurm(state.path());
        QCOMPARE(left(), QString());
        QVERIFY(QFileInfo::exists(jobs.at(0).path())); // outcomes stay
    }
};

TM_TEST(RemoteJobTest, QCoreApplication)
#include "tst_remotejob.moc"
