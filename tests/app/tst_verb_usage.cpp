// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/TestMain.h"
#include "tests/support/VerbFixture.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using namespace tmx::test;

/// The exit code is the same for the same mistake with every verb: 2 if the input is invalid in itself, 3 if it names
/// something that does not exist. Only one line is printed, on standard error, and nothing is written.
class VerbUsageTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerbFixture> m_fixture;

    static void row(const char *arguments, int exitCode, const char *said)
    {
        QTest::newRow(arguments) << QString::fromLatin1(arguments).split(u' ') << exitCode << QByteArray(said);
    }

private Q_SLOTS:
    void initTestCase() { m_fixture = std::make_unique<VerbFixture>(); }
    void init() { QTest::failOnWarning(); }

    void helpShowsTheSynopsis()
    {
        for (const QString &verb : {u"build"_s, u"estimate"_s, u"queue move"_s, u"builds push"_s}) {
            const Ran ran = m_fixture->verb(verb.split(u' ') << u"--help"_s);
            QCOMPARE(ran.exitCode, 0);
            QVERIFY2(ran.out.contains("torch-matrix " + verb.toUtf8() + " [OPTIONS]"), ran.out.constData());
        }
        QVERIFY(m_fixture->verb({u"--help"_s}).out.contains("torch-matrix VERB [OPTIONS]"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("said");
        // A name that is not a variant's.
        for (const char *verb : {"show", "explain", "generate", "build", "publish", "verify", "audit", "plan --only",
                                 "log", "queue stop", "queue retry", "queue move"})
            row(qPrintable(QString::fromLatin1(verb) + u" jax-python313"_s), 2, "jax-python313: ");
        for (const char *finding : {"jax", "x:y:z"})
            row(qPrintable(u"fix "_s + QString::fromLatin1(finding)), 2, "it is not the name of a finding");
        row("fix --rule nosuch", 2, "the audit has no such rule");
        row("fix --rule paralelism-fixed", 2, "Did you mean parallelism-fixed? \"audit --rules\" lists them.");
        row("history jax-python313", 2, "no commit of HEAD ever had such a recipe");
        row("copy jax-python313 --to cuda-12_9", 2, "branch main has no such recipe");
        // A possible variant without a recipe.
        row("audit pytorch-python312-cpu-avx2", 3, "branch main has no such recipe");
        row("history pytorch-python312-cpu-avx2", 3, "no commit of HEAD ever had such a recipe");
        row("copy pytorch-python312-cpu-avx2 --to cuda-12_9", 3, "branch main has no such recipe");
        row("build pytorch-python312-cpu-avx2", 3, "branch main has no recipe for it");
        for (const char *verb : {"log", "queue stop", "queue retry", "queue move"}) {
            const QString start = QString::fromLatin1(verb) + u' ';
            row(qPrintable(start + u"pytorch-python312-cpu-avx2"_s), 3, "there is no such build");
            row(qPrintable(start + u"pytorch-python313-cuda12_8-sm90-avx512-magma"_s), 3, "there is no such build");
            row(qPrintable(start + u"20260101-120000-000abc"_s), 3, "there is no such build");
        }
        // An impossible variant: the message names no other verb.
        row("build pytorch-python313-cuda12_8-sm110-avx2", 3, "it cannot exist");
        // What may have been meant.
        row("retry", 2, "it is neither a verb nor a folder. Did you mean queue retry?");
        row("set", 2, "Did you mean queue set or settings set?");
        row("build --mising", 2, "build does not accept --mising. Did you mean --missing? Run ");
        row("builds push --dryrun", 2, "Did you mean --dry-run?");
        row("queue lst", 2, "Did you mean list?");
        row("export githib", 2, "Did you mean github?");
        row("queue set --parallel lots", 2, "\"lots\" is neither auto nor a number from 1 - 64");
        row("build all", 2,
            "all: that is not a variant's name. A name is one variant; options such as \"--all\" choose many.");
        row("build *sm80*", 2, "A name is one variant");
        row("build .flox/pkgs/pytorch-python312-cpu-avx2.nix", 3, "branch main has no recipe for it");
        row("build pytorch-python313-cpu-avx2 --on slurm --time 4x", 2, "\"4x\" is not a time; write minutes");
        row("lst", 2, "it is neither a verb nor a folder. Did you mean list?");
        row("list --branch mian", 3, "has no such branch. Did you mean main?");
        row("compare mian main", 3, "Did you mean main?");
        row("show pytorch-python313-cpu-avx5", 3, "Did you mean pytorch-python313-cpu-avx2?");
        row("copy pytorch-python313-cpu-avx3 --to cuda-12_9", 3, "Did you mean pytorch-python313-cpu-avx2?");
        for (const char *verb : {"generate", "generate --like pytorch-python313-cpu-avx2", "plan --only"})
            row(QByteArray(verb) + " pytorch-python313-cuda12_8-sm90-avx3", 3,
                "the catalog has no instruction set avx3, and no recipe of branch main has that word. A catalog of "
                "your "
                "own can add it. Did you mean pytorch-python313-cuda12_8-sm90-avx2");
        row("generate pytorhc-python313-cpu-avx2", 3, "Branch main has no recipes of pytorhc. Did you mean pytorch-");
        row("show pytorch-python313-cuda12_8-sm110-avx2", 3, "CUDA 13.0 or newer.\n"); // that name was meant
        // What the catalog lacks may exist.
        row("show pytorch-python313-cuda12_8-sm60-avx2", 3, "it is not known. The catalog has no row \"sm60\".");
        // Options and values.
        row("derive -x", 2, "torch-matrix: derive does not accept -x. Run ");
        row("show --nosuch", 2, "torch-matrix: show does not accept --nosuch. Run ");
        row("migrate -x", 2, "torch-matrix: migrate does not accept -x. Run \"torch-matrix migrate --help\"");
        row("queue --repo /tmp/x", 2, "torch-matrix: queue does not accept --repo /tmp/x. Run ");
        row("queue list a --b c", 2,
            "torch-matrix: queue list does not accept a --b c. Run \"torch-matrix queue list --help\"");
        row("compare main cuda-12_9 --count --repo /tmp", 2, "--count: a value is missing before --repo");
        for (const char *option : {"--pytorch", "--pin", "--cuda", "--python", "--set"})
            row(qPrintable(u"derive x %1 "_s.arg(QString::fromLatin1(option))), 2, "the value is empty");
        row("derive ", 2, "the name of a branch is empty");
        row("list --branch --json", 2, "--branch: a value is missing before --json");
        row("plan --only --apply", 2, "--only: a value is missing before --apply");
        row("settings nosuch", 2, "torch-matrix: settings does not accept nosuch. Run ");
        row("derive", 2, "BRANCH is required");
        row("queue set --log-limit foo", 2, "\"foo\" is not a size; write a number and K, M, G or T");
        row("queue set --log-limit -5", 2, "\"-5\" is not a size");
        row("queue set --parallel 0", 2, "1 - 64");
        row("readme --columns foo", 2, "that is not a column");
        row("estimate --slots 0", 2, "1 - 10000");
        row("estimate --only none", 2, "--only: none not in {");
        row("estimate nonsense", 2, "nonsense");
        row("export jenkins", 2, "HOST: jenkins not in {");
        row("export github --only none", 2, "--only: none not in {");
        row("export github --runner a=b", 2, "there is no such system");
        row("export github --publish a/b", 2, "that is not an organisation of FloxHub");
        row("export github --since nowhere", 3, "nowhere");
        row("export github --branch nowhere", 3, "nowhere");
        row("settings set nokey 3", 2, "there is no such key");
        row("settings set nixpkgs abc", 2, "nixpkgs cannot be \"abc\"");
        row("settings set coverge.sm90 avx2", 2, "there is no such key. Did you mean coverage?");
        row("settings set versions.pytorh 2.9.1", 2, "the branch has no family \"pytorh\". Did you mean pytorch?");
        row("audit --python 3.99", 3, "no recipe matches");
        row("settings set cudas 99.9", 2, "no toolkit \"99.9\"");
        row("settings set coverage.sm1 avx2", 2, "is not a row of the catalog");
        row("migrate --set nokey=1", 2, "there is no such key");
        row("derive next --set nokey=1", 2, "there is no such key");
        row("derive a..b", 2, "git does not allow that name");
        row("derive main", 3, "a branch with that name already exists");
        row("init made --only jax", 2, "the settings list no variant jax");
        row("list --branch nope", 3, "has no such branch");
        // A Python that the catalog does not have.
        const char *known = "It has python313, python312 and python311.";
        row("generate pytorch-python399-cuda12_8-sm90-avx512", 2, known);
        row("generate pytorch-python399-cpu-avx2 --like pytorch-python313-cpu-avx2", 2, known);
        row("settings set pythons python313,python399", 2, known);
        row("migrate --set pythons=python399", 2, known);
        row("derive next --python python399", 2, known);
        row("init made --python python399", 2, known);
    }

    // Where git takes it, too.
    void theRepositoryMayComeFirst()
    {
        const QString repository = m_fixture->sample();
        const QStringList list{u"list"_s, u"--count"_s};
        const auto wanted = m_fixture->verb(list);
        for (const QStringList &option :
             {QStringList{u"--repo"_s, repository}, QStringList{u"--repo="_s + repository}}) {
            QCOMPARE(m_fixture->verb(option + list).out, wanted.out);
            QCOMPARE(m_fixture->verb(QStringList{u"settings"_s} + option + QStringList{u"show"_s}).out,
                     m_fixture->verb({u"settings"_s, u"show"_s}).out);
        }
    }

    void mistakes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, exitCode);
        QFETCH(QByteArray, said);
        const Ran ran = m_fixture->verb(arguments);
        QVERIFY2(ran.err.contains(said), ran.err.constData());
        QCOMPARE(ran.exitCode, exitCode);
        QCOMPARE(ran.err.count('\n'), 1);
        QVERIFY2(ran.out.isEmpty(), ran.out.constData());
        QCOMPARE(m_fixture->git({u"status"_s, u"--porcelain"_s}).out, QByteArray());
        QVERIFY(!QFile::exists(m_fixture->sample() + u"/made"_s));
    }

    /// A branch with recipes for such a Python keeps it.
    void aPythonOfTheBranchIsNotRefused()
    {
        m_fixture->write(u"torch-matrix.toml"_s, "base = \"main\"\npythons = [\"python310\"]\n");
        const Ran ran = m_fixture->verb({u"settings"_s, u"set"_s, u"pythons"_s, u"python310,python312"_s});
        QVERIFY2(ran.exitCode == 0, ran.err.constData());
        QVERIFY(m_fixture->read(u"torch-matrix.toml"_s).contains("\"python310\", \"python312\""));
    }
};

TM_TEST(VerbUsageTest, QCoreApplication)
#include "tst_verb_usage.moc"
