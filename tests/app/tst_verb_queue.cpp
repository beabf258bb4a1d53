// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/FileLock.h"
#include "model/base/Process.h"
#include "model/base/ProcessTable.h"
#include "model/history/BuildHistory.h"
#include "model/job/JobRunner.h"
#include "model/job/Queue.h"
#include "model/log/PackedLog.h"
#include "tests/support/BuildRepository.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/JobProcesses.h"
#include "tests/support/OtherCode.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwentyBuilds.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <algorithm>
#include <csignal>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// The queue in terminals: the program itself, real git, and the stand-in for flox.
class VerbQueueTest : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("complete runs", "survivesKillsOfTwo")

    std::unique_ptr<VerbFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_state;

    void done(const QStringList &arguments) const { QCOMPARE(m_fixture->verb(arguments).exitCode, 0); }
    [[nodiscard]] QString state() const { return m_state->filePath(u"state"_s); }
    [[nodiscard]] QString calls() const { return m_state->filePath(u"calls"_s); }
    /// Of the sample's main branch.
    [[nodiscard]] static QStringList names(int count) { return twentyNames().first(count); }
    /// Changes the stand-in's behaviour after the process with the old behaviour has ended.
    void acts(const QString &behaviour)
    {
        QTRY_VERIFY(isQuiet(state()));
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, behaviour);
    }
    [[nodiscard]] QList<QByteArrayList> builds() const { return floxBuilds(calls()); }
    [[nodiscard]] QStringList built() const { return floxPackages(calls()); }
    [[nodiscard]] QHash<QString, JobRecord> jobs() const
    {
        QHash<QString, JobRecord> byPackage; // the last of each
        const QList<JobRecord> all = readJobs(state());
        for (const JobRecord &record : all)
            byPackage.insert(record.job.package, record);
        return byPackage;
    }
    [[nodiscard]] QString stateOf(const QString &package) const
    {
        const auto all = jobs();
        const auto found = all.constFind(package);
        if (found == all.constEnd())
            return u"none"_s;
        return found->outcome ? wordOf(found->outcome->build.kind) : QString::number(int(found->phase));
    }
    [[nodiscard]] std::unique_ptr<QProcess> start(const QStringList &arguments) const
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(m_fixture->environment());
        process->setWorkingDirectory(m_fixture->sample());
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->start(QStringLiteral(TM_PROGRAM), arguments);
        return process;
    }
    void killed(int starters);

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void buildsOneAndPrintsItsLog();
    void keepsNoCredential();
    void buildsManyInTheirOrder();
    void skipsWhatIsBuilt();
    void leavesOutWhatFailedUnchanged();
    void saysThatTheDiskIsFull();
    void choosesByState();
    void buildsTheWorkingTree();
    void refusesWhatIsNotCommitted();
    void buildsAnotherBranch();
    void pausesMovesAndClears();
    void keepsTheMemoryOfTheMachine();
    void keepsTheOrder();
    void tellsOfDamagedFiles();
    void pausesAtAFailure();
    void retriesWhatMaySucceed();
    void retriesWhatIsCorrected();
    void stopsAndRetries();
    void stopsByCtrlC();
    void goesOnWithoutItsTerminal();
    void followsALog();
    void keepsWhatVerifySays();
    void tellsTheTimeThatIsLeft();
    void keepsLogsSmall();
    void showsALiveTable();
    void correctsAHash();
    void runsSeveralAtATime();
    void startsABuildOnce();
    void takesOverFromADeadScheduler();
    void takesOverALockThatIsLeft();
    void goesOnWhenSomebodyLooks();
    void namesAllThatCannotBeBuilt();
    void forgetsWhatWasNeverQueued();
    void survivesKills();
    void survivesKillsOfTwo();
};

void VerbQueueTest::initTestCase()
{
    standInActs({});
    m_fixture = std::make_unique<VerbFixture>();
}

void VerbQueueTest::init()
{
    m_state = std::make_unique<QTemporaryDir>();
    QDir().mkpath(m_state->filePath(u"store"_s));
    m_fixture->set(u"TORCH_MATRIX_STATE"_s, state());
    m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_state->filePath(u"store"_s));
    m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX_CALLS"_s, calls());
    acts({});
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s});
    m_fixture->git({u"clean"_s, u"-qfdx"_s});
    m_fixture->git({u"checkout"_s, u"-q"_s, u"main"_s});
}

void VerbQueueTest::cleanup()
{
    done({u"queue"_s, u"clear"_s});
    for (int i = 0; i < 3; ++i)
        done({u"queue"_s, u"stop"_s});
    QTRY_VERIFY(isQuiet(state()));
    // Nothing of the program's separate working trees is left.
    QCOMPARE(m_fixture->git({u"worktree"_s, u"list"_s}).out.count('\n'), 1);
}

void VerbQueueTest::buildsOneAndPrintsItsLog()
{
    const QString name = names(1).constFirst();
    const Ran ran = m_fixture->verb({u"build"_s, name, u"--cores"_s, u"3"_s});
    QCOMPARE(ran.exitCode, 0);
    QVERIFY2(ran.out.startsWith("Building python3.13-"), ran.out.constData());
    QVERIFY(ran.out.contains("[12/12]"));
    QVERIFY2(ran.err.contains("is built"), ran.err.constData());
    QCOMPARE(builds().size(), 1);
    QVERIFY(builds().at(0).contains("-d"));
    QCOMPARE(contentOf(jobs().value(name).folder.logFile()), ran.out);
    QVERIFY(QFileInfo(m_fixture->sample() + u"/result-"_s + name).isSymLink());
    const QJsonArray all = m_fixture->verb({u"jobs"_s, u"--json"_s}).json().value(u"jobs"_s).toArray();
    QCOMPARE(all.size(), 1);
    QCOMPARE(all.at(0)[u"state"_s].toString(), u"built"_s);
    QCOMPARE(all.at(0)[u"cores"_s].toInt(), 3);
    // The link's complete path, independent of the terminal's folder.
    const QString link = QFileInfo(m_fixture->sample()).canonicalFilePath() + u"/result-"_s + name;
    QVERIFY2(all.at(0)[u"reason"_s].toString().contains(link), qPrintable(all.at(0)[u"reason"_s].toString()));
    const JobFolder folder = JobFolder::of(state(), all.at(0)[u"id"_s].toString());
    QCOMPARE(QFile::permissions(folder.file(u"job.json"_s)) &
                 (QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther),
             QFile::Permissions());
    QCOMPARE(all.at(0)[u"branch"_s].toString(), u"main"_s);
    acts(u"fail"_s);
    const Ran failed = m_fixture->verb({u"build"_s, names(2).constLast()});
    QCOMPARE(failed.exitCode, 1);
    QVERIFY2(failed.err.contains("_mm512_reduce_add_ps"), failed.err.constData());
}

/// Neither in a file of the program nor in what it prints.
void VerbQueueTest::keepsNoCredential()
{
    const QHash<QString, QString> variables{
        {u"NIX_CONFIG"_s, u"access-tokens = github.com=SECRET\ncores = 2"_s},
        {u"https_proxy"_s, u"http://ada:SECRET@localhost:9"_s},
        {u"FLOX_FLOXHUB_TOKEN"_s, u"SECRET"_s},
        {u"AWS_SECRET_ACCESS_KEY"_s, u"SECRET"_s},
    };
    for (const auto &[name, value] : variables.asKeyValueRange())
        m_fixture->set(name, value);
    QByteArray said;
    for (const QStringList &arguments :
         {QStringList{u"build"_s, names(1).constFirst()}, QStringList{u"jobs"_s, u"--json"_s},
          QStringList{u"queue"_s, u"list"_s, u"--json"_s}, QStringList{u"builds"_s, u"push"_s, u"--dry-run"_s}}) {
        const Ran ran = m_fixture->verb(arguments);
        said += ran.out + ran.err;
    }
    for (const auto &[name, value] : variables.asKeyValueRange())
        m_fixture->set(name, {});
    QCOMPARE(stateOf(names(1).constFirst()), u"built"_s);
    QVERIFY2(!said.contains("SECRET"), said.constData());
    QTRY_VERIFY(isQuiet(state()));
    int files = 0;
    for (const QString &folder : {state(), QFileInfo(m_fixture->sample()).path()}) {
        QDirIterator walk(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            QVERIFY2(!contentOf(walk.next()).contains("SECRET"), qPrintable(walk.filePath()));
            ++files;
        }
    }
    QVERIFY(files > 10);
    // The rest of a variable is recorded.
    QCOMPARE(jobs().value(names(1).constFirst()).job.environment.value(u"NIX_CONFIG"_s), u"cores = 2"_s);
}

void VerbQueueTest::buildsManyInTheirOrder()
{
    const QStringList wanted = names(6);
    const Ran ran = m_fixture->verb(QStringList{u"build"_s} + wanted);
    QCOMPARE(ran.exitCode, 0);
    QCOMPARE(built(), wanted);
    for (const QString &name : wanted) {
        QVERIFY2(ran.err.contains("queued  " + name.toUtf8() + '\n'), ran.err.constData());
        QVERIFY2(ran.out.contains("built  " + name.toUtf8() + "  0:0"), ran.out.constData());
    }
    QVERIFY(!ran.out.contains('\033'));
}

void VerbQueueTest::skipsWhatIsBuilt()
{
    const QString name = names(1).constFirst();
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 0);
    const Ran again = m_fixture->verb({u"build"_s, name});
    QCOMPARE(again.exitCode, 0);
    QVERIFY2(again.err.contains("Already built"), again.err.constData());
    QCOMPARE(builds().size(), 1);
    QCOMPARE(m_fixture->verb({u"build"_s, name, u"--again"_s}).exitCode, 0);
    QCOMPARE(builds().size(), 2);
    // A garbage-collected result does not count.
    QVERIFY(QFile::remove(jobs().value(name).outcome->storePaths.at(0)));
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 0);
    QCOMPARE(builds().size(), 3);
    // A result of another recipe does not count either.
    const QString recipe = u".flox/pkgs/%1.nix"_s.arg(name);
    const QByteArray text = m_fixture->read(recipe);
    m_fixture->write(recipe, text + "# a comment changes no build\n");
    QVERIFY(m_fixture->verb({u"build"_s, name}).err.contains("Already built"));
    m_fixture->write(recipe, withOtherCode(text));
    m_fixture->git({u"commit"_s, u"-qam"_s, u"Change it"_s});
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 0);
    QCOMPARE(builds().size(), 4);
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~"_s});
    // Everything that can be built, and with --again what is built already.
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 0);
    done({u"queue"_s, u"pause"_s});
    const QByteArray line = "queued  " + name.toUtf8() + '\n';
    const Ran some = m_fixture->verb({u"build"_s, u"--all"_s, u"--detach"_s});
    QVERIFY2(some.err.contains("queued  ") && !some.err.contains(line), some.err.constData());
    const Ran all = m_fixture->verb({u"build"_s, u"--all"_s, u"--again"_s, u"--detach"_s});
    QVERIFY2(all.err.contains(line), all.err.constData());
}

void VerbQueueTest::leavesOutWhatFailedUnchanged()
{
    const QString name = names(1).constFirst();
    acts(u"fail"_s);
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 1);
    acts({});
    const QStringList stopping{u"queue"_s, u"clear"_s};
    const Ran all = m_fixture->verb({u"build"_s, u"--all"_s, u"--detach"_s});
    QCOMPARE(all.exitCode, 1);
    QVERIFY2(all.err.contains("skipped  " + name.toUtf8()), all.err.constData());
    QVERIFY2(all.err.contains("_mm512_reduce_add_ps"), all.err.constData());
    QCOMPARE(m_fixture->verb(stopping).exitCode, 0);
    QCOMPARE(m_fixture->verb({u"build"_s, u"--failed"_s}).exitCode, 0);
    QCOMPARE(stateOf(name), u"built"_s);
}

/// If there is no room for the log, the job reports it: one that failed without a message, and one that succeeded
/// anyway.
void VerbQueueTest::saysThatTheDiskIsFull()
{
    const QString here =
        u"bwrap --dev-bind / / --size 2000000 --tmpfs /tmp/state --setenv TORCH_MATRIX_STATE /tmp/state "_s;
    if (m_fixture->inTerminal(here + u"true"_s).exitCode != 0) {
        qInfo("not tried: no namespace with a small disk can be made here");
        return;
    }
    const QString name = names(1).constFirst();
    // A link to a path as short as Nix's takes no block of the disk.
    m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, u"/nix/store"_s);
    const auto reasonOf = [&](const QString &behaviour) {
        acts(behaviour);
        const QByteArray out = m_fixture
                                   ->inTerminal(here + u"sh -c '%1 build %2 >/dev/null 2>&1; %1 jobs --json'"_s.arg(
                                                           QStringLiteral(TM_PROGRAM), name))
                                   .out;
        const QJsonObject job = QJsonDocument::fromJson(out)[u"jobs"_s][0].toObject();
        return job[u"state"_s].toString() + u": "_s + job[u"reason"_s].toString();
    };
    const QString failed = reasonOf(u"fail,steps:60000"_s);
    QVERIFY2(failed.startsWith(u"out-of-disk: The disk of /tmp/state/jobs/"_s) &&
                 failed.endsWith(u" is full, so the end of the log is missing. Free space, then build again."_s),
             qPrintable(failed));
    const QString built = reasonOf(u"steps:30000"_s);
    QVERIFY2(built.startsWith(u"built: %1 is built"_s.arg(name)) &&
                 built.endsWith(u"is full: the end of the log may be missing."_s),
             qPrintable(built));
    acts({});
}

void VerbQueueTest::choosesByState()
{
    const QStringList few = names(3);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s} + few).exitCode, 0);
    done({u"queue"_s, u"pause"_s});
    const Ran missing = m_fixture->verb({u"build"_s, u"--missing"_s, u"--detach"_s});
    QCOMPARE(missing.exitCode, 0);
    // Variants for the other kind of CPU are left out with a message.
    QCOMPARE(missing.err.count("Left out: "), 1);
    static const QRegularExpression more(u"Left out for the same reason: (.*) and (\\d+) more"_s);
    const auto same = more.match(QString::fromUtf8(missing.err));
    const qsizetype leftOut = 2 + same.captured(1).count(u',') + same.captured(2).toLongLong();
    QVERIFY(leftOut > 1);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"--json"_s}).json().value(u"jobs"_s).toArray().size(), 44 - 3 - leftOut);
    QVERIFY(leftOut < 44 - 3);
    done({u"queue"_s, u"clear"_s});
    const QString file = u".flox/pkgs/%1.nix"_s.arg(few.at(1));
    m_fixture->write(file, withOtherCode(m_fixture->read(file)));
    m_fixture->git({u"commit"_s, u"-qam"_s, u"Change it"_s});
    QCOMPARE(m_fixture->verb({u"build"_s, u"--stale"_s, u"--detach"_s}).exitCode, 0);
    const QJsonArray stale = m_fixture->verb({u"queue"_s, u"--json"_s}).json().value(u"jobs"_s).toArray();
    QCOMPARE(stale.size(), 1);
    QCOMPARE(stale.at(0)[u"package"_s].toString(), few.at(1));
    // list shows the same.
    const QJsonArray cells =
        m_fixture->verb({u"list"_s, u"--json"_s}).json()[u"branches"_s][0][u"variants"_s].toArray();
    QMap<QString, QString> states;
    for (const QJsonValue &cell : cells)
        states.insert(cell[u"name"_s].toString(), cell[u"build"_s].toString());
    QCOMPARE(states.value(few.at(0)), u"built"_s);
    QCOMPARE(states.value(few.at(1)), u"queued"_s);
    done({u"queue"_s, u"clear"_s});
    // A recipe with an error is left out with a message.
    const QString broken = names(4).constLast();
    m_fixture->write(u".flox/pkgs/%1.nix"_s.arg(broken), "1 + 1\n");
    m_fixture->git({u"commit"_s, u"-qam"_s, u"Break it"_s});
    const Ran others = m_fixture->verb({u"build"_s, u"--missing"_s, u"--detach"_s});
    QCOMPARE(others.exitCode, 0);
    QVERIFY2(others.err.contains("Left out: Could not build " + broken.toUtf8() + ": the audit finds an error in it ("),
             others.err.constData());
    QVERIFY(!others.err.contains("queued  " + broken.toUtf8()));
    QVERIFY(others.err.contains("queued  " + names(5).constLast().toUtf8()));
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~2"_s});
    // If all are for the other kind of CPU, that is the only message.
    done({u"queue"_s, u"clear"_s});
    const QStringList recipes = QDir(m_fixture->sample() + u"/.flox/pkgs"_s).entryList(QDir::Files);
    for (const QString &recipe : recipes) {
        if (!recipe.contains(u"-arm"_s))
            QVERIFY(QFile::remove(m_fixture->sample() + u"/.flox/pkgs/"_s + recipe));
    }
    m_fixture->git({u"commit"_s, u"-qam"_s, u"Keep those for ARM"_s});
    const Ran none = m_fixture->verb({u"build"_s, u"--all"_s, u"--detach"_s});
    QCOMPARE(none.exitCode, 0);
    QCOMPARE(none.err.count("Left out: "), 1);
    QVERIFY2(none.err.endsWith("Nothing to build on main.\n") && !none.err.contains("The disk of "),
             none.err.constData());
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~"_s});
    QCOMPARE(m_fixture->verb({u"build"_s}).exitCode, 2);
}

void VerbQueueTest::buildsTheWorkingTree()
{
    const QString name = names(1).constFirst();
    const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
    m_fixture->write(file, m_fixture->read(file) + "# changed\n");
    const Ran committed = m_fixture->verb({u"build"_s, name});
    QCOMPARE(committed.exitCode, 0);
    QVERIFY2(committed.err.contains("its committed text is built"), committed.err.constData());
    QVERIFY(!committed.out.contains("is dirty"));
    QVERIFY(!QFileInfo(m_fixture->sample() + u"/result-"_s + name).isSymLink()); // not of what lies there
    const Ran here = m_fixture->verb({u"build"_s, name, u"--here"_s});
    QCOMPARE(here.exitCode, 0);
    const QByteArray added = name.toUtf8() + " is added to the index: flox builds what git tracks.";
    QVERIFY2(here.err.contains("uncommitted changes; they are built") && !here.err.contains(added),
             here.err.constData());
    QCOMPARE(m_fixture->git({u"status"_s, u"--porcelain"_s, u"-uno"_s}).out, " M " + file.toUtf8() + '\n');
    QVERIFY(here.out.contains("is dirty"));
    QVERIFY(QFileInfo(m_fixture->sample() + u"/result-"_s + name).isSymLink());
    m_fixture->git({u"rm"_s, u"-q"_s, u"--cached"_s, file});
    QVERIFY(m_fixture->verb({u"build"_s, name, u"--here"_s}).err.contains(added));
}

void VerbQueueTest::refusesWhatIsNotCommitted()
{
    const QString name = names(1).constFirst();
    m_fixture->git({u"rm"_s, u"-q"_s, u".flox/pkgs/%1.nix"_s.arg(name)});
    m_fixture->git({u"commit"_s, u"-qm"_s, u"Take it out"_s});
    const Ran none = m_fixture->verb({u"build"_s, name});
    QCOMPARE(none.exitCode, 3);
    QVERIFY2(none.err.contains((u"torch-matrix generate "_s + name + u" --commit."_s).toUtf8()), none.err.constData());
    const Ran elsewhere = m_fixture->verb({u"build"_s, name, u"--branch"_s, u"cuda-13_0"_s});
    QVERIFY2(elsewhere.err.contains((u"generate "_s + name + u" --branch cuda-13_0 --commit."_s).toUtf8()),
             elsewhere.err.constData());
    QCOMPARE(m_fixture->verb({u"generate"_s, name}).exitCode, 0);
    const Ran added = m_fixture->verb({u"build"_s, name});
    QCOMPARE(added.exitCode, 3);
    QVERIFY2(added.err.contains("not committed"), added.err.constData());
    QCOMPARE(m_fixture->verb({u"build"_s, name, u"--here"_s}).exitCode, 0);
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~"_s});
}

void VerbQueueTest::buildsAnotherBranch()
{
    const QString name = u"pytorch-python313-cuda12_9-sm103-avx2"_s;
    const Ran ran = m_fixture->verb({u"build"_s, name, u"--branch"_s, u"cuda-12_9"_s});
    QVERIFY2(ran.exitCode == 0, ran.err.constData());
    QCOMPARE(jobs().value(name).job.branch, u"cuda-12_9"_s);
    QCOMPARE(m_fixture->git({u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}).out, "main\n"_ba);
    QVERIFY(!QFileInfo(m_fixture->sample() + u"/result-"_s + name).isSymLink());
}

void VerbQueueTest::pausesMovesAndClears()
{
    const QStringList wanted = names(5);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"pause"_s}).exitCode, 0);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + wanted).exitCode, 0);
    QTRY_VERIFY(isQuiet(state()));
    QVERIFY(builds().isEmpty());
    QCOMPARE(m_fixture->verb({u"queue"_s, u"move"_s, wanted.at(4), wanted.at(3)}).exitCode, 0);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"move"_s, wanted.at(0), u"--before"_s, wanted.at(2)}).exitCode, 0);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"stop"_s, wanted.at(3)}).exitCode, 0);
    QStringList order;
    const QJsonArray waiting = m_fixture->verb({u"queue"_s, u"--json"_s}).json().value(u"jobs"_s).toArray();
    for (const QJsonValue &job : waiting)
        order.append(job[u"package"_s].toString());
    QCOMPARE(order, (QStringList{wanted.at(4), wanted.at(1), wanted.at(0), wanted.at(2)}));
    QCOMPARE(stateOf(wanted.at(3)), u"stopped"_s);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"resume"_s}).exitCode, 0);
    QTRY_VERIFY(isQuiet(state()) && builds().size() == 4);
    QCOMPARE(built(), order);
    const Ran ended = m_fixture->verb({u"queue"_s, u"move"_s, wanted.at(0)});
    QCOMPARE(ended.exitCode, 3);
    QVERIFY2(ended.err.contains("it has ended (built)"), ended.err.constData());
}

/// Builds that fit the machine together run together, and those that do not fit run one after the other.
void VerbQueueTest::keepsTheMemoryOfTheMachine()
{
    acts(u"slow:1,steps:4"_s);
    const QStringList wanted = names(3);
    done({u"queue"_s, u"pause"_s});
    done({u"queue"_s, u"set"_s, u"--parallel"_s, u"3"_s});
    done(QStringList{u"build"_s, u"--detach"_s} + wanted);
    qint64 memory = 0;
    for (const JobRecord &record : jobs())
        memory = std::max(memory, record.job.memory);
    QVERIFY(memory > 0);
    // Room for two of them less a gigabyte more than the queue allows for what a machine does not report.
    const qint64 kilobytes = (2 * memory - 2'000'000'000) / 1024;
    QVERIFY(kilobytes > 2'000'000);
    QTRY_VERIFY(isQuiet(state())); // A scheduler that still ran would start them without the limit.
    QCOMPARE(m_fixture->inTerminal(u"ulimit -v %1; "_s.arg(kilobytes) + QStringLiteral(TM_PROGRAM) + u" queue resume"_s)
                 .exitCode,
             0);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::all_of(jobs(), [](const JobRecord &record) { return record.outcome.has_value(); }), 60'000);
    QList<std::pair<QDateTime, QDateTime>> times;
    for (const JobRecord &record : jobs()) {
        QVERIFY(record.outcome);
        times.append({record.outcome->started, record.outcome->ended});
    }
    std::ranges::sort(times);
    QCOMPARE(times.size(), 3);
    for (qsizetype i = 1; i < times.size(); ++i)
        QVERIFY(times.at(i).first >= times.at(i - 1).second);
}

/// For jobs queued in one call, and for a retry after the queue was rearranged.
void VerbQueueTest::keepsTheOrder()
{
    QStringList wanted = names(8);
    std::ranges::shuffle(wanted, *QRandomGenerator::global());
    done({u"queue"_s, u"pause"_s});
    done(QStringList{u"build"_s, u"--detach"_s} + wanted);
    const QList<JobRecord> records = readJobs(state());
    QStringList packages;
    QStringList ids;
    for (const JobRecord &record : records) {
        packages.append(record.job.package);
        ids.append(record.job.id);
    }
    QCOMPARE(packages, wanted);
    QVERIFY(std::ranges::is_sorted(ids));
    const auto waiting = [&] {
        QStringList order;
        const QStringList queued = Queue(state()).contents().waiting;
        for (const QString &id : queued)
            order.append(JobFolder::of(state(), id).job()->package);
        return order;
    };
    QCOMPARE(waiting(), wanted);
    done({u"queue"_s, u"move"_s, wanted.at(6), wanted.at(2)});
    const QStringList moved = waiting();
    QCOMPARE(moved.first(2), (QStringList{wanted.at(6), wanted.at(2)}));
    done({u"queue"_s, u"stop"_s});
    done({u"queue"_s, u"retry"_s});
    QCOMPARE(waiting(), moved);
    done({u"queue"_s, u"clear"_s});
}

void VerbQueueTest::tellsOfDamagedFiles()
{
    const QStringList wanted = names(3);
    done({u"queue"_s, u"pause"_s});
    done(QStringList{u"build"_s, u"--detach"_s} + wanted);
    QTRY_VERIFY(isQuiet(state()));
    const auto overwrite = [](const QString &path, const QByteArray &bytes) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    // A damaged queue: the jobs' folders show what waits, and nothing is lost.
    const QueueContents before = Queue(state()).contents();
    QVERIFY(overwrite(Queue(state()).file(), "{\"a"));
    const Ran list = m_fixture->verb({u"queue"_s});
    QVERIFY2(list.err.contains("queue.json is damaged"), list.err.constData());
    QCOMPARE(Queue(state()).contents().waiting, before.waiting);
    // A damaged job: the others continue.
    QVERIFY(overwrite(JobFolder::of(state(), before.waiting.at(0)).file(u"job.json"_s), "\x8f\x00\xff{"_ba));
    const Ran all = m_fixture->verb({u"jobs"_s});
    QVERIFY2(
        all.err.contains("1 job could not be read: " + JobFolder::of(state(), before.waiting.at(0)).path().toUtf8()),
        all.err.constData());
    done({u"queue"_s, u"resume"_s});
    QTRY_VERIFY(builds().size() == 2 && isQuiet(state()));
    QCOMPARE(built(), wanted.sliced(1));
    QVERIFY(!Queue(state()).contents().damaged);
}

void VerbQueueTest::pausesAtAFailure()
{
    acts(u"fail"_s);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"set"_s, u"--stop-at-failure"_s}).exitCode, 0);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + names(3)).exitCode, 0);
    QTRY_VERIFY(isQuiet(state()) && !builds().isEmpty());
    QCOMPARE(builds().size(), 1);
    QCOMPARE(Queue(state()).contents().waiting.size(), 2);
    const Ran list = m_fixture->verb({u"queue"_s});
    QVERIFY2(list.err.contains("A failed build paused the queue"), list.err.constData());
}

void VerbQueueTest::retriesWhatMaySucceed()
{
    const QStringList wanted = names(2);
    acts(u"fail"_s);
    QCOMPARE(m_fixture->verb({u"build"_s, wanted.at(0)}).exitCode, 1);
    acts(u"oom"_s);
    QCOMPARE(m_fixture->verb({u"build"_s, wanted.at(1)}).exitCode, 1);
    acts({});
    done({u"queue"_s, u"pause"_s});
    const Ran ran = m_fixture->verb({u"queue"_s, u"retry"_s});
    QCOMPARE(ran.exitCode, 0);
    QVERIFY2(ran.err.startsWith("1 build would fail again") && ran.err.endsWith("Queued 1 build again.\n"),
             ran.err.constData());
    const auto waiting = [this] {
        QStringList packages;
        const QStringList ids = Queue(state()).contents().waiting;
        for (const QString &id : ids)
            packages.append(JobFolder::of(state(), id).job()->package);
        return packages;
    };
    QCOMPARE(waiting(), QStringList{wanted.at(1)});
    QVERIFY2(ran.err.contains(wanted.at(0).toUtf8()) && ran.out.startsWith(wanted.at(1).toUtf8() + " of "),
             ran.out + ran.err);
    done({u"queue"_s, u"retry"_s, wanted.at(0)}); // A name is a decision.
    QCOMPARE(waiting().size(), 2);
    // A name that is builds of two branches is no choice; the ids are in the list.
    m_fixture->git({u"checkout"_s, u"-qB"_s, u"other"_s});
    done({u"build"_s, wanted.at(0), u"--detach"_s});
    m_fixture->git({u"checkout"_s, u"-q"_s, u"main"_s});
    const QString id = Queue(state()).contents().waiting.constLast();
    const Ran both = m_fixture->verb({u"queue"_s, u"stop"_s, wanted.at(0)});
    QVERIFY2(both.exitCode == 3 && both.err.contains(id.toUtf8()), both.err.constData());
    QCOMPARE(waiting().size(), 3);
    QVERIFY(m_fixture->verb({u"queue"_s}).out.contains(id.toUtf8() + "  waiting "));
    done({u"queue"_s, u"stop"_s, id});
    QCOMPARE(waiting().size(), 2);
    const Ran clear = m_fixture->verb({u"queue"_s, u"clear"_s});
    QCOMPARE(clear.err, "Removed 2 waiting builds.\n");
    QCOMPARE(m_fixture->verb({u"queue"_s, u"clear"_s}).err, "No builds are waiting.\n");
}

/// A recipe that was corrected is built from the commit that has it; without names, only what is here.
void VerbQueueTest::retriesWhatIsCorrected()
{
    const QStringList wanted = names(2);
    acts(u"fail"_s);
    for (const QString &name : wanted)
        QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 1);
    acts({});
    done({u"queue"_s, u"pause"_s});
    const QString file = u".flox/pkgs/%1.nix"_s.arg(wanted.at(0));
    QByteArray text = m_fixture->read(file);
    m_fixture->write(file, text.insert(text.indexOf("pname = "), "corrected = true;\n    "));
    m_fixture->git({u"commit"_s, u"-qam"_s, u"Correct it"_s});
    const QByteArray head = m_fixture->git({u"rev-parse"_s, u"--short=7"_s, u"HEAD"_s}).out.trimmed();
    const QTemporaryDir other;
    const auto outside = [&](const QStringList &words) {
        return m_fixture->run(QStringLiteral(TM_PROGRAM), QStringList{u"queue"_s, u"retry"_s} + words, other.path());
    };
    const Ran none = outside({});
    QCOMPARE(none.exitCode, 3);
    QVERIFY2(none.err.contains("--all"), none.err.constData());
    QCOMPARE(outside({u"--all"_s, wanted.at(0)}).exitCode, 2);
    gitIn(other.path(), {u"init"_s, u"-q"_s});
    const Ran nothing = outside({});
    QCOMPARE(nothing.exitCode, 0);
    QVERIFY2(nothing.err.contains("No build of ") && nothing.err.contains("--all"), nothing.err.constData());
    QVERIFY(Queue(state()).contents().waiting.isEmpty());
    const Ran ran = m_fixture->verb({u"queue"_s, u"retry"_s});
    QVERIFY2(ran.out.startsWith(wanted.at(0).toUtf8() + " of ") && ran.out.endsWith("commit " + head + '\n'), ran.out);
    QVERIFY2(ran.err.contains("1 build would fail again") &&
                 ran.err.contains(wanted.at(0).toUtf8() + " (" + head + ')'),
             ran.err.constData());
    done({u"queue"_s, u"clear"_s});
    for (const QStringList &words : {QStringList{u"--all"_s}, {u"--repo"_s, m_fixture->sample()}}) {
        const Ran all = outside(words);
        QCOMPARE(all.out, ran.out);
        done({u"queue"_s, u"clear"_s});
    }
    // What is built since is not built again.
    done({u"queue"_s, u"resume"_s});
    done({u"build"_s, wanted.at(0)});
    done({u"queue"_s, u"pause"_s});
    const Ran built = m_fixture->verb({u"queue"_s, u"retry"_s});
    QVERIFY2(built.out.isEmpty() && Queue(state()).contents().waiting.isEmpty(), built.out + built.err);
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
}

void VerbQueueTest::stopsAndRetries()
{
    acts(u"hold"_s);
    const QStringList wanted = names(2);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + wanted).exitCode, 0);
    QTRY_COMPARE(builds().size(), 1);
    const Ran runs = m_fixture->verb({u"queue"_s, u"move"_s, wanted.at(0)});
    QCOMPARE(runs.exitCode, 3);
    QVERIFY2(runs.err.contains("it runs already"), runs.err.constData());
    const Ran list = m_fixture->verb({u"queue"_s});
    QCOMPARE(list.out.split('\n').value(0).indexOf(wanted.at(0).toUtf8()),
             list.out.split('\n').value(1).indexOf(wanted.at(1).toUtf8()));
    const Ran waited = m_fixture->verb({u"queue"_s, u"stop"_s, wanted.at(1)});
    QCOMPARE(waited.err, "Stopped 1 build that had not started.\n");
    const Ran ran = m_fixture->verb({u"queue"_s, u"stop"_s});
    QCOMPARE(ran.err, "Stopping 1 build. Run the command again to use a stronger signal.\n");
    QTRY_VERIFY(isQuiet(state()));
    const Ran ended = m_fixture->verb({u"queue"_s, u"stop"_s, wanted.at(0)});
    QCOMPARE(ended.exitCode, 3);
    QVERIFY2(ended.err.contains("it has ended (stopped)"), ended.err.constData());
    for (const QString &name : wanted)
        QCOMPARE(stateOf(name), u"stopped"_s);
    acts({});
    QCOMPARE(m_fixture->verb({u"queue"_s, u"retry"_s}).exitCode, 0);
    QTRY_VERIFY(stateOf(wanted.at(0)) == u"built"_s && stateOf(wanted.at(1)) == u"built"_s);
    QTRY_VERIFY(isQuiet(state()));
    QCOMPARE(readJobs(state()).size(), 4); // every attempt is kept
}

void VerbQueueTest::stopsByCtrlC()
{
    acts(u"hold,stubborn"_s);
    const QString name = names(1).constFirst();
    const auto verb = start({u"build"_s, name});
    QTRY_COMPARE(builds().size(), 1);
    QTRY_VERIFY(contentOf(jobs().value(name).folder.logFile()).contains("buildPhase"));
    ::kill(pid_t(verb->processId()), SIGINT);
    QTRY_COMPARE(jobs().value(name).folder.stopLevel(), 1);
    ::kill(pid_t(verb->processId()), SIGINT);
    QTRY_COMPARE(jobs().value(name).folder.stopLevel(), 2);
    ::kill(pid_t(verb->processId()), SIGINT);
    QVERIFY(verb->waitForFinished());
    QCOMPARE(verb->exitCode(), 1);
    const QByteArray said = verb->readAll();
    QCOMPARE(said.count("Stopping: "), 3);
    QVERIFY2(said.contains("The build was stopped"), said.constData());
}

void VerbQueueTest::goesOnWithoutItsTerminal()
{
    acts(u"slow:2"_s);
    const QStringList wanted = names(3);
    int at = 0;
    for (const int signal : {SIGHUP, SIGQUIT, SIGKILL}) {
        const QString name = wanted.at(at++);
        const auto verb = start({u"build"_s, name});
        QTRY_COMPARE(stateOf(name), QString::number(int(JobPhase::Running)));
        ::kill(pid_t(verb->processId()), signal);
        QVERIFY(verb->waitForFinished());
        QCOMPARE(verb->exitStatus(), QProcess::CrashExit);
        QTRY_COMPARE(stateOf(name), u"built"_s);
    }
    QCOMPARE(built(), wanted);
}

void VerbQueueTest::followsALog()
{
    acts(u"slow:1,colour"_s);
    const QString name = names(1).constFirst();
    QCOMPARE(m_fixture->verb({u"build"_s, u"--detach"_s, name}).exitCode, 0);
    const Ran ran = m_fixture->verb({u"log"_s, name, u"-f"_s});
    QCOMPARE(ran.exitCode, 0);
    // A pipe gets no colours.
    const QByteArray log = contentOf(jobs().value(name).folder.logFile());
    QVERIFY(log.contains("\x1b[32m"));
    QCOMPARE(ran.out, QByteArray(log).replace("\x1b[32m", "").replace("\x1b[0m", ""));
    QVERIFY(ran.out.contains("Completed build"));
    QVERIFY2(ran.err.contains("is built"), ran.err.constData());
    QCOMPARE(m_fixture->verb({u"log"_s, u"nothing"_s}).exitCode, 2);
    QCOMPARE(m_fixture->verb({u"log"_s, names(20).constLast()}).exitCode, 3);
    // One that waits has no log yet.
    done({u"queue"_s, u"pause"_s});
    const QString waiting = names(2).constLast();
    done({u"build"_s, u"--detach"_s, waiting});
    const Ran none = m_fixture->verb({u"log"_s, waiting});
    QCOMPARE(none.exitCode, 0);
    QCOMPARE(none.err, waiting.toUtf8() + " has not started; it is waiting in the queue.\n");
}

void VerbQueueTest::keepsWhatVerifySays()
{
    const QString name = names(1).constFirst();
    done({u"build"_s, name});
    const Ran verified = m_fixture->verb({u"verify"_s, name, u"--json"_s});
    QCOMPARE(verified.exitCode, 1); // the stand-in's result is no PyTorch
    const JobFolder folder = jobs().value(name).folder;
    QCOMPARE(verified.json()[u"job"_s].toString(), folder.id());
    QCOMPARE(QJsonDocument::fromJson(contentOf(folder.file(u"verify.json"_s))).object(), verified.json());
    const QJsonArray history = m_fixture->verb({u"builds"_s, u"--json"_s}).json()[u"builds"_s].toArray();
    QCOMPARE(history.size(), 1);
    QCOMPARE(history.at(0)[u"verified"_s].toString(), u"failed"_s);
}

void VerbQueueTest::tellsTheTimeThatIsLeft()
{
    const QStringList wanted = names(3);
    const auto running = [&] {
        return m_fixture->verb({u"queue"_s, u"list"_s, u"--json"_s}).json()[u"jobs"_s][0].toObject();
    };
    acts(u"hold,steps:40"_s);
    done({u"build"_s, u"--detach"_s, wanted.at(0)});
    QTRY_COMPARE(running()[u"step"_s].toInt(), 40);
    QCOMPARE(running()[u"steps"_s].toInt(), 40);
    QVERIFY(running()[u"secondsLeft"_s].isNull()); // nothing like it was ever built here
    done({u"queue"_s, u"stop"_s});
    QTRY_VERIFY(isQuiet(state()));
    {
        Result<BuildHistory> history = BuildHistory::open(state() + u"/builds.sqlite"_s);
        QVERIFY(history);
        for (const QString &id : {u"a"_s, u"b"_s}) {
            BuildRecord record;
            record.job = id;
            record.variant = wanted.at(1);
            record.machine = machineId();
            record.outcome = BuildOutcome::Kind::Built;
            record.started = QDateTime::fromSecsSinceEpoch(1'000'000);
            record.ended = record.started.addSecs(9'000);
            QVERIFY(history->addSteps(id, {{0, 600}, {20, 3'600}}));
            QVERIFY(history->record(record));
        }
    }
    done({u"build"_s, u"--detach"_s, wanted.at(2)});
    QTRY_COMPARE(running()[u"step"_s].toInt(), 40);
    // From the last step on they took 5,400 seconds.
    const QJsonObject job = running();
    QVERIFY2(job[u"secondsLeft"_s].toInt() > 5'200 && job[u"secondsLeft"_s].toInt() <= 5'400,
             QByteArray::number(job[u"secondsLeft"_s].toInt()));
    QCOMPARE(job[u"likeBuilds"_s].toInt(), 2);
    QCOMPARE(job[u"silentMinutes"_s].toInt(), 0);
    const Ran list = m_fixture->verb({u"queue"_s});
    QVERIFY2(list.out.contains("  running  ") && list.out.contains("40 of 40, about 1 h ") &&
                 list.out.contains(" left (from 2 similar builds)"),
             list.out.constData());
    // A build that prints nothing for ten minutes.
    QFile log(jobs().value(wanted.at(2)).folder.logFile());
    QVERIFY(log.open(QIODevice::ReadWrite));
    QVERIFY(log.setFileTime(QDateTime::currentDateTime().addSecs(-12 * 60), QFileDevice::FileModificationTime));
    QCOMPARE(running()[u"silentMinutes"_s].toInt(), 12);
    const Ran silent = m_fixture->verb({u"queue"_s});
    QVERIFY2(silent.out.contains("  silent  ") && silent.out.contains("no output for 12 min"), silent.out.constData());
}

void VerbQueueTest::keepsLogsSmall()
{
    done({u"queue"_s, u"set"_s, u"--log-limit"_s, u"1.5G"_s});
    QCOMPARE(Queue(state()).contents().logLimit, qint64(1536) << 20);
    const Ran half = m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"1.5G"_s});
    QVERIFY2(half.err.contains("Above 1.5 GiB the oldest are removed."), half.err.constData());
    QCOMPARE(m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"999999999T"_s}).exitCode, 2);
    done({u"queue"_s, u"set"_s, u"--log-limit"_s, u"5G"_s});
    const QStringList wanted = names(3);
    done({u"build"_s, wanted.at(0)});
    const Ran plain = m_fixture->verb({u"log"_s, wanted.at(0)});
    QVERIFY(plain.out.contains("Completed build"));
    const JobFolder first = jobs().value(wanted.at(0)).folder;
    QFile outcome(first.file(u"outcome.json"_s));
    QVERIFY(outcome.open(QIODevice::ReadWrite));
    QVERIFY(outcome.setFileTime(QDateTime::currentDateTime().addDays(-8), QFileDevice::FileModificationTime));
    done({u"build"_s, wanted.at(1)}); // whose runner puts the old ones in order at its end
    QTRY_COMPARE(storedLog(first.logFile()), first.logFile() + u".gz"_s);
    const Ran packed = m_fixture->verb({u"log"_s, wanted.at(0)});
    QCOMPARE(packed.out, plain.out);
    QCOMPARE(packed.err, plain.err);
    QCOMPARE(m_fixture->verb({u"log"_s, wanted.at(0), u"--path"_s}).out.trimmed(),
             (first.logFile() + u".gz"_s).toUtf8());
    QJsonObject all = m_fixture->verb({u"jobs"_s, u"--json"_s}).json();
    QCOMPARE(all[u"logLimit"_s].toInteger(), usualLogLimit);
    QVERIFY(all[u"logBytes"_s].toInteger() > 100);
    QCOMPARE(all[u"jobs"_s][0][u"log"_s].toString(), first.logFile() + u".gz"_s);

    // 0 is no limit, and no log goes unless that is said.
    const Ran free = m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"0"_s});
    QVERIFY2(free.exitCode == 0 && free.err.contains("Their size has no limit."), free.err.constData());
    const Ran refused = m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"1"_s});
    QCOMPARE(refused.exitCode, 3);
    QVERIFY2(refused.err.contains("2 logs would be removed") && refused.err.contains("--force"),
             refused.err.constData());
    QCOMPARE(Queue(state()).contents().logLimit, 0);
    QVERIFY(m_fixture->verb({u"jobs"_s, u"--json"_s}).json()[u"logBytes"_s].toInteger() > 100);
    const Ran none = m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"1"_s, u"--force"_s});
    QCOMPARE(none.exitCode, 0);
    QVERIFY2(none.err.contains("0 logs take 0 bytes"), none.err.constData());
    all = m_fixture->verb({u"jobs"_s, u"--json"_s}).json();
    QCOMPARE(all[u"logLimit"_s].toInt(), 1);
    QCOMPARE(all[u"logBytes"_s].toInt(), 0);
    QCOMPARE(all[u"jobs"_s][1][u"log"_s].toString(), QString());
    QCOMPARE(all[u"jobs"_s][1][u"state"_s].toString(), u"built"_s);
    const Ran gone = m_fixture->verb({u"log"_s, wanted.at(1)});
    QCOMPARE(gone.exitCode, 0);
    QVERIFY2(gone.err.contains("Its log was removed") && gone.err.contains("is built"), gone.err.constData());
    QCOMPARE(m_fixture->verb({u"log"_s, wanted.at(1), u"--path"_s}).exitCode, 3);
    const QJsonArray history = m_fixture->verb({u"builds"_s, u"--json"_s}).json()[u"builds"_s].toArray();
    QCOMPARE(history.size(), 2);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"20G"_s}).exitCode, 0);
    QCOMPARE(Queue(state()).contents().logLimit, qint64(20) << 30);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"set"_s, u"--log-limit"_s, u"much"_s}).exitCode, 2);
}

/// The final content of a terminal with that many columns: long lines are wrapped, the cursor moves up, and everything
/// after it is erased.
QByteArrayList screenAfter(const QByteArray &output, int columns)
{
    QByteArrayList rows{{}};
    qsizetype row = 0;
    qsizetype column = 0;
    for (qsizetype i = 0; i < output.size(); ++i) {
        const char c = output.at(i);
        if (c == '\r') {
            column = 0;
        } else if (c == '\n') {
            ++row;
        } else if (c == '\033') {
            const qsizetype from = i + 2;
            for (i = from; output.at(i) >= '0' && output.at(i) <= '9';)
                ++i;
            const char what = output.at(i);
            if (what == 'A')
                row = qMax<qsizetype>(0, row - output.mid(from, i - from).toInt());
            if (what == 'K' || what == 'J')
                rows[row].truncate(column);
            if (what == 'J')
                rows.resize(row + 1);
        } else {
            if (column == columns) {
                column = 0;
                ++row;
            }
            rows.resize(qMax(rows.size(), row + 1));
            rows[row].resize(qMax(rows.at(row).size(), column + 1), ' ');
            rows[row][column++] = c;
        }
        rows.resize(qMax(rows.size(), row + 1));
    }
    return rows;
}

void VerbQueueTest::showsALiveTable()
{
    acts(u"slow:1,steps:40"_s);
    done({u"queue"_s, u"set"_s, u"--parallel"_s, u"2"_s});
    for (const int columns : {60, 100}) {
        const Ran ran = m_fixture->inTerminal(u"stty cols %1; "_s.arg(columns) + QStringLiteral(TM_PROGRAM) +
                                              u" build --again "_s + names(4).join(u' '));
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.out.contains("  running  pytorch-") && ran.out.contains("0 of 4 done, "), ran.out.constData());
        const QByteArrayList rows = screenAfter(ran.out, columns);
        const QByteArray screen = rows.join('\n');
        for (const QString &name : names(4))
            QCOMPARE(screen.count("\nbuilt  " + name.toUtf8() + "  "), 1);
        QVERIFY2(!screen.contains("running") && !screen.contains(" done, "), screen.constData());
        // In the end there is nothing but the lines of the queue and of the outcomes.
        for (const QByteArray &line : ran.out.split('\n')) {
            if (line.contains("  running  "))
                QVERIFY2(line.mid(line.indexOf("  running  ")).replace("\033[K", "").trimmed().size() < columns,
                         line.constData());
        }
    }
}

void VerbQueueTest::correctsAHash()
{
    const QString name = names(1).constFirst();
    const QString file = u".flox/pkgs/%1.nix"_s.arg(name);
    const QByteArray stated = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
    const QByteArray right = "sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
    m_fixture->write(file, m_fixture->read(file) + "# " + stated + "\n");
    m_fixture->git({u"commit"_s, u"-qam"_s, u"State a hash"_s});
    const QStringList fix{u"fix"_s, name + u":hash-mismatch"_s};
    QCOMPARE(m_fixture->verb(fix).exitCode, 3); // no build says so
    acts(u"fail"_s);
    QCOMPARE(m_fixture->verb({u"build"_s, name}).exitCode, 1);
    // The end of a build whose source has another hash.
    const JobRecord record = jobs().value(name);
    JobOutcome outcome = *record.outcome;
    outcome.build.kind = BuildOutcome::Kind::HashMismatch;
    outcome.build.statedHash = QString::fromLatin1(stated);
    outcome.build.rightHash = QString::fromLatin1(right);
    outcome.build.recipeLine = 12;
    QVERIFY(QFile::remove(record.folder.file(u"outcome.json"_s)));
    QVERIFY(record.folder.writeOutcome(outcome));
    const Ran log = m_fixture->verb({u"log"_s, name});
    QVERIFY2(log.err.contains(file.toUtf8() + ":12\n"), log.err.constData());
    QVERIFY2(log.err.contains("fix " + name.toUtf8() + ":hash-mismatch"), log.err.constData());
    const QJsonObject job = m_fixture->verb({u"jobs"_s, u"--json"_s}).json()[u"jobs"_s][0].toObject();
    QCOMPARE(job[u"recipe"_s].toString(), file);
    QCOMPARE(job[u"recipeLine"_s].toInt(), 12);
    const Ran shown = m_fixture->verb(fix);
    QCOMPARE(shown.exitCode, 0);
    QVERIFY2(shown.out.contains("\n-# " + stated + "\n+# " + right + "\n"), shown.out.constData());
    QVERIFY(m_fixture->read(file).contains(stated));
    QCOMPARE(m_fixture->verb(fix + QStringList{u"--apply"_s}).exitCode, 0);
    QVERIFY(m_fixture->read(file).contains(right) && !m_fixture->read(file).contains(stated));
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~"_s});
}

void VerbQueueTest::runsSeveralAtATime()
{
    acts(u"hold"_s);
    QCOMPARE(m_fixture->verb({u"queue"_s, u"set"_s, u"--parallel"_s, u"3"_s}).exitCode, 0);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + names(5)).exitCode, 0);
    QTRY_COMPARE(builds().size(), 3);
    QCOMPARE(Queue(state()).contents().waiting.size(), 2);
}

void VerbQueueTest::startsABuildOnce()
{
    acts(u"slow:1"_s);
    const QString name = names(1).constFirst();
    std::vector<std::unique_ptr<QProcess>> verbs;
    for (int i = 0; i < 6; ++i)
        verbs.push_back(start({u"build"_s, name}));
    for (const auto &verb : verbs) {
        QVERIFY(verb->waitForFinished());
        QCOMPARE(verb->exitCode(), 0);
        QVERIFY(verb->readAll().contains("built"));
    }
    QCOMPARE(builds().size(), 1);
    QCOMPARE(readJobs(state()).size(), 1);
}

void VerbQueueTest::takesOverFromADeadScheduler()
{
    acts(u"slow:1"_s);
    const QStringList wanted = names(3);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + wanted).exitCode, 0);
    QTRY_COMPARE(builds().size(), 1);
    const QList<qint64> schedulers = processesNamed(state().toUtf8());
    QVERIFY(!schedulers.isEmpty());
    for (const qint64 pid : schedulers)
        ::kill(pid_t(pid), SIGKILL);
    QTRY_COMPARE(stateOf(wanted.at(0)), u"built"_s); // what ran goes on
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s} + wanted).exitCode, 0);
    QCOMPARE(built(), wanted);
}

/// A process that was killed while it started a job: for a moment, its child has its lock.
void VerbQueueTest::takesOverALockThatIsLeft()
{
    const QStringList wanted = names(2);
    done({u"queue"_s, u"pause"_s});
    done(QStringList{u"build"_s, u"--detach"_s} + wanted);
    QTRY_VERIFY(isQuiet(state()));
    const QString path = state() + u"/scheduler.lock"_s;
    FileLock left(path, LOCK_EX | LOCK_NB);
    QVERIFY(left.held());
    QProcess dead;
    dead.start(u"sleep"_s, {u"1000"_s});
    QVERIFY(dead.waitForStarted());
    putFile(path, machineId().toUtf8() + '\n' + processMark(dead.processId()));
    dead.kill();
    QVERIFY(dead.waitForFinished());
    done({u"queue"_s, u"resume"_s});
    QTRY_VERIFY(std::ranges::any_of(processesNamed(state().toUtf8()), [&path](qint64 pid) {
        const QDir open(u"/proc/%1/fd"_s.arg(pid));
        return std::ranges::any_of(open.entryInfoList(QDir::Files | QDir::System | QDir::NoDotAndDotDot),
                                   [&path](const QFileInfo &file) { return file.symLinkTarget() == path; });
    }));
    QVERIFY(built().isEmpty());
    left.release();
    QTRY_COMPARE(built(), wanted);
}

/// The process that starts the builds is gone, and no other build is queued.
void VerbQueueTest::goesOnWhenSomebodyLooks()
{
    acts(u"slow:1"_s);
    const QStringList wanted = names(3);
    QCOMPARE(m_fixture->verb(QStringList{u"build"_s, u"--detach"_s} + wanted).exitCode, 0);
    QTRY_COMPARE(builds().size(), 1);
    for (const qint64 pid : processesNamed(state().toUtf8()))
        ::kill(pid_t(pid), SIGKILL);
    QTRY_VERIFY(processesNamed(state().toUtf8()).isEmpty());
    const Ran looked = m_fixture->verb({u"queue"_s});
    QCOMPARE(looked.exitCode, 0);
    QVERIFY2(looked.err.contains("the queue continues now"), looked.err.constData());
    QTRY_COMPARE(built(), wanted);
    QVERIFY(!m_fixture->verb({u"queue"_s}).err.contains("continues now"));
}

/// All errors at once.
void VerbQueueTest::namesAllThatCannotBeBuilt()
{
    const QStringList wanted = names(2);
    m_fixture->git({u"rm"_s, u"-q"_s, u".flox/pkgs/%1.nix"_s.arg(wanted.at(0))});
    m_fixture->git({u"commit"_s, u"-qm"_s, u"Take it out"_s});
    const QString arm = u"pytorch-python313-cpu-armv9"_s;
    const Ran ran = m_fixture->verb({u"build"_s, wanted.at(0), arm, wanted.at(1)});
    QCOMPARE(ran.exitCode, 3);
    QVERIFY2(ran.err.contains("generate " + wanted.at(0).toUtf8()), ran.err.constData());
    QVERIFY2(ran.err.contains("is for aarch64-linux"), ran.err.constData());
    QVERIFY2(ran.err.contains("Nothing is queued."), ran.err.constData());
    QVERIFY(readJobs(state()).isEmpty());
    m_fixture->git({u"reset"_s, u"-q"_s, u"--hard"_s, u"HEAD~1"_s});
}

/// A job whose creator was killed before queueing it is removed; a queue that cannot be read removes no jobs.
void VerbQueueTest::forgetsWhatWasNeverQueued()
{
    acts({});
    const QStringList wanted = names(2);
    done({u"build"_s, wanted.at(0)});
    QTRY_VERIFY(isQuiet(state()));
    Job stray = readJobs(state()).constFirst().job;
    stray.id.clear();
    const auto addStray = [&] { return JobFolder::create(state(), stray).ok(); };
    QVERIFY(addStray());
    QCOMPARE(readJobs(state()).size(), 2);
    done({u"build"_s, wanted.at(1)});
    QCOMPARE(readJobs(state()).size(), 2);
    QTRY_VERIFY(isQuiet(state()));

    // The process that starts the jobs cleans up as well, when nothing is left to do.
    QVERIFY(addStray());
    QCOMPARE(readJobs(state()).size(), 3);
    QCOMPARE(start({u"run-queue"_s, state()})->waitForFinished(), true);
    QCOMPARE(readJobs(state()).size(), 2);

    QVERIFY(addStray());
    QFile queue(Queue(state()).file());
    QVERIFY(queue.open(QIODevice::WriteOnly));
    queue.write("{");
    queue.close();
    QCOMPARE(start({u"run-queue"_s, state()})->waitForFinished(), true);
    QCOMPARE(readJobs(state()).size(), 3);
}

/// Twenty builds. The programs that requested them are killed ten times at random, and now and then the process that
/// starts the jobs.
void VerbQueueTest::killed(int starters)
{
    QRandomGenerator random(newSeed());
    const int rounds = fuzzInputs(1);
    acts(u"slow:0.2,steps:40"_s);
    for (int round = 0; round < rounds; ++round) {
        QDir(state()).removeRecursively();
        QFile::remove(calls());
        done({u"queue"_s, u"set"_s, u"--parallel"_s, QString::number(1 + random.bounded(3))});
        const QStringList arguments = QStringList{u"build"_s} + twentyNames();
        std::vector<std::unique_ptr<QProcess>> verbs;
        for (int i = 0; i < starters; ++i)
            verbs.push_back(start(arguments));
        for (int kill = 0; kill < 10; ++kill) {
            auto &verb = verbs[size_t(random.bounded(starters))];
            verb->waitForFinished(random.bounded(20, 900)); // until a random moment
            verb->kill();
            verb->waitForFinished();
            if (random.bounded(3) == 0) {
                const QList<qint64> schedulers = processesNamed(state().toUtf8());
                for (const qint64 pid : schedulers)
                    ::kill(pid_t(pid), SIGKILL);
            }
            verb = start(arguments);
        }
        for (const auto &verb : verbs) {
            QVERIFY(verb->waitForFinished(120'000));
            QVERIFY2(verb->exitCode() == 0, verb->readAll().constData());
        }
        verifyTwentyBuilt(state(), calls());
    }
    qInfo("total: %d kills of queues", 10 * rounds);
}

void VerbQueueTest::survivesKills()
{
    killed(1);
}

void VerbQueueTest::survivesKillsOfTwo()
{
    killed(2);
}

TM_TEST(VerbQueueTest, QCoreApplication)
#include "tst_verb_queue.moc"
