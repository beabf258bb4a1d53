// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Change.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/workspace/NewRepository.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FileText.h"
#include "tests/support/GitFixture.h"
#include "tests/support/Ran.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <toml++/toml.hpp>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;
using tmx::testing::builtInCatalog;

using tmx::test::contentOf;

namespace {

QByteArray git(const QString &folder, const QStringList &arguments)
{
    return tmx::test::outputOf(u"git"_s, arguments, folder);
}

} // namespace

/// A new repository, judged by real git and by the program's own reading of it.
class TestNewRepository : public QObject
{
    Q_OBJECT

    GitFixture m_fixture; // gives the tests a HOME of their own

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        GitFixture::setGlobalConfig(GitFixture::defaultGlobalConfig());
    }

    void isWhole_data()
    {
        QTest::addColumn<QStringList>("cudas");
        QTest::addColumn<QString>("python");
        for (const Settings &settings : builtInCatalog()->builtIn) {
            for (const QString &python : {u"python312"_s, u"python313"_s})
                QTest::addRow("%s %s", qPrintable(settings.branch), qPrintable(python))
                    << settings.toolkits() << python;
        }
    }
    /// The branch has what its settings list, the README is up to date, nothing is left to do.
    void isWhole()
    {
        QFETCH(const QStringList, cudas);
        QFETCH(const QString, python);
        const QTemporaryDir parent;
        NewRepository wanted{.folder = parent.filePath(u"deep/torch"_s), .change = {}, .names = {}};
        wanted.change.cudas = cudas;
        wanted.change.pythons = QStringList{python};
        const auto made = createBuildRepository(builtInCatalog(), wanted);
        QVERIFY_OK(made);
        QCOMPARE(git(wanted.folder, {u"rev-list"_s, u"--count"_s, u"HEAD"_s}), "1"_ba);
        QCOMPARE(git(wanted.folder, {u"status"_s, u"--porcelain"_s, u"-uall"_s}), ""_ba);
        QCOMPARE(git(wanted.folder, {u"fsck"_s, u"--strict"_s}), ""_ba);

        const SnapshotReader reader(builtInCatalog());
        const auto read = reader.read(wanted.folder, {});
        QVERIFY_OK(read);
        QVERIFY(read->snapshot->settings.source == Settings::Source::File);
        QCOMPARE(read->snapshot->settings.toolkits(), cudas);
        QVERIFY(read->snapshot->settings.promisedCount() > 0);
        for (const VariantEntry &entry : read->snapshot->entries) {
            if (entry.covered)
                QVERIFY2(entry.state == RecipeState::Current, qPrintable(entry.variant.name()));
        }
        const auto plan = prepare(reader, wanted.folder, PlanRequest{});
        QVERIFY_OK(plan);
        QVERIFY(plan->constFirst().isEmpty());
        const auto readme = prepare(reader, wanted.folder, ReadmeRequest{});
        QVERIFY_OK(readme);
        QVERIFY(readme->constFirst().isEmpty());
        QVERIFY(git(wanted.folder, {u"log"_s, u"-1"_s, u"--format=%s"_s}).startsWith("Begin with "));
    }

    void followsTheUsersGit()
    {
        GitFixture::setGlobalConfig(GitFixture::defaultGlobalConfig() + "[init]\n\tdefaultBranch = trunk\n");
        const QTemporaryDir parent;
        const QString only = u"pytorch-python313-cpu-avx2"_s;
        const NewRepository wanted{.folder = parent.filePath(u"a"_s), .change = {}, .names = {only}};
        QVERIFY_OK(createBuildRepository(builtInCatalog(), wanted));
        QCOMPARE(git(wanted.folder, {u"symbolic-ref"_s, u"--short"_s, u"HEAD"_s}), "trunk"_ba);
        QCOMPARE(QDir(wanted.folder + u"/.flox/pkgs"_s).entryList(QDir::Files), QStringList{only + u".nix"_s});
        const QJsonObject environment =
            QJsonDocument::fromJson(contentOf(wanted.folder + u"/.flox/env.json"_s)).object();
        QCOMPARE(environment.value(u"name"_s).toString(), u"a"_s);
    }

    /// Obstacles are reported before anything is created, and a second attempt continues.
    void refuses()
    {
        const QTemporaryDir parent;
        const auto folderAfter = [&parent](const NewRepository &wanted) {
            const auto made = createBuildRepository(builtInCatalog(), wanted);
            return made ? u"made"_s : made.error().sentence();
        };
        NewRepository wanted{.folder = parent.filePath(u"a"_s), .change = {}, .names = {u"pytorch-nonsense"_s}};
        QVERIFY(folderAfter(wanted).contains(u"pytorch-nonsense"));
        QVERIFY(!QFile::exists(wanted.folder));
        wanted.names.clear();
        wanted.change.cudas = QStringList{u"99.9"_s};
        QVERIFY(folderAfter(wanted) != u"made");
        QVERIFY(!QFile::exists(wanted.folder));
        wanted.change.cudas.reset();

        GitFixture::setGlobalConfig("[user]\n\tuseConfigOnly = true\n");
        QVERIFY(folderAfter(wanted) != u"made");
        QCOMPARE(QDir(wanted.folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{u".git"_s});
        GitFixture::setGlobalConfig(GitFixture::defaultGlobalConfig());
        QCOMPARE(folderAfter(wanted), u"made"_s);
        QVERIFY(folderAfter(wanted).contains(u"not empty"));

        const QTemporaryDir full;
        QVERIFY(QFile(full.filePath(u"mine"_s)).open(QIODevice::WriteOnly));
        wanted.folder = full.path();
        QVERIFY(folderAfter(wanted).contains(u"not empty"));
        wanted.folder = full.filePath(u"mine"_s);
        QVERIFY(folderAfter(wanted).contains(u"file"));
        const GitFixture committed;
        committed.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"One"_s});
        wanted.folder = committed.path();
        QVERIFY(folderAfter(wanted).contains(u"commits"));
    }

    void hookListsWhatTheMachineRuns_data()
    {
        QTest::addColumn<QByteArray>("flags");
        QTest::addColumn<QByteArray>("capabilities");
        QTest::addColumn<QStringList>("lists");
        QTest::addColumn<QStringList>("lacks");
        QTest::newRow("an H100 beside AVX-512")
            << QByteArray("flags\t\t: fpu avx avx2 fma f16c avx512f avx512dq avx512vl avx512bw\n")
            << QByteArray("9.0\n9.0\n")
            << QStringList{u"cuda12_8-sm90-avx512"_s, u"cuda12_8-sm90-avx2"_s, u"cpu-avx2"_s}
            << QStringList{u"sm90-avx512vnni"_s, u"sm89"_s, u"armv9"_s};
        QTest::newRow("no GPU, ARM") << QByteArray("Features\t: fp asimd fphp asimdhp asimddp\n") << QByteArray()
                                     << QStringList{u"cpu-armv8_2"_s} << QStringList{u"sm"_s, u"avx"_s, u"armv9"_s};
        QTest::newRow("nothing known") << QByteArray() << QByteArray("[N/A]\n") << QStringList{}
                                       << QStringList{u"pytorch-"_s};
    }
    /// The manifest's script, run by a real shell with a simulated machine.
    void hookListsWhatTheMachineRuns()
    {
        QFETCH(const QByteArray, flags);
        QFETCH(const QByteArray, capabilities);
        QFETCH(const QStringList, lists);
        QFETCH(const QStringList, lacks);
        const QTemporaryDir parent;
        NewRepository wanted{.folder = parent.filePath(u"with blank"_s), .change = {}, .names = {}};
        wanted.change.cudas = QStringList{u"12.8"_s};
        QVERIFY_OK(createBuildRepository(builtInCatalog(), wanted));
        const toml::table manifest =
            toml::parse(contentOf(wanted.folder + u"/.flox/env/manifest.toml"_s).toStdString());
        QByteArray script = QByteArray::fromStdString(manifest["hook"]["on-activate"].value_or(std::string()));
        QVERIFY(script.contains("/proc/cpuinfo"));
        const auto file = [&parent](const QString &name, const QByteArray &text) {
            QFile out(parent.filePath(name));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text);
            QVERIFY(out.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        };
        file(u"cpuinfo"_s, flags);
        file(u"capabilities"_s, capabilities);
        file(u"nvidia-smi"_s, "#!/bin/sh\ncat '" + parent.filePath(u"capabilities"_s).toUtf8() + "'\n");
        script.replace("/proc/cpuinfo", "'" + parent.filePath(u"cpuinfo"_s).toUtf8() + "'");
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"PATH"_s, parent.path() + u':' + environment.value(u"PATH"_s));
        environment.insert(u"FLOX_ENV_PROJECT"_s, wanted.folder);
        shell.setProcessEnvironment(environment);
        shell.start(u"sh"_s, {u"-eu"_s, u"-c"_s, QString::fromUtf8(script)});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.readAllStandardError(), ""_ba);
        QCOMPARE(shell.exitCode(), 0);
        const QString said = QString::fromUtf8(shell.readAllStandardOutput());
        const QStringList names = said.split(u'\n', Qt::SkipEmptyParts).mid(1);
        for (const QString &name : lists)
            QVERIFY2(names.contains(u"pytorch-python313-"_s + name), qPrintable(said));
        for (const QString &part : lacks)
            QVERIFY2(names.filter(part).isEmpty(), qPrintable(said));
    }
};

TM_TEST(TestNewRepository, QCoreApplication)
#include "tst_newrepository.moc"
