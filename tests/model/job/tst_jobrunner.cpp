// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Process.h"
#include "model/base/ProcessTable.h"
#include "model/job/JobRunner.h"
#include "model/job/Queue.h"
#include "model/job/ResultLinks.h"
#include "model/job/RunningBuilds.h"
#include "model/log/LogTimes.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = tmx::BuildOutcome::Kind;

using tmx::test::contentOf;

namespace {

/// Runs this test program as the process that runs a job.
class RunnerProcess
{
public:
    explicit RunnerProcess(const JobFolder &folder)
        : m_folder(folder)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedChannels);
        m_process.start(QCoreApplication::applicationFilePath(), {u"tst_jobrunner"_s, u"run-job"_s, folder.path()});
    }
    ~RunnerProcess()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    bool ends() { return m_process.waitForFinished(60'000) && m_process.exitCode() == 0; }
    void kill() { ::kill(pid_t(m_process.processId()), SIGKILL); }
    void tell(int signal) { ::kill(pid_t(m_process.processId()), signal); }
    qint64 pid() const { return m_process.processId(); }

private:
    JobFolder m_folder;
    QProcess m_process;
};

QList<qint64> childrenIn(const QByteArray &log)
{
    QList<qint64> pids;
    static const QRegularExpression child(u"> child (\\d+)"_s);
    QRegularExpressionMatchIterator matches = child.globalMatch(QString::fromUtf8(log));
    while (matches.hasNext())
        pids.append(matches.next().captured(1).toLongLong());
    return pids;
}

bool anyLives(const QList<qint64> &pids)
{
    return std::any_of(pids.begin(), pids.end(), [](qint64 pid) {
        const ProcessEntry entry = processEntry(pid);
        return entry.pid != 0 && entry.lives();
    });
}

QString outputOf(const QString &folder, const QStringList &arguments)
{
    QProcess git;
    git.setWorkingDirectory(folder);
    git.start(u"git"_s, arguments);
    return git.waitForFinished() ? QString::fromUtf8(git.readAllStandardOutput()).trimmed() : QString();
}

} // namespace

class tst_JobRunner : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init();
    void builds();
    void buildsTheCommitThatWasQueued();
    void buildsManyOfARepositoryAtATime();
    void buildsInTheUsersTree();
    void leavesTheProcessorToOthers();
    void handsOverVariables();
    void writesAllOfTheLog();
    void explains_data();
    void explains();
    void needsACommittedEnvironment();
    void runsAJobOnce();
    void stopsBeforeItBegins();
    void stops_data();
    void stops();
    void tellsWhenItKills();
    void stopsWithoutSignals();
    void endsWhatIsLeftBehind();
    void outlivesSignalsOfATerminal();
    void keepsTheMachineAwake();
    void tellsOfALostJob();
    void tellsOfARestart();
    void buildsWithNix();
    void callsAFunctionOfPackages();
    void explainsWhatNixSays();
    void stopsNix();

private:
    JobFolder queue(const BuildRepository &repository, const std::function<void(Job &)> &change = {});
    JobOutcome run(const JobFolder &folder);
    /// A job that real Nix builds with its own store: `recipe` is the file's text.
    JobFolder queueForNix(const BuildRepository &repository, const QByteArray &recipe);
    [[nodiscard]] QByteArray logOf(const JobFolder &folder) const { return contentOf(folder.logFile()); }

    std::unique_ptr<QTemporaryDir> m_state;
};

void tst_JobRunner::init()
{
    standInActs({});
    m_state = std::make_unique<QTemporaryDir>();
    QDir().mkpath(m_state->filePath(u"store"_s));
    qputenv("TORCH_MATRIX_STANDIN_STORE", m_state->filePath(u"store"_s).toUtf8());
    qunsetenv("TORCH_MATRIX_STANDIN_FLOX_CALLS");
}

JobFolder tst_JobRunner::queue(const BuildRepository &repository, const std::function<void(Job &)> &change)
{
    Job job;
    job.repository = QDir(repository.path()).canonicalPath();
    job.branch = outputOf(job.repository, {u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s});
    job.commit = outputOf(job.repository, {u"rev-parse"_s, u"HEAD"_s});
    job.blob = outputOf(job.repository, {u"rev-parse"_s, u"HEAD:"_s + BuildRepository::recipe()});
    job.recipe = BuildRepository::recipe();
    job.package = BuildRepository::package();
    job.variant = job.package;
    job.environment = recordedEnvironment();
    job.created = QDateTime::currentDateTimeUtc();
    if (change)
        change(job);
    const Result<JobFolder> folder = JobFolder::create(m_state->path(), job);
    if (!folder)
        qFatal("%s", qPrintable(folder.error().sentence()));
    return *folder;
}

JobOutcome tst_JobRunner::run(const JobFolder &folder)
{
    RunnerProcess runner(folder);
    if (!runner.ends())
        qFatal("the runner failed");
    return folder.outcome().value();
}

void tst_JobRunner::builds()
{
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    QCOMPARE(folder.phase(), JobPhase::Waiting);
    const JobOutcome outcome = run(folder);
    QCOMPARE(wordOf(outcome.build.kind), u"built"_s);
    QCOMPARE(outcome.build.exitCode, 0);
    QCOMPARE(folder.phase(), JobPhase::Ended);
    QVERIFY(outcome.started.isValid() && outcome.ended >= outcome.started);
    QVERIFY(!QFileInfo::exists(folder.file(u"reserve"_s)));
    // The result and its further output, kept for the branch and beside the user's environment.
    const QString kept = resultsFolder(m_state->path(), folder.job()->repository, folder.job()->branch);
    QCOMPARE(outcome.build.resultLinks, (QStringList{kept + u"/result-pytorch-python313-cpu-avx2"_s,
                                                     kept + u"/result-pytorch-python313-cpu-avx2-dev"_s}));
    QCOMPARE(outcome.storePaths.size(), 2);
    for (qsizetype i = 0; i < 2; ++i) {
        QCOMPARE(QFile::symLinkTarget(outcome.build.resultLinks.at(i)), outcome.storePaths.at(i));
        QVERIFY(QFileInfo::exists(outcome.build.resultLinks.at(i)));
    }
    QCOMPARE(QFile::symLinkTarget(repository.path() + u"/result-"_s + BuildRepository::package()),
             outcome.storePaths.at(0));
    // Nothing of the program's own working tree is left.
    QVERIFY(!QFileInfo::exists(folder.workTree()));
    QCOMPARE(outputOf(repository.path(), {u"worktree"_s, u"list"_s}).count(u'\n'), 0);
    QVERIFY(logOf(folder).startsWith("Building python3.13-pytorch-python313-cpu-avx2-2.8.0 in Nix expression mode\n"));
    QVERIFY(!logOf(folder).contains("is dirty"));
}

void tst_JobRunner::buildsTheCommitThatWasQueued()
{
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    // Meanwhile the user edits, commits, and checks out something else.
    repository.write(BuildRepository::recipe(), "{ }: { pname = \"other\"; version = \"9.9\"; }\n");
    repository.git({u"commit"_s, u"-qam"_s, u"Change it"_s});
    repository.git({u"checkout"_s, u"-q"_s, u"-b"_s, u"elsewhere"_s});
    repository.write(BuildRepository::recipe(), "broken");
    const JobOutcome outcome = run(folder);
    QCOMPARE(wordOf(outcome.build.kind), u"built"_s);
    QVERIFY(outcome.storePaths.at(0).endsWith(u"-2.8.0"));
    QVERIFY(!QFileInfo(repository.path() + u"/result-"_s + BuildRepository::package()).isSymLink());
    QCOMPARE(outputOf(repository.path(), {u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), u"elsewhere"_s);
    QCOMPARE(contentOf(repository.path() + u'/' + BuildRepository::recipe()), "broken"_ba);
}

/// git's commands for working trees fail while another one adds or removes a working tree of the repository.
void tst_JobRunner::buildsManyOfARepositoryAtATime()
{
    const BuildRepository repository;
    for (int round = 0; round < 3; ++round) {
        QList<JobFolder> folders;
        std::vector<std::unique_ptr<RunnerProcess>> runners;
        for (int i = 0; i < 12; ++i)
            folders.append(queue(repository));
        for (const JobFolder &folder : std::as_const(folders))
            runners.push_back(std::make_unique<RunnerProcess>(folder));
        for (const auto &runner : runners)
            QVERIFY(runner->ends());
        for (const JobFolder &folder : std::as_const(folders)) {
            QCOMPARE(sentenceOf(folder.outcome()->build).section(u';', 0, 0),
                     BuildRepository::package() + u" is built"_s);
            QVERIFY(!QFileInfo::exists(folder.workTree()));
        }
        QCOMPARE(outputOf(repository.path(), {u"worktree"_s, u"list"_s}).count(u'\n'), 0);
    }
}

void tst_JobRunner::buildsInTheUsersTree()
{
    const BuildRepository repository;
    repository.write(BuildRepository::recipe(), "{ }: { pname = \"x\"; version = \"9.9\"; }\n");
    const JobFolder folder = queue(repository, [](Job &job) { job.here = true; });
    const JobOutcome outcome = run(folder);
    QCOMPARE(wordOf(outcome.build.kind), u"built"_s);
    QVERIFY(outcome.storePaths.at(0).endsWith(u"-9.9"));
    QVERIFY(logOf(folder).contains("is dirty"));
    QVERIFY(QFileInfo::exists(repository.path() + u'/' + BuildRepository::recipe()));
    QVERIFY(QFileInfo(repository.path() + u"/result-"_s + BuildRepository::package()).isSymLink());
}

/// A build has a higher nice value than its runner, which has that of the process that started it.
void tst_JobRunner::leavesTheProcessorToOthers()
{
    standInActs("hold");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    const int own = ::getpriority(PRIO_PROCESS, 0);
    QCOMPARE(::getpriority(PRIO_PROCESS, id_t(runner.pid())), own);
    QList<ProcessEntry> below = descendantsOf(runner.pid(), processTable());
    below.removeIf([&runner](const ProcessEntry &process) { return process.group == runner.pid(); });
    QVERIFY(!below.isEmpty());
    for (const ProcessEntry &process : std::as_const(below))
        QCOMPARE(::getpriority(PRIO_PROCESS, id_t(process.pid)), std::max(own, 10));
    QVERIFY(folder.requestStop().ok());
    QVERIFY(runner.ends());
}

void tst_JobRunner::handsOverVariables()
{
    const BuildRepository repository;
    const QString program = m_state->filePath(u"bin/flox"_s);
    QDir().mkpath(m_state->filePath(u"bin"_s));
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\necho \"[$NIX_CONFIG] [$http_proxy$https_proxy] $TORCH_MATRIX_JOB $GIT_DIR\" \"$@\"\nexit 1\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const JobFolder folder = queue(repository, [this](Job &job) {
        job.environment.insert(u"PATH"_s, m_state->filePath(u"bin"_s) + u':' + qEnvironmentVariable("PATH"));
        job.environment.insert(u"NIX_CONFIG"_s, u"sandbox = true"_s);
        job.environment.insert(u"https_proxy"_s, u"localhost:8080"_s);
        job.cores = 7;
        job.stability = u"stable"_s;
    });
    // The environment of the user who runs it does not apply: neither variables that the other had set nor those that
    // it had not.
    qputenv("NIX_CONFIG", "sandbox = false");
    qputenv("http_proxy", "localhost:9090");
    qputenv("GIT_DIR", "/nowhere");
    const JobOutcome outcome = run(folder);
    qunsetenv("NIX_CONFIG");
    qunsetenv("http_proxy");
    qunsetenv("GIT_DIR");
    QCOMPARE(outcome.build.exitCode, 1);
    QCOMPARE(QString::fromUtf8(logOf(folder)),
             u"[sandbox = true\ncores = 7] [localhost:8080] %1  build -d %2 --stability stable %3\n"_s.arg(
                 folder.path(), folder.workTree(), BuildRepository::package()));
}

void tst_JobRunner::writesAllOfTheLog()
{
    standInActs("burst:200000");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    const JobOutcome outcome = run(folder);
    QCOMPARE(wordOf(outcome.build.kind), u"built"_s);
    const QByteArray log = logOf(folder);
    for (const int step : {1, 100'000, 200'000})
        QVERIFY(log.contains("[" + QByteArray::number(step) + "/200000]"));
    QVERIFY(log.count('\n') > 200'000);
    const LogTimes times = LogTimes::of(folder.logFile());
    for (const qint64 bytes : {qint64(1), qint64(log.size() / 2), qint64(log.size())})
        QVERIFY(outcome.started <= times.at(bytes) && times.at(bytes) <= outcome.ended);
}

void tst_JobRunner::explains_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("says");
    const QString undeclared = u"'_mm512_reduce_add_ps' was not declared"_s;
    QTest::newRow("compile error") << "fail"_ba << u"compile-error"_s
                                   << u"in buildPhase, at step 7 of 12: "_s + undeclared;
    QTest::newRow("in colour") << "fail,colour"_ba << u"compile-error"_s << undeclared;
    QTest::newRow("older Nix") << "fail-old"_ba << u"compile-error"_s << undeclared;
    QTest::newRow("memory") << "oom"_ba << u"out-of-memory"_s << u"Build with fewer cores: --cores 3."_s;
    QTest::newRow("memory of the builder") << "oom-builder"_ba << u"out-of-memory"_s << u": --cores 3."_s;
    QTest::newRow("crash") << "crash"_ba << u"crashed"_s << u"signal 6"_s;
    QTest::newRow("no result") << "no-result"_ba << u"no-result"_s << u"result"_s;
    QTest::newRow("built before") << "already,one-output"_ba << u"built"_s << u"already"_s;
    QTest::newRow("older flox") << "old-words"_ba << u"built"_s << u"is built"_s;
}

void tst_JobRunner::explains()
{
    QFETCH(const QByteArray, behaviour);
    QFETCH(const QString, kind);
    QFETCH(const QString, says);
    standInActs(behaviour);
    const BuildRepository repository;
    const JobOutcome outcome = run(queue(repository, [](Job &job) { job.cores = 6; }));
    QCOMPARE(wordOf(outcome.build.kind), kind);
    QVERIFY2(sentenceOf(outcome.build).contains(says), qPrintable(sentenceOf(outcome.build)));
    if (kind == u"out-of-memory") { // nothing is less than one core
        const JobOutcome one = run(queue(repository, [](Job &job) { job.cores = 1; }));
        QVERIFY2(sentenceOf(one.build).contains(u"Add memory or swap"), qPrintable(sentenceOf(one.build)));
    }
    QVERIFY(outcome.build.lastErrors.size() <= 20);
    QCOMPARE(outcome.build.resultLinks.isEmpty(), kind != u"built"_s);
}

void tst_JobRunner::needsACommittedEnvironment()
{
    const BuildRepository repository;
    repository.git({u"rm"_s, u"-rq"_s, u"--cached"_s, u".flox/env.json"_s, u".flox/env"_s});
    repository.git({u"commit"_s, u"-qm"_s, u"Keep the environment out"_s});
    QCOMPARE(wordOf(run(queue(repository)).build.kind), u"no-environment"_s);
    QCOMPARE(wordOf(run(queue(repository, [](Job &job) { job.here = true; })).build.kind), u"built"_s);
    const JobOutcome none = run(queue(repository, [](Job &job) { job.commit = QString(40, u'1'); }));
    QCOMPARE(wordOf(none.build.kind), u"failed"_s);
    QVERIFY2(sentenceOf(none.build).contains(u"1111111111"), qPrintable(sentenceOf(none.build)));
    // A git without disk space, with and without a message.
    for (const QByteArray &said : {"echo 'error: unable to write file x: No space left on device' >&2"_ba, ":"_ba}) {
        QFile git(m_state->filePath(u"git"_s));
        QVERIFY(git.open(QIODevice::WriteOnly));
        git.write("#!/bin/sh\ncase \"$*\" in *'worktree add'*) " + said +
                  "; exit 128;; esac\nexec /usr/bin/git \"$@\"\n");
        git.close();
        QVERIFY(git.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        const JobOutcome full = run(queue(repository, [this](Job &job) {
            job.environment.insert(u"PATH"_s, m_state->path() + u":/usr/bin:/bin"_s);
        }));
        QCOMPARE(wordOf(full.build.kind), said == ":" ? u"failed"_s : u"out-of-disk"_s);
        QVERIFY2(sentenceOf(full.build).contains(said == ":" ? u"git ended with exit code 128"_s : u"is full"_s),
                 qPrintable(sentenceOf(full.build)));
    }
    const JobOutcome noFlox =
        run(queue(repository, [](Job &job) { job.environment.insert(u"PATH"_s, u"/usr/bin:/bin"_s); }));
    QCOMPARE(wordOf(noFlox.build.kind), u"engine-missing"_s);
}

void tst_JobRunner::runsAJobOnce()
{
    standInActs("slow:1");
    const BuildRepository repository;
    const QString calls = m_state->filePath(u"calls"_s);
    qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", calls.toUtf8());
    const JobFolder folder = queue(repository);
    std::vector<std::unique_ptr<RunnerProcess>> runners;
    for (int i = 0; i < 8; ++i)
        runners.push_back(std::make_unique<RunnerProcess>(folder));
    int ran = 0;
    for (const auto &runner : runners)
        ran += runner->ends();
    QCOMPARE(ran, 1);
    QCOMPARE(contentOf(calls).count("build\t"), 1);
    RunnerProcess later(folder);
    QVERIFY(!later.ends());
    QCOMPARE(contentOf(calls).count("build\t"), 1);
}

void tst_JobRunner::stopsBeforeItBegins()
{
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    QVERIFY(folder.requestStop().ok());
    QCOMPARE(wordOf(run(folder).build.kind), u"stopped"_s);
    QVERIFY(logOf(folder).isEmpty());
}

void tst_JobRunner::stops_data()
{
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("children");
    QTest::addColumn<int>("requests");
    QTest::addColumn<int>("mostSeconds");
    QTest::newRow("polite") << "hold"_ba << 0 << 1 << 8;
    QTest::newRow("stubborn") << "hold,stubborn,detached"_ba << 2 << 1 << 15;
    QTest::newRow("deaf children") << "children"_ba << 4 << 1 << 15;
    QTest::newRow("all") << "children,stubborn,detached"_ba << 6 << 1 << 15;
    QTest::newRow("at once") << "children,stubborn,detached"_ba << 6 << 3 << 4;
}

void tst_JobRunner::stops()
{
    QFETCH(const QByteArray, behaviour);
    QFETCH(const int, children);
    QFETCH(const int, requests);
    QFETCH(const int, mostSeconds);
    standInActs(behaviour);
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    QTRY_COMPARE(childrenIn(logOf(folder)).size(), children);
    QCOMPARE(folder.phase(), JobPhase::Running);
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < requests; ++i)
        QVERIFY(folder.requestStop().ok());
    QCOMPARE(folder.phase(), JobPhase::Stopping);
    QVERIFY(runner.ends());
    qInfo("gone after %lld ms", clock.elapsed());
    QVERIFY(clock.elapsed() < mostSeconds * 1000); // the stages' own times, with room for a busy machine
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"stopped"_s);
    QVERIFY(!anyLives(childrenIn(logOf(folder))));
    QVERIFY(!QFileInfo::exists(folder.workTree()));
}

void tst_JobRunner::tellsWhenItKills()
{
    standInActs("hold,stubborn");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    const auto killsAt = [&folder] { return folder.progress().value_or(JobProgress()).killsAt; };
    QVERIFY(!killsAt().isValid());
    QVERIFY(folder.requestStop().ok());
    QTRY_VERIFY(killsAt().isValid());
    const QDateTime first = killsAt();
    const JobRecord stopping{*folder.job(), JobPhase::Stopping, {}, folder.runner(), folder};
    QCOMPARE(RunningBuilds(m_state->path()).of(stopping).killsAt, first);
    // The next request is the next stage: it comes after one request instead of two.
    QVERIFY(folder.requestStop().ok());
    QTRY_VERIFY(killsAt() != first || folder.phase() == JobPhase::Ended);
    QVERIFY(Queue(m_state->path()).stop({folder.id()}, Queue::Stop::Kill).ok());
    QVERIFY(runner.ends());
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"stopped"_s);
    QCOMPARE(folder.outcome()->signal, SIGKILL);
}

void tst_JobRunner::stopsWithoutSignals()
{
    standInActs("hold,stubborn");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    runner.tell(SIGTERM); // what a shutdown sends
    runner.tell(SIGINT);
    runner.tell(SIGTERM);
    QVERIFY(runner.ends());
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"stopped"_s);
}

void tst_JobRunner::endsWhatIsLeftBehind()
{
    standInActs("leftover");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    const JobOutcome outcome = run(folder);
    QCOMPARE(wordOf(outcome.build.kind), u"built"_s);
    QCOMPARE(childrenIn(logOf(folder)).size(), 2);
    QVERIFY(!anyLives(childrenIn(logOf(folder))));
}

void tst_JobRunner::outlivesSignalsOfATerminal()
{
    standInActs("slow:2");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    for (const int signal : {SIGHUP, SIGQUIT, SIGPIPE})
        runner.tell(signal);
    QCOMPARE(processEntry(runner.pid()).session, runner.pid());
    QVERIFY(runner.ends());
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"built"_s);
}

void tst_JobRunner::keepsTheMachineAwake()
{
    standInActs("hold");
    const BuildRepository repository;
    QDir().mkpath(m_state->filePath(u"bin"_s));
    QFile script(m_state->filePath(u"bin/systemd-inhibit"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho \"$@\" >" + m_state->filePath(u"held"_s).toUtf8() + "\ncat\necho released >>" +
                 m_state->filePath(u"held"_s).toUtf8() + "\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const QString path = m_state->filePath(u"bin"_s) + u':' + qEnvironmentVariable("PATH");
    const JobFolder folder = queue(repository, [&](Job &job) { job.environment.insert(u"PATH"_s, path); });
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("buildPhase"));
    QTRY_COMPARE(contentOf(m_state->filePath(u"held"_s)),
                 "--what=sleep --mode=block --who=Torch Matrix --why=Building pytorch-python313-cpu-avx2 cat\n"_ba);
    QVERIFY(folder.requestStop().ok());
    QVERIFY(runner.ends());
    QTRY_VERIFY(contentOf(m_state->filePath(u"held"_s)).endsWith("released\n"));
}

void tst_JobRunner::tellsOfALostJob()
{
    standInActs("children,stubborn,detached");
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    {
        RunnerProcess runner(folder);
        QTRY_COMPARE(childrenIn(logOf(folder)).size(), 6);
        settleLost(folder); // one that runs is left alone
        QCOMPARE(folder.phase(), JobPhase::Running);
        runner.kill();
    }
    QTRY_COMPARE(folder.phase(), JobPhase::Lost);
    QVERIFY(anyLives(childrenIn(logOf(folder))));
    settleLost(folder);
    QCOMPARE(folder.phase(), JobPhase::Ended);
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"lost"_s);
    QVERIFY(!anyLives(childrenIn(logOf(folder))));
    QVERIFY(!QFileInfo::exists(folder.workTree()));
    QCOMPARE(outputOf(repository.path(), {u"worktree"_s, u"list"_s}).count(u'\n'), 0);
}

void tst_JobRunner::tellsOfARestart()
{
    const BuildRepository repository;
    const JobFolder folder = queue(repository);
    QFile runner(folder.file(u"runner"_s));
    QVERIFY(runner.open(QIODevice::WriteOnly));
    runner.write("{\"pid\": 1, \"boot\": \"another\", \"machine\": \"" + machineId().toUtf8() + "\"}");
    runner.close();
    settleLost(folder);
    QVERIFY2(sentenceOf(folder.outcome()->build).contains(u"restarted"),
             qPrintable(sentenceOf(folder.outcome()->build)));
    const JobFolder elsewhere = queue(repository);
    QFile other(elsewhere.file(u"runner"_s));
    QVERIFY(other.open(QIODevice::WriteOnly));
    other.write("{\"pid\": 1, \"boot\": \"another\", \"machine\": \"another\"}");
    other.close();
    settleLost(elsewhere);
    QCOMPARE(elsewhere.phase(), JobPhase::Lost); // This machine cannot tell.
}

JobFolder tst_JobRunner::queueForNix(const BuildRepository &repository, const QByteArray &recipe)
{
    for (const char *name : {"store", "state", "log", "conf"})
        qputenv(QByteArray("NIX_") + QByteArray(name).toUpper() + "_DIR",
                m_state->filePath(u"nix/"_s + QLatin1StringView(name)).toUtf8());
    qputenv("NIX_CONFIG", "sandbox = false\nbuild-users-group =\nsubstituters =");
    QFile packages(m_state->filePath(u"packages.nix"_s));
    if (packages.open(QIODevice::WriteOnly))
        packages.write("{ config ? { } }: { callPackage = f: args: import f ({ name = \"of-packages\"; } // args); }");
    repository.write(BuildRepository::recipe(), recipe);
    repository.git({u"commit"_s, u"-qam"_s, u"Build something tiny"_s});
    return queue(repository, [&](Job &job) {
        job.engine = BuildEngine::Nix;
        job.cores = 3;
        job.environment.insert(u"NIX_PATH"_s, u"nixpkgs="_s + packages.fileName());
    });
}

void tst_JobRunner::buildsWithNix()
{
    const BuildRepository repository;
    const JobFolder folder = queueForNix(repository, R"({ name ? "tiny" }: derivation {
  inherit name; system = builtins.currentSystem; builder = "/bin/sh";
  args = [ "-c" "echo with $NIX_BUILD_CORES cores; echo hi > $out" ]; })");
    const JobOutcome outcome = run(folder);
    QVERIFY2(outcome.build.kind == Kind::Built, logOf(folder).constData());
    QVERIFY(logOf(folder).contains("with 3 cores"));
    QCOMPARE(outcome.storePaths.size(), 1);
    QCOMPARE(contentOf(outcome.build.resultLinks.at(0)), "hi\n"_ba);
    QCOMPARE(contentOf(repository.path() + u"/result-"_s + BuildRepository::package()), "hi\n"_ba);
    QCOMPARE(sentenceOf(outcome.build),
             u"%1 is built; the result is %2/result-%1."_s.arg(BuildRepository::package(), repository.path()));
    // The program's link is a root: the garbage collector keeps the result after the user's link is gone.
    QVERIFY(QFile::remove(repository.path() + u"/result-"_s + BuildRepository::package()));
    QCOMPARE(QProcess::execute(u"nix-store"_s, {u"--gc"_s, u"--quiet"_s}), 0);
    QCOMPARE(contentOf(outcome.build.resultLinks.at(0)), "hi\n"_ba);
    QVERIFY(QFile::remove(outcome.build.resultLinks.at(0)));
    QCOMPARE(QProcess::execute(u"nix-store"_s, {u"--gc"_s, u"--quiet"_s}), 0);
    QVERIFY(!QFileInfo::exists(outcome.storePaths.at(0)));
}

void tst_JobRunner::callsAFunctionOfPackages()
{
    const BuildRepository repository;
    const JobFolder folder = queueForNix(repository, R"({ name }: derivation {
  inherit name; system = builtins.currentSystem; builder = "/bin/sh"; args = [ "-c" "echo hi > $out" ]; })");
    const JobOutcome outcome = run(folder);
    QVERIFY2(outcome.build.kind == Kind::Built, logOf(folder).constData());
    QVERIFY(outcome.storePaths.at(0).endsWith(u"-of-packages"));
}

void tst_JobRunner::explainsWhatNixSays()
{
    const BuildRepository repository;
    const JobOutcome failed = run(queueForNix(repository, R"(derivation {
  name = "tiny"; system = builtins.currentSystem; builder = "/bin/sh"; args = [ "-c" "echo no >&2; exit 3" ]; })"));
    QVERIFY(failed.build.kind != Kind::Built);
    QVERIFY(!sentenceOf(failed.build).isEmpty());
    QVERIFY(failed.build.resultLinks.isEmpty());
    const JobOutcome number = run(queueForNix(repository, "1 + 1"));
    QVERIFY(number.build.kind != Kind::Built);
    const JobOutcome wrong = run(queueForNix(repository, "{ }: nothing.there"));
    QCOMPARE(wordOf(wrong.build.kind), u"evaluation-error"_s);
}

void tst_JobRunner::stopsNix()
{
    const BuildRepository repository;
    const JobFolder folder = queueForNix(repository, R"(derivation {
  name = "tiny"; system = builtins.currentSystem; builder = "/bin/sh";
  args = [ "-c" "trap : INT TERM; echo holding; while :; do :; done" ]; })");
    RunnerProcess runner(folder);
    QTRY_VERIFY(logOf(folder).contains("holding"));
    QVERIFY(folder.requestStop().ok());
    QVERIFY(runner.ends());
    QCOMPARE(wordOf(folder.outcome()->build.kind), u"stopped"_s);
    QVERIFY(processesWith("TORCH_MATRIX_JOB=" + QFile::encodeName(folder.path()), processTable()).isEmpty());
}

static int testMain(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "run-job") == 0) {
        const Result<void> ran = runJob(JobFolder(QFile::decodeName(argv[2])));
        return ran ? 0 : 3;
    }
    tst_JobRunner test;
    return QTest::qExec(&test, argc, argv);
}

TM_TEST_MAIN(testMain)
#include "tst_jobrunner.moc"
