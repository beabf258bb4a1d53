// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/OutcomeReader.h"

#include "model/base/Process.h"
#include "model/catalog/NixHash.h"
#include "model/outcome/OutcomeText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTemporaryFile>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace tmx;
using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;

namespace {

const QString package = u"pytorch-python313-cpu-avx2"_s;

ProcessOutcome exited(int code)
{
    ProcessOutcome process;
    process.started = true;
    process.exitCode = code;
    return process;
}

BuildOutcome outcomeOf(const QString &log, const ProcessOutcome &process, const BuildStep &at = {})
{
    OutcomeReader reader(package);
    for (const QString &line : log.split(u'\n'))
        reader.read(line);
    return reader.outcome(process, at);
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
    void asksForTheResultLink();
    void offersTheRightHash();
    void offersNoHashOfAnotherFile();
    void saysWhatTheBuilderPrintedLast_data();
    void saysWhatTheBuilderPrintedLast();
    void blamesTheLineNearestToTheError();
    void findsTheFirstErrorInAFile_data();
    void findsTheFirstErrorInAFile();
    void readsAnyBytes();
    void hasAWordForEachKind();
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
        QVERIFY2(sentenceOf(outcome).contains(links.constFirst()), qPrintable(sentenceOf(outcome)));
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
        << Kind::EvaluationError << u"attribute 'torhc' missing"_s;
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
        << u"torch> -- Performing Test Killed - Failed\ntorch> TestKilled.cpp:1: error: x"_s << Kind::CompileError
        << u"x"_s;
    QTest::newRow("compiler") << u"torch> FAILED: b.o\ntorch> b.cpp:1: error: no\n✘ ERROR: Build failed"_s
                              << Kind::CompileError << u"Without a change the recipe fails again"_s;
    QTest::newRow("compiler, lines without a derivation")
        << u"building '/nix/store/x.drv'...\nFAILED: b.o\nb.cpp:1:2: error: no\nninja: build stopped: subcommand failed.\nerror: builder for '/nix/store/x.drv' failed with exit code 1"_s
        << Kind::CompileError << u"failed: no."_s;
    QTest::newRow("syntax")
        << u"error: syntax error, unexpected '}', expecting ';'\n       at /r/.flox/pkgs/pytorch-python313-cpu-avx2.nix:5:1:\n✘ ERROR: Build failed"_s
        << Kind::EvaluationError << u"Correct line 5 of the recipe"_s;
    QTest::newRow("undefined") << u"error: undefined variable 'libs'\n       at /x/other.nix:5:1:"_s
                               << Kind::EvaluationError << u"Correct the recipe"_s;
    QTest::newRow("unfree") << u"error: Package ‘cuda’ in /x.nix:1 has an unfree license (‘x’), refusing to evaluate."_s
                            << Kind::EvaluationError << u"unfree license"_s;
    QTest::newRow("hash")
        << u"error: hash mismatch in fixed-output derivation '/nix/store/x-source.drv':\n         specified: sha256-AAAA=\n            got:    sha256-BBBB=\nerror: Cannot build '/nix/store/y.drv'.\n       Reason: 1 dependency failed.\n✘ ERROR: Build failed"_s
        << Kind::HashMismatch << u"sha256-BBBB=, not sha256-AAAA="_s;
    QTest::newRow("hash, old words")
        << u"hash mismatch in fixed-output derivation '/nix/store/x':\n  wanted: sha256:1aaa\n  got:    sha256:1bbb\nerror: build of '/nix/store/x.drv' failed"_s
        << Kind::HashMismatch << u"sha256:1bbb, not sha256:1aaa"_s;
    QTest::newRow("hash of a tarball")
        << u"error: hash mismatch in file downloaded from 'https://example.org/x.tar.gz':\n         specified: sha256:0aa\n         got:       sha256:0bb"_s
        << Kind::HashMismatch << u"sha256:0bb"_s;
    QTest::newRow("disk, compiler")
        << u"torch> FAILED: b.o\ntorch> b.cpp: fatal error: error writing to /build/x.s: No space left on device"_s
        << Kind::OutOfDisk << u"20 GB"_s;
    QTest::newRow("disk, Nix") << u"error: writing to file: No space left on device\n✘ ERROR: Build failed"_s
                               << Kind::OutOfDisk << u"writing to file: No space left on device."_s;
    QTest::newRow("quota") << u"torch> cp: error writing 'x': Disk quota exceeded"_s << Kind::OutOfDisk
                           << u"The disk is full"_s;
    QTest::newRow("network, Nix")
        << u"error: unable to download 'https://example.org/x': Could not resolve hostname (6)"_s << Kind::Network
        << u"Check the network"_s;
    QTest::newRow("network, of a tarball")
        << u"error: Failed to open archive (Source threw exception: error: unable to download 'https://example.org/%1.tar.gz': Could not resolve hostname (6) Could not resolve host: example.org)"_s
               .arg(QString(40, u'a'))
        << Kind::Network
        << u"A download failed: unable to download 'https://example.org/%1.tar.gz': Could not resolve"_s.arg(
               QString(40, u'a'));
    QTest::newRow("network, a long address")
        << u"error: unable to download 'https://example.org/%1': Could not resolve hostname"_s.arg(QString(100, u'a'))
        << Kind::Network << u"%1': Could not…"_s.arg(QString(100, u'a'));
    // As nix-build 2.26 prints them.
    const QString noMachine =
        u"\nFailed to find a machine for remote build!\nderivation: ym92-x.drv\nrequired (system, features): (x86_64-linux, [])\nerror:\n                           Unable to start any build;\n                           remote machines may not have all required system features."_s;
    QTest::newRow("a remote builder that is down")
        << u"ssh: connect to host 127.0.0.1 port 9: Connection refused\ncannot build on 'ssh-ng://me@box': error: failed to start SSH connection to 'me@box'"_s +
               noMachine
        << Kind::Network
        << u"The remote builder ssh-ng://me@box cannot be used: connect to host 127.0.0.1 port 9: Connection refused."_s;
    QTest::newRow("a remote builder without a name server, after others began")
        << u"building '/nix/store/a.drv'...\nssh: Could not resolve hostname box: Name or service not known\ncannot build on 'ssh://box': error: failed to start SSH connection to 'box'"_s +
               noMachine
        << Kind::Network << u"The remote builder ssh://box cannot be used"_s;
    QTest::newRow("no remote builder with the features")
        << u"this derivation will be built:\n  /nix/store/x.drv"_s + noMachine << Kind::NoBuilder
        << u"No remote builder has the system and the features"_s;
    QTest::newRow("a remote builder that is lost")
        << u"building '/nix/store/x.drv' on 'ssh-ng://box'...\nerror: build of '/nix/store/x.drv' on 'ssh-ng://box' failed: error: unexpected end-of-file"_s
        << Kind::Network << u"The remote builder ssh-ng://box was lost during the build: unexpected end-of-file"_s;
    QTest::newRow("a remote builder whose Nix ends")
        << u"building '/nix/store/x.drv' on 'ssh-ng://box'...\ncopying 0 paths...\nbuilding '/nix/store/x.drv'...\nerror: Nix daemon disconnected unexpectedly (maybe it crashed?)\nerror: builder for '/nix/store/x.drv' failed with exit code 1"_s
        << Kind::Network
        << u"The remote builder ssh-ng://box was lost during the build: Nix daemon disconnected unexpectedly."_s;
    QTest::newRow("a remote builder whose connection ends")
        << u"building '/nix/store/x.drv' on 'ssh://box'...\nConnection to 127.0.0.1 closed by remote host.\nerror: unexpected end-of-file\nerror: builder for '/nix/store/x.drv' failed with exit code 1"_s
        << Kind::Network << u"The remote builder ssh://box was lost during the build: unexpected end-of-file."_s;
    QTest::newRow("a connection that ends, of another derivation")
        << u"building '/nix/store/y.drv' on 'ssh://box'...\nbuilding '/nix/store/x.drv'...\nerror: unexpected end-of-file\nerror: builder for '/nix/store/x.drv' failed with exit code 1"_s
        << Kind::Failed << u"The build of x failed"_s;
    QTest::newRow("a remote builder that has not what its line says")
        << u"building '/nix/store/x.drv' on 'ssh://box'...\nerror: build of '/nix/store/x.drv' on 'ssh://box' failed: error: a 'x86_64-linux' with features {cuda} is required to build '/nix/store/%1.drv', but I am a 'x86_64-linux' with features {benchmark, kvm}\nerror: builder for '/nix/store/x.drv' failed with exit code 1"_s
               .arg(QString(400, u'x'))
        << Kind::NoBuilder
        << u"ssh://box does not accept the build: x86_64-linux with the features cuda is required, and it is "_s
           u"x86_64-linux with benchmark, kvm. Correct its line"_s;
    QTest::newRow("no builders, and nothing is built here")
        << u"this derivation will be built:\n  /nix/store/x.drv\nerror:\n                           Unable to start any build;\n                           either increase '--max-jobs' or enable remote builds."_s
        << Kind::NoBuilder << u"No remote builder has"_s;
    QTest::newRow("builders of a user whom the daemon does not trust")
        << u"warning: ignoring the client-specified setting 'builders', because it is a restricted setting and you are not a trusted user"_s +
               noMachine
        << Kind::NoBuilder << u"Add yourself to trusted-users"_s;
    QTest::newRow("a build that fails on a remote builder")
        << u"building '/nix/store/x.drv' on 'ssh-ng://box'...\nx.cpp:1:1: error: no member\nerror: build of '/nix/store/x.drv' on 'ssh-ng://box' failed: builder for '/nix/store/x.drv' failed with exit code 127"_s
        << Kind::CompileError << u"no member"_s;
    QTest::newRow("network, fetcher")
        << u"source> curl: (6) Could not resolve host: example.org\nsource> error: cannot download x.tar.gz from any mirror\nerror: Cannot build '/nix/store/x.drv'."_s
        << Kind::Network << u"Could not resolve host"_s;
    QTest::newRow("network, git") << u"source> fatal: unable to access 'https://example.org/x/': Failed to connect"_s
                                  << Kind::Network << u"A download failed"_s;
    QTest::newRow("a download that was tried again")
        << u"warning: error: unable to download 'https://x': timeout; retrying in 300 ms\nsource> curl: (28) timeout\ntorch> FAILED: b.o\ntorch> b.cpp:1: error: x"_s
        << Kind::CompileError << u"failed: x."_s;
    QTest::newRow("a cache that does not answer, and nix-build")
        << u"warning: error: unable to download 'https://cache.example.org/nix-cache-info': Could not resolve hostname (6); retrying in 286 ms\nbuilding '/nix/store/x-torch.drv'...\nfoo.c:3:1: error: bad thing\nerror: builder for '/nix/store/x-torch.drv' failed with exit code 1;\n       last 1 log lines:\n       > foo.c:3:1: error: bad thing"_s
        << Kind::CompileError << u"bad thing"_s;
    QTest::newRow("interrupted by another")
        << u"error: interrupted by the user\n✘ ERROR: Build failed"_s << Kind::Stopped << u"interrupted from outside"_s;
    QTest::newRow("a builder quotes flox")
        << u"torch> ✘ ERROR: Target 'x' not found.\ntorch> x does not appear to be tracked by git."_s
        << Kind::CompileError << u"The build failed"_s;
}

void tst_Outcome::tellsWhy()
{
    QFETCH(QString, log);
    QFETCH(Kind, kind);
    QFETCH(QString, says);
    const BuildOutcome outcome = outcomeOf(log, exited(1));
    QCOMPARE(outcome.kind, kind);
    QVERIFY2(sentenceOf(outcome).contains(says), qPrintable(sentenceOf(outcome)));
    QVERIFY2(sentenceOf(outcome).endsWith(u'.') && !sentenceOf(outcome).contains(u".."_s),
             qPrintable(sentenceOf(outcome)));
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.resultLinks.isEmpty());
    // flox has changed its icons, and will again.
    for (const QString &icon : {u"✘ "_s, u"❌ "_s, u"? "_s, QString()})
        QCOMPARE(outcomeOf(QString(log).replace(u"✘ "_s, icon).replace(u"❌ "_s, icon), exited(1)).kind, kind);
}

void tst_Outcome::asksForTheResultLink()
{
    OutcomeReader reader(package);
    reader.read(u"⚡︎ Built output: ./result-x"_s);
    QCOMPARE(reader.outcome(exited(0), {}, ResultLink::Found).kind, Kind::Built);
    const BuildOutcome none = reader.outcome(exited(0), {}, ResultLink::Absent);
    QCOMPARE(none.kind, Kind::NoResult);
    QVERIFY(none.resultLinks.isEmpty());
    QVERIFY(sentenceOf(none).contains("left no result-pytorch-python313-cpu-avx2"_L1));
    QCOMPARE(reader.outcome(exited(1), {}, ResultLink::Absent).kind, Kind::Failed);
}

void tst_Outcome::offersTheRightHash()
{
    const BuildOutcome outcome =
        outcomeOf(u"error: hash mismatch in fixed-output derivation 'a':\n  specified: A\n  got:  B\n"
                  "error: hash mismatch in fixed-output derivation 'c':\n  specified: C\n  got:  D"_s,
                  exited(1));
    QCOMPARE(outcome.statedHash, u"A"_s);
    QCOMPARE(outcome.rightHash, u"B"_s);
}

/// If the recipe does not state the hash in any notation, no correction is offered.
void tst_Outcome::offersNoHashOfAnotherFile()
{
    const QString stated = u"sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="_s;
    const QString right = u"sha256-LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="_s;
    const BuildOutcome outcome = outcomeOf(
        u"error: hash mismatch in fixed-output derivation 'a':\n  specified: %1\n  got:  %2"_s.arg(stated, right),
        exited(1));
    for (const QByteArray &notation : notationsOf(stated))
        QCOMPARE(judgedByRecipe(outcome, "{ hash = \"" + notation + "\"; }"), outcome);
    const BuildOutcome other = judgedByRecipe(outcome, "{ src = ./src; }");
    QCOMPARE(other.kind, Kind::HashMismatch);
    QCOMPARE(other.statedHash + other.rightHash, QString());
    QVERIFY2(sentenceOf(other).contains(right) && sentenceOf(other).contains(stated) &&
                 sentenceOf(other).contains(u"take another pin"),
             qPrintable(sentenceOf(other)));
    BuildOutcome built;
    built.kind = Kind::Built;
    QCOMPARE(judgedByRecipe(built, {}), built);
}

/// The last line of a builder is often all that is known about its failure.
void tst_Outcome::saysWhatTheBuilderPrintedLast_data()
{
    QTest::addColumn<QString>("log");
    QTest::addColumn<QString>("last");
    QTest::newRow("nix-build 2.26")
        << u"building '/nix/store/0abc-tiny-1.drv'...\nhello\nno such thing: x\nerror: builder for '/nix/store/0abc-tiny-1.drv' failed with exit code 3;\n       last 2 log lines:\n       > hello\n       > no such thing: x\n       For full logs, run:\n         nix log /nix/store/0abc-tiny-1.drv"_s
        << u"no such thing: x"_s;
    QTest::newRow("Nix that repeats")
        << u"error: Cannot build '/nix/store/0abc-tiny-1.drv'.\n       Reason: builder failed with exit code 3.\n       Output paths:\n         /nix/store/1abc-tiny-1\n       Last 3 log lines:\n       > hello\n       > no such thing: x\n       >\n       For full logs, run:\n       > of another\n✘ ERROR: Build failed"_s
        << u"no such thing: x"_s;
    QTest::newRow("lines with their derivation")
        << u"tiny> hello\ntiny-doc> done\ntiny> no such thing: x\nother> hello\nerror: Cannot build '/nix/store/0abc-tiny-1.drv'.\n       Reason: builder failed with exit code 3."_s
        << u"no such thing: x"_s;
    QTest::newRow("the one that failed first")
        << u"a> no such thing: x\nb> hello\nerror: Cannot build '/nix/store/0abc-a-1.drv'.\n       Reason: builder failed with exit code 3.\nerror: Cannot build '/nix/store/0abc-b-1.drv'.\n       Last 1 log lines:\n       > no such thing: x"_s
        << u"no such thing: x"_s;
    QTest::newRow("silent") << u"other> hello\nerror: Cannot build '/nix/store/0abc-tiny-1.drv'."_s << QString();
    QTest::newRow("a cause is known")
        << u"tiny> x.c:1:1: error: bad\ntiny> hello\nerror: Cannot build '/nix/store/0abc-tiny-1.drv'."_s << QString();
}

void tst_Outcome::saysWhatTheBuilderPrintedLast()
{
    QFETCH(QString, log);
    QFETCH(QString, last);
    const BuildOutcome outcome = outcomeOf(log, exited(1));
    QCOMPARE(sentenceOf(outcome).contains(u"Its last output is: \"%1\"."_s.arg(last)), !last.isEmpty());
    QCOMPARE(sentenceOf(outcome).contains(u"Its last output is"_s), !last.isEmpty());
    if (!last.isEmpty()) {
        QCOMPARE(outcome.kind, Kind::Failed);
        QCOMPARE(outcome.lastErrors.constFirst(), last);
    }
}

void tst_Outcome::blamesTheLineNearestToTheError()
{
    const QString log =
        u"error:\n       … while evaluating\n         at /nix/store/x-source/.flox/pkgs/%1.nix:3:5:\n"
        "         at /nix/store/x-source/.flox/pkgs/%1.nix:%2:5:\n"
        "         at /nix/store/x-source/.flox/pkgs/other.nix:9:5:\n       error: undefined variable 'x'"_s;
    QCOMPARE(outcomeOf(log.arg(package).arg(7), exited(1)).recipeLine, 7);
    QCOMPARE(outcomeOf(log.arg(u"another"_s).arg(7), exited(1)).recipeLine, 0);
}

/// The line at the offset is the first error, wherever it is in a log of any size.
void tst_Outcome::findsTheFirstErrorInAFile_data()
{
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::newRow("short") << 3 << 2;
    QTest::newRow("at the end of a long one") << 300'000 << 2;
    QTest::newRow("in the middle of a long one") << 100'000 << 300'000;
    QTest::newRow("at the start of a long one") << 3 << 300'000;
}

void tst_Outcome::findsTheFirstErrorInAFile()
{
    QFETCH(int, before);
    QFETCH(int, after);
    const QByteArray step = "torch> [5/9] Building a rather long line that every build prints.cpp.o\n";
    const QByteArray failed = "torch> FAILED: b.o\ntorch> b.cpp:1:2: error: the first\n";
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write(
        "Building torch-1 in Nix expression mode\ntorch> Running phase: buildPhase\ntorch> probe.c:1: error: no\n");
    file.write(step.repeated(before));
    const qint64 offset = file.pos();
    file.write(failed + step.repeated(after) + "torch> FAILED: c.o\ntorch> c.cpp:1: error: another\n");
    file.write("error: Cannot build '/nix/store/x.drv'.\n✘ ERROR: Build failed\n");
    file.flush();
    const BuildOutcome outcome = outcomeOfLog(file.fileName(), package, exited(1));
    QCOMPARE(outcome.kind, Kind::CompileError);
    QCOMPARE(outcome.firstError, offset);
    QVERIFY2(sentenceOf(outcome).contains("in buildPhase, at step 5 of 9: the first."_L1),
             qPrintable(sentenceOf(outcome)));
    QCOMPARE(lostOutcome(file.fileName(), package).kind, Kind::Lost);
    QVERIFY(sentenceOf(lostOutcome(file.fileName(), package)).contains("at step 5 of 9"_L1));
}

void tst_Outcome::readsAnyBytes()
{
    QRandomGenerator random(7);
    const QByteArrayList words{"FAILED: ", "error: ", "\r",      "\n",    "\x1b[",        "\xff",
                               "\xc3",     "Killed",  "torch> ", "got: ", "hash mismatch"};
    for (int round = 0; round < 50; ++round) {
        QTemporaryFile file;
        QVERIFY(file.open());
        QByteArray bytes;
        for (int i = 0; i < 2000; ++i)
            bytes += random.bounded(3) == 0 ? words.at(random.bounded(int(words.size())))
                                            : QByteArray(1, char(random.bounded(256)));
        file.write(bytes + QByteArray(round == 0 ? 20'000'000 : 0, 'x'));
        file.flush();
        const BuildOutcome outcome = outcomeOfLog(file.fileName(), package, exited(1));
        QVERIFY(outcome.kind != Kind::Built);
        QVERIFY(sentenceOf(outcome).size() < 2000);
        QVERIFY(outcome.firstError < file.size());
    }
    QCOMPARE(outcomeOfLog(u"/nonexistent/log"_s, package, exited(1)).kind, Kind::Failed);
}

void tst_Outcome::hasAWordForEachKind()
{
    for (int kind = 0; kind <= int(Kind::NoBuilder); ++kind)
        QCOMPARE(outcomeKindNamed(wordOf(Kind(kind))), Kind(kind));
    for (int cause = 0; cause <= int(Cause::EnvironmentUntracked); ++cause)
        QCOMPARE(causeNamed(wordOf(Cause(cause))), Cause(cause));
    QVERIFY(!outcomeKindNamed(u"nonsense"));
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
    QCOMPARE(sentenceOf(outcomeOf({}, process)), u"Could not start flox: permission denied. Check the installation."_s);
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
    // Without ninja's "FAILED:" the last errors are the best guess.
    const BuildOutcome guess = outcomeOf(
        u"torch> CMake Error at CMakeLists.txt:3 (find_package):\ntorch>   By not providing FindCUDA"_s, exited(1));
    QCOMPARE(guess.lastErrors,
             (QStringList{u"CMake Error at CMakeLists.txt:3 (find_package):"_s, u"  By not providing FindCUDA"_s}));
}

void tst_Outcome::namesTheCauseInTheSentence()
{
    QCOMPARE(sentenceOf(outcomeOf(
                 u"torch> FAILED: b.o\ntorch> b.cpp:42:7: error: 'f' was not declared\n✘ ERROR: Build failed"_s,
                 exited(1), {u"buildPhase"_s, 7, 12})),
             u"The build failed in buildPhase, at step 7 of 12: 'f' was not declared. Read the log at the first "_s
             u"error. Without a change the recipe fails again."_s);
    const QString longOne = sentenceOf(outcomeOf(u"torch> b.cpp:42:7: error: "_s + QString(1000, u'x'), exited(1)));
    QVERIFY(longOne.size() < 280);
}

void tst_Outcome::saysWhereItStopped()
{
    ProcessOutcome process = exited(1);
    process.stopped = true;
    QCOMPARE(sentenceOf(outcomeOf({}, process, {u"buildPhase"_s, 7, 12})),
             u"The build was stopped in buildPhase, at step 7 of 12."_s);
    QCOMPARE(sentenceOf(outcomeOf({}, process)), u"The build was stopped."_s);
}

TM_TEST(tst_Outcome, QCoreApplication)
#include "tst_outcome.moc"
