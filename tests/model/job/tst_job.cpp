// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/job/Engine.h"
#include "model/job/Job.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QtConcurrent>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

Job someJob()
{
    Job job;
    job.id = u"20261122-153012-3f9a2c"_s;
    job.repository = u"/home/a b/build-pytorch"_s;
    job.branch = u"feature/größer"_s;
    job.commit = QString(40, u'a');
    job.blob = QString(40, u'b');
    job.recipe = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
    job.package = u"pytorch-python313-cpu-avx2"_s;
    job.variant = job.package;
    job.environment = {{u"PATH"_s, u"/usr/bin"_s}};
    job.created = QDateTime::fromMSecsSinceEpoch(1'800'000'000'123, QTimeZone::UTC);
    return job;
}

JobOutcome someOutcome()
{
    JobOutcome outcome;
    outcome.build.kind = BuildOutcome::Kind::Built;
    outcome.build.exitCode = 0;
    outcome.build.sentence = u"It is built."_s;
    outcome.build.lastErrors = {u"a"_s, u"b"_s};
    outcome.build.resultLinks = {u"/state/results/x/result-a"_s};
    outcome.storePaths = {u"/nix/store/abc"_s};
    outcome.started = QDateTime::fromMSecsSinceEpoch(1'800'000'000'123, QTimeZone::UTC);
    outcome.ended = outcome.started.addSecs(3600);
    outcome.build.milliseconds = 3'600'000;
    outcome.build.firstError = 12;
    outcome.build.recipeLine = 7;
    outcome.peakMemory = qint64(40) << 30;
    return outcome;
}

} // namespace

class tst_Job : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// <nixpkgs> as the default of an argument is needed only if the recipe uses that argument.
    void needsTheCallersNixpkgs()
    {
        for (const char *unused : {"{ pkgs ? import <nixpkgs> { } }: import ./lib/f.nix { a = 1; }", "{ }: 1",
                                   "{ pkgs ? import <nixpkgs> { }, lib ? 1 }: lib"})
            QVERIFY2(!needsNixpkgs(unused), unused);
        for (const char *used :
             {"{ pkgs ? import <nixpkgs> { } }: pkgs.hello", "{ pkgs ? import <nixpkgs> { } }: with pkgs; hello",
              "{ pkgs ? import <nixpkgs> { } }: { inherit pkgs; }",
              "{ pkgs ? import <nixpkgs> { }, lib ? pkgs.lib }: lib", "{ pkgs ? import <nixpkgs> { } }@args: args.pkgs",
              "{ pkgs }: 1", "(import <nixpkgs> { }).hello", "{ pkgs ? import <nixpkgs> { } }: import <nixpkgs/lib>"})
            QVERIFY2(needsNixpkgs(used), used);
    }

    void readsWhatItWrites();
    void refusesWrongFields_data();
    void refusesWrongFields();
    void survivesBytesChanged();
    void appearsWhole();
    void givesEachJobItsOwnFolder();
    void hasOneOutcome();
    void knowsItsPhase();
    void followsNoLink();
    void keepsNoCredential_data();
    void keepsNoCredential();
};

void tst_Job::readsWhatItWrites()
{
    const Result<Job> job = jobFromJson(toJson(someJob()));
    QVERIFY2(job.ok(), job ? "" : qPrintable(job.error().sentence()));
    QCOMPARE(*job, someJob());
    const Result<JobOutcome> outcome = outcomeFromJson(toJson(someOutcome()));
    QVERIFY2(outcome.ok(), outcome ? "" : qPrintable(outcome.error().sentence()));
    QCOMPARE(*outcome, someOutcome());
}

void tst_Job::refusesWrongFields_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("package with a dot") << u"package"_s << QJsonValue(u"a.b"_s);
    QTest::newRow("package that is an option") << u"package"_s << QJsonValue(u"--all"_s);
    QTest::newRow("package that ends in a newline") << u"package"_s << QJsonValue(u"a\n"_s);
    QTest::newRow("relative repository") << u"repository"_s << QJsonValue(u"a"_s);
    QTest::newRow("repository with dots") << u"repository"_s << QJsonValue(u"/a/../b"_s);
    QTest::newRow("short commit") << u"commit"_s << QJsonValue(u"abc"_s);
    QTest::newRow("commit that is an option") << u"commit"_s << QJsonValue(u"--exec"_s);
    QTest::newRow("recipe elsewhere") << u"recipe"_s << QJsonValue(u"../x.nix"_s);
    QTest::newRow("engine") << u"engine"_s << QJsonValue(u"make"_s);
    QTest::newRow("stability") << u"stability"_s << QJsonValue(u"-x"_s);
    QTest::newRow("negative cores") << u"cores"_s << QJsonValue(-1);
    QTest::newRow("many cores") << u"cores"_s << QJsonValue(1e18);
    QTest::newRow("half a core") << u"cores"_s << QJsonValue(0.5);
    QTest::newRow("here") << u"here"_s << QJsonValue(1);
    QTest::newRow("other variables") << u"environment"_s << QJsonValue(QJsonObject{{u"LD_PRELOAD"_s, u"x"_s}});
    QTest::newRow("no time") << u"created"_s << QJsonValue(u"yesterday"_s);
    QTest::newRow("list") << u"branch"_s << QJsonValue(QJsonArray());
    QTest::newRow("long text") << u"branch"_s << QJsonValue(QString(2000, u'x'));
}

void tst_Job::refusesWrongFields()
{
    QFETCH(const QString, field);
    QFETCH(const QJsonValue, value);
    QJsonObject object = QJsonDocument::fromJson(toJson(someJob())).object();
    object.insert(field, value);
    const Result<Job> wrong = jobFromJson(QJsonDocument(object).toJson());
    QVERIFY(!wrong.ok());
    QVERIFY2(wrong.error().why.contains(field), qPrintable(wrong.error().sentence()));
    object.remove(field);
    QVERIFY(!jobFromJson(QJsonDocument(object).toJson()).ok());
}

/// Whatever is read without an error is written and read back unchanged.
void tst_Job::survivesBytesChanged()
{
    const quint32 seed = qEnvironmentVariableIsSet("TORCH_MATRIX_SEED")
                             ? qEnvironmentVariableIntValue("TORCH_MATRIX_SEED")
                             : QRandomGenerator::system()->generate();
    qInfo("TORCH_MATRIX_SEED=%u", seed);
    QRandomGenerator random(seed);
    for (int round = 0; round < 20'000; ++round) {
        QByteArray text = round % 2 ? toJson(someJob()) : toJson(someOutcome());
        for (int change = random.bounded(1, 4); change > 0; --change) {
            const qsizetype at = random.bounded(int(text.size()));
            if (random.bounded(2))
                text[at] = char(random.bounded(256));
            else
                text.remove(at, random.bounded(1, 30));
        }
        if (const Result<Job> job = jobFromJson(text))
            QCOMPARE(*jobFromJson(toJson(*job)), *job);
        if (const Result<JobOutcome> outcome = outcomeFromJson(text))
            QCOMPARE(*outcomeFromJson(toJson(*outcome)), *outcome);
    }
    QVERIFY(!jobFromJson(QByteArray(1'000'000, '[')).ok());
    QVERIFY(!jobFromJson(QByteArray(2'000'000, ' ')).ok());
    QVERIFY(!jobFromJson({}).ok());
}

void tst_Job::appearsWhole()
{
    const QTemporaryDir state;
    Job job = someJob();
    job.id.clear();
    const Result<JobFolder> folder = JobFolder::create(state.path(), job);
    QVERIFY(folder.ok());
    job.id = folder->id();
    QCOMPARE(*folder->job(), job);
    QCOMPARE(folder->state(), state.path());
    QCOMPARE(QDir(state.filePath(u"jobs"_s)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{job.id});
    // What a killed process leaves while creating a job does not count as a job.
    QVERIFY(QDir().mkpath(state.filePath(u"jobs/.new-abcdef"_s)));
    QCOMPARE(JobFolder::all(state.path()).size(), 1);
}

void tst_Job::givesEachJobItsOwnFolder()
{
    const QTemporaryDir state;
    const QString path = state.path();
    QList<QFuture<QString>> makers;
    for (int i = 0; i < 200; ++i) {
        makers.append(QtConcurrent::run([path, i] {
            Job job = someJob(); // all ask for one id
            job.branch = QString::number(i);
            const Result<JobFolder> folder = JobFolder::create(path, job);
            return folder && folder->job()->branch == job.branch ? folder->id() : QString();
        }));
    }
    QSet<QString> ids;
    for (QFuture<QString> &maker : makers)
        ids.insert(maker.result());
    QVERIFY(!ids.contains(QString()));
    QCOMPARE(ids.size(), 200);
    QCOMPARE(JobFolder::all(path).size(), 200);
}

void tst_Job::hasOneOutcome()
{
    const QTemporaryDir state;
    const Result<JobFolder> folder = JobFolder::create(state.path(), someJob());
    QVERIFY(folder.ok());
    QVERIFY(!folder->outcome());
    QList<QFuture<bool>> writers;
    for (int i = 0; i < 50; ++i) {
        writers.append(QtConcurrent::run([folder = *folder, i] {
            JobOutcome outcome = someOutcome();
            outcome.peakMemory = i;
            return *folder.writeOutcome(outcome);
        }));
    }
    int written = 0;
    qint64 winner = -1;
    for (int i = 0; i < 50; ++i) {
        if (writers[i].result()) {
            ++written;
            winner = i;
        }
    }
    QCOMPARE(written, 1);
    QCOMPARE(folder->outcome()->peakMemory, winner);
    QCOMPARE(folder->phase(), JobPhase::Ended);
}

void tst_Job::knowsItsPhase()
{
    const QTemporaryDir state;
    const Result<JobFolder> folder = JobFolder::create(state.path(), someJob());
    QVERIFY(folder.ok());
    QCOMPARE(folder->phase(), JobPhase::Waiting);
    QCOMPARE(folder->stopLevel(), 0);
    const int fd = ::open(QFile::encodeName(folder->file(u"runner"_s)).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    QVERIFY(fd >= 0 && ::write(fd, "{}", 2) == 2);
    QCOMPARE(::flock(fd, LOCK_EX), 0);
    QCOMPARE(folder->phase(), JobPhase::Running);
    for (int level = 1; level <= 4; ++level) {
        QVERIFY(folder->requestStop().ok());
        QCOMPARE(folder->stopLevel(), qMin(level, 3));
        QCOMPARE(folder->phase(), JobPhase::Stopping);
    }
    ::close(fd); // as when its runner dies
    QCOMPARE(folder->phase(), JobPhase::Lost);
}

void tst_Job::followsNoLink()
{
    const QTemporaryDir state;
    const Result<JobFolder> folder = JobFolder::create(state.path(), someJob());
    QVERIFY(folder.ok());
    QFile elsewhere(state.filePath(u"elsewhere"_s));
    QVERIFY(elsewhere.open(QIODevice::WriteOnly));
    elsewhere.write(toJson(someOutcome()));
    elsewhere.close();
    QVERIFY(QFile::link(elsewhere.fileName(), folder->file(u"outcome.json"_s)));
    QVERIFY(!folder->outcome());
    QVERIFY(QFile::link(state.filePath(u"new"_s), folder->file(u"stop"_s)));
    QVERIFY(!folder->requestStop().ok());
    QVERIFY(!QFile::exists(state.filePath(u"new"_s)));
    QCOMPARE(JobFolder::of(state.path(), u"../../etc"_s).id(), u"none"_s);
}

void tst_Job::keepsNoCredential_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("kept");
    const auto row = [](const char *what, const QString &name, const QString &value, const QString &kept) {
        QTest::newRow(what) << name << value << kept;
    };
    row("tokens", u"NIX_CONFIG"_s,
        u"cores = 3\n  access-tokens = github.com=SECRET gitlab.com=PAT:SECRET\nsandbox = true"_s,
        u"cores = 3\nsandbox = true"_s);
    row("more tokens, last", u"NIX_CONFIG"_s, u"cores = 3\nextra-access-tokens\t=github.com=SECRET"_s,
        u"cores = 3\n"_s);
    row("a cache with a password", u"NIX_CONFIG"_s, u"substituters = https://ada:SECRET@cache.example.org/a@b s3://x"_s,
        u"substituters = https://cache.example.org/a@b s3://x"_s);
    row("a cache with a token", u"NIX_CONFIG"_s, u"substituters = https://SECRET@cache.example.org"_s,
        u"substituters = https://cache.example.org"_s);
    row("a tarball with a token", u"NIX_PATH"_s, u"nixpkgs=https://ada:SECRET@example.org/x.tar.gz:/x"_s,
        u"nixpkgs=https://example.org/x.tar.gz:/x"_s);
    row("a builder with a user", u"NIX_CONFIG"_s, u"builders = ssh-ng://ada@box x86_64-linux"_s,
        u"builders = ssh-ng://ada@box x86_64-linux"_s);
    row("a proxy", u"https_proxy"_s, u"http://ada:SECRET@proxy:3128/"_s, u"http://proxy:3128/"_s);
    row("a proxy without a scheme", u"ALL_PROXY"_s, u"ada:SECRET@@proxy:3128"_s, u"proxy:3128"_s);
    row("hosts without a proxy", u"no_proxy"_s, u"localhost,.example.org"_s, u"localhost,.example.org"_s);
    row("a path", u"PATH"_s, u"/home/ada@work/bin:/usr/bin"_s, u"/home/ada@work/bin:/usr/bin"_s);
    row("an agent", u"SSH_AUTH_SOCK"_s, u"/run/user/1000/ssh"_s, u"/run/user/1000/ssh"_s);
}

/// A job has no credential. Its build has the one of the process that runs it, if that differs in nothing else.
void tst_Job::keepsNoCredential()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, kept);
    QVERIFY(recordedVariables().contains(name));
    QCOMPARE(withoutCredentials(name, value), kept);
    QCOMPARE(withoutCredentials(name, kept), kept);
    QVERIFY(!kept.contains(u"SECRET"_s));

    Job job = someJob();
    job.environment = {{name, kept}};
    QProcessEnvironment own;
    own.insert(name, value);
    QCOMPARE(environmentOf(job, own).value(name), value);
    own.insert(name, u"other"_s);
    QCOMPARE(environmentOf(job, own).value(name), kept);
    own.remove(name);
    QCOMPARE(environmentOf(job, own).value(name), kept);
    job.environment = {{u"NIX_REMOTE"_s, u"daemon"_s}};
    own.insert(name, value);
    QVERIFY(!environmentOf(job, own).contains(name)); // It was not set when the job was queued.
}

TM_TEST(tst_Job, QCoreApplication)
#include "tst_job.moc"
