// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/hardware/NixBuilders.h"
#include "tests/support/FileText.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

/// Remote builders: their lines, where Nix looks for them, and what each of them takes.
class TestNixBuilders : public QObject
{
    Q_OBJECT

    static QStringList some(QRandomGenerator &random, const QStringList &words)
    {
        QStringList chosen;
        for (const QString &word : words) {
            if (random.bounded(2) == 1)
                chosen.append(word);
        }
        return chosen;
    }

    static NixBuilder generated(QRandomGenerator &random, int number)
    {
        NixBuilder builder;
        builder.store = u"ssh-ng://user@host%1"_s.arg(number);
        builder.systems = some(random, {u"x86_64-linux"_s, u"aarch64-linux"_s, u"i686-linux"_s});
        builder.sshKey = random.bounded(2) == 1 ? u"/keys/one"_s : QString();
        builder.maxJobs = random.bounded(0, 100);
        builder.speedFactor = random.bounded(10.0);
        builder.supportedFeatures = some(random, {u"big-parallel"_s, u"kvm"_s});
        builder.mandatoryFeatures = some(random, {u"cuda"_s, u"benchmark"_s});
        builder.publicHostKey = random.bounded(2) == 1 ? u"c3NoLWVkMjU1MTk="_s : QString();
        return builder;
    }

    static QStringList stores(const QList<NixBuilder> &builders)
    {
        QStringList names;
        for (const NixBuilder &builder : builders)
            names.append(builder.store);
        return names;
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    /// What is written is read back, on lines and separated by semicolons, with comments in between.
    void linesComeBack()
    {
        QRandomGenerator random(15);
        for (int round = 0; round < 500; ++round) {
            QList<NixBuilder> builders;
            QString text;
            for (int i = random.bounded(8); i > 0; --i) {
                builders.append(generated(random, i));
                text += toLine(builders.constLast());
                text += random.bounded(2) == 1 ? u" ; "_s : u" # a comment ; ssh://no\n\n"_s;
            }
            QCOMPARE(parseNixBuilders(text), builders);
        }
    }

    void defaults()
    {
        NixBuilder plain;
        plain.store = u"ssh://a"_s;
        QCOMPARE(parseNixBuilders(u"ssh://a"_s), QList<NixBuilder>{plain});
        QCOMPARE(parseNixBuilders(u"ssh://a - - - - - - -"_s), QList<NixBuilder>{plain});
        QCOMPARE(parseNixBuilders(u"ssh://a -, - - - ,- -,-"_s), QList<NixBuilder>{plain});
    }

    void whatIsNoBuilderIsLeftOut_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("no store") << u"- x86_64-linux"_s;
        QTest::newRow("jobs") << u"ssh://a - - many"_s;
        QTest::newRow("fewer jobs than none") << u"ssh://a - - -1"_s;
        QTest::newRow("speed") << u"ssh://a - - 1 fast"_s;
        QTest::newRow("endless speed") << u"ssh://a - - 1 inf"_s;
        QTest::newRow("no speed") << u"ssh://a - - 1 nan"_s;
        QTest::newRow("nine fields") << u"ssh://a - - 1 1 - - - x"_s;
        QTest::newRow("a file that nobody reads") << u"@/etc/nix/machines"_s;
    }
    void whatIsNoBuilderIsLeftOut()
    {
        QFETCH(QString, text);
        QCOMPARE(stores(parseNixBuilders(text + u"\nssh://b"_s)), QStringList{u"ssh://b"_s});
    }

    void hostileTextIsBounded()
    {
        QCOMPARE(parseNixBuilders(u"ssh://a;"_s.repeated(20'000)).size(), 1024);
        int reads = 0;
        const auto itself = [&reads](const QString &path) {
            ++reads;
            return std::optional(u"ssh://a ; @"_s + path);
        };
        QCOMPARE(parseNixBuilders(u"@/loop"_s, itself).size(), reads);
        QCOMPARE(reads, 4);
        QRandomGenerator random(7);
        for (int round = 0; round < 2000; ++round) {
            QString text;
            for (int i = random.bounded(200); i > 0; --i)
                text += QChar(u"@/;#-, \n\t=a1.e\0\u202e"_s.at(random.bounded(16)));
            for (const NixBuilder &builder : parseNixBuilders(text)) {
                QVERIFY(!builder.store.isEmpty() && builder.maxJobs >= 0);
                QCOMPARE(parseNixBuilders(toLine(builder)), QList<NixBuilder>{builder});
            }
        }
    }

    void takesWhatItsSystemAndFeaturesAllow()
    {
        const NixBuilder builder =
            parseNixBuilders(u"ssh://a aarch64-linux - 1 1 big-parallel,kvm cuda"_s).constFirst();
        QVERIFY(builder.isFor(u"aarch64-linux"_s, u"x86_64-linux"_s));
        QVERIFY(!builder.isFor(u"x86_64-linux"_s, u"x86_64-linux"_s));
        QCOMPARE(builder.featuresAgainst({u"cuda"_s, u"big-parallel"_s}), QStringList());
        QCOMPARE(builder.featuresAgainst({u"cuda"_s, u"benchmark"_s}), QStringList{u"benchmark"_s});
        QCOMPARE(builder.featuresAgainst({}), QStringList{u"cuda"_s});
        const NixBuilder plain = parseNixBuilders(u"ssh://aarch64-linux"_s).constFirst();
        QVERIFY(plain.isFor(u"x86_64-linux"_s, u"x86_64-linux"_s));
        QVERIFY(!plain.isFor(u"aarch64-linux"_s, u"x86_64-linux"_s));
    }

    /// Each place overrides those that Nix reads before it, and files of builders are resolved.
    void readsThePlacesThatNixReads()
    {
        const QTemporaryDir folder;
        const QString root = folder.filePath(u"root"_s);
        QProcessEnvironment environment;
        environment.insert(u"HOME"_s, u"/home/me"_s);
        const auto building = [&] { return nixBuilding(environment, root); };
        QVERIFY(building().builders.isEmpty() && building().here && building().problem.isEmpty());
        QCOMPARE(building().features,
                 (QStringList{u"benchmark"_s, u"big-parallel"_s, u"nixos-test"_s, u"uid-range"_s}));
        tmx::test::putFile(root + u"/dev/kvm"_s, {});
        QVERIFY(building().features->contains(u"kvm"_s));
        tmx::test::putFile(root + u"/etc/nix/machines"_s, "ssh://machines\n");
        QCOMPARE(stores(building().builders), QStringList{u"ssh://machines"_s});
        tmx::test::putFile(root + u"/etc/one"_s, "ssh://one\n");
        tmx::test::putFile(root + u"/etc/two"_s, "ssh://two\n");
        environment.insert(u"NIX_REMOTE_SYSTEMS"_s, u"/etc/one:/etc/two"_s);
        QCOMPARE(stores(building().builders), (QStringList{u"ssh://one"_s, u"ssh://two"_s}));
        tmx::test::putFile(root + u"/etc/nix/nix.conf"_s,
                           "builders = ssh://first\nbuilders = @/etc/nix/machines ; ssh://system # x\n"
                           "system-features = kvm cuda\nmax-jobs = 0\n");
        QCOMPARE(stores(building().builders), (QStringList{u"ssh://machines"_s, u"ssh://system"_s}));
        QCOMPARE(building().features, (QStringList{u"cuda"_s, u"kvm"_s}));
        QVERIFY(!building().here);
        tmx::test::putFile(root + u"/home/me/.config/nix/nix.conf"_s, "builders = ssh://user\n");
        QCOMPARE(stores(building().builders), QStringList{u"ssh://user"_s});
        environment.insert(u"NIX_CONFIG"_s, u"max-jobs = 2\nbuilders = ssh://asked"_s);
        QCOMPARE(stores(building().builders), QStringList{u"ssh://asked"_s});
        QVERIFY(building().here);
        environment.insert(u"NIX_CONFIG"_s, u"builders ="_s);
        QVERIFY(building().builders.isEmpty());
        environment.insert(u"NIX_CONFIG"_s, u"builders=ssh://asked"_s);
        QVERIFY2(building().problem.startsWith("Nix rejects line 1 of NIX_CONFIG."_L1), qPrintable(building().problem));
    }
};

TM_TEST(TestNixBuilders, QCoreApplication)
#include "tst_nixbuilders.moc"
