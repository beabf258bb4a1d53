// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Other tests rely on the stand-in for flox, so it is tested itself: it refuses what flox refuses, in flox's order and
// words.
#include "tests/support/BuildRepository.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace {

struct Answer {
    int exitCode = -1;
    QString out;
    QString err;
};

Answer flox(const QStringList &arguments, const QString &folder = QDir::tempPath())
{
    const tmx::test::Ran done = tmx::test::ran(QStringLiteral(TM_STANDINS "/flox"), arguments, folder);
    return {done.exitCode, QString::fromUtf8(done.out), QString::fromUtf8(done.err)};
}

Answer build(const BuildRepository &repository, const QStringList &packages)
{
    return flox(QStringList{u"build"_s, u"-d"_s, repository.path()} + packages);
}

Answer publish(const BuildRepository &repository)
{
    return flox({u"publish"_s, u"-d"_s, repository.path(), repository.package()});
}

} // namespace

class tst_StandInFlox : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        standInActs({});
    }

    void refusesAnUntrackedRecipe();
    void refusesWithoutEnvironment();
    void refusesOutsideGit();
    void refusesAnUnknownPackage();
    void refusesAnUnknownOption();
    void keepsTheTwoStreamsApart();
    void buildsInTheCurrentFolder();
    void buildsTrackedEdits();
    void cleans();
    void checksBeforePublishingInOrder();
};

void tst_StandInFlox::refusesAnUntrackedRecipe()
{
    const BuildRepository repository;
    repository.write(u".flox/pkgs/new.nix"_s, "{ }: { }\n");
    const Answer answer = build(repository, {repository.package(), u"new"_s});
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(answer.out, QString());
    QCOMPARE(answer.err, u"✘ ERROR: The Nix expression for 'new' does not appear to be tracked by git.\n"
                         "Only git tracked files (including the expressions themselves) will be available during nix "
                         "expression builds.\n\n"
                         "Nix expression: 'new' defined in '%1/.flox/pkgs/new.nix'\n"_s.arg(repository.path()));
    repository.git({u"add"_s, u"."_s});
    QCOMPARE(build(repository, {u"new"_s}).exitCode, 0);
}

void tst_StandInFlox::refusesWithoutEnvironment()
{
    const BuildRepository repository;
    QVERIFY(QFile::remove(repository.path() + u"/.flox/env.json"_s));
    const Answer answer = build(repository, {repository.package()});
    QCOMPARE(answer.exitCode, 1);
    QCOMPARE(answer.err, u"✘ ERROR: Did not find an environment in the current directory.\n"_s);
}

void tst_StandInFlox::refusesOutsideGit()
{
    const BuildRepository repository;
    QVERIFY(QDir(repository.path() + u"/.git"_s).removeRecursively());
    const Answer answer = build(repository, {u"no-such"_s});
    QCOMPARE(answer.exitCode, 1);
    QVERIFY(answer.err.startsWith(u"✘ ERROR: Building nix expression build(s) requires git version control."));
}

void tst_StandInFlox::refusesAnUnknownPackage()
{
    const BuildRepository repository;
    repository.write(u".flox/pkgs/a.b.nix"_s, "{ }: { }\n");
    repository.git({u"add"_s, u"."_s});
    QCOMPARE(build(repository, {u"no-such"_s}).err, u"✘ ERROR: Target 'no-such' not found.\n"_s);
    QCOMPARE(build(repository, {u"a.b"_s}).err, u"✘ ERROR: Target 'a.b' not found.\n"_s);
    QCOMPARE(build(repository, {u"../pkgs/a"_s}).exitCode, 1);
}

void tst_StandInFlox::refusesAnUnknownOption()
{
    const BuildRepository repository;
    QCOMPARE(build(repository, {u"--fast"_s, repository.package()}).exitCode, 1);
    QCOMPARE(flox({u"bake"_s}).exitCode, 1);
    QCOMPARE(flox({u"--version"_s}).exitCode, 0);
}

void tst_StandInFlox::keepsTheTwoStreamsApart()
{
    const BuildRepository repository;
    const Answer answer = build(repository, {u"--stability"_s, u"stable"_s, repository.package()});
    QCOMPARE(answer.exitCode, 0);
    QCOMPARE(answer.out, u"Building python3.13-pytorch-python313-cpu-avx2-2.8.0 in Nix expression mode\n"
                         "Completed build of python3.13-pytorch-python313-cpu-avx2-2.8.0 in Nix expression mode\n\n"_s);
    QVERIFY(answer.err.startsWith(u"this derivation will be built:\n  /nix/store/"));
    QVERIFY(answer.err.contains(u"\npython3.13-pytorch-python313-cpu-avx2> [12/12] Building CXX object caffe2/"));
    QVERIFY(answer.err.endsWith(
        u"⚡︎ Built outputs:\n./result-pytorch-python313-cpu-avx2, ./result-pytorch-python313-cpu-avx2-dev\n"));
    for (const char *suffix : {"", "-dev", "-log"}) {
        const QFileInfo link(repository.path() + u"/result-pytorch-python313-cpu-avx2"_s + QLatin1StringView(suffix));
        QVERIFY(link.isSymLink());
        QVERIFY(link.symLinkTarget().startsWith(u"/nix/store/"));
    }
}

void tst_StandInFlox::buildsInTheCurrentFolder()
{
    const BuildRepository repository;
    QCOMPARE(flox({u"build"_s, repository.package()}, repository.path()).exitCode, 0);
    QCOMPARE(flox({u"build"_s}, repository.path()).exitCode, 0); // without a name: all of them
}

void tst_StandInFlox::buildsTrackedEdits()
{
    const BuildRepository repository;
    QVERIFY(!build(repository, {repository.package()}).err.contains(u"is dirty"));
    const QString link = repository.path() + u"/result-"_s + repository.package();
    const QString before = QFileInfo(link).symLinkTarget();
    repository.write(repository.recipe(), "{ }: { edited = true; }\n");
    const Answer answer = build(repository, {repository.package()});
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(answer.err.startsWith(u"warning: Git tree '%1' is dirty\n"_s.arg(repository.path())));
    QVERIFY(QFileInfo(link).symLinkTarget() != before);
}

void tst_StandInFlox::cleans()
{
    const BuildRepository repository;
    QCOMPARE(build(repository, {repository.package()}).exitCode, 0);
    QCOMPARE(build(repository, {u"clean"_s, repository.package()}).exitCode, 0);
    QVERIFY(!QFileInfo(repository.path() + u"/result-"_s + repository.package()).isSymLink());
}

void tst_StandInFlox::checksBeforePublishingInOrder()
{
    const BuildRepository repository;
    const QTemporaryDir remote;
    // Everything is wrong at once; each step fixes what was reported, and flox reports the next.
    standInActs("logged-out");
    QVERIFY(QFile::rename(repository.path() + u"/.flox/env/manifest.lock"_s, repository.path() + u"/lock"_s));
    repository.git({u"rm"_s, u"-q"_s, u"--cached"_s, repository.recipe(), u".flox/env.json"_s});
    QVERIFY(publish(repository).err.contains(u"You are not logged in to FloxHub."));
    standInActs({});
    QVERIFY(publish(repository).err.contains(u"The environment must be locked."));
    QVERIFY(QFile::rename(repository.path() + u"/lock"_s, repository.path() + u"/.flox/env/manifest.lock"_s));
    QVERIFY(publish(repository).err.contains(u"does not appear to be tracked by git"));
    repository.git({u"add"_s, repository.recipe()});
    QVERIFY(publish(repository).err.contains(u"Not all environment files are tracked by git."));
    repository.git({u"add"_s, u"."_s});
    repository.write(repository.recipe(), "{ }: { edited = true; }\n");
    QVERIFY(publish(repository).err.contains(u"Build repository must be clean, but has dirty tracked files."));
    repository.git({u"commit"_s, u"-qam"_s, u"Edit"_s});
    QVERIFY(publish(repository).err.contains(u"has no upstream remote configured."));
    repository.git({u"init"_s, u"-q"_s, u"--bare"_s, remote.path()});
    repository.git({u"remote"_s, u"add"_s, u"origin"_s, remote.path()});
    repository.git({u"push"_s, u"-q"_s, u"-u"_s, u"origin"_s, u"HEAD"_s});
    repository.git({u"commit"_s, u"-q"_s, u"--allow-empty"_s, u"-m"_s, u"Not pushed"_s});
    QVERIFY(publish(repository).err.contains(u"Local revision is not present on remote 'origin/"));
    repository.git({u"push"_s, u"-q"_s});
    const Answer answer = publish(repository);
    QCOMPARE(answer.exitCode, 0);
    QVERIFY(answer.err.contains(u"✔ Package published successfully."));
    standInActs("published");
    QVERIFY(publish(repository).err.contains(u"✔ Package already published."));
}

TM_TEST(tst_StandInFlox, QCoreApplication)
#include "tst_standinflox.moc"
