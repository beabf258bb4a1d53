// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/VerbFixture.h"

#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx::test;

class VerbReadmeTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void fromTheProposalToTheCheck()
    {
        const VerbFixture fixture;
        const Ran proposed = fixture.verb({u"readme"_s});
        QCOMPARE(proposed.exitCode, 1);
        QVERIFY2(proposed.out.startsWith("main: README.md has no markers; with --place they go "), proposed.out.constData());
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "1\n");
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s}).exitCode, 1);

        const Ran placed = fixture.verb({u"readme"_s, u"--place"_s, u"--all-branches"_s});
        QCOMPARE(placed.exitCode, 0);
        QCOMPARE(placed.out.count('\n'), 3);
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s})
            QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, branch}).out, "2\n");
        QVERIFY(fixture.git({u"status"_s, u"--porcelain"_s}).out.isEmpty());
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s, u"--all-branches"_s}).exitCode, 0);
        QCOMPARE(fixture.verb({u"readme"_s, u"--all-branches"_s}).exitCode, 0);
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "2\n"); // nothing new, no commit

        fixture.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Take one out"_s});
        const Ran stale = fixture.verb({u"readme"_s, u"--check"_s, u"--json"_s});
        QCOMPARE(stale.exitCode, 1);
        QCOMPARE(stale.json()[u"branches"_s][0][u"state"_s].toString(), u"stale"_s);
        const Ran written = fixture.verb({u"readme"_s, u"--branch"_s, u"cuda-12_9"_s, u"--json"_s});
        QCOMPARE(written.exitCode, 0);
        QCOMPARE(written.json()[u"branches"_s].toArray().size(), 1);
        QCOMPARE(written.json()[u"branches"_s][0][u"commit"_s].toString().toLatin1() + '\n', fixture.git({u"rev-parse"_s, u"cuda-12_9"_s}).out);
    }

    void refusals()
    {
        const VerbFixture fixture;
        QCOMPARE(fixture.verb({u"readme"_s, u"--branch"_s, u"nothing"_s}).exitCode, 3);
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s, u"--place"_s}).exitCode, 2);
        QCOMPARE(fixture.verb({u"readme"_s, u"--branch"_s, u"main"_s, u"--all-branches"_s}).exitCode, 2);
        fixture.write(u"README.md"_s, "<!-- torch-matrix: begin -->\n");
        fixture.git({u"commit"_s, u"-qam"_s, u"Half"_s});
        const Ran half = fixture.verb({u"readme"_s, u"--check"_s});
        QCOMPARE(half.exitCode, 3);
        QVERIFY2(half.err.contains("one of the two markers is missing"), half.err.constData());
        fixture.git({u"checkout"_s, u"-q"_s, u"--detach"_s});
        QVERIFY(fixture.verb({u"readme"_s}).err.contains("no branch is checked out"));
    }
};

QTEST_GUILESS_MAIN(VerbReadmeTest)
#include "tst_verb_readme.moc"
