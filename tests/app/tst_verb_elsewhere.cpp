// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Builds on another machine and on a cluster: with a real sshd and a real Slurm of this test, real git, and the
// stand-in for flox.
#include "model/job/RemoteJob.h"
#include "model/job/SlurmArray.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/SlurmCluster.h"
#include "tests/support/SshServer.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwentyBuilds.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QSet>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;
using Kind = BuildOutcome::Kind;

class VerbElsewhereTest : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("complete runs", "saysWhatSbatchWouldGet stopsInSlurm seesACancellation seesAPreemption "
                                 "seesTheTimeLimit startsAgainWhereSlurmDoes survivesSlurmsDaemons")

    std::unique_ptr<VerbFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_state;
    std::unique_ptr<SshServer> m_ssh;
    std::unique_ptr<SlurmCluster> m_slurm;
    const QString m_path = qEnvironmentVariable("PATH");

    [[nodiscard]] QString state() const { return m_state->filePath(u"state"_s); }
    [[nodiscard]] QString calls() const { return m_state->filePath(u"calls"_s); }
    [[nodiscard]] static QString name(int i = 0) { return twentyNames().at(i); }
    /// How flox behaves there. A machine's variables are those of its sshd.
    void acts(const QString &behaviour)
    {
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, behaviour);
        m_ssh = std::make_unique<SshServer>(
            QStringList{u"PATH="_s + QStringLiteral(TM_STANDINS) + u':' + m_path,
                        u"TORCH_MATRIX_STANDIN_FLOX="_s + behaviour, u"TORCH_MATRIX_STANDIN_FLOX_CALLS="_s + calls(),
                        u"TORCH_MATRIX_STANDIN_STORE="_s + m_state->filePath(u"store"_s)});
        m_fixture->set(u"PATH"_s, m_ssh->bin() + u':' + QStringLiteral(TM_STANDINS) + u':' + m_path);
    }
    [[nodiscard]] Ran queued(const QStringList &names, const QStringList &options) const
    {
        return m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + names + options);
    }
    [[nodiscard]] JobRecord job(const QString &name) const
    {
        const QList<JobRecord> all = readJobs(state());
        for (const JobRecord &record : all) {
            if (record.job.package == name)
                return record;
        }
        return {};
    }
    [[nodiscard]] bool hasEnded(const QString &name) const { return job(name).phase == JobPhase::Ended; }
    [[nodiscard]] static QString folderThere(const SshServer &ssh, const JobRecord &record)
    {
        return ssh.jobs() + u'/' + record.job.id;
    }
    /// All processes that a job started there.
    [[nodiscard]] static QList<ProcessEntry> processesOf(const QString &folder)
    {
        return processesWith("TORCH_MATRIX_JOB=" + QFile::encodeName(folder), processTable());
    }
    [[nodiscard]] static qsizetype linesWith(const QByteArray &log, const QByteArray &word)
    {
        qsizetype found = 0;
        for (const QByteArray &line : log.split('\n'))
            found += line.contains(word);
        return found;
    }
    void useSlurm()
    {
        if (!m_slurm)
            m_slurm = std::make_unique<SlurmCluster>();
        m_slurm->waitUntilIdle();
        m_fixture->set(u"SLURM_CONF"_s, m_slurm->config());
    }

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void buildsOnAnotherMachine();
    void endsOnAnOddMachine();
    void namesTheCauseThere();
    void goesOnWithoutAConnection();
    void goesOnWithoutItsRunner();
    void stopsThere();
    void saysWhoDoesNotAnswer();
    void refusesOtherHosts();
    void buildsTwentyInAnArray();
    void saysWhatSbatchWouldGet();
    void stopsInSlurm();
    void seesACancellation();
    void seesAPreemption();
    void seesTheTimeLimit();
    void startsAgainWhereSlurmDoes();
    void survivesSlurmsDaemons();
};

void VerbElsewhereTest::initTestCase()
{
    m_fixture = std::make_unique<VerbFixture>();
}

void VerbElsewhereTest::init()
{
    m_state = std::make_unique<QTemporaryDir>();
    QDir().mkpath(m_state->filePath(u"store"_s));
    m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
    m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_state->filePath(u"store"_s));
    m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX_CALLS"_s, calls());
}

void VerbElsewhereTest::cleanup()
{
    QCOMPARE(m_fixture->verb({u"queue"_s, u"clear"_s}).exitCode, 0);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s}).exitCode, 0);
    QTRY_VERIFY(isQuiet(state()));
    m_ssh.reset();
}

void VerbElsewhereTest::buildsOnAnotherMachine()
{
    acts(u"steps:40"_s);
    const Ran ran = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"gpu-box"_s, u"--cores"_s, u"3"_s});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    QVERIFY2(ran.err.contains("is built on gpu-box"), ran.err.constData());
    QCOMPARE(linesWith(ran.out, "/40]"), 40);
    QCOMPARE(floxPackages(calls()), QStringList{name()});
    const JobRecord record = job(name());
    QCOMPARE(toString(record.job.place), u"ssh:gpu-box"_s);
    QCOMPARE(contentOf(record.folder.logFile()), ran.out);
    QVERIFY(record.hasResult());
    QVERIFY(record.result().startsWith(m_state->filePath(u"store"_s)));
    QVERIFY(record.outcome->build.resultLinks.isEmpty());
    // The job is removed there; its result has a link that is a root for Nix's garbage collector.
    QTRY_VERIFY(!QFileInfo::exists(folderThere(*m_ssh, record)));
    const auto links = [&] {
        QStringList found;
        QDirIterator walk(m_ssh->there() + u"/torch-matrix/remote/results"_s,
                          QDir::Files | QDir::Dirs | QDir::System | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            if (const QFileInfo link(walk.next()); link.isSymLink())
                found.append(link.symLinkTarget());
        }
        return found;
    };
    QVERIFY(links().contains(record.result()));
    const qsizetype kept = links().size();
    QVERIFY(QDir(m_ssh->there() + u"/torch-matrix/remote/trees"_s).isEmpty());
    // It is built, wherever.
    const Ran again = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"gpu-box"_s});
    QVERIFY2(again.err.contains("Already built"), again.err.constData());
    QCOMPARE(floxPackages(calls()).size(), 1);
    QCOMPARE(m_fixture->verb({u"build"_s, name()}).exitCode, 0); // but not here
    QCOMPARE(floxPackages(calls()).size(), 2);
    // Another build of it takes the place of the first one there.
    QCOMPARE(m_fixture->verb({u"build"_s, name(), u"--again"_s, u"--on"_s, u"gpu-box"_s}).exitCode, 0);
    QCOMPARE(links().size(), kept);
}

/// A greeting in the shell, and a job's folder that is removed there, end the build.
void VerbElsewhereTest::endsOnAnOddMachine()
{
    acts(u"steps:400,slow:4"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"gpu-box"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("[3/400]"));
    QDir(folderThere(*m_ssh, job(name()))).removeRecursively();
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 30'000);
    QCOMPARE(job(name()).outcome->build.kind, Kind::Lost);
    m_fixture->set(u"PATH"_s, QStringLiteral(TM_STANDINS "/ssh:" TM_STANDINS) + u':' + m_path);
    const Ran greeted = m_fixture->verb({u"build"_s, name(1), u"--on"_s, u"greeting"_s});
    QCOMPARE(greeted.exitCode, 1);
    QVERIFY2(greeted.err.contains("Welcome to this machine"), greeted.err.constData());
}

void VerbElsewhereTest::namesTheCauseThere()
{
    acts(u"fail"_s);
    const Ran ran = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"gpu-box"_s});
    QCOMPARE(ran.exitCode, 1);
    QVERIFY2(ran.err.contains("_mm512_reduce_add_ps"), ran.err.constData());
    QCOMPARE(job(name()).outcome->build.kind, Kind::CompileError);
}

/// The log is complete, with each line once, however often the connection is lost.
void VerbElsewhereTest::goesOnWithoutAConnection()
{
    acts(u"steps:60,slow:6"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"gpu-box"_s}).exitCode, 0);
    for (int cuts = 0; cuts < 3; ++cuts) {
        const qsizetype had = contentOf(job(name()).folder.logFile()).size();
        QTRY_VERIFY(contentOf(job(name()).folder.logFile()).size() > had + 100);
        m_ssh->cut();
    }
    m_ssh->stop(); // and the machine's sshd for a while
    QTRY_COMPARE(job(name()).folder.progress().value_or(JobProgress()).phase, u"no connection to gpu-box"_s);
    m_ssh->start();
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 120'000);
    QCOMPARE(job(name()).outcome->build.kind, Kind::Built);
    const QByteArray log = contentOf(job(name()).folder.logFile());
    for (int step = 1; step <= 60; ++step)
        QCOMPARE(linesWith(log, "[" + QByteArray::number(step) + "/60]"), 1);
    QCOMPARE(floxPackages(calls()).size(), 1);
}

void VerbElsewhereTest::goesOnWithoutItsRunner()
{
    acts(u"steps:40,slow:4"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"gpu-box"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("[3/40]"));
    for (int kills = 0; kills < 3; ++kills) {
        QTRY_VERIFY_WITH_TIMEOUT(job(name()).phase == JobPhase::Running || hasEnded(name()), 120'000);
        const JobRecord record = job(name());
        const auto runner = record.folder.runner();
        if (!runner || !record.folder.runnerLives()) // whose process may be another's by now
            continue;
        ::kill(pid_t(runner->pid), SIGKILL);
        // Its lock goes with the last of its threads: until then the next round would find it again.
        QTRY_VERIFY_WITH_TIMEOUT(!processEntry(runner->pid).lives(), 120'000);
    }
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 120'000);
    QCOMPARE(job(name()).outcome->build.kind, Kind::Built);
    const QByteArray log = contentOf(job(name()).folder.logFile());
    for (int step = 1; step <= 40; ++step)
        QCOMPARE(linesWith(log, "[" + QByteArray::number(step) + "/40]"), 1);
    QCOMPARE(floxPackages(calls()).size(), 1);
}

void VerbElsewhereTest::stopsThere()
{
    acts(u"detached,hold"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"gpu-box"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("buildPhase"));
    const QString there = folderThere(*m_ssh, job(name()));
    QVERIFY(processesOf(there).size() >= 3); // flox and its two children, which left its session
    QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s, name()}).exitCode, 0);
    QTRY_VERIFY(hasEnded(name()));
    QCOMPARE(job(name()).outcome->build.kind, Kind::Stopped);
    QVERIFY(processesOf(there).isEmpty());
    QTRY_VERIFY(!QFileInfo::exists(there));
}

void VerbElsewhereTest::saysWhoDoesNotAnswer()
{
    acts({});
    const Ran ran = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"nobody-home"_s});
    QCOMPARE(ran.exitCode, 1);
    QVERIFY2(ran.err.contains("nobody-home cannot be reached") && ran.err.contains("Connection refused"),
             ran.err.constData());
    QCOMPARE(job(name()).outcome->build.kind, Kind::Network);
}

void VerbElsewhereTest::refusesOtherHosts()
{
    acts({});
    for (const QString &host : {u"-oProxyCommand=touch x"_s, u"a b"_s, u"x;y"_s, u"$(id)"_s, u"ssh:"_s}) {
        const Ran ran = m_fixture->verb({u"build"_s, name(), u"--on="_s + host});
        QVERIFY2(ran.exitCode != 0 && ran.err.contains("not a host name"), ran.err.constData());
    }
    const Ran dry = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"gpu-box"_s, u"--dry-run"_s});
    QVERIFY2(dry.exitCode == 0 && dry.out.startsWith(name().toUtf8() + " of "), dry.err.constData());
    QVERIFY(readJobs(state()).isEmpty());
    // Options for the cluster are passed to sbatch as single words, and options that the program sets are refused.
    const Ran own = m_fixture->verb({u"build"_s, name(), u"--on"_s, u"slurm"_s, u"--sbatch=--array=0-9"_s});
    QVERIFY2(own.exitCode != 0 && own.err.contains("torch-matrix sets it itself"), own.err.constData());
}

void VerbElsewhereTest::buildsTwentyInAnArray()
{
    useSlurm();
    acts(u"steps:40"_s);
    const Ran ran = m_fixture->verb(QStringList{u"build"_s} + twentyNames() +
                                    QStringList{u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s, u"--time"_s, u"30"_s});
    QVERIFY2(ran.exitCode == 0, ran.err.constData() + ran.out);
    QSet<qint64> arrays;
    QSet<int> elements;
    for (const QString &name : twentyNames()) {
        const JobRecord record = job(name);
        QCOMPARE(record.outcome->build.kind, Kind::Built);
        QCOMPARE(linesWith(contentOf(record.folder.logFile()), "/40]"), 40);
        const auto task = slurmTaskOf(record.folder);
        QVERIFY(task);
        arrays.insert(task->array);
        elements.insert(task->index);
    }
    QCOMPARE(arrays.size(), 1);
    QCOMPARE(elements.size(), 20);
    QStringList built = floxPackages(calls());
    built.sort();
    QStringList wanted = twentyNames();
    wanted.sort();
    QCOMPARE(built, wanted);
}

void VerbElsewhereTest::saysWhatSbatchWouldGet()
{
    useSlurm();
    acts({});
    const Ran ran = m_fixture->verb({u"build"_s, name(), name(1), u"--on"_s, u"slurm"_s, u"--partition"_s, u"a b;c"_s,
                                     u"--time"_s, u"4h"_s, u"--constraint"_s, u"a100&avx512"_s, u"--cores"_s, u"4"_s,
                                     u"--at-once"_s, u"2"_s, u"--sbatch=--account=team a"_s, u"--dry-run"_s});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    for (const char *word : {"--cpus-per-task=4", "--mem=20G", "'--partition=a b;c'", "'--time=240'",
                             "'--constraint=a100&avx512'", "'--account=team a'", "--array=0-1%2", "exec /bin/sh"})
        QVERIFY2(ran.out.contains(word), ran.out.constData());
    QVERIFY(readJobs(state()).isEmpty());
}

void VerbElsewhereTest::stopsInSlurm()
{
    useSlurm();
    acts(u"detached,hold"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("buildPhase"));
    QCOMPARE(job(name()).phase, JobPhase::Running);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s, name()}).exitCode, 0);
    QTRY_VERIFY(hasEnded(name()));
    QCOMPARE(job(name()).outcome->build.kind, Kind::Stopped);
    QCOMPARE(sentenceOf(job(name()).outcome->build), u"The build was stopped."_s);
    QTRY_VERIFY(processesOf(job(name()).folder.path()).isEmpty());
}

void VerbElsewhereTest::seesACancellation()
{
    useSlurm();
    acts(u"hold"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("buildPhase"));
    m_slurm->ask(u"scancel"_s, {QString::number(slurmTaskOf(job(name()).folder)->array)});
    QTRY_VERIFY(hasEnded(name()));
    QCOMPARE(job(name()).outcome->build.kind, Kind::Stopped);
    QCOMPARE(sentenceOf(job(name()).outcome->build), u"The build was cancelled in Slurm."_s);
}

void VerbElsewhereTest::seesAPreemption()
{
    useSlurm();
    acts(u"hold"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("buildPhase"));
    m_slurm->ask(u"sbatch"_s, {u"--partition=urgent"_s, u"--nodes=2"_s, u"--exclusive"_s, u"--output=/dev/null"_s,
                               u"--wrap=true"_s});
    QTRY_VERIFY(hasEnded(name()));
    QCOMPARE(job(name()).outcome->build.kind, Kind::Preempted);
    QTRY_VERIFY(processesOf(job(name()).folder.path()).isEmpty());
    m_slurm->waitUntilIdle();
}

/// Slurm signals a build a minute before its limit; with a limit of one minute that is at its start.
void VerbElsewhereTest::seesTheTimeLimit()
{
    useSlurm();
    acts(u"hold"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s, u"--time"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 150'000);
    QCOMPARE(job(name()).outcome->build.kind, Kind::TimeLimit);
    QTRY_VERIFY(processesOf(job(name()).folder.path()).isEmpty());
}

void VerbElsewhereTest::survivesSlurmsDaemons()
{
    useSlurm();
    acts(u"steps:40,slow:8"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("[3/40]"));
    m_slurm->killController();
    QTRY_VERIFY(job(name()).folder.progress().value_or(JobProgress()).phase.startsWith(u"Slurm does not answer"));
    m_slurm->startController();
    m_slurm->restartNode(0);
    m_slurm->restartNode(1);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 120'000);
    QCOMPARE(job(name()).outcome->build.kind, Kind::Built);
    QCOMPARE(floxPackages(calls()).size(), 1);
}

void VerbElsewhereTest::startsAgainWhereSlurmDoes()
{
    useSlurm();
    acts(u"steps:40,slow:8"_s);
    QCOMPARE(queued({name()}, {u"--on"_s, u"slurm"_s, u"--cores"_s, u"1"_s}).exitCode, 0);
    QTRY_VERIFY(contentOf(job(name()).folder.logFile()).contains("[3/40]"));
    const QString array = QString::number(slurmTaskOf(job(name()).folder)->array);
    m_slurm->ask(u"scontrol"_s, {u"requeue"_s, array});
    // Slurm lets it wait a while before it starts it again.
    QTRY_COMPARE_WITH_TIMEOUT(m_slurm->ask(u"squeue"_s, {u"-h"_s, u"--array"_s, u"-o"_s, u"%T"_s, u"-j"_s, array}),
                              "PENDING\n", 120'000);
    QVERIFY(!hasEnded(name()));
    m_slurm->waitUntilIdle(); // The fault for the first attempt must not hit the second.
    m_slurm->ask(u"scontrol"_s, {u"update"_s, u"JobId="_s + array, u"StartTime=now"_s});
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(name()), 240'000);
    QVERIFY2(job(name()).outcome->build.kind == Kind::Built, qPrintable(job(name()).outcome->build.sentence));
    const QByteArray log = contentOf(job(name()).folder.logFile());
    QVERIFY2(log.contains("attempt 2: Slurm started the build again"), log.constData());
}

TM_TEST(VerbElsewhereTest, QCoreApplication)
#include "tst_verb_elsewhere.moc"
