// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/log/DerivationTree.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using State = DerivationNode::State;

namespace {

const QString hash = u"/nix/store/00000000000000000000000000000000-"_s;

/// "torch-2.8.0 building buildPhase 3/9", one a line.
QStringList shown(const DerivationTree &tree)
{
    static const char *const words[] = {"waiting", "building", "done", "failed", "fetching"};
    QStringList lines;
    for (const DerivationNode &node : tree.nodes()) {
        QString line = node.name + u' ' + QString::fromLatin1(words[int(node.state)]);
        if (!node.phase.isEmpty())
            line += u' ' + node.phase;
        if (node.total > 0)
            line += u" %1/%2"_s.arg(node.step).arg(node.total);
        lines.append(line);
    }
    return lines;
}

} // namespace

class tst_DerivationTree : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// A store may be in any folder.
    void storeElsewhere()
    {
        DerivationTree tree;
        const auto read = [&tree](const QString &line) { tree.read(line, QDateTime::fromSecsSinceEpoch(1000)); };
        const QString other = QString(hash).replace("/nix/store/"_L1, "/srv/store/"_L1);
        QVERIFY(other != hash);
        read(u"this derivation will be built:"_s);
        read(u"  "_s + other + u"python3.13-torch-2.8.0.drv"_s);
        QCOMPARE(tree.main(), u"python3.13-torch-2.8.0"_s);
    }

    void tellsWhatIsBuilt()
    {
        DerivationTree tree;
        const QDateTime start = QDateTime::fromSecsSinceEpoch(1000);
        int second = 0;
        const auto read = [&](const QString &line) { tree.read(line, start.addSecs(second++)); };
        read(u"these 2 derivations will be built:"_s);
        read(u"  "_s + hash + u"magma-2.9.drv"_s);
        read(u"  "_s + hash + u"python3.13-torch-2.8.0.drv"_s);
        read(u"this path will be fetched (1.2 MiB download, 3.4 MiB unpacked):"_s);
        read(u"  "_s + hash + u"gcc-14"_s);
        QCOMPARE(shown(tree),
                 (QStringList{u"magma-2.9 waiting"_s, u"python3.13-torch-2.8.0 waiting"_s, u"gcc-14 waiting"_s}));
        read(u"copying path '"_s + hash + u"gcc-14' from 'https://example.org'..."_s);
        read(u"building '"_s + hash + u"magma-2.9.drv'..."_s);
        read(u"magma> Running phase: buildPhase"_s);
        read(u"magma> [3/9] x"_s);
        read(u"magma> [1/2] a nested one"_s);
        QCOMPARE(shown(tree), (QStringList{u"magma-2.9 building buildPhase 3/9"_s, u"python3.13-torch-2.8.0 waiting"_s,
                                           u"gcc-14 fetching"_s}));
        const QDateTime began = tree.nodes().constFirst().since;
        QCOMPARE(began, start.addSecs(6));
        // The one that needs the others begins: they are done.
        read(u"building '"_s + hash + u"python3.13-torch-2.8.0.drv'..."_s);
        QCOMPARE(tree.nodes().constFirst().until, start.addSecs(10));
        read(u"python3.13-torch> Running phase: unpackPhase"_s);
        QCOMPARE(shown(tree), (QStringList{u"magma-2.9 done buildPhase 3/9"_s,
                                           u"python3.13-torch-2.8.0 building unpackPhase"_s, u"gcc-14 done"_s}));
        DerivationTree ended = tree;
        ended.end(State::Done);
        QCOMPARE(ended.count(State::Done), 3);
        read(u"error: Cannot build '"_s + hash + u"python3.13-torch-2.8.0.drv'."_s);
        QCOMPARE(tree.count(State::Failed), 1);
        tree.end(State::Failed);
        QCOMPARE(tree.count(State::Done), 2);
    }

    void knowsBuildersThatNobodyAnnounced()
    {
        DerivationTree tree;
        QVERIFY(tree.read(u"nccl> [1/5] x"));
        QVERIFY(!tree.read(u"nccl> some words"));
        QVERIFY(!tree.read(u"no derivation"));
        QCOMPARE(shown(tree), QStringList{u"nccl building 1/5"_s});
    }

    void staysBounded()
    {
        QRandomGenerator random(3);
        DerivationTree tree;
        for (int i = 0; i < 50'000; ++i)
            tree.read(u"p%1> [%2/9] x"_s.arg(random.bounded(1'000'000)).arg(random.bounded(12)));
        QVERIFY(tree.nodes().size() <= DerivationTree::mostNodes);
        for (int i = 0; i < 3000; ++i) {
            QString line;
            for (int c = 0; c < 40; ++c)
                line += QChar(random.bounded(0x80));
            tree.read(u"building '"_s + line);
            tree.read(line + u"> x"_s);
        }
    }

    void tellsOfSilence()
    {
        const QDateTime now = QDateTime::fromSecsSinceEpoch(1'000'000);
        QCOMPARE(silentMinutes({}, now), std::nullopt);
        QCOMPARE(silentMinutes(now.addSecs(-599), now), std::nullopt);
        QCOMPARE(silentMinutes(now.addSecs(-600), now), 10);
        QCOMPARE(silentMinutes(now.addSecs(60), now), std::nullopt);
    }
};

TM_TEST(tst_DerivationTree, QCoreApplication)
#include "tst_derivationtree.moc"
