// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Finished builds, their properties, and publishing them: builds, report, verify, publish.
#include "model/history/BuildHistory.h"
#include "model/job/Job.h"
#include "tests/support/FileText.h"
#include "tests/support/OtherCode.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>
#include <QJsonArray>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::Ran;
using tmx::test::VerbFixture;

namespace {

const QString hopper = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
const QString failing = u"pytorch-python313-cuda12_8-sm90-avx2"_s;

} // namespace

class VerbBuildsTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_state;
    std::unique_ptr<VerbFixture> m_fixture;

    [[nodiscard]] QString calls() const { return m_state.filePath(u"calls"_s); }
    [[nodiscard]] QByteArray called() const { return tmx::test::contentOf(calls()); }
    void addJob(const QString &name, BuildOutcome::Kind kind, const QString &reason, int minutes) const
    {
        Job job;
        job.repository = QFileInfo(m_fixture->sample()).canonicalFilePath();
        job.branch = u"main"_s;
        job.commit = QString::fromLatin1(m_fixture->git({u"rev-parse"_s, u"HEAD"_s}).out.trimmed());
        job.recipe = u".flox/pkgs/%1.nix"_s.arg(name);
        job.blob = QString::fromLatin1(m_fixture->git({u"rev-parse"_s, u"HEAD:"_s + job.recipe}).out.trimmed());
        job.package = job.variant = name;
        job.created = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        const Result<JobFolder> folder = JobFolder::create(m_state.path(), job);
        QVERIFY_OK(folder);
        JobOutcome outcome;
        outcome.build.kind = kind;
        outcome.build.sentence = reason;
        outcome.started = job.created.addSecs(60);
        outcome.ended = outcome.started.addSecs(minutes * 60);
        QVERIFY_OK(folder->writeOutcome(outcome));
    }

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        qputenv("TORCH_MATRIX_STATE", m_state.path().toUtf8());
        qputenv("PATH", QByteArrayLiteral(TM_STANDINS) + ':' + qgetenv("PATH"));
        qputenv("TORCH_MATRIX_STANDIN_FLOX", "already");
        qputenv("TORCH_MATRIX_STANDIN_FLOX_CALLS", calls().toUtf8());
        m_fixture = std::make_unique<VerbFixture>();
        m_fixture->write(u".flox/env/manifest.lock"_s, "{}\n");
        m_fixture->git({u"add"_s, u".flox/env/manifest.lock"_s});
        m_fixture->git({u"commit"_s, u"-qm"_s, u"Lock the environment"_s});
    }

    void tellsWhatWasBuilt()
    {
        QCOMPARE(m_fixture->verb({u"builds"_s}).out, QByteArray());
        addJob(hopper, BuildOutcome::Kind::Built, u"It is built."_s, 61);
        addJob(failing, BuildOutcome::Kind::OutOfMemory, u"Out of memory. Try fewer cores."_s, 5);
        const Ran text = m_fixture->verb({u"builds"_s});
        QCOMPARE(text.exitCode, 0);
        QCOMPARE(text.out.count('\n'), 2);
        QVERIFY2(text.out.contains("built             1:01:00  main  " + hopper.toUtf8()), text.out.constData());
        QCOMPARE(m_fixture->verb({u"builds"_s, u"foo"_s}).exitCode, 2);
        QCOMPARE(m_fixture->verb({u"builds"_s, u"--branch"_s, u"nobranch"_s}).exitCode, 3);
        QCOMPARE(m_fixture->verb({u"publish"_s, hopper, u"-o"_s, u"a/b"_s, u"--dry-run"_s}).exitCode, 2);
        QVERIFY(text.out.contains("out-of-memory        5:00"));
        const QJsonArray builds =
            m_fixture->verb({u"builds"_s, hopper, u"--json"_s}).json().value(u"builds"_s).toArray();
        QCOMPARE(builds.size(), 1);
        QCOMPARE(builds.at(0).toObject().value(u"seconds"_s).toInt(), 3660);
        const Ran csv = m_fixture->verb({u"builds"_s, u"--csv"_s, u"--outcome"_s, u"out-of-memory"_s});
        QCOMPARE(csv.out.count("\r\n"), 2);
        QVERIFY(csv.out.contains(failing.toUtf8()));
        // "failed" matches every failure.
        QVERIFY(m_fixture->verb({u"builds"_s, u"--outcome"_s, u"failed"_s}).out.contains(failing.toUtf8()));
        const Ran nonsense = m_fixture->verb({u"builds"_s, u"--outcome"_s, u"nonsense"_s});
        QCOMPARE(nonsense.exitCode, 2);
        QVERIFY2(nonsense.err.contains("compile-error"), nonsense.err.constData());
    }

    void reportsACampaign()
    {
        const Ran markdown = m_fixture->verb({u"report"_s});
        QCOMPARE(markdown.exitCode, 1); // one failed
        QVERIFY2(markdown.out.contains("## Builds of `main`"), markdown.out.constData());
        QVERIFY(markdown.out.contains("1 of 44 built: 1 failed, 42 not built."));
        QVERIFY(markdown.out.contains("built 1:01:00"));
        QVERIFY(markdown.out.contains("failed: out of memory"));
        QVERIFY(markdown.out.contains("Out of memory. Try fewer cores."));
        QVERIFY(m_fixture->verb({u"report"_s, u"--html"_s}).out.startsWith("<!DOCTYPE html>"));
        const QJsonObject json = m_fixture->verb({u"report"_s, u"--json"_s}).json();
        QCOMPARE(json.value(u"counts"_s).toObject().value(u"failed"_s).toInt(), 1);
        QVERIFY(m_fixture->verb({u"report"_s, u"--branch"_s, u"cuda-13_0"_s}).out.contains("0 of 59 built"));
        QCOMPARE(m_fixture->verb({u"report"_s, u"--branch"_s, u"none"_s}).exitCode, 3);
    }

    void setsADamagedHistoryAside()
    {
        const QString path = m_state.filePath(u"builds.sqlite"_s);
        for (const char *part : {"", "-wal", "-shm"})
            QFile::remove(path + QLatin1StringView(part));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("no database").repeated(1000));
        file.close();
        const Ran ran = m_fixture->verb({u"builds"_s});
        QCOMPARE(ran.exitCode, 0);
        QVERIFY2(ran.err.contains("The history of builds was damaged. It is kept as "), ran.err.constData());
        QCOMPARE(ran.out.count('\n'), 2); // read again from the jobs
        QVERIFY(m_fixture->verb({u"builds"_s}).err.isEmpty());
    }

    void verifiesByFactsFromElsewhere()
    {
        const QString version = m_fixture->verb({u"show"_s, hopper, u"--json"_s})
                                    .json()
                                    .value(u"facts"_s)
                                    .toObject()
                                    .value(u"version"_s)
                                    .toString();
        const QByteArray facts =
            R"({"torch": {"imported": true, "version": "VERSION+cu128"}, "python": "3.13.1",
                "cuda": {"version": "12.8", "arch_list": ["sm_90"], "devices": []},
                "config": "CXX_FLAGS= -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma, X"})";
        const QJsonObject line = m_fixture->verb({u"settings"_s, u"show"_s, u"--json"_s}).json();
        const QString torch =
            line.value(u"versions"_s).toObject().value(u"pytorch"_s).toString(version.isEmpty() ? u"2.8.0"_s : version);
        m_fixture->write(u"facts.json"_s, QByteArray(facts).replace("VERSION", torch.toUtf8()));
        const Ran good = m_fixture->verb({u"verify"_s, hopper, u"--facts"_s, u"facts.json"_s});
        QVERIFY2(good.exitCode == 0, (good.out + good.err).constData());
        QVERIFY(good.out.contains("ok       arch"));
        m_fixture->write(u"facts.json"_s, QByteArray(facts).replace("VERSION", "1.0.0"));
        const Ran wrong = m_fixture->verb({u"verify"_s, hopper, u"--facts"_s, u"facts.json"_s, u"--json"_s});
        QCOMPARE(wrong.exitCode, 1);
        QCOMPARE(wrong.json().value(u"passed"_s).toBool(true), false);
        QCOMPARE(m_fixture->verb({u"verify"_s, failing, u"--facts"_s, u"none.json"_s}).exitCode, 3);
        m_fixture->write(u"facts.json"_s, "[]");
        QVERIFY(m_fixture->verb({u"verify"_s, failing, u"--facts"_s, u"facts.json"_s}).err.contains("verify_torch.py"));
        const Ran none = m_fixture->verb({u"verify"_s, failing});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("it was not built here. \"torch-matrix build " + failing.toUtf8() + "\" builds it"),
                 none.err.constData());
        m_fixture->git({u"clean"_s, u"-qf"_s});
    }

    void comparesSizes()
    {
        const auto result = [this](const QString &name, qsizetype size) {
            const QString folder = m_state.filePath(name + u"/lib/python3.13/site-packages/torch"_s);
            QDir().mkpath(folder);
            QFile file(folder + u"/version.py"_s);
            if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray(size, '#')) != size)
                qFatal("cannot write");
            return m_state.filePath(name);
        };
        const QString own = result(u"own"_s, 400'000);
        const QString generic = result(u"generic"_s, 1'000'000);
        const Ran ran = m_fixture->verb({u"verify"_s, hopper, u"--result"_s, own, u"--beside"_s, generic});
        QVERIFY2(ran.out.contains("size     400.0 kB with all that it needs"), (ran.out + ran.err).constData());
        QVERIFY2(ran.out.contains("40 % of the other build's 1.0 MB"), ran.out.constData());
        const Ran json =
            m_fixture->verb({u"verify"_s, hopper, u"--result"_s, own, u"--beside"_s, generic, u"--json"_s});
        QCOMPARE(json.json().value(u"beside_bytes"_s).toInteger(), 1'000'000);
        const Ran none = m_fixture->verb({u"verify"_s, hopper, u"--result"_s, own, u"--beside"_s, u"nothing"_s});
        QCOMPARE(none.exitCode, 3);
        QVERIFY2(none.err.contains("there is no such result"), none.err.constData());
    }

    void publishesWhatFloxWouldTake()
    {
        const Ran dry = m_fixture->verb({u"publish"_s, hopper, u"--dry-run"_s});
        QCOMPARE(dry.exitCode, 1);
        QVERIFY2(dry.out.contains("missing  The branch main has no upstream branch."), dry.out.constData());
        QVERIFY(dry.out.contains("ok       git tracks the recipes."));
        QCOMPARE(m_fixture->verb({u"publish"_s, hopper}).exitCode, 3);
        QVERIFY(!called().contains("publish"));

        const QString remote = m_state.filePath(u"remote.git"_s);
        m_fixture->git({u"init"_s, u"-q"_s, u"--bare"_s, remote});
        m_fixture->git({u"remote"_s, u"add"_s, u"origin"_s, remote});
        m_fixture->git({u"push"_s, u"-q"_s, u"-u"_s, u"origin"_s, u"main"_s});
        const Ran plan = m_fixture->verb({u"publish"_s, hopper, u"-o"_s, u"lab"_s, u"--dry-run"_s});
        QCOMPARE(plan.exitCode, 0);
        QVERIFY(plan.out.contains("-o lab " + hopper.toUtf8()));
        QVERIFY(!called().contains("publish"));

        const Ran published = m_fixture->verb({u"publish"_s, hopper, u"-o"_s, u"lab"_s});
        QVERIFY2(published.exitCode == 0, published.err.constData());
        QCOMPARE(published.out, "flox install lab/" + hopper.toUtf8() + "\n");
        QVERIFY(published.err.contains("1 of 44 of branch main published"));
        QCOMPARE(called().count("publish\t"), 1);
        // The organisation is remembered; what is published and unchanged is not published again.
        const Ran again = m_fixture->verb({u"publish"_s, hopper, failing});
        QCOMPARE(again.exitCode, 0);
        QVERIFY(again.err.contains("its recipe has not changed since"));
        QVERIFY(again.out.contains("flox install lab/" + failing.toUtf8()));
        QCOMPARE(called().count("publish\t"), 2);
        QVERIFY(again.err.contains("2 of 44"));
        QVERIFY(m_fixture->verb({u"report"_s}).out.contains("2 of 44 built (2 published): "));

        // Flox builds before it publishes: for a failed build, the first error is shown.
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"fail"_s);
        const Ran failed = m_fixture->verb({u"publish"_s, hopper, u"--again"_s});
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"already"_s);
        QCOMPARE(failed.exitCode, 1);
        QVERIFY2(failed.out.isEmpty(), failed.out.constData());
        QVERIFY2(failed.err.contains("The build failed"), failed.err.constData());
        QVERIFY2(failed.err.contains(". The output is in "), failed.err.constData());
    }

    /// Several in one go: what cannot be published does not stop the others, and is listed with its condition.
    void publishesAllThatIsBuilt()
    {
        const QString another = u"pytorch-python313-cuda12_8-sm90-avx512vnni"_s;
        QVERIFY(QDir(m_state.path()).mkpath(u"store"_s));
        m_fixture->set(u"TORCH_MATRIX_STANDIN_STORE"_s, m_state.filePath(u"store"_s));
        const Ran none = m_fixture->verb({u"publish"_s, u"--built"_s});
        QVERIFY2(none.exitCode == 0 && none.err.contains("Nothing is built"), none.err.constData());
        QCOMPARE(m_fixture->verb({u"publish"_s}).exitCode, 2);
        QCOMPARE(m_fixture->verb({u"build"_s, another}).exitCode, 0);
        const auto offered = [this](const QStringList &words) {
            const Ran dry = m_fixture->verb(QStringList{u"publish"_s, u"--built"_s, u"--dry-run"_s} + words);
            return dry.out.count("flox publish");
        };
        const qsizetype before = called().count("publish\t");
        const qsizetype again = offered({u"--again"_s, hopper});
        QVERIFY(again >= 2);
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"fail"_s);
        const Ran failed = m_fixture->verb({u"publish"_s, u"--built"_s, u"--again"_s, hopper});
        m_fixture->set(u"TORCH_MATRIX_STANDIN_FLOX"_s, u"already"_s);
        QCOMPARE(failed.exitCode, 1);
        QCOMPARE(called().count("publish\t"), before + again);
        QCOMPARE(failed.out.count("failed  build  "), again);
        const Ran all = m_fixture->verb({u"publish"_s, u"--built"_s});
        QCOMPARE(all.exitCode, 0);
        QCOMPARE(all.out, "flox install lab/" + another.toUtf8() + "\n");
        QVERIFY2(all.err.contains("3 of 44"), all.err.constData());
        // What another organisation has is not published here, and --again publishes all that is built.
        const qsizetype built = offered({u"--again"_s});
        QVERIFY(built > 0);
        QCOMPARE(offered({u"-o"_s, u"other"_s}), built);
        QCOMPARE(offered({}), 0);
        QCOMPARE(offered({u"-o"_s, u"lab"_s}), 0);
        QCOMPARE(m_fixture->verb({u"publish"_s, u"--built"_s, u"-o"_s, u"other"_s}).exitCode, 0);
        for (const QString &organisation : {u"lab"_s, u"other"_s})
            QCOMPARE(offered({u"-o"_s, organisation}), 0);
        const Ran nothing = m_fixture->verb({u"publish"_s, u"--built"_s, u"-o"_s, u"lab"_s});
        QVERIFY2(nothing.err.contains("Nothing is built that lab does not have."), nothing.err.constData());
        const QJsonObject overview = m_fixture->verb({u"overview"_s, m_fixture->sample(), u"--json"_s}).json();
        for (const QJsonValue &branch : overview[u"branches"_s].toArray())
            QCOMPARE(branch[u"published"_s].toInt(), branch[u"branch"_s].toString() == u"main"_s ? 3 : 0);
        // A recipe that has changed since is not published any more.
        const QString file = u".flox/pkgs/%1.nix"_s.arg(another);
        m_fixture->write(file, test::withOtherCode(m_fixture->read(file)));
        m_fixture->git({u"commit"_s, u"-qam"_s, u"Change a recipe"_s});
        m_fixture->git({u"push"_s, u"-q"_s});
        const Ran dry = m_fixture->verb({u"publish"_s, hopper, u"--dry-run"_s});
        QVERIFY2(dry.err.contains("2 of 44"), dry.err.constData());
    }
};

TM_TEST(VerbBuildsTest, QCoreApplication)
#include "tst_verb_builds.moc"
