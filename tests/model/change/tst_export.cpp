// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/git/Repository.h"
#include "tests/support/OtherCode.h"
#include "tests/support/Pipelines.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

const QString workflow = u".github/workflows/torch-matrix.yml"_s;
const QString avx2 = u"pytorch-python313-cpu-avx2"_s;
const QString avx512 = u"pytorch-python313-cpu-avx512"_s;

QString recipe(const QString &name)
{
    return u".flox/pkgs/%1.nix"_s.arg(name);
}

} // namespace

/// The pipeline of a branch as a change: what it builds, and what is left to the user.
class TestExport : public QObject
{
    Q_OBJECT

    std::unique_ptr<SampleFixture> m_sample;

    [[nodiscard]] Result<ChangeSet> prepared(const ExportRequest &request) const
    {
        const auto sets = prepare(m_sample->catalog(), m_sample->path(), request);
        return sets ? Result<ChangeSet>(sets->constFirst()) : sets.error();
    }
    static ExportRequest of(CiHost host)
    {
        ExportRequest request;
        request.options.host = host;
        return request;
    }
    [[nodiscard]] Result<Applied> written(const ExportRequest &request) const
    {
        const Result<ChangeSet> changes = prepared(request);
        const Result<Repository> repository = Repository::open(m_sample->path());
        if (!changes || !repository)
            return changes ? repository.error() : changes.error();
        return repository->apply(*changes);
    }
    static QStringList packagesIn(CiHost host, const QByteArray &text)
    {
        const Result<QJsonObject> pipeline = readPipeline(host, text);
        if (!pipeline)
            return {pipeline.error().sentence()};
        QStringList packages;
        for (const ReadMatrix &matrix : matricesOf(host, *pipeline, text)) {
            for (const CiJob &job : matrix.jobs)
                packages.append(job.package);
        }
        packages.sort();
        return packages;
    }
    [[nodiscard]] QStringList packages(const ExportRequest &request) const
    {
        const Result<ChangeSet> changes = prepared(request);
        return changes ? packagesIn(request.options.host, *changes->files.constFirst().after)
                       : QStringList{changes.error().sentence()};
    }
    [[nodiscard]] QString head() const
    {
        return QString::fromLatin1(m_sample->git({u"rev-parse"_s, u"HEAD"_s}).trimmed());
    }
    void commit(const QString &path, const QByteArray &text) const
    {
        QDir().mkpath(QFileInfo(m_sample->path(path)).path());
        m_sample->write(path, text);
        m_sample->git({u"add"_s, u"-A"_s});
        m_sample->git({u"commit"_s, u"-qm"_s, u"Change"_s});
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_sample = std::make_unique<SampleFixture>();
    }

    /// Git says what there is to build.
    void allRecipesOfTheCommit()
    {
        QStringList expected;
        for (const QByteArray &path :
             m_sample->git({u"ls-tree"_s, u"--name-only"_s, u"cuda-12_9"_s, u".flox/pkgs/"_s}).trimmed().split('\n'))
            expected.append(QString::fromLatin1(path.sliced(11).chopped(4)));
        expected.sort();
        QCOMPARE(expected.size(), 50);
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            ExportRequest request = of(host);
            request.branch = u"cuda-12_9"_s;
            QCOMPARE(packages(request), expected);
            // The same bytes again, and from a branch that is not checked out.
            const Result<Applied> done = written(request);
            QVERIFY_OK(done);
            QCOMPARE(done->branch, request.branch);
            QCOMPARE(m_sample->git({u"show"_s, u"cuda-12_9:"_s + ciFile(host)}),
                     prepared(request)->files.constFirst().after->trimmed());
            QVERIFY(m_sample->status().isEmpty());
            const Result<ChangeSet> again = prepared(request);
            QVERIFY_OK(again);
            QVERIFY(again->isEmpty());
            QVERIFY(again->files.constFirst().action == ChangeAction::Keep);
        }
        // A file that is only in the working tree does not exist for a runner.
        m_sample->write(recipe(u"pytorch-python313-cpu-avx512-x"_s), m_sample->read(recipe(avx2)));
        QVERIFY(QFile::remove(m_sample->path(recipe(avx2))));
        QCOMPARE(packages(of(CiHost::GitHub)).size(), 44);
        QVERIFY(packages(of(CiHost::GitHub)).contains(avx2));
    }

    void whatTheUserAddedStays_data()
    {
        QTest::addColumn<CiHost>("host");
        QTest::addColumn<QByteArray>("lineEnd");
        for (const CiHost host : {CiHost::GitHub, CiHost::GitLab}) {
            for (const char *end : {"\n", "\r\n"})
                QTest::addRow("%s%s", host == CiHost::GitHub ? "GitHub" : "GitLab", end[1] ? " CRLF" : "")
                    << host << QByteArray(end);
        }
    }
    void whatTheUserAddedStays()
    {
        QFETCH(CiHost, host);
        QFETCH(QByteArray, lineEnd);
        m_sample->git({u"config"_s, u"core.autocrlf"_s, u"false"_s});
        QVERIFY_OK(written(of(host)));
        const QByteArray before = "# Ours: \xc3\xa9\n\n";
        const QByteArray after = host == CiHost::GitHub
                                     ? "  ours:\n    runs-on: ubuntu-latest\n    steps: [{run: 'true'}]\n# end"
                                     : "ours:\n  script: ['true']\n# end";
        QByteArray text = before + m_sample->read(ciFile(host)) + after;
        text.replace("\n", lineEnd);
        commit(ciFile(host), text);
        QVERIFY(prepared(of(host))->isEmpty()); // nothing of ours changed

        m_sample->takeOut(avx2);
        const Result<Applied> done = written(of(host));
        QVERIFY_OK(done);
        const QByteArray now = m_sample->read(ciFile(host));
        QVERIFY(now != text && now.size() < text.size());
        QVERIFY(now.startsWith(QByteArray(before).replace("\n", lineEnd)));
        QVERIFY(now.endsWith(QByteArray(after).replace("\n", lineEnd)));
        QCOMPARE(now.count('\n'), now.count(lineEnd));
        QVERIFY(!packagesIn(host, now).contains(avx2));
        QCOMPARE(packagesIn(host, now).size(), 43);
        const Result<QJsonObject> read = readPipeline(host, now);
        QVERIFY_OK(read);
        QVERIFY((host == CiHost::GitHub ? (*read)[u"jobs"].toObject() : *read).contains(u"ours"_s));
        QCOMPARE(m_sample->git({u"show"_s, u"--name-only"_s, u"--format="_s}), ciFile(host).toLatin1());
    }

    void filesOfOthers()
    {
        commit(workflow, "on: push\njobs: {}\n");
        QVERIFY_ERROR(prepared(of(CiHost::GitHub)), u"it has no markers, so this program did not write it"_s);
        commit(workflow, "# torch-matrix: begin\n");
        QVERIFY_ERROR(prepared(of(CiHost::GitHub)), u"one of the two markers is missing"_s);
        commit(workflow, "# torch-matrix: end\n# torch-matrix: begin\n");
        QVERIFY_ERROR(prepared(of(CiHost::GitHub)), u"the end marker comes before the begin marker"_s);

        // GitLab has one file for everything: our part is appended if the user says so.
        const QByteArray theirs = "ours:\n  script: ['true']";
        commit(u".gitlab-ci.yml"_s, theirs);
        ExportRequest request = of(CiHost::GitLab);
        const Result<ChangeSet> shown = prepared(request);
        QVERIFY_OK(shown);
        QVERIFY(shown->isEmpty());
        QVERIFY(shown->files.constFirst().possible);
        request.place = true;
        QVERIFY_OK(written(request));
        const QByteArray now = m_sample->read(u".gitlab-ci.yml"_s);
        QVERIFY(now.startsWith(theirs + "\n\n# torch-matrix: begin\n"));
        QCOMPARE(packagesIn(CiHost::GitLab, now).size(), 44);

        // A list of stages that is in a file which it includes.
        commit(u"ci/stages.yml"_s, "stages: [build, deploy]\n");
        commit(u".gitlab-ci.yml"_s, "include: /ci/stages.yml\n" + theirs);
        QVERIFY_OK(written(request));
        QCOMPARE(m_sample->read(u".gitlab-ci.yml"_s).count("\n  stage: \"build\"\n"), 3);
    }

    void uncommittedChangesAreLeft()
    {
        QVERIFY_OK(written(of(CiHost::GitHub)));
        const QByteArray ours = m_sample->read(workflow);
        m_sample->write(workflow, "# mine\n" + ours); // outside of the markers: nothing to do
        QVERIFY(prepared(of(CiHost::GitHub))->files.constFirst().action == ChangeAction::Keep);
        m_sample->write(workflow, "mine\n");
        QVERIFY(prepared(of(CiHost::GitHub))->files.constFirst().action == ChangeAction::Rewrite);
        m_sample->write(workflow, ours);
        m_sample->takeOut(avx2);
        m_sample->write(workflow, "mine\n");
        const Result<ChangeSet> changes = prepared(of(CiHost::GitHub));
        QVERIFY_OK(changes);
        QVERIFY(!changes->files.constFirst().possible && changes->isEmpty());
        QVERIFY(changes->files.constFirst().reason.contains("uncommitted changes"_L1));
        QCOMPARE(m_sample->read(workflow), "mine\n");
    }

    void onlySince()
    {
        const QString first = head();
        ExportRequest request = of(CiHost::GitHub);
        request.since = first;
        QVERIFY_ERROR(prepared(request), u"no recipe matches"_s);
        commit(recipe(avx2), m_sample->read(recipe(avx2)) + "# a comment\n\n");
        QVERIFY_ERROR(prepared(request), u"no recipe matches"_s);
        commit(recipe(avx2), withOtherCode(m_sample->read(recipe(avx2))));
        commit(u"README.md"_s, "other\n");
        QCOMPARE(packages(request), QStringList{avx2});
        commit(recipe(avx512), withOtherCode(m_sample->read(recipe(avx512))));
        QCOMPARE(packages(request), (QStringList{avx2, avx512}));
        request.since = u"HEAD~1"_s;
        QCOMPARE(packages(request), QStringList{avx512});
        QVERIFY(prepared(request)->files.constFirst().after->contains(
            "--since " + m_sample->git({u"rev-parse"_s, u"HEAD~1"_s}).trimmed())); // not what HEAD~1 is next time
        request.since = u"nowhere"_s;
        QVERIFY(!prepared(request).ok());
    }

    /// A companion must be built again if the PyTorch next to it changes.
    void theTorchBesideBelongsToIt()
    {
        const QString gpu = u"pytorch-python313-cuda12_8-sm90-avx2"_s; // that the fixture imports
        const QString vision = u"torchvision-python313-cuda12_8-sm90-avx2"_s;
        QFile fixture(QStringLiteral(TM_FIXTURES "/recipes/torchvision-sibling.nix"));
        QVERIFY(fixture.open(QIODevice::ReadOnly));
        commit(recipe(vision), fixture.readAll());
        const QString before = head();
        commit(recipe(gpu), withOtherCode(m_sample->read(recipe(gpu))));
        const auto read = prepared(of(CiHost::GitHub));
        QVERIFY_OK(read);
        if (!packages(of(CiHost::GitHub)).contains(vision))
            QFAIL(qPrintable(read->warnings.join(u'\n')));
        ExportRequest request = of(CiHost::GitHub);
        request.since = before;
        QCOMPARE(packages(request), (QStringList{gpu, vision}));
        const QString reasons = prepared(request)->warnings.join(u'\n');
        QVERIFY2(reasons.contains("1 recipe changed: "_L1 + gpu) &&
                     reasons.contains(u"1 recipe imports %1, which changed: %2"_s.arg(recipe(gpu), vision)),
                 qPrintable(reasons));
        QVERIFY(read->files.constFirst().after->contains(vision.toLatin1() + ' ' + recipe(gpu).toLatin1() + '\n'));
    }

    void namesAndWhatCannotBeBuilt()
    {
        ExportRequest request = of(CiHost::GitHub);
        request.names = QStringList{avx2, u"pytorch-python313-cpu-sse"_s};
        request.only = u"missing"_s;
        QCOMPARE(packages(request), QStringList{avx2});
        commit(recipe(avx2), "{ }: oops\n");
        QVERIFY_ERROR(prepared(request), u"no recipe matches"_s);
        const Result<ChangeSet> all = prepared(of(CiHost::GitHub));
        QVERIFY_OK(all);
        QCOMPARE(packages(of(CiHost::GitHub)).size(), 43);
        QVERIFY2(all->warnings.join(u'\n').contains("1 recipe is left out, because the audit finds errors in it: "_L1 +
                                                    avx2),
                 qPrintable(all->warnings.join(u'\n')));
    }

    void warnings()
    {
        ExportRequest request = of(CiHost::GitHub);
        request.seconds = {{avx2, 6 * 3600}, {avx512, 6 * 3600 + 60}};
        const QString warned =
            u"1 variant takes longer than the 6 hours that a job may run, up to 6:01:00: "_s + avx512;
        QVERIFY2(prepared(request)->warnings.join(u'\n').contains(warned),
                 qPrintable(prepared(request)->warnings.join(u'\n')));
        request.options.host = CiHost::GitLab; // which ends them after three
        QVERIFY(prepared(request)->warnings.join(u'\n').contains("2 variants take longer than the 3 hours"_L1));
        request.options.runners = {u"big"_s};
        QVERIFY(!prepared(request)->warnings.join(u'\n').contains("longer"_L1));
        m_sample->git({u"rm"_s, u"-q"_s, u".flox/env.json"_s});
        m_sample->git({u"commit"_s, u"-qm"_s, u"No environment"_s});
        QVERIFY(prepared(request)->warnings.join(u'\n').contains("has no committed Flox environment"_L1));
    }

    /// The script that decides on the host, run in the clone. `file`: the pipeline as it was exported. "SYSTEM PACKAGE"
    /// of all that is built, or what it says if it fails.
    [[nodiscard]] QStringList decided(CiHost host, const QByteArray &file, const QJsonObject &pipeline,
                                      const QString &since, const QMap<QString, QString> &variables = {}) const
    {
        const bool github = host == CiHost::GitHub;
        const QString script =
            scriptsOf(host, pipeline)
                .value(github ? u"torch-matrix-changes/Look for changes"_s : u"torch-matrix changes"_s);
        const QTemporaryDir folder;
        const QJsonObject job = github ? pipeline[u"jobs"][u"torch-matrix-changes"][u"steps"][1][u"env"].toObject()
                                       : pipeline[u"torch-matrix changes"][u"variables"].toObject();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (auto it = job.begin(); it != job.end(); ++it)
            environment.insert(it.key(), it->toString());
        environment.insert(u"PIPELINE"_s, folder.filePath(u"pipeline"_s));
        environment.insert(github ? u"SINCE"_s : u"CI_COMMIT_BEFORE_SHA"_s, since);
        environment.insert(u"CI_PROJECT_DIR"_s, m_sample->path());
        environment.insert(u"HOME"_s, folder.path());
        environment.insert(u"GITHUB_OUTPUT"_s, folder.filePath(u"output"_s));
        environment.insert(u"GITHUB_STEP_SUMMARY"_s, folder.filePath(u"summary"_s));
        for (auto it = variables.begin(); it != variables.end(); ++it)
            environment.insert(it.key(), *it);
        QFile text(folder.filePath(u"pipeline"_s));
        if (!text.open(QIODevice::WriteOnly) || text.write(file) < 0 || !text.flush())
            return {text.errorString()};
        const QString jobs = m_sample->path(u"torch-matrix-jobs.yml"_s);
        QFile::remove(jobs);
        QStringList all;
        // Runners have one of these shells.
        QList<QStringList> shells{{u"bash"_s, u"-eo"_s, u"pipefail"_s}};
        if (!github)
            shells = {{u"sh"_s, u"-e"_s}};
        if (!github && !variables.isEmpty())
            shells.append({u"bash"_s, u"-eo"_s, u"pipefail"_s});
        for (const QStringList &shell : std::as_const(shells)) {
            const Ran done =
                ran(shell.constFirst(), shell.mid(1) + QStringList{u"-c"_s, script}, m_sample->path(), environment);
            QStringList found;
            if (done.exitCode != 0)
                return {QString::fromUtf8(done.out + done.err).trimmed()};
            if (github) {
                if (!done.out.isEmpty())
                    found.append(QString::fromUtf8(done.out).trimmed());
                QFile output(folder.filePath(u"output"_s));
                if (!output.open(QIODevice::ReadOnly))
                    return {output.errorString()};
                for (const QByteArray &line : output.readAll().split('\n')) {
                    const QByteArray system = line.left(line.lastIndexOf('-', line.indexOf('=')));
                    const QJsonDocument legs = QJsonDocument::fromJson(line.mid(line.indexOf('=') + 1));
                    for (const auto &leg : legs.array())
                        found.append(QString::fromUtf8(system) + u' ' + leg[u"package"].toString());
                }
            } else {
                QFile written(jobs);
                if (!written.open(QIODevice::ReadOnly))
                    return {written.errorString()};
                QString system;
                for (const QByteArray &line : written.readAll().split('\n')) {
                    if (line.startsWith("torch-matrix "))
                        system = QString::fromUtf8(line).section(u' ', 1, 1);
                    if (line.startsWith("      - {PACKAGE: "))
                        found.append(system + u' ' + QString::fromUtf8(line).section(u'"', 1, 1));
                }
            }
            found.sort();
            if (!all.isEmpty() && found != all)
                return {u"another with "_s + shell.constFirst()};
            all = found;
        }
        return all;
    }

    void builtAreThoseOfTheTree_data()
    {
        QTest::addColumn<CiHost>("host");
        QTest::newRow("GitHub") << CiHost::GitHub;
        QTest::newRow("GitLab") << CiHost::GitLab;
    }
    /// What changed since the export starts what it changed: a recipe that is gone starts nothing, one that is new is
    /// built without another export.
    void builtAreThoseOfTheTree()
    {
        QFETCH(const CiHost, host);
        const QString x86 = u"x86_64-linux "_s, arm = u"aarch64-linux "_s;
        commit(recipe(avx512), "{ }: oops\n");
        const Result<ChangeSet> changes = prepared(of(host));
        QVERIFY_OK(changes);
        const QByteArray file = *changes->files.constFirst().after;
        const Result<QJsonObject> read = readPipeline(host, file);
        QVERIFY_OK(read);
        const QJsonObject &pipeline = *read;
        const auto since = [&](const QString &commit) { return decided(host, file, pipeline, commit); };
        const QStringList all = since({});
        QCOMPARE(all.size(), 43);                // without the broken one
        QCOMPARE(since(QString(40, u'0')), all); // a branch that is new
        QCOMPARE(since(u"HEAD"_s), QStringList());
        QString before = head();
        commit(recipe(avx2), m_sample->read(recipe(avx2)) + "\n");
        QCOMPARE(since(before), QStringList{x86 + avx2});
        before = head();
        commit(recipe(avx512), m_sample->read(recipe(avx2))); // is built as soon as it changes
        QCOMPARE(since(before), QStringList{x86 + avx512});
        before = head();
        m_sample->git({u"rm"_s, u"-q"_s, recipe(avx2)});
        m_sample->git({u"commit"_s, u"-qm"_s, u"Delete"_s});
        QCOMPARE(since(before), QStringList());
        QCOMPARE(since({}).size(), 42);
        before = head();
        const QString sse = u"pytorch-python313-cpu-sse"_s, armv9 = u"pytorch-python314-cuda12_8-sm90-armv9"_s;
        const QString mac = u"pytorch-python314-darwin-mps"_s;
        for (const QString &name : {recipe(sse), recipe(armv9), u".flox/pkgs/%1/default.nix"_s.arg(mac),
                                    recipe(u"tool"_s), u".flox/pkgs/lib/x.nix"_s})
            commit(name, "{ }: { }\n");
        const QStringList come{u"aarch64-darwin "_s + mac, arm + armv9, x86 + sse};
        QCOMPARE(since(before), come);
        QCOMPARE(since({}).size(), 45);
        before = head();
        commit(u".flox/pkgs/lib/x.nix"_s, "{ }\n"); // They may import it.
        QCOMPARE(since(before), come);
        // What was exported in part stays in part.
        ExportRequest part = of(host);
        part.only = u"missing"_s;
        part.names = QStringList{all.constFirst().section(u' ', 1)};
        const Result<ChangeSet> ofPart = prepared(part);
        QVERIFY_OK(ofPart);
        const QByteArray partly = *ofPart->files.constFirst().after;
        QCOMPARE(decided(host, partly, *readPipeline(host, partly), {}), QStringList{all.constFirst()});
        const auto wrong = since(u"nowhere"_s);
        QCOMPARE(wrong.size(), 45); // The commit before a forced push is not here.
        if (host == CiHost::GitHub) {
            QCOMPARE(decided(host, file, pipeline, u"nowhere"_s, {{u"GITHUB_EVENT_NAME"_s, u"workflow_dispatch"_s}}),
                     QStringList{u"::error::There is no commit nowhere."_s});
            const QStringList few = decided(host, file, pipeline, {}, {{u"MOST"_s, u"5"_s}});
            QCOMPARE(few.filter(u"Export it again."_s).size(), 1);
        } else {
            QCOMPARE(decided(host, file, pipeline, {}, {{u"TORCH_MATRIX_SINCE"_s, u"--output=x"_s}}),
                     QStringList{u"There is no commit --output=x."_s});
            QCOMPARE(decided(host, file, pipeline, {}, {{u"MOST"_s, u"5"_s}}), since({}));
            const Result<QJsonObject> child = readPipeline(host, m_sample->read(u"torch-matrix-jobs.yml"_s));
            QVERIFY_OK(child);
            for (auto it = child->begin(); it != child->end(); ++it)
                QVERIFY(it.key().startsWith(u'.') || child->contains((*it)[u"extends"].toString()));
        }
    }

    /// The whole script of a GitLab job, with a stand-in for flox: its status is the build's, and the log exists in any
    /// case.
    void aJobKeepsItsLog()
    {
        const Result<ChangeSet> changes = prepared(of(CiHost::GitLab));
        QVERIFY_OK(changes);
        const Result<QJsonObject> pipeline = readPipeline(CiHost::GitLab, *changes->files.constFirst().after);
        QVERIFY_OK(pipeline);
        const QString script = scriptsOf(CiHost::GitLab, *pipeline).value(u".torch-matrix x86_64-linux"_s);
        const QTemporaryDir programs;
        QFile flox(programs.filePath(u"flox"_s));
        QVERIFY(flox.open(QIODevice::WriteOnly));
        flox.write(
            "#!/bin/sh\necho \"$@\" said\n[ \"$STATUS\" = 0 ] || exit \"$STATUS\"\nln -s /nix/store/x result-$2\n");
        flox.close();
        flox.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        const auto job = [&](const QStringList &shell, int status) {
            QFile::remove(m_sample->path(u"result-"_s + avx2));
            QDir(m_sample->path(u"torch-matrix-logs"_s)).removeRecursively();
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(u"PATH"_s, programs.path() + u':' + environment.value(u"PATH"_s));
            environment.insert(u"HOME"_s, programs.path());
            environment.insert(u"CI_PROJECT_DIR"_s, m_sample->path());
            environment.insert(u"PACKAGE"_s, avx2);
            environment.insert(u"BUILD_MINUTES"_s, u"5"_s);
            environment.insert(u"STATUS"_s, QString::number(status));
            return ran(shell.constFirst(), shell.mid(1) + QStringList{u"-c"_s, script}, m_sample->path(), environment)
                .exitCode;
        };
        const QString log = u"torch-matrix-logs/%1.log"_s.arg(avx2);
        for (const QStringList &shell : {QStringList{u"sh"_s, u"-e"_s}, {u"bash"_s, u"-eo"_s, u"pipefail"_s}}) {
            for (const int status : {0, 1, 3}) {
                QCOMPARE(job(shell, status), status);
                QCOMPARE(m_sample->read(log), "build " + avx2.toLatin1() + " said\n");
                QCOMPARE(QFile::exists(m_sample->path(u"torch-matrix-logs/%1.paths"_s.arg(avx2))), status == 0);
            }
        }
    }

    void noBranch()
    {
        QVERIFY_ERROR(prepared([] {
                          ExportRequest request;
                          request.branch = u"gone"_s;
                          return request;
                      }()),
                      u"gone"_s);
        m_sample->git({u"checkout"_s, u"-q"_s, u"--detach"_s});
        QVERIFY_ERROR(prepared(of(CiHost::GitHub)), u"no branch is checked out"_s);
        m_sample->git({u"switch"_s, u"-q"_s, u"--orphan"_s, u"fresh"_s});
        QVERIFY_ERROR(prepared(of(CiHost::GitHub)), u"fresh: the branch has no commit yet"_s);
    }
};

TM_TEST(TestExport, QCoreApplication)
#include "tst_export.moc"
