// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/build/OutcomeReader.h"

#include "model/base/Process.h"

#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using tmx::BuildOutcome;
using tmx::OutcomeReader;
using tmx::ProcessOutcome;
using Kind = tmx::BuildOutcome::Kind;

namespace {

const QString package = u"pytorch-python313-cpu-avx2"_s;

ProcessOutcome exited(int code)
{
    ProcessOutcome process;
    process.started = true;
    process.exitCode = code;
    return process;
}

BuildOutcome outcomeOf(const QString &log, const ProcessOutcome &process, const QString &where = {})
{
    OutcomeReader reader(package);
    for (const QString &line : log.split(u'\n'))
        reader.read(line);
    return reader.outcome(process, where);
}

} // namespace

class tst_Outcome : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void findsLinks_data();
    void findsLinks();
    void tellsWhy_data();
    void tellsWhy();
    void trustsTheExitCodeFirst();
    void tellsHowTheProcessEnded();
    void keepsTheErrorsThatMatter();
    void keepsTwentyAtMost();
    void forgetsWhatDidNotStopTheBuild();
    void namesTheCauseInTheSentence();
    void saysWhereItStopped();
};

void tst_Outcome::findsLinks_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<QStringList>("links");
    QTest::newRow("one") << u"⚡︎ Built output: ./result-x"_s << QStringList{u"./result-x"_s};
    QTest::newRow("several") << u"⚡︎ Built outputs:\n./result-x, ./result-x-dev\nend"_s
                             << QStringList{u"./result-x"_s, u"./result-x-dev"_s};
    QTest::newRow("one a line") << u"⚡︎ Built outputs:\n./result-x,\n./result-x-dev\n./other"_s
                                << QStringList{u"./result-x"_s, u"./result-x-dev"_s};
    QTest::newRow("several on the line") << u"Built outputs: ./result-x, ./result-x-dev"_s
                                         << QStringList{u"./result-x"_s, u"./result-x-dev"_s};
    QTest::newRow("old words") << u"✨ Builds completed successfully. Output created: ./result-x"_s
                               << QStringList{u"./result-x"_s};
    QTest::newRow("old words, several")
        << u"✨ Builds completed successfully. Outputs created: ./result-x, ./result-y"_s
        << QStringList{u"./result-x"_s, u"./result-y"_s};
    QTest::newRow("another icon") << u"?? Built output: ./result-x"_s << QStringList{u"./result-x"_s};
    QTest::newRow("no icon") << u"Built output: ./result-x"_s << QStringList{u"./result-x"_s};
    QTest::newRow("none") << u"Completed build of x"_s << QStringList();
    QTest::newRow("a builder's words") << u"torch> Built output: ./result-evil"_s << QStringList();
}

void tst_Outcome::findsLinks()
{
    QFETCH(QString, log);
    QFETCH(QStringList, links);
    const BuildOutcome outcome = outcomeOf(log, exited(0));
    QCOMPARE(outcome.kind, Kind::Built);
    QCOMPARE(outcome.resultLinks, links);
    if (!links.isEmpty())
        QVERIFY2(outcome.sentence.contains(links.constFirst()), qPrintable(outcome.sentence));
}

void tst_Outcome::tellsWhy_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("untracked")
        << u"✘ ERROR: The Nix expression for 'x' does not appear to be tracked by git.\nOnly git tracked files"_s
        << Kind::Untracked << u"Add it to the index"_s;
    QTest::newRow("untracked, emoji") << u"❌ ERROR: The Nix expression for 'x' does not appear to be tracked by git."_s
                                      << Kind::Untracked << u"git does not track"_s;
    QTest::newRow("unknown") << u"✘ ERROR: Target 'x' not found."_s << Kind::UnknownPackage
                             << u"no recipe for pytorch-python313-cpu-avx2"_s;
    QTest::newRow("not git") << u"✘ ERROR: Building nix expression build(s) requires git version control."_s
                             << Kind::NotGit << u"git repository"_s;
    QTest::newRow("no environment") << u"✘ ERROR: Did not find an environment in the current directory."_s
                                    << Kind::NoEnvironment << u"flox init"_s;
    QTest::newRow("builder")
        << u"error: Cannot build '/nix/store/x.drv'.\n       Reason: builder failed with exit code 1.\nmake: *** [x] Error 1\n✘ ERROR: Build failed"_s
        << Kind::Failed << u"builder failed with exit code 1"_s;
    QTest::newRow("older Nix")
        << u"error: builder for '/nix/store/x.drv' failed with exit code 1;\n✘ ERROR: Build failed"_s << Kind::Failed
        << u"builder for '/nix/store/x.drv' failed with exit code 1"_s;
    QTest::newRow("evaluation")
        << u"error:\n       … while evaluating\n\n       error: attribute 'torhc' missing\n✘ ERROR: Build failed"_s
        << Kind::Failed << u"attribute 'torhc' missing"_s;
    QTest::newRow("nothing said") << u""_s << Kind::Failed << u"flox gave no reason"_s;
    QTest::newRow("compiler killed")
        << u"torch> c++: fatal error: Killed signal terminated program cc1plus\n✘ ERROR: Build failed"_s
        << Kind::OutOfMemory << u"Try fewer cores"_s;
    QTest::newRow("Killed alone") << u"torch> Killed\n✘ ERROR: Build failed"_s << Kind::OutOfMemory
                                  << u"Out of memory"_s;
    QTest::newRow("shell says killed") << u"torch> /bin/sh: line 1: 12345 Killed     cicc --x\n✘ ERROR: Build failed"_s
                                       << Kind::OutOfMemory << u"Out of memory"_s;
    QTest::newRow("nvcc") << u"torch> nvcc error   : 'cicc' died due to signal 9 (Kill signal)"_s << Kind::OutOfMemory
                          << u"Out of memory"_s;
    QTest::newRow("builder killed") << u"       Reason: builder failed due to signal 9 (Killed)."_s << Kind::OutOfMemory
                                    << u"Out of memory"_s;
    QTest::newRow("linker killed") << u"torch> collect2: fatal error: ld terminated with signal 9 [Killed]"_s
                                   << Kind::OutOfMemory << u"Out of memory"_s;
    QTest::newRow("a word is no proof")
        << u"torch> -- Performing Test Killed - Failed\ntorch> TestKilled.cpp:1: error: x"_s << Kind::Failed << u"x"_s;
    QTest::newRow("interrupted by another")
        << u"error: interrupted by the user\n✘ ERROR: Build failed"_s << Kind::Stopped << u"interrupted from outside"_s;
    QTest::newRow("a builder quotes flox")
        << u"torch> ✘ ERROR: Target 'x' not found.\ntorch> x does not appear to be tracked by git."_s << Kind::Failed
        << u"The build failed"_s;
}

void tst_Outcome::tellsWhy()
{
    QFETCH(QString, log);
    QFETCH(Kind, kind);
    QFETCH(QString, says);
    const BuildOutcome outcome = outcomeOf(log, exited(1));
    QCOMPARE(outcome.kind, kind);
    QVERIFY2(outcome.sentence.contains(says), qPrintable(outcome.sentence));
    QVERIFY2(outcome.sentence.endsWith(u'.') && !outcome.sentence.contains(u".."_s), qPrintable(outcome.sentence));
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.resultLinks.isEmpty());
}

void tst_Outcome::trustsTheExitCodeFirst()
{
    QCOMPARE(outcomeOf(u"✘ ERROR: Build failed\ntorch> Killed\nerror: interrupted by the user"_s, exited(0)).kind,
             Kind::Built);
    QCOMPARE(outcomeOf(u"⚡︎ Built output: ./result-x"_s, exited(1)).kind, Kind::Failed);
    QVERIFY(outcomeOf(u"Building x\nCompleted build of x\n⚡︎ Built output: ./result-x"_s, exited(0)).alreadyBuilt);
    QVERIFY(
        !outcomeOf(u"these 4 paths will be fetched (1 MiB):\n⚡︎ Built output: ./result-x"_s, exited(0)).alreadyBuilt);
}

void tst_Outcome::tellsHowTheProcessEnded()
{
    ProcessOutcome process = exited(1);
    process.stopped = true;
    QCOMPARE(outcomeOf(u"error: interrupted by the user\n✘ ERROR: Build failed"_s, process).kind, Kind::Stopped);
    QVERIFY(outcomeOf(u"✘ ERROR: Build failed"_s, process).lastErrors.isEmpty());
    process = exited(0);
    process.stopped = true; // it was done before the signal reached it
    QCOMPARE(outcomeOf(u"⚡︎ Built output: ./result-x"_s, process).kind, Kind::Built);

    process = exited(-1);
    process.crashed = true;
    process.signal = SIGSEGV;
    QCOMPARE(outcomeOf({}, process).kind, Kind::Crashed);
    process.signal = SIGKILL;
    QCOMPARE(outcomeOf({}, process).kind, Kind::OutOfMemory);

    process = {};
    process.error = u"permission denied"_s;
    QCOMPARE(outcomeOf({}, process).kind, Kind::Failed);
    QCOMPARE(outcomeOf({}, process).sentence, u"Could not start flox: permission denied."_s);
}

void tst_Outcome::keepsTheErrorsThatMatter()
{
    const BuildOutcome outcome = outcomeOf(u"torch> [6/12] Building a.cpp.o\n"
                                           "torch> FAILED: b.cpp.o\n"
                                           "torch> /nix/store/gcc/bin/g++ -DX -c b.cpp\n"
                                           "torch> /build/b.cpp:42:7: error: 'f' was not declared in this scope\n"
                                           "torch>    42 |   f(v);\n"
                                           "torch>       |   ^\n"
                                           "torch> [7/12] Building c.cpp.o\n"
                                           "torch> ninja: build stopped: subcommand failed.\n"
                                           "error: Cannot build '/nix/store/x.drv'.\n"
                                           "       Reason: builder failed with exit code 1.\n"
                                           "       Output paths:\n"
                                           "make: *** [flox-build.mk:930: build.json] Error 1\n"
                                           "✘ ERROR: Build failed"_s,
                                           exited(1));
    QCOMPARE(outcome.lastErrors.join(u'\n'), u"FAILED: b.cpp.o\n"
                                             "/build/b.cpp:42:7: error: 'f' was not declared in this scope\n"
                                             "   42 |   f(v);\n"
                                             "      |   ^\n"
                                             "ninja: build stopped: subcommand failed.\n"
                                             "error: Cannot build '/nix/store/x.drv'.\n"
                                             "Reason: builder failed with exit code 1.\n"
                                             "make: *** [flox-build.mk:930: build.json] Error 1\n"
                                             "✘ ERROR: Build failed"_s);
}

void tst_Outcome::keepsTwentyAtMost()
{
    QString log;
    for (int i = 0; i < 100; ++i)
        log += u"torch> FAILED: %1.o\ntorch> %1.cpp:1: error: e%1\nerror: n%1\n"_s.arg(i);
    const BuildOutcome outcome = outcomeOf(log + u"torch> x.cpp: error: "_s + QString(100000, u'x'), exited(1));
    QCOMPARE(outcome.lastErrors.size(), 20);
    QCOMPARE(outcome.lastErrors.constFirst(), u"FAILED: 0.o"_s);
    QCOMPARE(outcome.lastErrors.constLast(), u"error: n99"_s);
    for (const QString &line : outcome.lastErrors)
        QVERIFY(line.size() <= 400);
}

void tst_Outcome::forgetsWhatDidNotStopTheBuild()
{
    const BuildOutcome outcome = outcomeOf(
        u"torch> probe.c:1:1: error: 'no such header'\ntorch> FAILED: b.o\ntorch> b.cpp:1: error: real"_s, exited(1));
    QCOMPARE(outcome.lastErrors, (QStringList{u"FAILED: b.o"_s, u"b.cpp:1: error: real"_s}));
    // Without ninja's word the last ones are the best guess.
    const BuildOutcome guess = outcomeOf(
        u"torch> CMake Error at CMakeLists.txt:3 (find_package):\ntorch>   By not providing FindCUDA"_s, exited(1));
    QCOMPARE(guess.lastErrors,
             (QStringList{u"CMake Error at CMakeLists.txt:3 (find_package):"_s, u"  By not providing FindCUDA"_s}));
}

void tst_Outcome::namesTheCauseInTheSentence()
{
    QCOMPARE(outcomeOf(u"torch> FAILED: b.o\ntorch> b.cpp:42:7: error: 'f' was not declared\n✘ ERROR: Build failed"_s,
                       exited(1), u"in buildPhase, at step 7 of 12"_s)
                 .sentence,
             u"The build failed in buildPhase, at step 7 of 12: 'f' was not declared."_s);
    const QString longOne = outcomeOf(u"torch> b.cpp:42:7: error: "_s + QString(1000, u'x'), exited(1)).sentence;
    QVERIFY(longOne.size() < 200);
}

void tst_Outcome::saysWhereItStopped()
{
    ProcessOutcome process = exited(1);
    process.stopped = true;
    QCOMPARE(outcomeOf({}, process, u"in buildPhase, at step 7 of 12"_s).sentence,
             u"The build was stopped in buildPhase, at step 7 of 12."_s);
    QCOMPARE(outcomeOf({}, process).sentence, u"The build was stopped."_s);
}

QTEST_GUILESS_MAIN(tst_Outcome)
#include "tst_outcome.moc"
