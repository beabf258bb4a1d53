// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Changes.h"
#include "tests/support/Contents.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::asText;
using tmx::test::GitFixture;
using tmx::test::nixFiles;
using tmx::test::opened;
using tmx::test::stageFiles;
using tmx::test::writeFile;

namespace {

const QString recipeA = u".flox/pkgs/a.nix"_s;

RepositoryInfo infoOf(const QString &path)
{
    const Result<RepositoryInfo> info = opened(path).info();
    if (!info)
        qFatal("%s", qPrintable(info.error().sentence()));
    return *info;
}

} // namespace

class TestRepository : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // libgit2's own reader loops forever if an object's stream is truncated.
    void damagedObjects()
    {
        GitFixture f;
        const QString recipe = u".flox/pkgs/a.nix"_s;
        f.commitFile(recipe, QByteArray("text\n").repeated(1000));
        for (const QString &revision : {u"HEAD:"_s + recipe, u"HEAD:.flox/pkgs"_s, u"HEAD^{tree}"_s, u"HEAD"_s}) {
            const QString id = QString::fromLatin1(f.git({u"rev-parse"_s, revision}));
            QFile file(f.path(u".git/objects/"_s + id.left(2) + u'/' + id.mid(2)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray sound = file.readAll();
            file.close();
            QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner));
            for (qsizetype size = 0; size <= sound.size(); ++size) {
                QVERIFY(file.open(QIODevice::WriteOnly) && file.write(sound.first(size)) == size);
                file.close();
                const Result<Repository> repository = Repository::open(f.path());
                QVERIFY_OK(repository);
                const Result<BranchFiles> content = repository->readBranch(u"main"_s, nixFiles());
                if (size == sound.size())
                    QVERIFY_OK(content);
            }
        }
    }

    void opensFromASubfolderAndAFile()
    {
        const GitFixture f;
        const QString first = f.commitFile(recipeA, "1\n");
        for (const QString &path : {f.path(), f.path(u".flox/pkgs"_s), f.path(recipeA), f.path(u".git"_s)}) {
            const RepositoryInfo info = infoOf(path);
            QCOMPARE(info.workTree, f.path());
            QCOMPARE(info.gitFolder, f.path(u".git"_s));
            QCOMPARE(info.headBranch, u"main"_s);
            QCOMPARE(info.headCommit, first);
            QCOMPARE(info.branches, QList<BranchRef>({{u"main"_s, first, true, {}}}));
        }
    }

    void opensARepositoryWithoutACommit()
    {
        const GitFixture f(u"cuda-13_0"_s);
        f.write(recipeA, "1\n");
        const RepositoryInfo info = infoOf(f.path());
        QCOMPARE(info.headBranch, u"cuda-13_0"_s);
        QVERIFY(info.headCommit.isEmpty());
        QVERIFY(!info.detached);
        QCOMPARE(info.branches, QList<BranchRef>({{u"cuda-13_0"_s, {}, true, {}}}));
        const Result<BranchFiles> content = opened(f.path()).readBranch(u"cuda-13_0"_s, nixFiles());
        QCOMPARE(asText(content), u"a.nix untracked"_s);
        QVERIFY(content->commit.isEmpty());
    }

    void opensALinkedWorkTree()
    {
        const GitFixture f;
        const QString first = f.commitFile(recipeA, "1\n");
        const QString linked = QFileInfo(f.path()).path() + u"/linked"_s;
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, u"-b"_s, u"two"_s, linked});
        const RepositoryInfo there = infoOf(linked);
        QCOMPARE(there.workTree, linked);
        QCOMPARE(there.gitFolder, f.path(u".git/worktrees/linked"_s));
        QCOMPARE(there.headBranch, u"two"_s);
        QCOMPARE(there.branches, QList<BranchRef>({{u"main"_s, first, false, f.path()}, {u"two"_s, first, true, {}}}));
        QCOMPARE(infoOf(f.path()).branches,
                 QList<BranchRef>({{u"main"_s, first, true, {}}, {u"two"_s, first, false, linked}}));
        QCOMPARE(asText(opened(linked).readBranch(u"two"_s, nixFiles())), u"a.nix clean"_s);
    }

    void readsADetachedHead()
    {
        const GitFixture f;
        const QString first = f.commitFile(recipeA, "1\n");
        f.git({u"switch"_s, u"--quiet"_s, u"--detach"_s});
        f.write(recipeA, "2\n");
        const RepositoryInfo info = infoOf(f.path());
        QVERIFY(info.detached);
        QCOMPARE(info.headBranch, QString());
        QCOMPARE(info.headCommit, first);
        QCOMPARE(info.branches, QList<BranchRef>({{u"main"_s, first, false, {}}}));
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
        QCOMPARE(asText(opened(f.path()).readBranch({}, nixFiles())), u"a.nix modified"_s);
    }

    void listsBranchesByNameWithFoldersAndPacked()
    {
        const GitFixture f;
        const QString first = f.commitFile(recipeA, "1\n");
        f.git({u"branch"_s, u"lines/cuda-12_9"_s});
        f.git({u"pack-refs"_s, u"--all"_s});
        f.git({u"branch"_s, u"a"_s});
        f.git({u"tag"_s, u"b"_s});
        QCOMPARE(infoOf(f.path()).branches, QList<BranchRef>({{u"a"_s, first, false, {}},
                                                              {u"lines/cuda-12_9"_s, first, false, {}},
                                                              {u"main"_s, first, true, {}}}));
    }

    void saysWhyItCannotOpen()
    {
        const GitFixture f;
        const QString outside = QFileInfo(f.path()).path();
        QVERIFY_ERROR(Repository::open(outside), outside + u": it is not in a git repository"_s);
        QVERIFY_ERROR(Repository::open(outside + u"/nowhere"_s), u"there is no such folder"_s);
        QVERIFY_ERROR(Repository::open({}), u"there is no such folder"_s);
        f.git({u"init"_s, u"--quiet"_s, u"--bare"_s, outside + u"/bare"_s});
        QVERIFY_ERROR(Repository::open(outside + u"/bare"_s), u"it is a bare repository"_s);
        QDir(outside).mkpath(u"broken/.git"_s);
        QVERIFY_ERROR(Repository::open(outside + u"/broken"_s), u"it is not in a git repository"_s);
        f.git({u"init"_s, u"--quiet"_s, u"--object-format=sha256"_s, outside + u"/sha256"_s});
        QVERIFY_ERROR(Repository::open(outside + u"/sha256"_s), u"sha256"_s);
    }

    // Opening one blocks forever, for git as well.
    void aPipeIsNoFileOfGit_data()
    {
        QTest::addColumn<QString>("place");
        for (const char *place :
             {"config", "index", "packed-refs", "shallow", "info/attributes", "info/grafts", "objects/info/alternates",
              "refs/heads/main", "logs/HEAD", "logs/refs/heads/main", "objects/info/commit-graph",
              "objects/pack/multi-pack-index", "objects/pack/pack-x.idx", "objects/pack/pack-x.pack"})
            QTest::newRow(place) << QString::fromLatin1(place);
    }
    void aPipeIsNoFileOfGit()
    {
        QFETCH(const QString, place);
        const GitFixture f;
        f.commitFile(u"a"_s, "x\n");
        const QString path = f.path(u".git/"_s + place);
        QFile::remove(path);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QVERIFY(::mkfifo(QFile::encodeName(path).constData(), 0600) == 0);
        QVERIFY_ERROR(Repository::open(f.path()), place.section(u"objects/"_s, -1) + u" is not a regular file"_s);
    }

    void saysThatAnotherUserOwnsIt()
    {
        const GitFixture f;
        if (::geteuid() != 0 || ::chown(QFile::encodeName(f.path()).constData(), 4711, 4711) != 0)
            return; // only root can make such a folder
        QVERIFY_ERROR(Repository::open(f.path()), u"safe.directory '%1'"_s.arg(f.path()));
    }

    void readsStatusOfEachRecipe()
    {
        const GitFixture f;
        for (const char *name : {"clean", "deleted", "modified", "staged", "staged-modified", "uncached", "removed"})
            f.commitFile(u".flox/pkgs/%1.nix"_s.arg(QLatin1StringView(name)), "1\n");
        f.write(u".flox/pkgs/staged.nix"_s, "2\n");
        f.write(u".flox/pkgs/staged-modified.nix"_s, "2\n");
        f.write(u".flox/pkgs/added.nix"_s, "1\n");
        f.git({u"add"_s, u".flox/pkgs"_s});
        f.write(u".flox/pkgs/staged-modified.nix"_s, "3\n");
        f.write(u".flox/pkgs/modified.nix"_s, "2\n");
        QFile::remove(f.path(u".flox/pkgs/deleted.nix"_s));
        f.git({u"rm"_s, u"--quiet"_s, u".flox/pkgs/removed.nix"_s});
        f.git({u"rm"_s, u"--quiet"_s, u"--cached"_s, u".flox/pkgs/uncached.nix"_s});
        f.write(u".flox/pkgs/untracked.nix"_s, "1\n");
        const Result<BranchFiles> content = opened(f.path()).readBranch(u"main"_s, nixFiles());
        QCOMPARE(asText(content),
                 u"added.nix staged, clean.nix clean, deleted.nix deleted, modified.nix modified, removed.nix deleted, "
                 "staged-modified.nix modified, staged.nix staged, uncached.nix untracked, untracked.nix untracked"_s);
        QVERIFY(content->withWorkTree);
        QCOMPARE(content->commit, f.head());
        const VersionedFile &modified = content->files.at(3);
        QCOMPARE(modified.committed, "1\n"_ba);
        QCOMPARE(modified.onDisk, "2\n"_ba);
        QCOMPARE(modified.blob.toLatin1(), f.git({u"rev-parse"_s, u"HEAD:.flox/pkgs/modified.nix"_s}));
        QCOMPARE(content->files.at(2).onDisk, std::nullopt);
        QCOMPARE(content->files.at(8).committed, std::nullopt);
    }

    void readsAnotherBranchWithoutCheckout()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        f.git({u"switch"_s, u"--quiet"_s, u"-c"_s, u"two"_s});
        const QString second = f.commitFile(u".flox/pkgs/b.nix"_s, "2\n");
        f.git({u"switch"_s, u"--quiet"_s, u"main"_s});
        f.write(recipeA, "in the work tree\n");
        const Repository repository = opened(f.path());
        const Result<BranchFiles> content = repository.readBranch(u"two"_s, nixFiles());
        QCOMPARE(asText(content), u"a.nix clean, b.nix clean"_s);
        QVERIFY(!content->withWorkTree);
        QCOMPARE(content->commit, second);
        QCOMPARE(content->files.first().committed, "1\n"_ba);
        QCOMPARE(content->files.first().onDisk, std::nullopt);
        QVERIFY(!QFile::exists(f.path(u".flox/pkgs/b.nix"_s)));
        for (const QString &name : {u"three"_s, u"-x"_s, u"../two"_s, u"HEAD"_s, u"a..b"_s})
            QVERIFY(!repository.readBranch(name, nixFiles()));
        QVERIFY_ERROR(repository.readBranch(u"three"_s, nixFiles()), u"three: %1 has no such branch"_s.arg(f.path()));
    }

    void seesWhatChangedSinceItWasOpened()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        const Repository repository = opened(f.path());
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
        const QString second = f.commitFile(u".flox/pkgs/b.nix"_s, "1\n");
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a.nix clean, b.nix clean"_s);
        QCOMPARE(repository.info()->headCommit, second);
        f.git({u"switch"_s, u"--quiet"_s, u"-c"_s, u"two"_s});
        f.write(u".flox/pkgs/c.nix"_s, "1\n");
        f.git({u"add"_s, u".flox/pkgs/c.nix"_s});
        f.write(u".gitattributes"_s, "*.nix text eol=crlf\n");
        f.write(recipeA, "1\r\n");
        QCOMPARE(asText(repository.readBranch(u"two"_s, nixFiles())), u"a.nix clean, b.nix clean, c.nix staged"_s);
        QVERIFY(!repository.readBranch(u"main"_s, nixFiles())->withWorkTree);
    }

    void passesOverANameThatIsNoText()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        const QByteArray odd = QFile::encodeName(f.path(u".flox/pkgs/"_s)) + "\xff.nix";
        QVERIFY(::link(QFile::encodeName(f.path(recipeA)).constData(), odd.constData()) == 0);
        const QString text = asText(opened(f.path()).readBranch(u"main"_s, nixFiles()));
        QVERIFY(::unlink(odd.constData()) == 0); // Qt could not remove it
        QCOMPARE(text, u"a.nix clean"_s);
    }

    void honoursLineEndAttributes()
    {
        const GitFixture f;
        f.commitFile(u".gitattributes"_s, "*.nix text eol=crlf\n");
        f.commitFile(recipeA, "1\r\n2\r\n");
        QCOMPARE(f.git({u"cat-file"_s, u"blob"_s, u"HEAD:.flox/pkgs/a.nix"_s}), "1\n2"_ba);
        const Result<BranchFiles> content = opened(f.path()).readBranch(u"main"_s, nixFiles());
        QCOMPARE(asText(content), u"a.nix clean"_s);
        QCOMPARE(content->files.first().committed, "1\n2\n"_ba);
        QCOMPARE(content->files.first().onDisk, "1\r\n2\r\n"_ba);
        f.write(recipeA, "1\n2\n");
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
        QCOMPARE(f.git({u"diff"_s}).contains("@@"), false); // though git status calls it modified, by its size
    }

    void honoursAutocrlf()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        f.commitFile(u".flox/pkgs/crlf.nix"_s, "1\r\n");
        f.git({u"config"_s, u"core.autocrlf"_s, u"true"_s});
        f.write(recipeA, "1\r\n");
        f.write(u".flox/pkgs/crlf.nix"_s, "1\r\n"); // CRLF in the index as well: git leaves it alone
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix clean, crlf.nix clean"_s);
        QCOMPARE(f.git({u"diff"_s}).contains("@@"), false);
    }

    void showsIgnoredFiles()
    {
        const GitFixture f;
        f.commitFile(u".gitignore"_s, ".flox/\n");
        f.write(recipeA, "1\n");
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix untracked"_s);
    }

    void namesWhatIsNoRecipe()
    {
        const GitFixture f;
        f.commitFile(u"elsewhere.nix"_s, "1\n");
        const QDir folder(f.path(u".flox/pkgs"_s));
        folder.mkpath(u"."_s);
        f.write(u".flox/pkgs/large.nix"_s, QByteArray(1024 * 1024 + 1, 'x'));
        f.write(u".flox/pkgs/limit.nix"_s, QByteArray(1024 * 1024, 'x'));
        f.write(u".flox/pkgs/nul.nix"_s, "a\0b"_ba);
        f.write(u".flox/pkgs/latin1.nix"_s, "\xe9\n");
        f.write(u".flox/pkgs/empty.nix"_s, "");
        f.write(u".flox/pkgs/README.md"_s, "no recipe\n");
        f.write(u".flox/pkgs/.hidden.nix"_s, "no recipe\n");
        f.write(u".flox/pkgs/a.nix~"_s, "no recipe\n");
        folder.mkdir(u"folder.nix"_s);
        QVERIFY(QFile::link(u"../../elsewhere.nix"_s, folder.filePath(u"link.nix"_s)));
        QVERIFY(QFile::link(u"nowhere"_s, folder.filePath(u"dangling.nix"_s)));
        QVERIFY(::mkfifo(QFile::encodeName(folder.filePath(u"pipe.nix"_s)).constData(), 0600) == 0);
        const QString untracked =
            u"dangling.nix untracked link, empty.nix untracked, folder.nix untracked folder, large.nix untracked "
            u"too-large, "
            "latin1.nix untracked not-text, limit.nix untracked, link.nix untracked link, nul.nix untracked not-text, "
            "pipe.nix untracked unreadable"_s;
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), untracked);

        f.write(u".flox/pkgs/folder.nix/x"_s, "1\n");
        QFile::remove(folder.filePath(u"pipe.nix"_s));
        f.git({u"add"_s, u".flox"_s});
        f.git({u"commit"_s, u"--quiet"_s, u"-m"_s, u"All of it"_s});
        f.git({u"branch"_s, u"two"_s});
        const QString committed =
            u"dangling.nix clean link, empty.nix clean, folder.nix clean folder, large.nix clean too-large, "
            "latin1.nix clean not-text, limit.nix clean, link.nix clean link, nul.nix clean not-text"_s;
        QCOMPARE(asText(opened(f.path()).readBranch(u"two"_s, nixFiles())), committed);
    }

    void readsARecipeInAFolderOfItsOwn()
    {
        const GitFixture f;
        f.commitFile(u".flox/pkgs/a/default.nix"_s, "1\n");
        f.commitFile(u".flox/pkgs/b/other.nix"_s, "1\n");
        f.git({u"branch"_s, u"two"_s});
        f.write(u".flox/pkgs/c/default.nix"_s, "1\n");
        const Repository repository = opened(f.path());
        QCOMPARE(asText(repository.readBranch(u"two"_s, nixFiles())), u"a/default.nix clean"_s);
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())),
                 u"a/default.nix clean, c/default.nix untracked"_s);
        QVERIFY_OK(stageFiles(repository, {u".flox/pkgs/c/default.nix"_s}));
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a/default.nix clean, c/default.nix staged"_s);
    }

    void followsNoLinkedFolder()
    {
        const GitFixture f;
        f.commitFile(u"real/a.nix"_s, "1\n");
        const QString outside = QFileInfo(f.path()).path() + u"/outside"_s;
        QDir().mkpath(outside + u"/pkgs"_s);
        QVERIFY(QFile::link(outside, f.path(u".flox"_s)));
        QFile theirs(outside + u"/pkgs/theirs.nix"_s);
        QVERIFY(theirs.open(QIODevice::WriteOnly));
        const Repository repository = opened(f.path());
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), QString());
        QVERIFY_ERROR(writeFile(repository, recipeA, "1\n", std::nullopt),
                      u"is a link, and git does not follow links"_s);
        QVERIFY_ERROR(stageFiles(repository, {u".flox/pkgs/theirs.nix"_s}), u"is a link"_s);
        QVERIFY(!QFile::exists(outside + u"/pkgs/a.nix"_s));

        QFile::remove(f.path(u".flox"_s));
        QDir().mkpath(f.path(u".flox"_s));
        QVERIFY(QFile::link(u"../real"_s, f.path(u".flox/pkgs"_s))); // stays inside, and git still does not follow it
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), QString());
        QVERIFY_ERROR(writeFile(repository, recipeA, "1\n", std::nullopt), u"is a link"_s);
    }

    void tellsAnUnreadableFileAndFolder()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        f.commitFile(u".flox/pkgs/b.nix"_s, "1\n");
        const QByteArray file = QFile::encodeName(f.path(recipeA));
        const QByteArray folder = QFile::encodeName(f.path(u".flox/pkgs"_s));
        const Repository repository = opened(f.path());
        QVERIFY(::chmod(file.constData(), 0) == 0);
        {
            const test::ObeyPermissions obey;
            QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a.nix clean unreadable, b.nix clean"_s);
            QVERIFY_ERROR(stageFiles(repository, {recipeA}), u"it cannot be read"_s);
        }
        QVERIFY(::chmod(folder.constData(), 0) == 0);
        {
            const test::ObeyPermissions obey;
            QVERIFY_ERROR(repository.readBranch(u"main"_s, nixFiles()),
                          u"Could not read the folder "_s + f.path(u".flox/pkgs"_s));
        }
        QVERIFY(::chmod(folder.constData(), 0755) == 0);
    }

    void saysThatTheIndexIsDamaged()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        f.write(u".git/index"_s, "no index");
        QVERIFY_ERROR(opened(f.path()).readBranch(u"main"_s, nixFiles()), f.path(u".git/index"_s));
        QVERIFY_ERROR(stageFiles(opened(f.path()), {recipeA}), u"index"_s);
        QCOMPARE(f.read(u".git/index"_s), "no index"_ba);
    }

    void readsAnIndexWithoutChecksum()
    {
        const GitFixture f;
        f.git({u"config"_s, u"index.skipHash"_s, u"true"_s});
        f.git({u"config"_s, u"index.version"_s, u"4"_s});
        f.commitFile(recipeA, "1\n");
        f.write(u".flox/pkgs/b.nix"_s, "1\n");
        const Repository repository = opened(f.path());
        QVERIFY_OK(stageFiles(repository, {u".flox/pkgs/b.nix"_s}));
        QCOMPARE(asText(repository.readBranch(u"main"_s, nixFiles())), u"a.nix clean, b.nix staged"_s);
        QCOMPARE(f.status(), "A  .flox/pkgs/b.nix"_ba);
    }

    void saysThatACommitIsDamaged()
    {
        const GitFixture f;
        const QString first = f.commitFile(recipeA, "1\n");
        const QByteArray tree = f.git({u"rev-parse"_s, u"HEAD:.flox/pkgs"_s});
        QVERIFY(QFile::remove(
            f.path(u".git/objects/%1/%2"_s.arg(QLatin1StringView(tree.left(2)), QLatin1StringView(tree.mid(2))))));
        QVERIFY_ERROR(opened(f.path()).readBranch(u"main"_s, nixFiles()), u"git fsck"_s);
    }

    void readsASparseCheckout()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        f.git({u"update-index"_s, u"--skip-worktree"_s, recipeA});
        QFile::remove(f.path(recipeA));
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
        QCOMPARE(f.status(), ""_ba);
    }

    void heedsTheExecutableBit()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        QVERIFY(::chmod(QFile::encodeName(f.path(recipeA)).constData(), 0755) == 0);
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix modified"_s);
        f.git({u"config"_s, u"core.filemode"_s, u"false"_s});
        QCOMPARE(asText(opened(f.path()).readBranch(u"main"_s, nixFiles())), u"a.nix clean"_s);
    }

    // Reading must write nothing: the folders are watched, and a write would trigger the next read.
    void readingWritesNothing()
    {
        const GitFixture f;
        f.commitFile(recipeA, "1\n");
        const auto stamps = [&] {
            QStringList all;
            for (const QString &name :
                 {u".git"_s, u".git/index"_s, u".git/HEAD"_s, u".flox"_s, u".flox/pkgs"_s, recipeA}) {
                struct stat info{};
                ::stat(QFile::encodeName(f.path(name)).constData(), &info);
                all.append(u"%1 %2.%3"_s.arg(name).arg(info.st_mtim.tv_sec).arg(info.st_mtim.tv_nsec));
            }
            return all;
        };
        const QStringList before = stamps();
        const Repository repository = opened(f.path());
        QVERIFY_OK(repository.info());
        QVERIFY_OK(repository.readBranch(u"main"_s, nixFiles()));
        QVERIFY(!repository.watchPaths().isEmpty());
        QCOMPARE(stamps(), before);
        QVERIFY(!QFileInfo::exists(f.path(u".git/torch-matrix"_s)));
    }

    // What a branch follows is read of all branches at once; git says the same of each.
    void upstreams()
    {
        const test::GitFixture f;
        f.commitFile(u"a"_s, "a\n");
        const QStringList refs{u"refs/heads/main"_s,
                               u"refs/heads/x/y"_s,
                               u"refs/remotes/origin/main"_s,
                               u"refs/remotes/origin/x/y"_s,
                               u"refs/remotes/mirror/deep/x/y"_s,
                               u"refs/remotes/plain"_s};
        for (const QString &ref : refs)
            f.git({u"update-ref"_s, ref, u"HEAD"_s});
        const auto set = [&f](const QString &key, const QString &value) {
            f.git({u"config"_s, u"--add"_s, key, value});
        };
        set(u"remote.origin.url"_s, u"/nowhere"_s);
        set(u"remote.origin.fetch"_s, u"+refs/heads/*:refs/remotes/origin/*"_s);
        set(u"remote.mirror.url"_s, u"/nowhere"_s);
        set(u"remote.mirror.fetch"_s, u"refs/heads/main:refs/remotes/plain"_s);
        set(u"remote.mirror.fetch"_s, u"refs/heads/*:refs/remotes/mirror/deep/*"_s);
        set(u"remote.empty.url"_s, u"/nowhere"_s);
        const QStringList remotes{u"origin"_s, u"mirror"_s, u"empty"_s, u"none"_s, u"."_s, u""_s};
        const QStringList merges{u"refs/heads/main"_s, u"refs/heads/x/y"_s, u"refs/heads/gone"_s, u"main"_s, u""_s};
        QStringList names{u"main"_s, u"x/y"_s};
        for (const QString &remote : remotes) {
            for (const QString &merge : merges) {
                const QString name = u"b%1.n"_s.arg(names.size());
                f.git({u"update-ref"_s, u"refs/heads/"_s + name, u"HEAD"_s});
                if (!remote.isEmpty())
                    set(u"branch.%1.remote"_s.arg(name), remote);
                if (!merge.isEmpty())
                    set(u"branch.%1.merge"_s.arg(name), merge);
                names.append(name);
            }
        }
        const auto repository = Repository::open(f.path());
        QVERIFY_OK(repository);
        const auto info = repository->info();
        QVERIFY_OK(info);
        QCOMPARE(info->branches.size(), names.size());
        int followed = 0;
        for (const BranchRef &branch : info->branches) {
            // Without the second format git names a branch that is gone, too.
            const QString git =
                QString::fromUtf8(f.git({u"for-each-ref"_s, u"--format=%(upstream:short) %(upstream:track)"_s,
                                         u"refs/heads/"_s + branch.name}))
                    .trimmed();
            QVERIFY2(branch.upstream == (git.endsWith(u"[gone]"_s) ? QString() : git),
                     qPrintable(u"%1: %2, git: %3"_s.arg(branch.name, branch.upstream, git)));
            followed += !branch.upstream.isEmpty();
        }
        QVERIFY(followed > 5);
    }
};

TM_TEST(TestRepository, QCoreApplication)
#include "tst_repository.moc"
