// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// The message if a branch, or its settings file, cannot be read; the other branches are shown nevertheless.
class VerbBranchesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return m_fixture->verb(arguments); }
    [[nodiscard]] static QStringList hopper()
    {
        return {u"--on"_s, QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/detect.json")};
    }

    /// Removes the tree of the branch's recipes from the repository, like a broken disk.
    void damage(const QString &branch) const
    {
        const QString id =
            QString::fromLatin1(m_fixture->git({u"rev-parse"_s, branch + u":.flox/pkgs"_s}).out.trimmed());
        QVERIFY(QFile::remove(m_fixture->sample() + u"/.git/objects/"_s + id.first(2) + u'/' + id.sliced(2)));
    }
    static QStringList namesOf(const QJsonArray &branches, const QString &key = u"name"_s)
    {
        QStringList names;
        for (const QJsonValue &branch : branches)
            names.append(branch[key].toString());
        return names;
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
    }

    void aBrokenLineIsAFinding()
    {
        m_fixture->write(u"torch-matrix.toml"_s, "base = 'main'\n\nmetadata_rev = 'x'\n");
        const QByteArray sentence = "Could not read torch-matrix.toml, line 3: metadata_rev must be a whole number";
        const Ran text = verb({u"list"_s});
        QCOMPARE(text.exitCode, 1);
        QVERIFY(text.out.contains("44 variants"));
        QVERIFY2(text.err.startsWith("main: " + sentence), text.err.constData());
        QCOMPARE(text.err.count('\n'), 1);

        const Ran json = verb({u"list"_s, u"--json"_s});
        QCOMPARE(json.exitCode, 1);
        QVERIFY(json.json()[u"branches"_s][0][u"line_error"_s].toString().startsWith(QString::fromLatin1(sentence)));

        const QStringList all{u"list"_s, u"--all-branches"_s, u"--json"_s};
        for (const Ran &ran : {verb(all), verb(all)}) { // the second from the cache
            QCOMPARE(ran.exitCode, 1);
            QCOMPARE(namesOf(ran.json()[u"branches"_s].toArray()),
                     (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s}));
            QVERIFY(ran.json()[u"branches"_s][2][u"line_error"_s].toString().startsWith(QString::fromLatin1(sentence)));
            QVERIFY(ran.json()[u"errors"_s].toArray().isEmpty());
        }
        m_fixture->write(u"torch-matrix.toml"_s, "base = 'main'\n");
        QCOMPARE(verb({u"list"_s}).exitCode, 0);
        QCOMPARE(verb(all).exitCode, 0);
    }

    void pickSaysWhatHasNoRecipe()
    {
        QTemporaryDir folder;
        QFile text(folder.filePath(u"unlike.txt"_s));
        QVERIFY(text.open(QIODevice::WriteOnly));
        QFile cpu(QStringLiteral(TM_FIXTURES "/hosts/h100-sapphire-rapids/lscpu.txt"));
        QVERIFY(cpu.open(QIODevice::ReadOnly));
        text.write(cpu.readAll() +
                   "NVIDIA GeForce RTX 4090, 8.9, 580.95.05\nNVIDIA GeForce RTX 3090, 8.6, 580.95.05\n");
        text.close();
        const QStringList pick{u"pick"_s, u"--on"_s, text.fileName()};
        QVERIFY(!verb(pick).err.contains("(there is no recipe)"));
        m_fixture->git({u"rm"_s, u"-qr"_s, u".flox/pkgs"_s});
        m_fixture->write(u"torch-matrix.toml"_s, "base = 'main'\n");
        m_fixture->git({u"add"_s, u"."_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Delete all"_s});
        const Ran none = verb(pick);
        QVERIFY2(none.err.contains("For all of its GPUs: pytorch-python313-cuda12_8-sm86-avx512 (there is no recipe)"),
                 none.err.constData());
    }

    /// Of the GPUs that no branch has a recipe for, only those of the machine are named.
    void pickNamesWhatIsMissingOfTheMachine()
    {
        const QStringList pick{u"pick"_s, u"--all-branches"_s};
        QVERIFY2(!verb(pick + hopper()).err.contains("no recipe on any branch"), verb(pick + hopper()).err.constData());
        QTemporaryDir folder;
        const QString text = folder.filePath(u"orin.txt"_s);
        putFile(text, "NVIDIA Jetson AGX Orin, 8.7, 540.4.0\n");
        const Ran ran = verb(pick + QStringList{u"--on"_s, text});
        QVERIFY2(ran.err.count("no recipe on any branch") == 1 && ran.err.contains("8.7: no recipe on any branch"),
                 ran.err.constData());
    }

    void listShowsTheOtherBranches()
    {
        damage(u"cuda-12_9"_s);
        const Ran text = verb({u"list"_s, u"--all-branches"_s});
        QCOMPARE(text.exitCode, 1);
        QVERIFY(text.out.contains("44 variants"));
        QVERIFY(text.out.contains("59 variants"));
        QVERIFY2(text.err.startsWith("cuda-12_9: Could not read "), text.err.constData());
        QCOMPARE(text.err.count('\n'), 1);

        const Ran json = verb({u"list"_s, u"--all-branches"_s, u"--json"_s});
        QCOMPARE(json.exitCode, 1);
        QCOMPARE(namesOf(json.json()[u"branches"_s].toArray()), (QStringList{u"cuda-13_0"_s, u"main"_s}));
        QCOMPARE(namesOf(json.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"cuda-12_9"_s});
        QCOMPARE(json.err, text.err);
        QCOMPARE(verb({u"list"_s}).exitCode, 0);
        QCOMPARE(verb({u"list"_s, u"--branch"_s, u"cuda-12_9"_s}).exitCode, 3);
    }

    // The others are read, and the sentence says how to restore it.
    void theCheckedOutBranchIsBroken()
    {
        const QString file = u".git/refs/heads/main"_s;
        const QByteArray commit = m_fixture->git({u"rev-parse"_s, u"main"_s}).out.trimmed();
        m_fixture->write(file, "no id\n");
        const Ran list = verb({u"list"_s});
        QCOMPARE(list.exitCode, 3);
        QVERIFY2(list.err.contains("Could not read the branch main: ") &&
                     list.err.contains("git update-ref refs/heads/main " + commit),
                 list.err.constData());
        for (const Ran &text : {verb({u"plan"_s}), verb({u"show"_s, u"pytorch-python313-cpu-avx2"_s})}) {
            QCOMPARE(text.exitCode, 3);
            QCOMPARE(text.err, list.err);
        }
        const Ran all = verb({u"list"_s, u"--all-branches"_s, u"--json"_s});
        QCOMPARE(all.exitCode, 1);
        QCOMPARE(namesOf(all.json()[u"branches"_s].toArray()), (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s}));
        QCOMPARE(namesOf(all.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"main"_s});
        QCOMPARE(verb({u"list"_s, u"--branch"_s, u"cuda-12_9"_s}).exitCode, 0);
        QCOMPARE(verb({u"compare"_s, u"cuda-12_9"_s, u"cuda-13_0"_s}).exitCode, 0);
        QVERIFY(QFile::remove(m_fixture->sample() + u'/' + file));
        m_fixture->git({u"update-ref"_s, u"refs/heads/main"_s, QString::fromLatin1(commit)});
        QCOMPARE(verb({u"list"_s}).exitCode, 0);
    }

    void packedRefsAreDamaged()
    {
        const QString file = u".git/packed-refs"_s;
        m_fixture->git({u"pack-refs"_s, u"--all"_s});
        m_fixture->git({u"branch"_s, u"loose"_s, u"main"_s});
        const QByteArray sound = m_fixture->read(file);
        m_fixture->write(file, sound + "this is no ref\n");
        const Ran all = verb({u"list"_s, u"--all-branches"_s, u"--json"_s});
        QCOMPARE(all.exitCode, 1);
        QVERIFY2(all.err.contains("packed-refs: ") && all.err.contains("remove it from the file"), all.err.constData());
        QCOMPARE(namesOf(all.json()[u"branches"_s].toArray()),
                 (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s, u"loose"_s, u"main"_s}));
        QCOMPARE(namesOf(all.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"packed-refs"_s});
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"loose"_s})
            QCOMPARE(verb({u"list"_s, u"--branch"_s, branch}).exitCode, 0);
        m_fixture->write(file, sound);
        QCOMPARE(verb({u"list"_s, u"--all-branches"_s}).exitCode, 0);
    }

    void aBrokenRefIsAFinding_data()
    {
        QTest::addColumn<QByteArray>("ref");
        QTest::newRow("no id") << QByteArray("no id\n");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a link to no branch") << QByteArray("ref: refs/heads/none\n");
        QTest::newRow("a link to itself") << QByteArray("ref: refs/heads/bad\n");
        QTest::newRow("no such commit") << QByteArray("1234567890123456789012345678901234567890\n");
    }
    void aBrokenRefIsAFinding()
    {
        QFETCH(QByteArray, ref);
        m_fixture->write(u".git/refs/heads/bad"_s, ref);
        m_fixture->write(u".git/refs/heads/cuda-12_9.lock"_s, ""); // not a branch
        const QStringList others{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s};
        const Ran text = verb({u"list"_s, u"--all-branches"_s});
        QCOMPARE(text.exitCode, 1);
        QCOMPARE(text.out.count(" variants"), 3);
        QVERIFY2(text.err.startsWith("bad: Could not read "), text.err.constData());
        QCOMPARE(text.err.count('\n'), 1);
        const QStringList all{u"list"_s, u"--all-branches"_s, u"--json"_s};
        for (const Ran &json : {verb(all), verb(all)}) { // the second from the cache
            QCOMPARE(json.exitCode, 1);
            QCOMPARE(namesOf(json.json()[u"branches"_s].toArray()), others);
            QCOMPARE(namesOf(json.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"bad"_s});
            QCOMPARE(json.err, text.err);
        }
        const Ran picked = verb(QStringList{u"pick"_s, u"--all-branches"_s, u"--json"_s} + hopper());
        QCOMPARE(picked.exitCode, 1);
        QCOMPARE(namesOf(picked.json()[u"branches"_s].toArray(), u"branch"_s),
                 (QStringList{u"cuda-13_0"_s, u"cuda-12_9"_s, u"main"_s})); // the one that fits best first
        QCOMPARE(namesOf(picked.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"bad"_s});
        const Ran compared = verb({u"compare"_s, u"main"_s, u"bad"_s, u"cuda-13_0"_s, u"--json"_s});
        QCOMPARE(compared.exitCode, 1);
        QCOMPARE(namesOf(compared.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"bad"_s});
        const Ran alone = verb({u"list"_s, u"--branch"_s, u"bad"_s});
        QCOMPARE(alone.exitCode, 3);
        QVERIFY2(alone.err.startsWith("torch-matrix: Could not read "), alone.err.constData());
        QCOMPARE(verb({u"list"_s}).exitCode, 0);
    }

    void brokenSettingsOfAnotherBranchAreAFinding()
    {
        m_fixture->git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        m_fixture->write(u"torch-matrix.toml"_s, "base = \n[[[");
        m_fixture->git({u"add"_s, u"torch-matrix.toml"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Break it"_s});
        m_fixture->git({u"checkout"_s, u"-q"_s, u"main"_s});
        const QStringList all{u"list"_s, u"--all-branches"_s, u"--json"_s};
        for (const Ran &ran : {verb(all), verb(all)}) { // the second from the cache
            QCOMPARE(ran.exitCode, 1);
            const QJsonArray branches = ran.json()[u"branches"_s].toArray();
            QCOMPARE(namesOf(branches), (QStringList{u"cuda-12_9"_s, u"cuda-13_0"_s, u"main"_s}));
            QVERIFY(branches.at(0)[u"line_error"_s].toString().contains("torch-matrix.toml"_L1));
            QCOMPARE(branches.at(1)[u"line_error"_s].toString(), QString());
            QVERIFY(ran.json()[u"errors"_s].toArray().isEmpty());
        }
        const Ran picked = verb(QStringList{u"pick"_s, u"--all-branches"_s} + hopper());
        QVERIFY2(picked.out.contains("\nmain\t"), picked.out.constData());
        QVERIFY2(picked.err.contains("cuda-12_9: Could not read torch-matrix.toml"), picked.err.constData());
        QCOMPARE(verb({u"list"_s}).exitCode, 0);
        // Recipes are compared without settings, but the invalid settings are reported.
        for (const QStringList &option : {QStringList(), {u"--json"_s}, {u"--markdown"_s}}) {
            const Ran compared = verb(QStringList{u"compare"_s, u"main"_s, u"cuda-12_9"_s} + option);
            QCOMPARE(compared.exitCode, 0);
            QVERIFY2(compared.err.contains("cuda-12_9: Could not read torch-matrix.toml"), compared.err.constData());
        }
    }

    void threeHundredBranches()
    {
        QByteArray refs;
        for (int i = 0; i < 300; ++i)
            refs += "refs/heads/copies/" + QByteArray::number(i).rightJustified(3, '0') + '\n';
        const QByteArray tip = m_fixture->git({u"rev-parse"_s, u"main"_s}).out.trimmed();
        QByteArray packed = "# pack-refs with: peeled fully-peeled sorted \n";
        for (const QByteArray &ref : refs.split('\n')) {
            if (!ref.isEmpty())
                packed += tip + ' ' + ref + '\n';
        }
        m_fixture->write(u".git/packed-refs"_s, packed);
        const QStringList list{u"list"_s, u"--all-branches"_s, u"--json"_s};
        const Ran first = verb(list);
        QCOMPARE(first.exitCode, 0);
        const QJsonArray branches = first.json()[u"branches"_s].toArray();
        QCOMPARE(branches.size(), 303);
        QCOMPARE(branches.at(0)[u"name"_s].toString(), u"copies/000"_s);
        QCOMPARE(branches.at(299)[u"commit"_s].toString().toLatin1(), tip);
        QCOMPARE(branches.at(299)[u"variants"_s].toArray().size(), 44);
        QCOMPARE(verb(list).out, first.out); // from the cache, or what of it fits
    }

    void theCheckedOutBranchMayBeTheOneThatCannotBeRead()
    {
        damage(u"main"_s);
        const Ran text = verb({u"list"_s, u"--all-branches"_s});
        QCOMPARE(text.exitCode, 1);
        QVERIFY(text.out.contains("59 variants"));
        QVERIFY2(text.err.startsWith("main: Could not read "), text.err.constData());
        QCOMPARE(verb({u"list"_s}).exitCode, 3);
    }

    void whereNoBranchCanBeReadNothingIsDone()
    {
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s})
            damage(branch);
        for (const QStringList &arguments :
             {QStringList{u"list"_s}, QStringList{u"list"_s, u"--json"_s}, QStringList{u"pick"_s} + hopper()}) {
            const Ran ran = verb(arguments + QStringList{u"--all-branches"_s});
            QCOMPARE(ran.exitCode, 3);
            QVERIFY(ran.out.isEmpty());
            QCOMPARE(ran.err.count('\n'), 1);
        }
    }

    void picksOfAllBranchesSayWhichBranchTheyAreOf()
    {
        QCOMPARE(verb(QStringList{u"pick"_s} + hopper()).out.count('\t'), 0);
        const QByteArray first = "cuda-13_0\tpytorch-python313-cuda13_0-sm90-avx512\n";
        const QByteArray last = "main\tpytorch-python313-cuda12_8-sm90-avx512\n";
        const Ran all = verb(QStringList{u"pick"_s, u"--all-branches"_s} + hopper());
        QCOMPARE(all.exitCode, 0);
        QCOMPARE(all.out, first + "cuda-12_9\tpytorch-python313-cuda12_9-sm90-avx512\n" + last);

        damage(u"cuda-12_9"_s);
        const Ran rest = verb(QStringList{u"pick"_s, u"--all-branches"_s} + hopper());
        QCOMPARE(rest.exitCode, 1);
        QCOMPARE(rest.out, first + last);
        QVERIFY2(rest.err.contains("\ncuda-12_9: Could not read "), rest.err.constData());
        const Ran json = verb(QStringList{u"pick"_s, u"--all-branches"_s, u"--json"_s} + hopper());
        QCOMPARE(json.exitCode, 1);
        QCOMPARE(namesOf(json.json()[u"branches"_s].toArray(), u"branch"_s), (QStringList{u"cuda-13_0"_s, u"main"_s}));
        QCOMPARE(namesOf(json.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"cuda-12_9"_s});
    }

    void aRepositoryWithoutACommitIsSaidToHaveNone()
    {
        m_fixture->git({u"checkout"_s, u"-q"_s, u"--orphan"_s, u"fresh"_s});
        for (const QString &words : {u"history pytorch-python313-cpu-avx2"_s, u"compare fresh ."_s,
                                     u"compare HEAD main"_s, u"readme --check"_s}) {
            const Ran ran = verb(words.split(u' '));
            QCOMPARE(ran.exitCode, 3);
            QVERIFY2(ran.err.contains("it has no commit yet. Commit something first."), ran.err.constData());
            QCOMPARE(ran.err.count('\n'), 1);
        }
        QCOMPARE(verb({u"list"_s, u"--all-branches"_s}).exitCode, 0);
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s})
            m_fixture->git({u"branch"_s, u"-qD"_s, branch});
        const Ran ran = verb({u"readme"_s, u"--all-branches"_s, u"--check"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("it has no commit yet"), ran.err.constData());
    }

    void whereNoDisplayIsThatIsSaid()
    {
        const Ran window = verb({m_fixture->sample()});
        QCOMPARE(window.exitCode, 3);
        QVERIFY2(window.err.startsWith("torch-matrix: There is no display"), window.err.constData());
        for (const QStringList &wrong :
             {QStringList{u"--nope"_s}, QStringList{m_fixture->sample(), u"--size"_s, u"big"_s}}) {
            const Ran ran = verb(wrong);
            QCOMPARE(ran.exitCode, 2);
            QVERIFY2(ran.err.endsWith("Run with --help to see the options.\n"), ran.err.constData());
            QCOMPARE(ran.err.count('\n'), 1);
        }
    }

    void comparesTheOtherSidesInTheOrderInWhichTheyAreNamed()
    {
        QVERIFY(
            verb({u"compare"_s, u"main"_s, u"cuda-13_0"_s, u"--markdown"_s}).out.startsWith("# main · cuda-13_0\n"));
        damage(u"cuda-12_9"_s);
        const QStringList sides{u"compare"_s, u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s};
        const Ran ran = verb(sides + QStringList{u"--json"_s});
        QCOMPARE(ran.exitCode, 1);
        QCOMPARE(namesOf(ran.json()[u"sides"_s].toArray()), (QStringList{u"main"_s, u"cuda-13_0"_s}));
        QCOMPARE(namesOf(ran.json()[u"errors"_s].toArray(), u"branch"_s), QStringList{u"cuda-12_9"_s});
        QVERIFY2(ran.err.startsWith("cuda-12_9: Could not read "), ran.err.constData());
        QCOMPARE(verb(sides.first(3)).exitCode, 3); // nothing to compare main with
        QCOMPARE(verb({u"compare"_s, u"main"_s, u"cuda-31_0"_s, u"cuda-13_0"_s}).exitCode, 3); // misspelt
    }
};

TM_TEST(VerbBranchesTest, QCoreApplication)
#include "tst_verb_branches.moc"
