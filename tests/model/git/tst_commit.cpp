// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// What a commit contains, and what it does not touch.
#include "tests/support/Changes.h"
#include "tests/support/Contents.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::asText;
using tmx::test::commitEdits;
using tmx::test::commitFiles;
using tmx::test::GitFixture;
using tmx::test::opened;
using tmx::test::RepositoryFixture;
using tmx::test::stageFiles;

namespace {

QByteArray filesOf(const GitFixture &f, const QString &revision = u"HEAD"_s)
{
    return f.git({u"show"_s, u"--name-status"_s, u"--no-renames"_s, u"--format=%s"_s, revision}).replace("\n\n", "\n");
}

} // namespace

class TestCommit : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void holdsExactlyTheChosenFile()
    {
        const RepositoryFixture f;
        f.write(f.recipe, "new\n");
        f.write(f.other, "b\n");
        f.write(u".flox/pkgs/c.nix"_s, "c\n");
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s, u".flox/pkgs/c.nix"_s});
        const Result<Applied> made = commitFiles(f.repository, {f.other}, u"Add b\n\nWhy.  \n\n"_s, f.first);
        QVERIFY_OK(made);
        QCOMPARE(made->commit, f.head());
        QCOMPARE(made->branch, u"main"_s);
        QCOMPARE(made->subject, u"Add b"_s);
        QCOMPARE(filesOf(f), "Add b\nA\t.flox/pkgs/b.nix"_ba);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%an %ae|%cn %ce|%P|%B"_s}),
                 "Ada Tester ada@example.org|Ada Tester ada@example.org|" + f.first.toLatin1() + "|Add b\n\nWhy.\n");
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\nA  .flox/pkgs/c.nix\nA  staged.txt"_ba);
        QCOMPARE(f.fsck(), ""_ba);
        QCOMPARE(f.git({u"diff-files"_s, u"--name-only"_s}),
                 ".flox/pkgs/a.nix"_ba); // time stamps in the index are true ones
    }

    void changesAndRemoves()
    {
        const RepositoryFixture f;
        const QString second = f.commitFile(f.other, "b\n");
        f.write(f.recipe, "staged\n");
        f.git({u"add"_s, f.recipe});
        f.write(f.recipe, "on disk\n");
        QFile::remove(f.path(f.other));
        QVERIFY_OK(commitFiles(f.repository, {f.recipe, f.other}, u"Both"_s, second));
        QCOMPARE(filesOf(f), "Both\nM\t.flox/pkgs/a.nix\nD\t.flox/pkgs/b.nix"_ba);
        QCOMPARE(f.git({u"show"_s, u"HEAD:.flox/pkgs/a.nix"_s}), "on disk"_ba);
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void removesWhatTheIndexForgotAlready()
    {
        const RepositoryFixture f;
        const QString second = f.commitFile(f.other, "b\n");
        f.git({u"rm"_s, u"--quiet"_s, f.other});
        QVERIFY_OK(commitFiles(f.repository, {f.other}, u"Remove b"_s, second));
        QCOMPARE(filesOf(f), "Remove b\nD\t.flox/pkgs/b.nix"_ba);
        QCOMPARE(f.status(), ""_ba);
    }

    void removesTheLastFile()
    {
        const RepositoryFixture f;
        QFile::remove(f.path(f.recipe));
        QVERIFY_OK(commitFiles(f.repository, {f.recipe}, u"Empty"_s, f.first));
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"HEAD"_s}), ""_ba);
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void makesTheFirstCommit()
    {
        const GitFixture f(u"lines/cuda-13_0"_s);
        f.write(u".flox/pkgs/a.nix"_s, "a\n");
        f.write(u"b.txt"_s, "b\n");
        f.git({u"add"_s, u"b.txt"_s});
        const Result<Applied> made = commitFiles(opened(f.path()), {u".flox/pkgs/a.nix"_s}, u"First"_s, {});
        QVERIFY_OK(made);
        QCOMPARE(made->branch, u"lines/cuda-13_0"_s);
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD"_s}), "1"_ba);
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, u"HEAD"_s}), ".flox/pkgs/a.nix"_ba);
        QCOMPARE(f.status(), "A  b.txt"_ba);
        QCOMPARE(f.git({u"reflog"_s, u"--format=%gs"_s}), "commit (initial): First"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void writesTheReflogsAsGitDoes()
    {
        const RepositoryFixture f;
        f.write(f.recipe, "new\n");
        QVERIFY_OK(commitFiles(f.repository, {f.recipe}, u"New text\n\nWhy."_s, f.first));
        for (const QString &ref : {u"HEAD"_s, u"main"_s})
            QCOMPARE(
                f.git({u"reflog"_s, u"--format=%gs|%gn <%ge>"_s, ref}),
                "commit: New text|Ada Tester <ada@example.org>\ncommit (initial): Add a file|Ada Tester <ada@example.org>"_ba);
        QCOMPARE(f.git({u"rev-parse"_s, u"HEAD@{1}"_s}), f.first.toLatin1());

        QFile::remove(f.path(u".git/logs/HEAD"_s));
        QFile::remove(f.path(u".git/logs/refs/heads/main"_s));
        f.git({u"config"_s, u"core.logAllRefUpdates"_s, u"false"_s});
        f.write(f.recipe, "newer\n");
        QVERIFY_OK(commitFiles(f.repository, {f.recipe}, u"Newer text"_s, f.head()));
        QVERIFY(!QFile::exists(f.path(u".git/logs/HEAD"_s)));
    }

    void commitsInALinkedWorkTree()
    {
        const RepositoryFixture f;
        const QString linked = f.path(u"../linked"_s);
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, u"-b"_s, u"two"_s, linked});
        QFile file(linked + u"/.flox/pkgs/b.nix"_s);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("b\n") == 2);
        file.close();
        const Result<Applied> made = commitFiles(opened(linked), {f.other}, u"Add b"_s, f.first);
        QVERIFY_OK(made);
        QCOMPARE(made->branch, u"two"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"two"_s}), made->commit.toLatin1());
        QCOMPARE(f.head(), f.first);
        QCOMPARE(f.git({u"-C"_s, linked, u"status"_s, u"--porcelain"_s}), ""_ba);
        QCOMPARE(f.git({u"-C"_s, linked, u"reflog"_s, u"-1"_s, u"--format=%gs"_s}), "commit: Add b"_ba);
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void appliesAttributes()
    {
        const GitFixture f;
        const QString first = f.commitFile(u".gitattributes"_s, "*.nix text eol=crlf\n");
        f.write(u".flox/pkgs/a.nix"_s, "1\r\n2\r\n");
        QVERIFY_OK(commitFiles(opened(f.path()), {u".flox/pkgs/a.nix"_s}, u"Add a"_s, first));
        QCOMPARE(f.git({u"cat-file"_s, u"-s"_s, u"HEAD:.flox/pkgs/a.nix"_s}), "4"_ba);
        QCOMPARE(f.status(), ""_ba);
    }

    /// A filter that only git has; in a commit of many files too, whose objects are written as one pack.
    void storesThroughAForeignFilter()
    {
        const GitFixture f;
        const QString first =
            f.commitFile(u".gitattributes"_s, "a*.nix filter=upper\nb.nix working-tree-encoding=UTF-16\n");
        f.write(u".flox/pkgs/a.nix"_s, "1\n");
        f.write(u".flox/pkgs/b.nix"_s, "1\n");
        const Repository repository = opened(f.path());
        QVERIFY_ERROR(commitFiles(repository, {u".flox/pkgs/b.nix"_s}, u"Add b"_s, first),
                      u"working-tree-encoding=UTF-16"_s);
        f.git({u"config"_s, u"filter.upper.clean"_s, u"tr a-z A-Z"_s});
        f.git({u"config"_s, u"filter.upper.required"_s, u"true"_s});
        QStringList paths;
        for (int i = 0; i < 20; ++i) {
            paths.append(u".flox/pkgs/a%1.nix"_s.arg(i));
            f.write(paths.constLast(), "some text\n");
        }
        QVERIFY_OK(commitFiles(opened(f.path()), paths, u"Add many"_s, first));
        for (const QString &path : std::as_const(paths))
            QCOMPARE(f.git({u"show"_s, u"HEAD:"_s + path}), "SOME TEXT"_ba);
        QCOMPARE(f.status(), "?? .flox/pkgs/a.nix\n?? .flox/pkgs/b.nix"_ba);
        f.git({u"config"_s, u"filter.upper.clean"_s, u"echo no; exit 1"_s});
        QVERIFY_ERROR(commitFiles(opened(f.path()), {u".flox/pkgs/a.nix"_s}, u"Add a"_s, f.head()), u"filter=upper"_s);
        // Without a command git passes the filter over as well.
        f.git({u"config"_s, u"--remove-section"_s, u"filter.upper"_s});
        QVERIFY_OK(commitFiles(opened(f.path()), {u".flox/pkgs/a.nix"_s}, u"Add a"_s, f.head()));
        QCOMPARE(f.git({u"show"_s, u"HEAD:.flox/pkgs/a.nix"_s}), "1"_ba);
    }

    void keepsTheExecutableBit()
    {
        const RepositoryFixture f;
        f.write(f.other, "b\n");
        QVERIFY(::chmod(QFile::encodeName(f.path(f.other)).constData(), 0755) == 0);
        QVERIFY_OK(commitFiles(f.repository, {f.other}, u"Add b"_s, f.first));
        QVERIFY(f.git({u"ls-tree"_s, u"HEAD"_s, u"--"_s, f.other}).startsWith("100755"));
        QCOMPARE(f.status(), ""_ba);
    }

    void takesTheIdentityFromTheEnvironment()
    {
        const RepositoryFixture f;
        GitFixture::setGlobalConfig({});
        f.write(f.recipe, "new\n");
        qputenv("GIT_AUTHOR_NAME", "Grace");
        qputenv("GIT_AUTHOR_EMAIL", "grace@example.org");
        qputenv("GIT_COMMITTER_NAME", "Linus");
        qputenv("GIT_COMMITTER_EMAIL", "linus@example.org");
        const Result<Applied> made = commitFiles(opened(f.path()), {f.recipe}, u"New"_s, f.first);
        for (const char *name : {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"})
            qunsetenv(name);
        QVERIFY_OK(made);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%an %ae|%cn %ce"_s}),
                 "Grace grace@example.org|Linus linus@example.org"_ba);
    }

    // A file that was changed within the time stamp's tick after it was added looks unchanged to a newer index: our
    // index must not make git miss the change.
    void doesNotHideAChangeOfTheSameMoment()
    {
        const RepositoryFixture f;
        f.write(f.other, "b\n");
        f.git({u"config"_s, u"core.trustctime"_s, u"false"_s}); // the one stamp that a test cannot set
        const QByteArray index = QFile::encodeName(f.path(u".git/index"_s));
        const QByteArray racy = QFile::encodeName(f.path(u"racy.txt"_s));
        // All of this happened at the same moment ten seconds ago.
        const timespec moment{::time(nullptr) - 10, 500};
        const auto stamp = [&](const QByteArray &file) {
            const timespec times[2] = {moment, moment};
            QVERIFY(::utimensat(AT_FDCWD, file.constData(), times, 0) == 0);
        };
        f.write(u"racy.txt"_s, "1\n");
        stamp(racy);
        f.git({u"add"_s, u"racy.txt"_s});
        stamp(index);
        f.write(u"racy.txt"_s, "2\n");
        stamp(racy);
        // Git itself sees the change; a status that may write the index would hide the problem.
        QCOMPARE(f.git({u"--no-optional-locks"_s, u"status"_s, u"--porcelain"_s, u"racy.txt"_s}), "AM racy.txt"_ba);
        QVERIFY_OK(commitFiles(f.repository, {f.other}, u"Add b"_s, f.first));
        QCOMPARE(f.status(), "AM racy.txt"_ba);
    }

    void doesNotHideAChangeRightAfterTheCommit()
    {
        const RepositoryFixture f;
        QString head = f.first;
        for (int i = 0; i < 20; ++i) {
            f.write(f.recipe, "commit " + QByteArray::number(i % 10) + '\n');
            const Result<Applied> made = commitFiles(f.repository, {f.recipe}, u"Next"_s, head);
            f.write(f.recipe, "change " + QByteArray::number(i % 10) + '\n');
            QVERIFY_OK(made);
            QCOMPARE(f.status(), " M .flox/pkgs/a.nix"_ba);
            head = made->commit;
        }
    }

    // Only what git does not track, also if it is ignored.
    void stagesWhatGitDoesNotTrack()
    {
        const RepositoryFixture f;
        f.commitFile(u".gitignore"_s, "b.nix\n");
        f.write(f.recipe, "new\n");
        f.write(f.other, "b\n");
        QVERIFY_OK(stageFiles(f.repository, {f.recipe, f.other}));
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\nA  .flox/pkgs/b.nix"_ba);
        QVERIFY_OK(stageFiles(f.repository, {f.recipe, f.other}));
        QFile::remove(f.path(f.recipe));
        QVERIFY_OK(stageFiles(f.repository, {f.recipe}));
        QCOMPARE(f.status(), " D .flox/pkgs/a.nix\nA  .flox/pkgs/b.nix"_ba);
        QVERIFY_ERROR(stageFiles(f.repository, {u".flox/pkgs/nothing.nix"_s}), u"there is no such file"_s);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void commitsWhatWasOnlyIntendedToBeAdded()
    {
        const RepositoryFixture f;
        f.write(f.other, "b\n");
        f.git({u"add"_s, u"--intent-to-add"_s, f.other});
        QVERIFY_OK(stageFiles(f.repository, {f.other}));
        QCOMPARE(f.status(), " A .flox/pkgs/b.nix"_ba); // git tracks it
        QVERIFY_OK(commitFiles(f.repository, {f.other}, u"Add b"_s, f.first));
        QCOMPARE(f.status(), ""_ba);
    }

    void commitsToAnotherBranch()
    {
        const RepositoryFixture f;
        f.git({u"branch"_s, u"lines/two"_s});
        f.git({u"pack-refs"_s, u"--all"_s});
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        const Result<Applied> made =
            commitEdits(f.repository, u"lines/two"_s, {{f.other, "b\n"_ba}}, u"Add b"_s, f.first);
        QVERIFY_OK(made);
        QCOMPARE(made->branch, u"lines/two"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"lines/two"_s}), made->commit.toLatin1());
        QCOMPARE(filesOf(f, u"lines/two"_s), "Add b\nA\t.flox/pkgs/b.nix"_ba);
        QCOMPARE(f.git({u"reflog"_s, u"-1"_s, u"--format=%gs"_s, u"lines/two"_s}), "commit: Add b"_ba);
        QCOMPARE(f.git({u"reflog"_s, u"--format=%gs"_s, u"HEAD"_s}), "commit (initial): Add a file"_ba);
        QCOMPARE(f.head(), f.first);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        QVERIFY(!QFile::exists(f.path(f.other)));
        QCOMPARE(f.fsck(), ""_ba);
    }

    void leavesAWorkingTreeOfAMovedRepositoryOut()
    {
        const RepositoryFixture f;
        f.git({u"branch"_s, u"two"_s});
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, f.path(u"../linked"_s), u"two"_s});
        QFile link(f.path(u"../linked/.git"_s));
        QVERIFY(link.open(QIODevice::WriteOnly));
        link.write("gitdir: " + QFile::encodeName(f.path(u"../before/.git/worktrees/linked"_s)) + '\n');
        link.close();
        QVERIFY_OK(commitEdits(f.repository, u"two"_s, {{f.other, "b\n"_ba}}, u"Add"_s, f.first));
    }

    void refusesWhatAnotherBranchCannotTake()
    {
        const RepositoryFixture f;
        f.git({u"branch"_s, u"two"_s});
        f.git({u"branch"_s, u"three"_s});
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, f.path(u"../linked"_s), u"three"_s});
        const auto commit = [&](const QString &branch, const QString &path, const QString &tip) {
            return commitEdits(f.repository, branch, {{path, "b\n"_ba}}, u"Add"_s, tip);
        };
        QVERIFY_ERROR(commit(u"two"_s, f.recipe, f.first), u"the branch two has that file already"_s);
        QVERIFY_ERROR(commit(u"three"_s, f.other, f.first), u"/linked"_s);
        QVERIFY_ERROR(commit(u"four"_s, f.other, f.first), u"has no such branch"_s);
        QVERIFY_ERROR(commit(u"two"_s, f.other, QString(40, u'1')),
                      u"the branch two moved meanwhile, from 11111111 to "_s);
        QVERIFY_ERROR(commit(u"two"_s, u"../x.nix"_s, f.first), u"recipes are in .flox/pkgs"_s);
        QVERIFY_ERROR(commitEdits(f.repository, u"two"_s, {}, u"Add"_s, f.first), u"no file was chosen"_s);
        QCOMPARE(f.git({u"rev-parse"_s, u"two"_s, u"three"_s}), (f.first + u'\n' + f.first).toLatin1());
    }
};

TM_TEST(TestCommit, QCoreApplication)
#include "tst_commit.moc"
