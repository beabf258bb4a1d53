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
        }
        QCOMPARE(readTree(u"/nonexistent"_s, {}, 1000, false).offset, 0);
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
        tree.end(true);
        QCOMPARE(tree.tree().count(State::Done), 3);
        logFile.open({});
        QCOMPARE(tree.tree().nodes().size(), 0);
    }
};

TM_TEST(tst_LogTree, QCoreApplication)
#include "tst_logtree.moc"
