// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// compare, history and list --all-branches as a person runs them.
class VerbCompareTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;
    [[nodiscard]] Ran verb(const QStringList &arguments) const { return m_fixture->verb(arguments); }
    Ran git(const QStringList &arguments) const { return m_fixture->git(arguments); }
    [[nodiscard]] static QString recipe(const QString &name) { return u".flox/pkgs/"_s + name + u".nix"_s; }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<VerbFixture>();
    }

    void totalsOfTwoLines()
    {
        const Ran ran = verb({u"compare"_s, u"main"_s, u"cuda-12_9"_s});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.out.contains("44 cells in both"), ran.out.constData());
        QVERIFY2(ran.out.contains("6 only in cuda-12_9: "), ran.out.constData());
        QVERIFY(ran.err.isEmpty());
    }

    void theWorkTreeAndACommit()
    {
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Nothing"_s});
        m_fixture->write(recipe(name), "{ }: { }\n");
        git({u"rm"_s, u"-q"_s, u"--cached"_s, recipe(u"pytorch-python313-cpu-avx512"_s)});
        const Ran ran = verb({u"compare"_s, u"HEAD~1"_s, u"."_s, u"--only-differences"_s, u"--json"_s});
        QCOMPARE(ran.exitCode, 0);
        const QJsonObject json = ran.json();
        QCOMPARE(json[u"sides"_s][1][u"name"_s].toString(), u"working tree"_s);
        QCOMPARE(json[u"cells"_s].toArray().size(), 1);
        QCOMPARE(json[u"cells"_s][0][u"title"_s].toString(), name);
        QCOMPARE(json[u"totals"_s][u"different"_s].toInt(), 1);
    }

    /// An answer is given again only while all it was made from is as it was.
    void theSameAnswerWhileNothingMoved()
    {
        const QStringList sides{u"compare"_s, u"."_s, u"cuda-12_9"_s, u"--only-differences"_s, u"--json"_s};
        const Ran first = verb(sides);
        QCOMPARE(first.exitCode, 0);
        QCOMPARE(verb(sides).out, first.out);
        const QString name = recipe(u"pytorch-python313-cpu-avx2"_s);
        const QByteArray text = m_fixture->read(name);
        m_fixture->write(name, "{ }: { }\n"); // not committed
        QVERIFY(verb(sides).out != first.out);
        m_fixture->write(name, text);
        QCOMPARE(verb(sides).out, first.out);
        QVERIFY(verb(sides.first(4)).out != first.out); // other options
        git({u"branch"_s, u"-f"_s, u"cuda-12_9"_s, u"main"_s});
        QVERIFY(verb(sides).out != first.out);
    }

    void aFolderIsNoBranch()
    {
        const Ran ran = verb({u"compare"_s, u"main"_s, u".."_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("that is a folder") && ran.err.contains("Write ..@BRANCH"), ran.err.constData());
    }

    void anotherRepository()
    {
        VerbFixture other;
        const Ran ran =
            verb({u"compare"_s, u"main"_s, other.sample() + u"@cuda-12_9"_s, u"--markdown"_s, u"--gpu"_s, u"sm103"_s});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.out.contains("| sm103 |"), ran.out.constData());
        QVERIFY(!ran.out.contains("| sm90 |"));
    }

    void wrongUse_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("words");
        QTest::newRow("one side") << QStringList{u"main"_s} << 2 << u"At least 2 required"_s;
        QTest::newRow("twice") << QStringList{u"main"_s, u"main"_s} << 2 << u"named twice"_s;
        QTest::newRow("unknown") << QStringList{u"main"_s, u"nothing"_s} << 3
                                 << u"has no branch or commit with that name"_s;
        QTest::newRow("row") << QStringList{u"main"_s, u"cuda-12_9"_s, u"--gpu"_s, u"sm9"_s} << 2 << u"no such row"_s;
        QTest::newRow("isa") << QStringList{u"main"_s, u"cuda-12_9"_s, u"--isa"_s, u"sse"_s} << 2
                             << u"no such instruction set"_s;
        QTest::newRow("match") << QStringList{u"main"_s, u"cuda-12_9"_s, u"--match"_s, u"x"_s} << 2 << u"--match"_s;
        QTest::newRow("both formats") << QStringList{u"main"_s, u"cuda-12_9"_s, u"--json"_s, u"--markdown"_s} << 2
                                      << u"excludes"_s;
    }
    void wrongUse()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QString, words);
        const Ran ran = verb(QStringList{u"compare"_s} + arguments);
        QCOMPARE(ran.exitCode, exitCode);
        QVERIFY2(ran.err.contains(words.toUtf8()), ran.err.constData());
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY(ran.out.isEmpty());
    }

    void historyOfARecipe()
    {
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        QByteArray text = m_fixture->read(recipe(name));
        text.replace("-mavx2", "-mavx");
        m_fixture->write(recipe(name), text);
        git({u"commit"_s, u"-qam"_s, u"Other flags"_s});
        git({u"mv"_s, recipe(name), recipe(u"pytorch-py313-cpu-avx2"_s)});
        git({u"commit"_s, u"-qm"_s, u"Rename"_s});
        const Ran ran = verb({u"history"_s, name, u"--json"_s});
        QCOMPARE(ran.exitCode, 0);
        const QJsonArray commits = ran.json()[u"commits"_s].toArray();
        QCOMPARE(commits.size(), 3);
        QCOMPARE(commits.at(0)[u"renamed_from"_s].toString(), recipe(name));
        QCOMPARE(commits.at(1)[u"subject"_s].toString(), u"Other flags"_s);
        QCOMPARE(commits.at(1)[u"text"_s].toString().toUtf8(), text);
        QVERIFY(verb({u"history"_s, name, u"-p"_s}).out.contains("\n    -"));
        QCOMPARE(verb({u"history"_s, name, u"--limit"_s, u"1"_s, u"--json"_s}).json()[u"more"_s].toBool(), true);
        QCOMPARE(verb({u"history"_s, u"pytorch-python313-cpu-avx"_s}).exitCode, 3);
        QCOMPARE(verb({u"history"_s, u"../x"_s}).exitCode, 3);
        QCOMPARE(verb({u"history"_s, name, u"--branch"_s, u"nothing"_s}).exitCode, 3);
    }

    void listKeepsNothingStale()
    {
        const QStringList list{u"list"_s, u"--all-branches"_s, u"--json"_s};
        const auto stateOf = [](const Ran &ran, const QString &branch, const QString &name) {
            for (const auto &one : ran.json()[u"branches"_s].toArray()) {
                for (const auto &variant : one[u"variants"_s].toArray()) {
                    if (one[u"name"_s].toString() == branch && variant[u"name"_s].toString() == name)
                        return variant[u"recipe"_s].toString();
                }
            }
            return QString();
        };
        const QString name = u"pytorch-python313-cpu-avx2"_s;
        const Ran first = verb(list);
        QCOMPARE(first.exitCode, 0);
        QVERIFY(!m_fixture->cacheFiles().isEmpty());
        QCOMPARE(verb(list).out, first.out); // from the cache
        QCOMPARE(stateOf(first, u"main"_s, name), u"current"_s);

        m_fixture->write(recipe(name), "{ }: { }\n");
        QCOMPARE(stateOf(verb(list), u"main"_s, name), u"modified"_s);
        git({u"commit"_s, u"-qam"_s, u"Customise"_s});
        QCOMPARE(stateOf(verb(list), u"main"_s, name), u"customised"_s);
        git({u"checkout"_s, u"-q"_s, u"cuda-12_9"_s});
        QCOMPARE(stateOf(verb(list), u"main"_s, name), u"customised"_s);
        QCOMPARE(stateOf(verb(list), u"cuda-12_9"_s, name), u"current"_s);
        m_fixture->clearCache();
        QCOMPARE(stateOf(verb(list), u"main"_s, name), u"customised"_s);
    }

    void remoteBranchesAreListedWhenAskedFor()
    {
        git({u"update-ref"_s, u"refs/remotes/origin/main"_s, u"main"_s});
        QCOMPARE(verb({u"list"_s, u"--all-branches"_s, u"--json"_s}).json()[u"branches"_s].toArray().size(), 3);
        const QJsonArray branches =
            verb({u"list"_s, u"--all-branches"_s, u"--remotes"_s, u"--json"_s}).json()[u"branches"_s].toArray();
        QCOMPARE(branches.size(), 4);
        QCOMPARE(branches.last()[u"name"_s].toString(), u"origin/main"_s);
        QCOMPARE(branches.last()[u"line"_s][u"source"_s].toString(), u"built-in"_s);
    }
};

TM_TEST(VerbCompareTest, QCoreApplication)
#include "tst_verb_compare.moc"
