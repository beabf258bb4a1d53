// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Contents.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::asText;
using tmx::test::GitFixture;
using tmx::test::nixFiles;
using tmx::test::opened;

namespace {

const QList<NewBranch> newBranches{
    {u"main"_s,
     u"Build PyTorch 2.8.0\n\nAll of it."_s,
     {{u".flox/pkgs/a.nix"_s, "a\n"}, {u"README.md"_s, "main\n"}, {u".flox/env.json"_s, "{}\n"}}},
    {u"cuda-13_0"_s, u"Build PyTorch 2.10.0"_s, {{u".flox/pkgs/b.nix"_s, "b\n"}, {u"README.md"_s, "13.0\n"}}},
};

/// Uses GitFixture's git program and HOME; the repository is created next to the fixture's.
struct NewPlace : GitFixture {
    QString folder = QFileInfo(path()).path() + u"/new"_s;
    QByteArray there(QStringList arguments) const { return git(QStringList{u"-C"_s, folder} + arguments); }
};

} // namespace

class TestCreateRepository : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void makesOneCommitABranch_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("new") << u"/new"_s;
        QTest::newRow("deep") << u"/x/y/new"_s;
        QTest::newRow("there, and empty") << u"/empty"_s;
    }
    void makesOneCommitABranch()
    {
        QFETCH(const QString, folder);
        NewPlace p;
        p.folder = QFileInfo(p.path()).path() + folder;
        if (folder == u"/empty"_s)
            QDir().mkpath(p.folder);
        QVERIFY_OK(createRepository(p.folder, newBranches));
        QCOMPARE(p.there({u"symbolic-ref"_s, u"HEAD"_s}), "refs/heads/main"_ba);
        QCOMPARE(p.there({u"status"_s, u"--porcelain"_s}), ""_ba);
        QCOMPARE(p.there({u"fsck"_s, u"--strict"_s, u"--no-progress"_s}), ""_ba);
        QCOMPARE(p.there({u"log"_s, u"--format=%s|%b|%an <%ae>"_s, u"main"_s}),
                 "Build PyTorch 2.8.0|All of it.\n|Ada Tester <ada@example.org>"_ba);
        QCOMPARE(p.there({u"log"_s, u"--format=%s"_s, u"cuda-13_0"_s}), "Build PyTorch 2.10.0"_ba);
        QCOMPARE(p.there({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, u"main"_s}),
                 ".flox/env.json\n.flox/pkgs/a.nix\nREADME.md"_ba);
        QCOMPARE(p.there({u"show"_s, u"cuda-13_0:README.md"_s}), "13.0"_ba);
        const Repository repository = opened(p.folder);
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
        QCOMPARE(asText(repository.readBranch(u"cuda-13_0"_s, nixFiles())), u"b.nix clean"_s);
    }

    void needsNoIdentity()
    {
        const NewPlace p;
        GitFixture::setGlobalConfig("[commit]\ngpgsign = true\n[core]\nautocrlf = true\n");
        QVERIFY_OK(createRepository(p.folder, newBranches));
        QCOMPARE(p.there({u"log"_s, u"-1"_s, u"--format=%an <%ae>"_s}), "Torch Matrix <torch-matrix@localhost>"_ba);
        QCOMPARE(p.there({u"config"_s, u"--local"_s, u"user.email"_s}),
                 "torch-matrix@localhost"_ba); // so that commits work there at once
        QCOMPARE(p.there({u"status"_s, u"--porcelain"_s}), ""_ba);
    }

    void liesInAnotherRepositoryAsWell()
    {
        NewPlace p;
        p.folder = p.path(u"sub/new"_s);
        QVERIFY_OK(createRepository(p.folder, newBranches));
        QCOMPARE(opened(p.folder).info()->workTree, p.folder);
    }

    void refuses()
    {
        const NewPlace p;
        p.write(u"../file"_s, "1\n");
        p.write(u"../full/.hidden"_s, "1\n");
        const QString parent = QFileInfo(p.path()).path();
        QVERIFY_ERROR(createRepository(parent + u"/full"_s, newBranches), u"the folder is not empty"_s);
        QVERIFY_ERROR(createRepository(p.path(), newBranches), u"the folder is not empty"_s);
        QVERIFY_ERROR(createRepository(parent + u"/file"_s, newBranches), u"it is a file"_s);
        QVERIFY_ERROR(createRepository(p.folder, {}), u"it would have no branch"_s);
        for (const QString &name : {u""_s, u"-x"_s, u"a..b"_s, u"a b"_s, u"x.lock"_s, u"HEAD"_s})
            QVERIFY_ERROR(createRepository(p.folder, {{name, u"m"_s, {{u"a"_s, "a"}}}}), u"not the name of a branch"_s);
        for (const QString &path : {u""_s, u"/etc/x"_s, u"../x"_s, u"a/../../x"_s, u".git/config"_s, u".GIT/config"_s,
                                    u"a//b"_s, u"a/.git/hooks/x"_s})
            QVERIFY_ERROR(createRepository(p.folder, {{u"main"_s, u"m"_s, {{path, "a"}}}}),
                          u"is not in the repository"_s);
        QVERIFY(!QFileInfo::exists(p.folder));
        QVERIFY(::chmod(QFile::encodeName(parent + u"/full"_s).constData(), 0555) == 0);
        {
            const test::ObeyPermissions obey;
            QVERIFY(!createRepository(parent + u"/full/new"_s, newBranches));
        }
    }

    void makesASampleOfTheRealSize()
    {
        const NewPlace p;
        QList<NewBranch> branches;
        for (const QString &name : {u"main"_s, u"cuda-12_9"_s, u"cuda-13_0"_s}) {
            NewBranch branch{name, u"Recipes"_s, {}};
            for (int i = 0; i < 60; ++i)
                branch.files.append({u".flox/pkgs/pytorch-%1-%2.nix"_s.arg(name).arg(i),
                                     QByteArray(5000, 'x') + QByteArray::number(i) + name.toUtf8() + '\n'});
            branches.append(branch);
        }
        QElapsedTimer timer;
        timer.start();
        QVERIFY_OK(createRepository(p.folder, branches));
        qInfo("made 180 recipes in %lld ms", timer.elapsed());
        timer.restart();
        const Repository repository = opened(p.folder);
        const Result<BranchFiles> content = repository.readBranch(u"main"_s, nixFiles());
        QVERIFY_OK(content);
        qInfo("read 60 recipes in %lld ms", timer.elapsed());
        QCOMPARE(content->files.size(), 60);
    }
};

TM_TEST(TestCreateRepository, QCoreApplication)
#include "tst_createrepository.moc"
