// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/LogTree.h"

#include "model/log/LogFile.h"
#include "model/log/LogTimes.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using State = DerivationNode::State;

namespace {

QByteArray log()
{
    const QByteArray store = "/nix/store/00000000000000000000000000000000-";
    QByteArray bytes = "these 2 derivations will be built:\n  " + store + "magma-2.9.drv\n  " + store +
                       "torch-2.8.drv\nbuilding '" + store + "magma-2.9.drv'...\n";
    for (int step = 1; step <= 500; ++step)
        bytes += "magma> [" + QByteArray::number(step) + "/500] \x1b[32mna\xc3\xafve\x1b[0m\n";
    bytes += "10%\r50%\rbuilding '" + store + "torch-2.8.drv'...\r\ntorch> Running phase: buildPhase\n";
    return bytes;
}

LogTree::State readInPieces(const QString &path, qint64 most)
{
    LogTree::State state;
    for (qint64 before = -1; before != state.offset;) {
        before = state.offset;
        state = readTree(path, state, most, false);
    }
    return state;
}

} // namespace

class tst_LogTree : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// The derivations do not depend on how much is read at a time.
    void isTheSameHoweverItIsCut()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"log"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(log());
        file.close();
        const LogTree::State whole = readTree(file.fileName(), {}, 1'000'000, false);
        QCOMPARE(whole.offset, log().size());
        QCOMPARE(whole.tree.nodes().size(), 2);
        QCOMPARE(whole.tree.nodes().at(0).step, 500);
        QCOMPARE(whole.tree.nodes().at(0).state, State::Done);
        QCOMPARE(whole.tree.nodes().at(1).state, State::Building);
        QVERIFY(!whole.tree.nodes().at(1).since.isValid());
        for (const qint64 most : {200, 333, 1000, 4096}) {
            const LogTree::State state = readInPieces(file.fileName(), most);
            QCOMPARE(state.offset, whole.offset);
            QCOMPARE(state.tree.nodes(), whole.tree.nodes());
            QCOMPARE(state.tree.phases(), whole.tree.phases());
        }
        QCOMPARE(readTree(u"/nonexistent"_s, {}, 1000, false).offset, 0);
    }

    /// Phases have the lines that the view counts: a long line counts as several, a restarted one as one.
    void findsPhasesByLine()
    {
        const QByteArray store = "/nix/store/00000000000000000000000000000000-";
        const QByteArray text = "building '" + store + "torch-2.8.drv'...\ntorch> Running phase: unpackPhase\ntorch> " +
                                QByteArray(200'000, 'x') + "\n1%\r2%\n\ntorch> Running phase: buildPhase\n" +
                                "torch> a\nmagma> Running phase: buildPhase\ntorch> error: no\nmagma> b\n" +
                                "error: builder for '" + store + "torch-2.8.drv' failed\n";
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"log"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const LogIndex index = indexMore(file.fileName(), {}, text.size());
        LogReader reader(file.fileName());
        DerivationTree whole = readInPieces(file.fileName(), 1'000'000).tree;
        for (const qint64 most : {201'000, 230'000}) {
            DerivationTree tree = readInPieces(file.fileName(), most).tree;
            QCOMPARE(tree.phases(), whole.phases());
        }
        whole.end(State::Failed);
        const QList<LogPhase> phases = whole.phases();
        QCOMPARE(phases.size(), 3);
        for (const auto &[number, begins] : {std::pair(0, "torch> Running phase: unpack"),
                                             std::pair(1, "torch> Running phase: build"), std::pair(2, "magma> Run")}) {
            const LogPhase &phase = phases.at(number);
            QVERIFY(phase.ended);
            QCOMPARE(phase.line, reader.lineAt(index, text.indexOf(begins)));
        }
        QCOMPARE(phases.at(0).end, phases.at(1).line - 2); // without what Nix prints
        QCOMPARE(phases.at(1).end, phases.at(2).line);
        QCOMPARE(phases.at(2).end, index.lineCount() - 1);
        QCOMPARE((QList<bool>{phases.at(0).failed, phases.at(1).failed, phases.at(2).failed}),
                 (QList<bool>{false, true, true}));
        // nix-build does not name the derivation.
        DerivationTree unnamed;
        qsizetype number = 0;
        for (const char16_t *line : {u"Running phase: unpackPhase", u"a", u"Running phase: buildPhase", u"b", u"c",
                                     u"error: builder failed", u"d"})
            unnamed.read(line, {}, number, number + 1), ++number;
        unnamed.end(State::Failed);
        QCOMPARE(unnamed.phases().size(), 2);
        QCOMPARE(unnamed.phases().at(0).end, 2);
        QCOMPARE(unnamed.phases().at(1).end, 5);
        QVERIFY(unnamed.phases().at(1).failed && !unnamed.phases().at(0).failed);
    }

    /// A log that is opened later has the times that its runner noted.
    void knowsWhatTheRunnerNoted()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"log"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(log());
        file.close();
        const QDateTime start(QDate(2026, 1, 2), QTime(3, 4));
        const qint64 magma = log().indexOf("magma> [1/500]");
        const qint64 torch = log().indexOf("building '/nix/store", magma);
        LogTimes::note(file.fileName(), 0, start);
        LogTimes::note(file.fileName(), magma, start.addSecs(10));
        LogTimes::note(file.fileName(), torch, start.addSecs(60));
        LogTimes::note(file.fileName(), log().size(), start.addSecs(70));
        const LogTree::State whole = readTree(file.fileName(), {}, 1'000'000, false);
        QCOMPARE(whole.tree.nodes().at(0).since, start.addSecs(10));
        QCOMPARE(whole.tree.nodes().at(0).until, start.addSecs(70));
        QCOMPARE(whole.tree.nodes().at(1).since, start.addSecs(70));
        QCOMPARE(whole.last, start.addSecs(70));
        for (const qint64 most : {200, 333, 1000}) {
            const LogTree::State state = readInPieces(file.fileName(), most);
            QCOMPARE(state.tree.nodes(), whole.tree.nodes());
        }
        // Notes that are damaged are none.
        QFile notes(folder.filePath(u"times"_s));
        for (const QByteArray &text :
             {"x"_ba, "5 7"_ba, " "_ba, "5"_ba, "5 x\n"_ba, "-5 7\n"_ba, "\xff 1\n"_ba, "5 \n"_ba}) {
            QVERIFY(notes.open(QIODevice::WriteOnly | QIODevice::Truncate) && notes.write(text) == text.size());
            notes.close();
            QVERIFY2(!LogTimes::of(file.fileName()).at(1).isValid(), text.constData());
        }
    }

    void followsALog()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(u"log"_s));
        LogFile logFile;
        LogTree tree(&logFile);
        logFile.open(file.fileName());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
        file.write(log());
        QTRY_COMPARE(tree.tree().count(State::Building), 1);
        file.write("nccl> [1/2] x\n");
        QTRY_COMPARE(tree.tree().nodes().size(), 3);
        QVERIFY(tree.tree().nodes().at(2).since.isValid()); // it was printed just now
        tree.end(State::Done);
        QCOMPARE(tree.tree().count(State::Done), 3);
        logFile.open({});
        QCOMPARE(tree.tree().nodes().size(), 0);
    }
};

TM_TEST(tst_LogTree, QCoreApplication)
#include "tst_logtree.moc"
