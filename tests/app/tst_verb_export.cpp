// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Pipelines.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

class VerbExportTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void fromTheDifferenceToTheCommit()
    {
        const VerbFixture fixture;
        const QString path = ciFile(CiHost::GitHub);
        const Ran shown = fixture.verb({u"export"_s, u"github"_s});
        QCOMPARE(shown.exitCode, 1);
        QVERIFY2(shown.out.startsWith("--- a/.github/workflows/torch-matrix.yml\n+++ b/"), shown.out.constData());
        QVERIFY(shown.out.endsWith("main: .github/workflows/torch-matrix.yml is not written; --apply commits it\n"));
        QVERIFY(fixture.git({u"status"_s, u"--porcelain"_s}).out.isEmpty());

        const Ran printed = fixture.verb({u"export"_s, u"github"_s, u"--stdout"_s});
        QCOMPARE(printed.exitCode, 0);
        QVERIFY_OK(readPipeline(CiHost::GitHub, printed.out));
        const Ran written = fixture.verb({u"export"_s, u"github"_s, u"--apply"_s, u"--json"_s});
        QCOMPARE(written.exitCode, 0);
        QCOMPARE(written.json()[u"state"_s].toString(), u"written"_s);
        QCOMPARE(written.json()[u"commit"_s].toString().toLatin1() + '\n',
                 fixture.git({u"rev-parse"_s, u"main"_s}).out);
        QCOMPARE(fixture.read(path), printed.out);
        const Ran again = fixture.verb({u"export"_s, u"github"_s, u"--apply"_s});
        QCOMPARE(again.exitCode, 0);
        QCOMPARE(again.out, "main: .github/workflows/torch-matrix.yml is up to date\n");
        QCOMPARE(fixture.git({u"rev-list"_s, u"--count"_s, u"main"_s}).out, "2\n");

        // Taken back like any other change.
        QCOMPARE(fixture.verb({u"plan"_s, u"--undo"_s, u"--apply"_s}).exitCode, 0);
        QVERIFY(!QFile::exists(fixture.sample() + u"/.github"_s));
    }

    void onlyWhatIsAskedFor()
    {
        const VerbFixture fixture;
        const Ran missing = fixture.verb({u"export"_s, u"gitlab"_s, u"--only"_s, u"missing"_s, u"--branch"_s,
                                          u"cuda-13_0"_s, u"--stdout"_s, u"--runner"_s, u"big"_s});
        QCOMPARE(missing.exitCode, 0);
        const Result<QJsonObject> pipeline = readPipeline(CiHost::GitLab, missing.out);
        QVERIFY_OK(pipeline);
        qsizetype jobs = 0;
        for (const ReadMatrix &matrix : matricesOf(CiHost::GitLab, *pipeline, missing.out)) {
            jobs += matrix.jobs.size();
            QCOMPARE(matrix.job[u"tags"_s][0].toString(), u"big"_s);
        }
        QCOMPARE(jobs, 59); // nothing was built here
        const Ran stale = fixture.verb({u"export"_s, u"github"_s, u"--only"_s, u"stale"_s});
        QCOMPARE(stale.exitCode, 3);
        QVERIFY2(stale.err.contains("no recipe matches"), stale.err.constData());
    }

    void aFileWithoutMarkers()
    {
        const VerbFixture fixture;
        fixture.write(u".gitlab-ci.yml"_s, "ours:\n  script: ['true']\n");
        fixture.git({u"add"_s, u"."_s});
        fixture.git({u"commit"_s, u"-qm"_s, u"Ours"_s});
        const Ran shown = fixture.verb({u"export"_s, u"gitlab"_s, u"--apply"_s});
        QCOMPARE(shown.exitCode, 1);
        QVERIFY(shown.out.endsWith(".gitlab-ci.yml has no markers; --place --apply puts the pipeline at its end\n"));
        QCOMPARE(fixture.read(u".gitlab-ci.yml"_s), "ours:\n  script: ['true']\n");
        QCOMPARE(fixture.verb({u"export"_s, u"gitlab"_s, u"--apply"_s, u"--place"_s}).exitCode, 0);
        QVERIFY_OK(readPipeline(CiHost::GitLab, fixture.read(u".gitlab-ci.yml"_s)));
        fixture.write(u".gitlab-ci.yml"_s, "mine\n");
        const Ran refused = fixture.verb({u"export"_s, u"gitlab"_s, u"--apply"_s, u"--place"_s});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("it has uncommitted changes"), refused.err.constData());
    }
};

TM_TEST(VerbExportTest, QCoreApplication)
#include "tst_verb_export.moc"
