// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
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
        QVERIFY2(proposed.out.startsWith("main: README.md has no markers; --place --apply adds them "),
                 proposed.out.constData());
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "1\n");
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s}).exitCode, 1);

        // Shown, and not written.
        const Ran shown = fixture.verb({u"readme"_s, u"--place"_s});
        QCOMPARE(shown.exitCode, 1);
        QVERIFY2(shown.out.startsWith("--- a/README.md\n+++ b/README.md\n"), shown.out.constData());
        QVERIFY(shown.out.contains("\n+<!-- torch-matrix: begin -->\n"));
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "1\n");

        const Ran placed = fixture.verb({u"readme"_s, u"--place"_s, u"--apply"_s, u"--all-branches"_s});
        QCOMPARE(placed.exitCode, 0);
        QCOMPARE(placed.out.count('\n'), 3);
        for (const QString &branch : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s})
            QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, branch}).out, "2\n");
        QVERIFY(fixture.git({u"status"_s, u"--porcelain"_s}).out.isEmpty());
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s, u"--all-branches"_s}).exitCode, 0);
        QCOMPARE(fixture.verb({u"readme"_s, u"--all-branches"_s, u"--apply"_s}).exitCode, 0);
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "2\n"); // nothing new, no commit

        fixture.git({u"rm"_s, u"-q"_s, u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Take one out"_s});
        const Ran stale = fixture.verb({u"readme"_s, u"--check"_s, u"--json"_s});
        QCOMPARE(stale.exitCode, 1);
        QCOMPARE(stale.json()[u"branches"_s][0][u"state"_s].toString(), u"stale"_s);
        const Ran seen = fixture.verb({u"readme"_s, u"--branch"_s, u"cuda-12_9"_s, u"--json"_s});
        QCOMPARE(seen.exitCode, 1);
        QVERIFY(seen.json()[u"branches"_s][0][u"diff"_s].toString().contains(
            u"\n-| `main`          | 2.8.0   | 12.8 | 3.13   | 44 "_s));
        const Ran written = fixture.verb({u"readme"_s, u"--branch"_s, u"cuda-12_9"_s, u"--apply"_s, u"--json"_s});
        QCOMPARE(written.exitCode, 0);
        QCOMPARE(written.json()[u"branches"_s].toArray().size(), 1);
        QCOMPARE(written.json()[u"branches"_s][0][u"commit"_s].toString().toLatin1() + '\n',
                 fixture.git({u"rev-parse"_s, u"cuda-12_9"_s}).out);
    }

    void markersInACodeBlockAreSaidToBeThere()
    {
        const VerbFixture fixture;
        const QByteArray code = "# Ours\n\n```\n<!-- torch-matrix: begin -->\n<!-- torch-matrix: end -->\n```\n";
        fixture.write(u"README.md"_s, code);
        fixture.git({u"commit"_s, u"-qam"_s, u"Show how"_s});
        const Ran told = fixture.verb({u"readme"_s});
        QCOMPARE(told.exitCode, 1);
        QCOMPARE(told.out, "main: the markers of README.md are in a code block (line 4), where they have no "
                           "effect; --place --apply adds markers at the end (line 7)\n");
        QCOMPARE(fixture.verb({u"readme"_s, u"--place"_s, u"--apply"_s}).exitCode, 0);
        QVERIFY(fixture.read(u"README.md"_s).startsWith(code));

        fixture.write(u"README.md"_s, code + "<!-- torch-matrix: end -->\n");
        fixture.git({u"commit"_s, u"-qam"_s, u"Half"_s});
        const Ran half = fixture.verb({u"readme"_s});
        QCOMPARE(half.exitCode, 3);
        QVERIFY2(half.err.contains("one of the two markers is missing; the one in line 4 is in a code block"),
                 half.err.constData());
    }

    void aLineThatIsNotKnownMakesNoTables()
    {
        const VerbFixture fixture;
        QCOMPARE(fixture.verb({u"readme"_s, u"--place"_s, u"--apply"_s}).exitCode, 0);
        fixture.write(u"torch-matrix.toml"_s, "bse = 'main'\n");
        fixture.git({u"add"_s, u"."_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Misspelt"_s});
        for (const QString &option : {u"--check"_s, u"--place"_s}) {
            const Ran ran =
                fixture.verb({u"readme"_s, option, u"--branch"_s, u"cuda-12_9"_s}); // whose README has a row for main
            QCOMPARE(ran.exitCode, 3);
            QVERIFY2(ran.err.contains("main: torch-matrix.toml, line 1: bse is not a known key"), ran.err.constData());
        }
    }

    /// A toolkit that the settings lack: the two ways to it.
    void generateSaysHowToGetAToolkit()
    {
        const VerbFixture fixture;
        const Ran ran = fixture.verb({u"generate"_s, u"pytorch-python313-cuda13_0-sm90-avx2"_s});
        QCOMPARE(ran.exitCode, 3);
        QVERIFY2(ran.err.contains("\"settings set cudas 12.8,13.0\" adds it, and lists its variants."),
                 ran.err.constData());
    }

    void refusals()
    {
        const VerbFixture fixture;
        QCOMPARE(fixture.verb({u"readme"_s, u"--branch"_s, u"nothing"_s}).exitCode, 3);
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s, u"--place"_s}).exitCode, 2);
        QCOMPARE(fixture.verb({u"readme"_s, u"--check"_s, u"--apply"_s}).exitCode, 2);
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

TM_TEST(VerbReadmeTest, QCoreApplication)
#include "tst_verb_readme.moc"
