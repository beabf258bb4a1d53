// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// What the program refuses to do to a repository: the sentence, and that nothing has changed.
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <functional>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::commitFiles;
using tmx::test::GitFixture;
using tmx::test::nixFiles;
using tmx::test::ObeyPermissions;
using tmx::test::opened;
using tmx::test::RepositoryFixture;
using tmx::test::stageFiles;
using tmx::test::writeFile;

using Prepare = std::function<void(const RepositoryFixture &)>;

namespace {

void hook(const RepositoryFixture &f, const QString &path, int mode = 0755)
{
    f.write(path, "#!/bin/sh\nexit 0\n");
    ::chmod(QFile::encodeName(f.path(path)).constData(), mode_t(mode));
}

QByteArray state(const GitFixture &f)
{
    return f.head().toLatin1() + '\n' + f.git({u"ls-files"_s, u"--stage"_s}) + '\n' + f.git({u"for-each-ref"_s}) +
           '\n' + f.status();
}

} // namespace

class TestRefused : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void commit_data()
    {
        QTest::addColumn<Prepare>("prepare");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const Prepare &prepare, const QString &words) {
            QTest::newRow(name) << prepare << words;
        };
        row(
            "no identity", [](const auto &) { GitFixture::setGlobalConfig({}); },
            u"git does not know your name and e-mail address"_s);
        row(
            "no e-mail address", [](const auto &) { GitFixture::setGlobalConfig("[user]\nname = Ada\n"); },
            u"git does not know your name"_s);
        row(
            "empty name", [](const auto &) { GitFixture::setGlobalConfig("[user]\nname = \"\"\nemail = a@b\n"); },
            u"user.name"_s);
        row(
            "detached HEAD", [](const auto &f) { f.git({u"switch"_s, u"--quiet"_s, u"--detach"_s}); },
            u"HEAD is detached"_s);
        row(
            "rebase",
            [](const auto &f) {
                f.git({u"switch"_s, u"--quiet"_s, u"--detach"_s});
                f.write(u".git/rebase-merge/interactive"_s, {});
            },
            u"a rebase is in progress"_s);
        row(
            "HEAD moved",
            [](const auto &f) { f.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Theirs"_s}); },
            u"the branch main moved meanwhile, from "_s);
        row(
            "other branch that is elsewhere",
            [](const auto &f) {
                f.git({u"switch"_s, u"--quiet"_s, u"-c"_s, u"two"_s});
                f.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Theirs"_s});
            },
            u"the branch two moved meanwhile"_s);
        row(
            "index locked", [](const auto &f) { f.write(u".git/index.lock"_s, {}); },
            u"/.git/index.lock. Wait until that process ends"_s);
        row(
            "branch locked", [](const auto &f) { f.write(u".git/refs/heads/main.lock"_s, {}); },
            u"/.git/refs/heads/main.lock. Wait"_s);
        row("HEAD locked", [](const auto &f) { f.write(u".git/HEAD.lock"_s, {}); }, u"/.git/HEAD.lock. Wait"_s);
        row(
            "merge under way", [](const auto &f) { f.write(u".git/MERGE_HEAD"_s, f.first.toLatin1() + '\n'); },
            u"a merge is in progress"_s);
        row(
            "cherry-pick under way",
            [](const auto &f) { f.write(u".git/CHERRY_PICK_HEAD"_s, f.first.toLatin1() + '\n'); },
            u"a cherry-pick is in progress"_s);
        row(
            "rebase under way", [](const auto &f) { QDir().mkpath(f.path(u".git/rebase-merge"_s)); },
            u"a rebase is in progress"_s);
        row(
            "symbolic branch",
            [](const auto &f) {
                f.git({u"branch"_s, u"real"_s});
                f.git({u"symbolic-ref"_s, u"refs/heads/alias"_s, u"refs/heads/real"_s});
                f.git({u"symbolic-ref"_s, u"HEAD"_s, u"refs/heads/alias"_s});
            },
            u"alias is a symbolic ref to another branch"_s);
        row(
            "conflict elsewhere",
            [](const auto &f) {
                const QByteArray blob = f.git({u"rev-parse"_s, u"HEAD:.flox/pkgs/a.nix"_s});
                const QByteArray sides =
                    "100644 " + blob + " 1\tx.txt\n100644 " + blob + " 2\tx.txt\n100644 " + blob + " 3\tx.txt\n";
                f.git({u"update-index"_s, u"--index-info"_s}, sides);
            },
            u"files are in conflict"_s);
    }
    void commit()
    {
        QFETCH(const Prepare, prepare);
        QFETCH(const QString, words);
        const RepositoryFixture f;
        f.write(f.recipe, "new\n");
        prepare(f);
        const QByteArray before = state(f);
        QVERIFY_ERROR(commitFiles(opened(f.path()), {f.recipe}, u"New"_s, f.first), words);
        QCOMPARE(state(f), before);
        QCOMPARE(f.read(f.recipe), "new\n"_ba);
        QCOMPARE(
            QDir(f.path(u".git/torch-matrix"_s)).entryList(QDir::Files | QDir::Hidden).join(u' ').remove(u"lock"_s),
            QString());
    }

    void passesOverAHookThatCannotRun()
    {
        const RepositoryFixture f;
        f.write(f.recipe, "new\n");
        hook(f, u".git/hooks/pre-commit"_s, 0644); // git says so and goes on
        hook(f, u".git/hooks/pre-commit.sample"_s);
        hook(f, u".git/hooks/post-commit"_s);
        QVERIFY_OK(commitFiles(opened(f.path()), {f.recipe}, u"New"_s, f.first));
    }

    void commitInput()
    {
        const RepositoryFixture f;
        const auto commit = [&](const QStringList &paths, const QString &message, const QString &head) {
            return commitFiles(f.repository, paths, message, head);
        };
        QVERIFY_ERROR(commit({f.recipe}, u"New"_s, f.first), u"there is nothing to commit"_s);
        f.write(f.recipe, "new\n");
        QVERIFY_ERROR(commit({}, u"New"_s, f.first), u"no file was chosen"_s);
        QVERIFY_ERROR(commit({f.recipe}, u" \n\t\n"_s, f.first), u"the message is empty"_s);
        QVERIFY_ERROR(commit({f.recipe}, u"New"_s, u"HEAD"_s), u"\"HEAD\" is not a commit"_s);
        QVERIFY_ERROR(commit({f.recipe}, u"New"_s, {}), u"moved meanwhile, from no commit to "_s);
        QVERIFY_ERROR(commit({u".flox/pkgs/nothing.nix"_s}, u"New"_s, f.first), u"nothing"_s);
        QVERIFY_ERROR(commit({f.recipe, u".flox/pkgs/nothing.nix"_s}, u"New"_s, f.first),
                      u"nothing.nix: there is no such file"_s);
        f.write(u".flox/pkgs/nul.nix"_s, "a\0b"_ba);
        QVERIFY_ERROR(commit({f.recipe, u".flox/pkgs/nul.nix"_s}, u"New"_s, f.first), u"nul.nix: it is not text"_s);
        QCOMPARE(f.head(), f.first);
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\n?? .flox/pkgs/nul.nix"_ba);
    }

    void paths_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("absolute") << u"/etc/passwd"_s;
        QTest::newRow("elsewhere") << u"docs/README.txt"_s; // documents are .md
        QTest::newRow("the folder") << u".flox/pkgs"_s;
        QTest::newRow("no name") << u".flox/pkgs/"_s;
        QTest::newRow("only the ending") << u".flox/pkgs/.nix"_s;
        QTest::newRow("dot file") << u".flox/pkgs/.a.nix"_s;
        QTest::newRow("dash") << u".flox/pkgs/-a.nix"_s;
        QTest::newRow("dash in a folder") << u".flox/pkgs/-a/default.nix"_s;
        QTest::newRow("climbs") << u".flox/pkgs/../a.nix"_s;
        QTest::newRow("climbs by a folder") << u".flox/pkgs/../default.nix"_s;
        QTest::newRow("two dots") << u".flox/pkgs/a..nix"_s;
        QTest::newRow("double slash") << u".flox/pkgs//a.nix"_s;
        QTest::newRow("other ending") << u".flox/pkgs/a.txt"_s;
        QTest::newRow("line end") << u".flox/pkgs/a\nb.nix"_s;
        QTest::newRow("escape") << u".flox/pkgs/a\u001bb.nix"_s;
        QTest::newRow("NUL") << u".flox/pkgs/a"_s + QChar(u'\0') + u".nix"_s;
        QTest::newRow("backslash") << u".flox/pkgs/a\\b.nix"_s;
        QTest::newRow("lone surrogate") << u".flox/pkgs/a"_s + QChar(0xd800) + u".nix"_s;
        QTest::newRow("long") << u".flox/pkgs/"_s + QString(200, u'a') + u".nix"_s;
        QTest::newRow("empty") << QString();
    }
    void paths()
    {
        QFETCH(const QString, path);
        const RepositoryFixture f;
        const QByteArray before = state(f);
        QVERIFY_ERROR(writeFile(f.repository, path, "x\n", std::nullopt), u"Could not use the path"_s);
        QVERIFY_ERROR(stageFiles(f.repository, {path}), u"Could not use the path"_s);
        QVERIFY_ERROR(commitFiles(f.repository, {path}, u"New"_s, f.first), u"Could not use the path"_s);
        QCOMPARE(state(f), before);
    }

    void writing()
    {
        const RepositoryFixture f;
        const auto write = [&](const QString &path, const QByteArray &text, const std::optional<QByteArray> &expected) {
            return writeFile(f.repository, path, text, expected);
        };
        QVERIFY_ERROR(write(f.recipe, "x\n", std::nullopt), u"already exists"_s);
        QVERIFY_ERROR(write(f.recipe, "x\n", "older\n"_ba), u"it has changed since"_s);
        QVERIFY_ERROR(write(f.other, "x\n", "older\n"_ba), u"the file is gone"_s);
        QVERIFY_ERROR(write(f.recipe, "a\0b"_ba, "old\n"_ba), u"not text"_s);
        QVERIFY(QFile::link(u"a.nix"_s, f.path(u".flox/pkgs/link.nix"_s)));
        QVERIFY_ERROR(write(u".flox/pkgs/link.nix"_s, "x\n", "old\n"_ba), u"it is a link"_s);
        QVERIFY_ERROR(write(u".flox/pkgs/link.nix"_s, "x\n", std::nullopt), u"it is a link"_s);
        QVERIFY_ERROR(write(u".flox/pkgs/a.nix/default.nix"_s, "x\n", std::nullopt), u"does not end in .nix"_s);
        QCOMPARE(f.read(f.recipe), "old\n"_ba);
        QCOMPARE(f.status(), "?? .flox/pkgs/link.nix"_ba);
        QVERIFY_OK(write(f.recipe, "new\n", "old\n"_ba));
        QVERIFY_OK(write(u".flox/pkgs/deep/default.nix"_s, "new\n", std::nullopt));
        QCOMPARE(f.read(u".flox/pkgs/deep/default.nix"_s), "new\n"_ba);
    }

    /// The files belong to the submodule: nothing is read from it or written to it.
    void submodules_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("recipes") << u".flox/pkgs"_s;
        QTest::newRow("environment") << u".flox"_s;
    }
    void submodules()
    {
        QFETCH(QString, folder);
        const RepositoryFixture inner;
        const GitFixture f;
        f.commitFile(u"x"_s, "x\n");
        f.git({u"-c"_s, u"protocol.file.allow=always"_s, u"submodule"_s, u"add"_s, u"-q"_s, inner.path(), folder});
        f.git({u"commit"_s, u"-qm"_s, u"Submodule"_s});
        const QByteArray before = state(f);
        const Repository repository = opened(f.path());
        QVERIFY_ERROR(repository.readBranch(u"main"_s, nixFiles()), u"separate repository"_s);
        QVERIFY_ERROR(writeFile(repository, inner.recipe, "new\n", std::nullopt), u"separate repository"_s);
        QCOMPARE(state(f), before);
        QCOMPARE(f.git({u"-C"_s, folder, u"status"_s, u"--porcelain"_s}), ""_ba);
    }

    /// libgit2 cannot read such an index, the git program can. Reading does not change it.
    void indexesOfOtherForms_data()
    {
        QTest::addColumn<QStringList>("make");
        QTest::newRow("split") << QStringList{u"update-index --split-index"_s};
        QTest::newRow("always split") << QStringList{u"config core.splitIndex true"_s, u"add left"_s};
        QTest::newRow("sparse") << QStringList{u"sparse-checkout set --cone --sparse-index .flox"_s};
    }
    void indexesOfOtherForms()
    {
        QFETCH(QStringList, make);
        const RepositoryFixture f;
        f.commitFile(u"left/out"_s, "x\n");
        f.write(u"left/in"_s, "y\n");
        for (const QString &command : make)
            f.git(command.split(u' '));
        const QByteArray before = f.read(u".git/index"_s);
        f.git({u"config"_s, u"advice.sparseIndexExpanded"_s, u"false"_s});
        const QByteArray status = f.status();
        const Result<BranchFiles> content = f.repository.readBranch(u"main"_s, nixFiles());
        QVERIFY_OK(content);
        QCOMPARE(content->files.constFirst().status, FileStatus::Clean);
        QCOMPARE(f.read(u".git/index"_s), before);
        f.write(f.recipe, "new\n");
        QVERIFY_OK(commitFiles(f.repository, {f.recipe}, u"New"_s, f.head()));
        QCOMPARE(f.git({u"show"_s, u"HEAD:"_s + f.recipe}), "new"_ba);
        QCOMPARE(f.status(), status);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void readOnlyFolders()
    {
        const RepositoryFixture f;
        f.write(f.recipe, "new\n");
        const QByteArray before = state(f);
        const auto mode = [&](const QString &path, int bits) {
            QVERIFY(::chmod(QFile::encodeName(f.path(path)).constData(), mode_t(bits)) == 0);
        };
        mode(u".git"_s, 0555);
        {
            const ObeyPermissions obey;
            QVERIFY_ERROR(commitFiles(f.repository, {f.recipe}, u"New"_s, f.first), u"the folder is read-only"_s);
            QVERIFY_ERROR(stageFiles(f.repository, {f.recipe}), u"the folder is read-only"_s);
            QVERIFY_OK(f.repository.readBranch(u"main"_s, nixFiles()));
        }
        mode(u".git"_s, 0755);
        mode(u".git/refs/heads"_s, 0555);
        {
            const ObeyPermissions obey;
            QVERIFY_ERROR(commitFiles(f.repository, {f.recipe}, u"New"_s, f.first), u"the folder is read-only"_s);
        }
        mode(u".git/refs/heads"_s, 0755);
        QVERIFY_OK(stageFiles(f.repository, {f.recipe}));
        f.git({u"reset"_s, u"--quiet"_s});
        mode(u".flox/pkgs"_s, 0555);
        {
            const ObeyPermissions obey;
            QVERIFY_ERROR(writeFile(f.repository, f.other, "b\n", std::nullopt), u"not writable"_s);
            QVERIFY_ERROR(writeFile(f.repository, f.recipe, "b\n", "new\n"_ba), u"not writable"_s);
        }
        mode(u".flox/pkgs"_s, 0755);
        QCOMPARE(state(f), before);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void staging()
    {
        const RepositoryFixture f;
        f.write(f.other, "new\n");
        f.write(u".git/index.lock"_s, {});
        QVERIFY_ERROR(stageFiles(f.repository, {f.other}),
                      u"/.git/index.lock. Wait until that process ends; if no git is running, remove the file."_s);
        QVERIFY(QFile::exists(f.path(u".git/index.lock"_s))); // not ours to clear
        QVERIFY_OK(Repository::open(f.path()));
        QVERIFY(QFile::exists(f.path(u".git/index.lock"_s)));
        QFile::remove(f.path(u".git/index.lock"_s));
        QVERIFY_OK(stageFiles(f.repository, {f.other}));
        QVERIFY(QFile::link(u"a.nix"_s, f.path(u".flox/pkgs/link.nix"_s)));
        QVERIFY_ERROR(stageFiles(f.repository, {u".flox/pkgs/link.nix"_s}), u"it is a link"_s);
        QCOMPARE(f.status(), "A  .flox/pkgs/b.nix\n?? .flox/pkgs/link.nix"_ba);
    }
};

TM_TEST(TestRefused, QCoreApplication)
#include "tst_refused.moc"
