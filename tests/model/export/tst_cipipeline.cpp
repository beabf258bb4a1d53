// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/export/CiPipeline.h"
#include "model/export/GitlabStages.h"
#include "model/export/Yaml.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/Pipelines.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QStringList systems{u"x86_64-linux"_s, u"aarch64-linux"_s, u"aarch64-darwin"_s};

/// `count` jobs; most are for the first system, so that they need more than one matrix.
CiMatrix randomMatrix(Fuzzing &random, int count, int ofSystems)
{
    CiMatrix matrix{u"main"_s, {}, {}, {}};
    for (int i = 0; i < count; ++i) {
        CiJob job{u"pytorch-python313-cuda12_8-sm%1-avx%2"_s.arg(random.below(1000)).arg(i), {}, {}};
        job.system = systems.at(random.below(10) < 8 ? 0 : random.below(ofSystems));
        if (random.below(3) == 0)
            job.imports = u".flox/pkgs/%1.nix"_s.arg(job.package);
        matrix.jobs.append(job);
    }
    return matrix;
}

/// A name that git allows for a branch (git check-ref-format), with characters that have a meaning somewhere.
QString randomBranch(Fuzzing &random)
{
    static const QStringList parts{
        u"main"_s, u"\""_s,     u"'"_s, u"$(id)"_s, u"`id`"_s, u"${x}"_s, u"#"_s,  u"!"_s,   u"]"_s,      u"+"_s,
        u"{}"_s,   u"%"_s,      u"&"_s, u"*"_s,     u";"_s,    u"|"_s,    u"/x"_s, u"ü"_s,   u"\u2028"_s, u"\u0085"_s,
        u"😀"_s,   u"\u202e"_s, u"-"_s, u"<<"_s,    u","_s,    u"="_s,    u"@"_s,  u"yes"_s, u"1e3"_s,    u"${"_s};
    QString branch;
    for (int count = 1 + random.below(6); count > 0; --count)
        branch += parts.at(random.below(parts.size()));
    branch.remove(u'*'); // git refuses it
    return branch.isEmpty() ? u"x"_s : branch;
}

} // namespace

/// The output of `export`, as a YAML parser understands it, validated with the hosts' published schemas.
class TestCiPipeline : public QObject
{
    Q_OBJECT

    static CiMatrix small()
    {
        return {u"main"_s,
                {},
                {},
                {{u"a-x"_s, {}, systems.at(0)},
                 {u"b"_s, u".flox/pkgs/a-x.nix"_s, systems.at(1)},
                 {u"c"_s, {}, systems.at(2)}}};
    }

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // A push starts builds if it changes what recipes read, wherever that is.
    void stages_data()
    {
        QTest::addColumn<QByteArray>("file"); ///< and after a line with its name each file of the repository
        QTest::addColumn<QString>("stage");
        const auto row = [](const QByteArray &file, const QString &stage) {
            QTest::newRow(QByteArray(file).replace('\n', '|').left(200)) << file << stage;
        };
        row("", {});
        row("job:\n  stage: test\n  stages: [a]\n", {});
        row("stages: [build, deploy]\n", u"build"_s);
        row("stages: [lint, \"test\", deploy]\n", {});
        row("stages:\n  - lint # first\n\n  # all others\n  - 'our builds'\njob:\n  stage: lint\n", u"lint"_s);
        row("stages:\r\n- lint\r\n- build\r\njob:\r\n  script: [x]\r\n", u"build"_s);
        row("stages: [lint,\n  test,\n]\njob: {}\n", {});
        row("stages: [.pre, ship, .post]\n", u"ship"_s);
        row("stages: [a]\nstages: [test]\n", {});
        row("stages: &all [a, b]\n", u".post"_s);
        row("stages: *all\n", u".post"_s);
        row("stages:\n  - !reference [.a, stages]\n", u".post"_s);
        row("stages: []\n", {});
        row("include: https://example.org/ci.yml\n", u".post"_s);
        row("include:\n  - template: Ours.yml\nstages: [test]\n", {});
        row("include:\n  - project: a/b\n    file: /c.yml\n", u".post"_s);
        row("include:\n  - local: ci/*.yml\n", u".post"_s);
        row("include:\n  - local: /ci/a.yml\n    rules: [{if: $A}]\n", u".post"_s);
        row("include: ci/none.yml\n", u".post"_s);
        row("include: ci/a.yml\n@ci/a.yml\njob:\n  script: [x]\n", {});
        row("include: /ci/a.yml\n@ci/a.yml\nstages: [build]\n", u"build"_s);
        row("include:\n  local: 'ci/a.yml'\n@ci/a.yml\ninclude: [ci/b.yml]\n@ci/b.yml\nstages: [ship]\n", u"ship"_s);
        row("include:\n- local: ci/a.yml\n- ci/b.yml\n@ci/a.yml\nstages: [ship]\n@ci/b.yml\nstages: [test]\n", {});
        row("include: ci/a.yml\nstages: [build]\n@ci/a.yml\nstages: [test]\n", u"build"_s);
        row("include: ci/a.yml\n@ci/a.yml\ninclude: ci/a.yml\n", u".post"_s);
    }

    // GitLab refuses the whole file if one job has a stage that its list does not have.
    void stages()
    {
        QFETCH(const QByteArray, file);
        QFETCH(const QString, stage);
        QMap<QString, QByteArray> files;
        for (const QByteArray &part : ("main\n" + file).split('@'))
            files.insert(QString::fromUtf8(part.left(part.indexOf('\n'))), part.mid(part.indexOf('\n') + 1));
        const auto read = [&files](const QString &path) {
            return files.contains(path) ? std::optional(files.value(path)) : std::nullopt;
        };
        QCOMPARE(gitlabStage(files.value(u"main"_s), read), stage);
        CiMatrix matrix = small();
        matrix.stage = stage;
        const auto pipeline = ciPipeline(matrix, {.host = CiHost::GitLab, .runners = {}, .organisation = {}});
        QVERIFY_OK(pipeline);
        QCOMPARE(pipeline->count("\n  stage: \"" + stage.toUtf8() + "\"\n"), stage.isEmpty() ? 0 : 3);
    }

    void watchesWhatRecipesRead_data()
    {
        QTest::addColumn<QString>("imports");
        QTest::addColumn<QByteArray>("github");
        QTest::addColumn<QByteArray>("gitlab");
        const auto row = [](const char *imports, const QByteArray &github, const QByteArray &gitlab) {
            QTest::newRow(imports) << QString::fromLatin1(imports) << github << gitlab;
        };
        row("", "\".flox/pkgs/**\"", "\".flox/pkgs/**/*\"");
        row(".flox/pkgs/lib", "\".flox/pkgs/**\"", "\".flox/pkgs/**/*\"");
        row(".flox/pkgs", "\".flox/pkgs/**\"", "\".flox/pkgs/**/*\"");
        row("flake.lock", "\".flox/pkgs/**\", \"flake.lock\"", "\".flox/pkgs/**/*\", \"flake.lock\"");
        row("nix", "\".flox/pkgs/**\", \"nix/**\"", "\".flox/pkgs/**/*\", \"nix/**/*\"");
        row(".", "\"**\"", "\"**/*\"");
    }
    void watchesWhatRecipesRead()
    {
        QFETCH(const QString, imports);
        QFETCH(const QByteArray, github);
        QFETCH(const QByteArray, gitlab);
        CiMatrix matrix = small();
        for (CiJob &job : matrix.jobs)
            job.imports = imports;
        const auto workflow = ciPipeline(matrix, {.host = CiHost::GitHub});
        QVERIFY_OK(workflow);
        QVERIFY2(workflow->contains("    paths: [" + github + "]\n"), workflow->constData());
        const auto pipeline = ciPipeline(matrix, {.host = CiHost::GitLab});
        QVERIFY_OK(pipeline);
        QVERIFY2(pipeline->contains("      changes: [" + gitlab + "]\n"), pipeline->constData());
    }

    void everyVariantOnce_data()
    {
        QTest::addColumn<CiHost>("host");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("ofSystems");
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            for (const int count : {1, 199, 200, 201, 256, 257, 600}) {
                for (const int ofSystems : {1, 3})
                    QTest::addRow("%s %d of %d", host == CiHost::GitHub ? "GitHub" : "GitLab", count, ofSystems)
                        << host << count << ofSystems;
            }
        }
    }
    void everyVariantOnce()
    {
        QFETCH(CiHost, host);
        QFETCH(int, count);
        QFETCH(int, ofSystems);
        Fuzzing random(newSeed());
        const CiMatrix matrix = randomMatrix(random, count, ofSystems);
        CiOptions options{host, {}, random.below(2) ? u"acme"_s : QString()};
        if (random.below(2))
            options.runners = {u"big"_s, u"aarch64-linux=arm big"_s};
        const Result<QByteArray> text = ciPipeline(matrix, options);
        QVERIFY_OK(text);
        QCOMPARE(ciPipeline(matrix, options).value(), *text); // the same bytes
        const Result<QJsonObject> pipeline = readPipeline(host, *text);
        QVERIFY_OK(pipeline);
        QStringList expected;
        for (const CiJob &job : matrix.jobs)
            expected.append(job.package + u' ' + job.imports + u' ' + job.system);
        QStringList found;
        QMap<QString, int> chunks;
        for (const ReadMatrix &one : matricesOf(host, *pipeline, *text)) {
            QVERIFY(one.jobs.size() <= matrixLimit(host) || host == CiHost::GitLab);
            for (const CiJob &job : one.jobs)
                found.append(job.package + u' ' + job.imports + u' ' + job.system);
            ++chunks[one.jobs.constFirst().system];
            if (host == CiHost::GitHub)
                QCOMPARE(one.job[u"strategy"][u"fail-fast"], QJsonValue(false));
        }
        expected.sort();
        found.sort();
        QCOMPARE(found, expected);
        for (const QString &system : systems) {
            const auto jobs = std::ranges::count(matrix.jobs, system, &CiJob::system);
            const auto most = host == CiHost::GitLab ? count : matrixLimit(host);
            QCOMPARE(chunks.value(system), (jobs + most - 1) / most); // and no more
        }
    }

    void runners_data()
    {
        QTest::addColumn<CiHost>("host");
        QTest::addColumn<QStringList>("runners");
        QTest::addColumn<QStringList>("labels"); // of x86, ARM and Apple
        QTest::addColumn<QList<int>>("hours");
        const QStringList none;
        QTest::newRow("GitHub's") << CiHost::GitHub << none
                                  << QStringList{u"ubuntu-24.04"_s, u"ubuntu-24.04-arm"_s, u"macos-15"_s}
                                  << QList{6, 6, 6};
        QTest::newRow("GitLab's") << CiHost::GitLab << none
                                  << QStringList{u"saas-linux-large-amd64"_s, u"saas-linux-large-arm64"_s,
                                                 u"saas-macos-large-m2pro"_s}
                                  << QList{3, 3, 3};
        QTest::newRow("GitHub, own") << CiHost::GitHub << QStringList{u"big"_s}
                                     << QStringList{u"self-hosted Linux X64 big"_s, u"self-hosted Linux ARM64 big"_s,
                                                    u"self-hosted macOS ARM64 big"_s}
                                     << QList{24, 24, 24};
        QTest::newRow("GitLab, own") << CiHost::GitLab << QStringList{u"big"_s}
                                     << QStringList{u"big x86_64-linux"_s, u"big aarch64-linux"_s,
                                                    u"big aarch64-darwin"_s}
                                     << QList{24, 24, 24};
        QTest::newRow("GitHub, some own")
            << CiHost::GitHub << QStringList{u"aarch64-linux=arm-64"_s}
            << QStringList{u"ubuntu-24.04"_s, u"arm-64"_s, u"macos-15"_s} << QList{6, 24, 6};
    }
    void runners()
    {
        QFETCH(CiHost, host);
        QFETCH(QStringList, runners);
        QFETCH(QStringList, labels);
        QFETCH(QList<int>, hours);
        const Result<QByteArray> text = ciPipeline(small(), {host, runners, {}});
        QVERIFY_OK(text);
        const Result<QJsonObject> pipeline = readPipeline(host, *text);
        QVERIFY_OK(pipeline);
        const QList<ReadMatrix> matrices = matricesOf(host, *pipeline, *text);
        QCOMPARE(matrices.size(), 3);
        for (const ReadMatrix &matrix : matrices) {
            const auto at = systems.indexOf(matrix.jobs.constFirst().system);
            const QJsonValue named = matrix.job[host == CiHost::GitHub ? u"runs-on"_s : u"tags"_s];
            QStringList found{named.toString()};
            if (named.isArray())
                found = named.toVariant().toStringList();
            QCOMPARE(found.join(u' '), labels.at(at));
            if (host == CiHost::GitHub)
                QCOMPARE(matrix.job[u"timeout-minutes"].toInt(), hours.at(at) * 60);
            else
                QCOMPARE(matrix.job[u"timeout"].toString(), u"%1 hours"_s.arg(hours.at(at)));
            // A host's machine is cleaned up; the user's own never is.
            const bool cleans = scriptsOf(host, *pipeline).contains(matrix.name + u"/Free disk space"_s);
            QCOMPARE(cleans, host == CiHost::GitHub && hours.at(at) == 6);
        }
    }

    /// A branch is a value, whatever its name: it is read back unchanged, and does not affect any script.
    void hostileBranches()
    {
        Fuzzing random(newSeed());
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            const CiOptions options{host, {}, u"acme"_s};
            const auto scripts = scriptsOf(host, *readPipeline(host, *ciPipeline(small(), options)));
            QVERIFY(scripts.size() > 2);
            for (int i = 0; i < fuzzInputs(12); ++i) {
                CiMatrix matrix = small();
                matrix.branch = randomBranch(random);
                const Result<QByteArray> text = ciPipeline(matrix, options);
                if (!text) {
                    QVERIFY2(matrix.branch.contains("${{"_L1) ||
                                 (matrix.branch.contains(u'"') && matrix.branch.contains(u'\'')),
                             qPrintable(matrix.branch));
                    continue;
                }
                QVERIFY(std::ranges::all_of(*text, [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); }));
                const Result<QJsonObject> pipeline = readPipeline(host, *text);
                QVERIFY_OK(pipeline);
                QCOMPARE(scriptsOf(host, *pipeline), scripts);
                if (host == CiHost::GitHub) {
                    QString filter = (*pipeline)[u"on"][u"push"][u"branches"][0].toString();
                    QString name;
                    for (qsizetype at = 0; at < filter.size(); ++at)
                        name += filter.at(filter.at(at) == u'\\' ? ++at : at);
                    QCOMPARE(name, matrix.branch);
                } else {
                    const QString rule = (*pipeline)[u"torch-matrix changes"][u"rules"][0][u"if"].toString();
                    const QString name = rule.mid(u"$CI_COMMIT_BRANCH == "_s.size());
                    QCOMPARE(name.sliced(1).chopped(1), matrix.branch);
                    QVERIFY(!matrix.branch.contains(name.front()));
                }
            }
        }
    }

    /// Scripts contain names of variables, never values of the repository or expressions of the host.
    void scriptsHoldNoValues()
    {
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            const auto scripts = scriptsOf(host, *readPipeline(host, *ciPipeline(small(), {host, {}, u"acme"_s})));
            const QTemporaryDir folder;
            for (auto it = scripts.begin(); it != scripts.end(); ++it) {
                QVERIFY2(!it->contains("${{"_L1) && !it->contains("acme"_L1) && !it->contains("a-x"_L1),
                         qPrintable(it.key()));
                const QString path = folder.filePath(u"script.sh"_s);
                QFile file(path);
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("#!/bin/bash\n" + it->toUtf8());
                file.close();
                const Ran checked = ran(u"shellcheck"_s, {path});
                QVERIFY2(checked.exitCode == 0, qPrintable(it.key() + u'\n' + QString::fromUtf8(checked.out)));
            }
        }
    }

    void secretsAreNamedWhereTheyAreNeeded()
    {
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            const QByteArray without = *ciPipeline(small(), {host, {}, {}});
            const QByteArray with = *ciPipeline(small(), {host, {}, u"acme"_s});
            QVERIFY(!without.contains("FLOX_FLOXHUB_TOKEN") && !without.contains("flox publish"));
            QVERIFY(with.contains("FLOX_FLOXHUB_TOKEN") && with.contains("flox publish"));
        }
    }

    /// No other step of a GitHub job gets a secret, and only steps that push or fetch keep the job's own token.
    void secretsReachOnlyTheirSteps()
    {
        for (const QString &organisation : {QString(), u"acme"_s}) {
            const Result<QJsonObject> pipeline =
                readPipeline(CiHost::GitHub, *ciPipeline(small(), {CiHost::GitHub, {}, organisation}));
            QVERIFY_OK(pipeline);
            QCOMPARE((*pipeline)[u"permissions"].toObject(), (QJsonObject{{u"contents"_s, u"read"_s}}));
            QStringList steps;
            QJsonObject jobs = (*pipeline)[u"jobs"].toObject();
            for (const QString &name : jobs.keys()) {
                QJsonObject job = jobs.take(name).toObject();
                for (const auto &step : job.take(u"steps"_s).toArray()) {
                    if (QJsonDocument(step.toObject()).toJson().contains("secrets."))
                        steps.append(step[u"name"].toString());
                    if (name.startsWith(u"build-") && step[u"name"] == u"Check out"_s)
                        QCOMPARE(step[u"with"][u"persist-credentials"].toBool(true), !organisation.isEmpty());
                }
                QVERIFY(!QJsonDocument(job).toJson().contains("secrets."));
            }
            steps.removeDuplicates();
            QCOMPARE(steps, organisation.isEmpty() ? QStringList{u"Copy to the cache"_s}
                                                   : QStringList({u"Copy to the cache"_s, u"Publish"_s}));
        }
    }

    /// Only checks of pull requests are cancelled: a cancelled build would be built by no later push.
    void aPushCancelsNoBuild()
    {
        const Result<QJsonObject> pipeline = readPipeline(CiHost::GitHub, *ciPipeline(small(), {}));
        QVERIFY_OK(pipeline);
        QCOMPARE((*pipeline)[u"concurrency"][u"group"].toString(),
                 u"torch-matrix-${{ github.event.pull_request.number || github.run_id }}"_s);
        const QJsonValue changes = (*pipeline)[u"jobs"][u"torch-matrix-changes"];
        QCOMPARE(changes[u"if"].toString(), u"github.event_name != 'pull_request'"_s);
        for (const ReadMatrix &matrix : matricesOf(CiHost::GitHub, *pipeline, *ciPipeline(small(), {}))) {
            const QString name = matrix.name.sliced(u"build-"_s.size());
            const QString legs = u"needs.torch-matrix-changes.outputs."_s + name;
            QCOMPARE(matrix.job[u"needs"].toString(), u"torch-matrix-changes"_s);
            QCOMPARE(matrix.job[u"if"].toString(), legs + u" != '[]'"_s);
            QCOMPARE(matrix.job[u"strategy"][u"matrix"][u"include"].toString(), u"${{ fromJSON(%1) }}"_s.arg(legs));
            QCOMPARE(changes[u"outputs"][name].toString(), u"${{ steps.recipes.outputs.%1 }}"_s.arg(name));
        }
    }

    void wrongOptions_data()
    {
        QTest::addColumn<CiOptions>("options");
        QTest::addColumn<QString>("said");
        const CiHost host = CiHost::GitHub;
        QTest::newRow("expression") << CiOptions{host, {u"${{ x }}"_s}, {}} << u"that is not the label"_s;
        QTest::newRow("line break") << CiOptions{host, {u"a\nb"_s}, {}} << u"that is not the label"_s;
        QTest::newRow("system") << CiOptions{host, {u"riscv64-linux=big"_s}, {}} << u"there is no such system"_s;
        QTest::newRow("no label") << CiOptions{host, {u"x86_64-linux="_s}, {}} << u"that is not the label"_s;
        QTest::newRow("organisation") << CiOptions{host, {}, u"acme; id"_s} << u"that is not an organisation"_s;
    }
    void wrongOptions()
    {
        QFETCH(CiOptions, options);
        QFETCH(QString, said);
        const Result<QByteArray> text = ciPipeline(small(), options);
        QVERIFY_ERROR(text, said);
        QVERIFY(text.error().usage);
        QVERIFY_ERROR(ciPipeline({u"main"_s, {}, {}, {}}, {}), u"there is no recipe to build"_s);
    }

    void systemsOfVariants()
    {
        const auto catalog = testing::builtInCatalog();
        QCOMPARE(systemOf(*catalog, u"sm90"_s, u"avx512"_s), systems.at(0));
        QCOMPARE(systemOf(*catalog, u"sm90"_s, u"armv9"_s), systems.at(1));
        QCOMPARE(systemOf(*catalog, u"cpu"_s, u"armv8_2"_s), systems.at(1));
        QCOMPARE(systemOf(*catalog, u"darwin-mps"_s, {}), systems.at(2));
        QCOMPARE(systemOf(*catalog, u"no"_s, u"no"_s), QString());
    }

    void quotedTextsAreRead()
    {
        QCOMPARE(yamlQuoted(u"a\"\\\n\u0085\u2028é😀"_s), "\"a\\\"\\\\\\u000a\\u0085\\u2028\\u00e9\\U0001f600\"");
        QCOMPARE(yamlList({u"a"_s, u"b"_s}), "[\"a\", \"b\"]");
        QCOMPARE(indented("a\n\nb", 2), "  a\n\n  b");
    }
};

TM_TEST(TestCiPipeline, QCoreApplication)
#include "tst_cipipeline.moc"
