// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Process.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using tmx::Process;
using tmx::ProcessOutcome;
using tmx::ProcessRequest;

namespace {

/// Runs a script in a real shell and collects all of Process's signals.
struct Run {
    Process process;
    QSignalSpy finished{&process, &Process::finished};
    QByteArray text;
    bool outputAfterFinished = false;
    qsizetype largestChunk = 0;

    Run()
    {
        QObject::connect(&process, &Process::output, &process, [this](const QByteArray &bytes) {
            text += bytes;
            largestChunk = std::max(largestChunk, bytes.size());
            outputAfterFinished |= !finished.isEmpty();
        });
    }
    void shell(const QString &script, std::chrono::milliseconds timeout = 0ms)
    {
        ProcessRequest request;
        request.program = u"/bin/sh"_s;
        request.arguments = {u"-c"_s, script};
        request.timeout = timeout;
        process.start(request);
    }
    ProcessOutcome outcome() const { return finished.at(0).at(0).value<ProcessOutcome>(); }
};

bool exists(qint64 pid)
{
    return ::kill(pid_t(pid), 0) == 0;
}

/// Gone, or a zombie that another parent has yet to reap.
bool ended(qint64 pid)
{
    QFile stat(u"/proc/%1/stat"_s.arg(pid));
    if (!stat.open(QIODevice::ReadOnly))
        return true;
    const QByteArray text = stat.readAll();
    return text.mid(text.lastIndexOf(')') + 2).startsWith('Z');
}

QList<qint64> pidsIn(const QByteArray &text)
{
    QList<qint64> pids;
    for (const QByteArray &line : text.split('\n')) {
        if (line.startsWith("pid "))
            pids.append(line.mid(4).toLongLong());
    }
    return pids;
}

int ownZombies()
{
    int count = 0;
    for (const QString &entry : QDir(u"/proc"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile stat(u"/proc/"_s + entry + u"/stat"_s);
        if (entry.toLongLong() <= 0 || !stat.open(QIODevice::ReadOnly))
            continue;
        const QByteArray text = stat.readAll();
        const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
        count += fields.value(0) == "Z" && fields.value(1).toLongLong() == QCoreApplication::applicationPid();
    }
    return count;
}

} // namespace

class tst_Process : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void mergesBothStreamsInOrder();
    void givesTheExitCode();
    void findsTheProgramOnTheGivenPath();
    void saysWhyItDidNotStart_data();
    void saysWhyItDidNotStart();
    void finishesOnceAndNeverWithinStart();
    void hasASessionOfItsOwnAndAnEmptyInput();
    void keepsBytesThatAreHalvesOfCharacters();
    void deliversABurstWholeAndInOrder();
    void makesTheProgramWaitForASlowReader();
    void stopsAProgramThatListens();
    void killsATreeThatIgnoresSignals();
    void timesOut();
    void tellsACrashFromAStop();
    void readsWhatChildrenPrintAfterTheirLeader();
    void endsChildrenThatOutliveTheirLeader();
    void doesNotWaitForOneThatLeftTheGroup();
    void killsTheGroupWhenDestroyed();
    void mayBeDestroyedByItsReader();
    void startsAgain();
    void leavesNoZombie();
    void runsToItsEndOnAWorker();
    void isStoppedOnAWorker();
};

void tst_Process::runsToItsEndOnAWorker()
{
    tmx::ProcessRun run;
    QByteArray mark;
    std::thread worker([&run, &mark] {
        ProcessRequest request;
        request.program = u"/bin/sh"_s;
        request.arguments = {u"-c"_s, u"printf 0123456789; printf end >&2; exit 4"_s};
        request.beforeStart = [&mark](qint64 pid) { mark = tmx::processMark(pid); };
        run = tmx::runProcess(request, 8);
    });
    worker.join();
    QCOMPARE(run.output, "56789end"_ba);
    QCOMPARE(run.outcome.exitCode, 4);
    QVERIFY(mark.contains(' '));
    QVERIFY(!tmx::processRuns(mark));
}

void tst_Process::isStoppedOnAWorker()
{
    tmx::ProcessRun run;
    std::thread worker([&run] {
        ProcessRequest request;
        request.program = u"/bin/sleep"_s;
        request.arguments = {u"60"_s};
        run = tmx::runProcess(request, 8, [] { return true; });
    });
    worker.join();
    QVERIFY(run.outcome.stopped);
    QVERIFY(tmx::processRuns(tmx::processMark(::getpid())));
    QVERIFY(!tmx::processRuns(QByteArray::number(::getpid()) + " 1"));
    QVERIFY(!tmx::processRuns({}));
}

void tst_Process::mergesBothStreamsInOrder()
{
    Run run;
    run.shell(u"for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done; printf 'no newline'"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.text, "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nout 4\nerr 4\nout 5\nerr 5\nno newline");
    QVERIFY(run.outcome().succeeded());
    QVERIFY(!run.process.isRunning());
}

void tst_Process::givesTheExitCode()
{
    Run run;
    run.shell(u"exit 7"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.outcome().exitCode, 7);
    QVERIFY(run.outcome().started);
    QVERIFY(!run.outcome().succeeded());
    QVERIFY(!run.outcome().crashed && !run.outcome().stopped && !run.outcome().timedOut);
}

void tst_Process::findsTheProgramOnTheGivenPath()
{
    QTemporaryDir folder;
    QFile script(folder.filePath(u"only-here"_s));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho \"found $1\"\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));

    Run run;
    ProcessRequest request;
    request.program = u"only-here"_s;
    request.arguments = {u"$HOME; exit 3"_s};
    request.environment.insert(u"PATH"_s, u"/nowhere:"_s + folder.path());
    run.process.start(request);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.text, "found $HOME; exit 3\n");
    QVERIFY(run.outcome().succeeded());
}

void tst_Process::saysWhyItDidNotStart_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("why");
    QTest::newRow("not on PATH") << u"no-such-program-at-all"_s << QString()
                                 << u"no program named no-such-program-at-all is on PATH"_s;
    QTest::newRow("absent") << u"/no/such/program"_s << QString() << u"No such file"_s;
    QTest::newRow("not executable") << u"/etc/passwd"_s << QString() << u"Permission denied"_s;
    QTest::newRow("no folder") << u"/bin/true"_s << u"/no/such/folder"_s
                               << u"the folder /no/such/folder does not exist"_s;
}

void tst_Process::saysWhyItDidNotStart()
{
    QFETCH(QString, program);
    QFETCH(QString, folder);
    QFETCH(QString, why);
    Run run;
    QSignalSpy started(&run.process, &Process::started);
    ProcessRequest request;
    request.program = program;
    request.workingDirectory = folder;
    run.process.start(request);
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(!run.outcome().started);
    QVERIFY2(run.outcome().error.contains(why), qPrintable(run.outcome().error));
    QCOMPARE(run.outcome().exitCode, -1);
    QCOMPARE(started.count(), 0);
    QVERIFY(!run.process.isRunning());
}

void tst_Process::finishesOnceAndNeverWithinStart()
{
    Run run;
    run.process.start({.program = u"no-such-program-at-all"_s});
    QCOMPARE(run.finished.count(), 0);
    QVERIFY(run.process.isRunning());
    run.process.stop(10ms);
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(!run.outcome().started && !run.outcome().stopped);

    Run stopped;
    stopped.shell(u"exec sleep 100"_s);
    stopped.process.stop(10ms);
    stopped.process.stop(10ms);
    QTRY_COMPARE(stopped.finished.count(), 1);
    stopped.process.stop(10ms);
    QVERIFY(!stopped.finished.wait(100));
    QCOMPARE(stopped.finished.count(), 1);
}

void tst_Process::hasASessionOfItsOwnAndAnEmptyInput()
{
    Run run;
    // Without a pipe, which the shell itself would have open for a moment.
    run.shell(u"cat; echo end of input; cut -d' ' -f5,6 /proc/$$/stat; for i in 0 1 2 3 4 5 6 7 8 9; do "
              "if [ -e /proc/$$/fd/$i ]; then printf '%s ' $i; fi; done"_s);
    const qint64 pid = run.process.pid();
    QTRY_COMPARE(run.finished.count(), 1);
    const QList<QByteArray> lines = run.text.split('\n');
    QCOMPARE(lines.value(0), "end of input");
    QCOMPARE(lines.value(1), QByteArray::number(pid) + ' ' + QByteArray::number(pid)); // process group, session
    QCOMPARE(lines.value(2), "0 1 2 ");
}

void tst_Process::keepsBytesThatAreHalvesOfCharacters()
{
    Run run;
    run.shell(u"printf '\\342\\232'; sleep 0.1; printf '\\241\\357'; sleep 0.1; printf '\\270\\216 ok'"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(QString::fromUtf8(run.text), u"⚡︎ ok"_s);
}

void tst_Process::deliversABurstWholeAndInOrder()
{
    Run run;
    run.shell(u"seq -f 'pytorch> [%.0f/100000] Building CXX object caffe2/CMakeFiles/torch_cpu.dir/x.cpp.o' 100000"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(!run.outputAfterFinished);
    const QList<QByteArray> lines = run.text.split('\n');
    QCOMPARE(lines.size(), 100001);
    for (int i = 0; i < 100000; ++i) {
        const QByteArray expected = "pytorch> [" + QByteArray::number(i + 1) + "/100000] ";
        if (!lines.at(i).startsWith(expected))
            QFAIL(lines.at(i).constData());
    }
    // This limits the cost of one turn of the event loop.
    QVERIFY(run.largestChunk <= 64 * 1024);
}

void tst_Process::makesTheProgramWaitForASlowReader()
{
    Run run;
    run.shell(u"exec yes 0123456789012345678901234567890123456789012345678901234567890123456789012345678"_s);
    QTRY_VERIFY(run.text.size() > 1024 * 1024);
    // Without a reader the program can only write what the pipe holds. The size of its output is the size that it
    // reports itself.
    const auto written = [&run] {
        QFile io(u"/proc/%1/io"_s.arg(run.process.pid()));
        if (!io.open(QIODevice::ReadOnly))
            return -1LL;
        for (const QByteArray &line : io.readAll().split('\n')) {
            if (line.startsWith("wchar: "))
                return line.mid(7).toLongLong();
        }
        return -1LL;
    };
    QThread::msleep(300); // the event loop must stand still here: it is the slow reader
    const qint64 ahead = written() - run.text.size();
    QVERIFY2(ahead >= 0 && ahead <= 512 * 1024, qPrintable(QString::number(ahead)));
    run.process.stop(50ms);
    QTRY_COMPARE(run.finished.count(), 1);
}

void tst_Process::stopsAProgramThatListens()
{
    Run run;
    run.shell(u"trap 'echo interrupted; exit 1' INT; echo ready; while :; do sleep 0.05; done"_s);
    QTRY_VERIFY(run.text.contains("ready"));
    run.process.stop();
    QVERIFY(run.process.isRunning()); // it returned at once
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(run.text.endsWith("interrupted\n"));
    QVERIFY(run.outcome().stopped);
    QVERIFY(!run.outcome().crashed);
    QCOMPARE(run.outcome().exitCode, 1);
}

void tst_Process::killsATreeThatIgnoresSignals()
{
    Run run;
    // Three generations; each ignores SIGINT and SIGTERM and has children of its own.
    run.shell(u"trap '' INT TERM; echo pid $$; "
              "sh -c 'echo pid $$; sh -c \"echo pid \\$\\$; while :; do sleep 0.05; done\"; :' & "
              "sh -c 'echo pid $$; while :; do sleep 0.05; done' >/dev/null & echo pid $!; wait; wait"_s);
    QTRY_COMPARE(pidsIn(run.text).size(), 4);
    const QList<qint64> pids = pidsIn(run.text);
    for (qint64 pid : pids)
        QVERIFY(exists(pid));
    run.process.stop(100ms);
    QTRY_COMPARE(run.finished.count(), 1);
    for (qint64 pid : pids)
        QVERIFY2(ended(pid), qPrintable(QString::number(pid)));
    QVERIFY(run.outcome().stopped);
    QCOMPARE(run.outcome().signal, SIGKILL);
    QCOMPARE(run.outcome().exitCode, -1);
}

void tst_Process::timesOut()
{
    Run run;
    run.shell(u"echo before; exec sleep 100"_s, 100ms);
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(run.outcome().timedOut);
    QVERIFY(!run.outcome().stopped && !run.outcome().crashed);
    QCOMPARE(run.text, "before\n");

    Run quick;
    quick.shell(u"echo quick"_s, 60s);
    QTRY_COMPARE(quick.finished.count(), 1);
    QVERIFY(quick.outcome().succeeded());
}

void tst_Process::tellsACrashFromAStop()
{
    Run run;
    run.shell(u"kill -9 $$"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QVERIFY(run.outcome().crashed);
    QCOMPARE(run.outcome().signal, SIGKILL);
    QVERIFY(!run.outcome().stopped && !run.outcome().timedOut);
}

void tst_Process::readsWhatChildrenPrintAfterTheirLeader()
{
    Run run;
    run.shell(u"(sleep 0.3; echo late) & echo early"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(run.text, "early\nlate\n");
    QVERIFY(run.outcome().succeeded());
}

void tst_Process::endsChildrenThatOutliveTheirLeader()
{
    Run run;
    run.shell(u"(trap '' INT TERM; while :; do sleep 0.05; done) >/dev/null 2>&1 & echo pid $!"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    QCOMPARE(pidsIn(run.text).size(), 1);
    QVERIFY(ended(pidsIn(run.text).at(0)));
    QCOMPARE(run.outcome().exitCode, 0);
}

void tst_Process::doesNotWaitForOneThatLeftTheGroup()
{
    Run run;
    run.shell(u"setsid sh -c 'echo pid $$; exec sleep 600' & sleep 0.2; echo leader ends"_s);
    QTRY_COMPARE_WITH_TIMEOUT(run.finished.count(), 1, 120'000);
    QVERIFY(!ended(pidsIn(run.text).value(0)));
    ::kill(pid_t(pidsIn(run.text).value(0)), SIGKILL);
    QVERIFY(run.text.contains("leader ends"));
    QVERIFY(run.outcome().succeeded());
    for (qint64 pid : pidsIn(run.text))
        ::kill(pid_t(pid), SIGKILL);

    // A process that prints endlessly while it has the pipe open does not delay it either.
    Run noisy;
    noisy.shell(u"setsid sh -c 'echo pid $$; while :; do echo noise; done' & sleep 0.2"_s);
    QTRY_COMPARE(noisy.finished.count(), 1);
    for (qint64 pid : pidsIn(noisy.text))
        ::kill(pid_t(pid), SIGKILL);
}

void tst_Process::killsTheGroupWhenDestroyed()
{
    QByteArray text;
    {
        Run run;
        run.shell(u"trap '' INT TERM; echo pid $$; sh -c 'echo pid $$; while :; do sleep 0.05; done' & wait; wait"_s);
        QTRY_COMPARE(pidsIn(run.text).size(), 2);
        text = run.text;
    }
    for (qint64 pid : pidsIn(text))
        QTRY_VERIFY(ended(pid));
}

void tst_Process::mayBeDestroyedByItsReader()
{
    auto *process = new Process;
    connect(process, &Process::output, this, [process] { delete process; });
    QSignalSpy destroyed(process, &QObject::destroyed);
    process->start({.program = u"/bin/sh"_s, .arguments = {u"-c"_s, u"echo one; exec sleep 100"_s}});
    const qint64 pid = process->pid();
    QTRY_COMPARE(destroyed.count(), 1);
    QTRY_VERIFY(ended(pid));

    auto *atTheEnd = new Process;
    connect(atTheEnd, &Process::finished, this, [atTheEnd] { delete atTheEnd; });
    QSignalSpy destroyedAtTheEnd(atTheEnd, &QObject::destroyed);
    atTheEnd->start({.program = u"/bin/true"_s});
    QTRY_COMPARE(destroyedAtTheEnd.count(), 1);
}

void tst_Process::startsAgain()
{
    Run run;
    run.shell(u"echo one; exit 1"_s);
    QTRY_COMPARE(run.finished.count(), 1);
    run.shell(u"echo two"_s);
    QTRY_COMPARE(run.finished.count(), 2);
    QCOMPARE(run.text, "one\ntwo\n");
    QCOMPARE(run.finished.at(1).at(0).value<ProcessOutcome>().exitCode, 0);
}

void tst_Process::leavesNoZombie()
{
    for (int i = 0; i < 5; ++i) {
        Run run;
        run.shell(u"exec sleep 100"_s);
        QVERIFY(run.process.pid() > 0);
        if (i % 2)
            continue; // destroyed while it runs
        run.process.stop(10ms);
        QTRY_COMPARE(run.finished.count(), 1);
    }
    QTRY_COMPARE(ownZombies(), 0);
}

/// Killed at any change while it starts a program that waits for it: no child goes on with the lock that it inherited.
TM_TEST(tst_Process, QCoreApplication)
#include "tst_process.moc"
