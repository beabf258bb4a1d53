// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Many files in one commit: on the checked-out branch, on another, on a new one. Judged by git.
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::a;
using tmx::test::b;
using tmx::test::c;
using tmx::test::commitEdits;
using tmx::test::commitToNewBranch;
using tmx::test::Edit;
using tmx::test::GitFixture;
using tmx::test::RepositoryFixture;

namespace {

const QString lineToml = u"torch-matrix.toml"_s;

/// a "old", b "old b" and a README are committed on main; two is another branch at that commit.
struct EditsFixture : RepositoryFixture {
    EditsFixture()
    {
        commitFile(b, "old b\n");
        base = commitFile(u"README.md"_s, "# Read me\n");
        git({u"branch"_s, u"two"_s});
    }
    [[nodiscard]] QByteArray show(const QString &what) const { return git({u"show"_s, what}); }
    [[nodiscard]] QByteArray files(const QString &branch) const
    {
        return git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, branch}).replace('\n', ' ');
    }
    [[nodiscard]] QByteArray refs() const { return git({u"for-each-ref"_s}); }
    QString base;
};

QList<Edit> manyEdits()
{
    return {{a, "new\n"_ba, "old\n"_ba},
            {b, std::nullopt, "old b\n"_ba},
            {c, "old b\n"_ba, std::nullopt},
            {lineToml, "[versions]\n"_ba, std::nullopt}};
}

} // namespace

class TestCommitEdits : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void checkedOutBranch()
    {
        const EditsFixture f;
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        const Result<Applied> made = commitEdits(f.repository, u"main"_s, manyEdits(), u"Many"_s, f.base);
        QVERIFY_OK(made);
        QCOMPARE(made->commit, f.head());
        QCOMPARE(made->saved, QString());
        QCOMPARE(f.files(u"main"_s), ".flox/pkgs/a.nix .flox/pkgs/c.nix README.md torch-matrix.toml"_ba);
        QCOMPARE(f.show(u"main:.flox/pkgs/a.nix"_s), "new"_ba);
        QCOMPARE(f.read(a), "new\n"_ba);
        QCOMPARE(f.read(c), "old b\n"_ba);
        QVERIFY(!QFile::exists(f.path(b)));
        QCOMPARE(f.status(), "A  staged.txt"_ba); // everything else is as committed, what was staged is still staged
        QCOMPARE(f.tryGit({u"diff-files"_s, u"--quiet"_s}), 0); // and git need not compare texts to see it
        QCOMPARE(f.fsck(), ""_ba);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%P"_s}), f.base.toLatin1());
        QVERIFY(f.git({u"reflog"_s, u"-1"_s}).contains("commit: Many"));
    }

    void anotherBranch()
    {
        const EditsFixture f;
        f.write(u".flox/pkgs/open.nix"_s, "being written\n");
        f.write(a, "being changed\n");
        const QByteArray before = f.status() + f.git({u"ls-files"_s, u"--stage"_s}) + f.head().toLatin1();
        const Result<Applied> made = commitEdits(f.repository, u"two"_s, manyEdits(), u"Many"_s, f.base);
        QVERIFY_OK(made);
        QCOMPARE(f.files(u"two"_s), ".flox/pkgs/a.nix .flox/pkgs/c.nix README.md torch-matrix.toml"_ba);
        QCOMPARE(f.show(u"two:.flox/pkgs/c.nix"_s), "old b"_ba);
        QCOMPARE(f.status() + f.git({u"ls-files"_s, u"--stage"_s}) + f.head().toLatin1(), before);
        QCOMPARE(f.read(a), "being changed\n"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void newBranch()
    {
        const EditsFixture f;
        f.write(a, "being changed\n");
        const QByteArray before = f.status() + f.head().toLatin1();
        const Result<Applied> made = commitToNewBranch(f.repository, u"line/three"_s, f.base, manyEdits(), u"A line"_s);
        QVERIFY_OK(made);
        QCOMPARE(made->branch, u"line/three"_s);
        QCOMPARE(f.files(u"line/three"_s), ".flox/pkgs/a.nix .flox/pkgs/c.nix README.md torch-matrix.toml"_ba);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%P %s"_s, u"line/three"_s}), f.base.toLatin1() + " A line");
        QCOMPARE(f.status() + f.head().toLatin1(), before);
        QCOMPARE(f.fsck(), ""_ba);
        QCOMPARE(f.tryGit({u"switch"_s, u"--quiet"_s, u"--discard-changes"_s, u"line/three"_s}), 0);
    }

    // Undo finds the program's commits by these, whatever their messages say.
    void operationsAreNamed()
    {
        const EditsFixture f;
        f.write(a, "mine\n");
        const Result<Applied> here =
            commitEdits(f.repository, u"main"_s, {{a, "new\n"_ba, "mine\n"_ba}}, u"Here"_s, f.base);
        const Result<Applied> other = commitEdits(f.repository, u"two"_s, {{c, "c\n"_ba}}, u"There"_s, f.base);
        const Result<Applied> fresh =
            commitToNewBranch(f.repository, u"line/three"_s, f.base, {{c, "c\n"_ba}}, u"New"_s);
        QVERIFY_OK(here);
        QVERIFY_OK(other);
        QVERIFY_OK(fresh);
        f.git({u"pack-refs"_s, u"--all"_s});
        const Result<QList<AppliedOperation>> all = f.repository.operations();
        QVERIFY_OK(all);
        QCOMPARE(all->size(), 3);
        for (const Result<Applied> &done : {here, other, fresh}) {
            QCOMPARE(f.git({u"rev-parse"_s, u"refs/torch-matrix/operations/"_s + done->operation}),
                     done->commit.toLatin1());
            const auto found = std::ranges::find(*all, done->operation, &AppliedOperation::id);
            QVERIFY(found != all->end());
            QCOMPARE(found->commit, done->commit);
            QCOMPARE(found->branch, done->branch);
            QCOMPARE(found->saved, done->saved);
        }
        QVERIFY(!here->saved.isEmpty());
        QCOMPARE(f.fsck(), ""_ba);
    }

    // A text that is on disk already is committed, not written again.
    void whatIsOnDiskIsNotWritten()
    {
        const EditsFixture f;
        f.write(a, "mine\n");
        f.write(c, "c\n");
        struct stat before{};
        QVERIFY(::stat(QFile::encodeName(f.path(a)).constData(), &before) == 0);
        QVERIFY_OK(commitEdits(f.repository, u"main"_s, {{a, "mine\n"_ba, "mine\n"_ba}, {c, "c\n"_ba, "c\n"_ba}},
                               u"As it is"_s, f.base));
        struct stat after{};
        QVERIFY(::stat(QFile::encodeName(f.path(a)).constData(), &after) == 0);
        QCOMPARE(after.st_ino, before.st_ino);
        QCOMPARE(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
        QCOMPARE(f.status(), ""_ba);
    }

    void renames()
    {
        const EditsFixture f;
        FileChanges changes;
        changes.branch = u"main"_s;
        changes.parentCommit = f.base;
        changes.message = u"Rename"_s;
        ChangedFile file;
        file.action = ChangeAction::Rename;
        file.name = u"a"_s;
        file.path = a;
        file.newPath = c;
        file.before = "old\n"_ba;
        file.after = "renamed\n"_ba;
        file.chosen = true;
        changes.files = {file};
        const Result<Applied> done = f.repository.apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(done->written, QStringList{u"a"_s});
        QCOMPARE(f.files(u"main"_s), ".flox/pkgs/b.nix .flox/pkgs/c.nix README.md"_ba);
        QCOMPARE(f.show(u"main:"_s + c), "renamed"_ba);
        QCOMPARE(f.status(), ""_ba);
        changes.refusal = Error{u"apply"_s, u"the change"_s, u"it has a finding"_s, {}};
        QVERIFY_ERROR(f.repository.apply(changes), u"it has a finding"_s);
    }

    // One transaction: all are written and added, or none.
    void untilTheIndex()
    {
        const EditsFixture f;
        QList<Edit> edits = manyEdits();
        QVERIFY_OK(f.repository.apply(test::changeSet(u"main"_s, f.base, edits, u"Many"_s, FileChanges::Until::Index)));
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\n D .flox/pkgs/b.nix\nA  .flox/pkgs/c.nix\nA  torch-matrix.toml"_ba);
        QCOMPARE(f.head(), f.base);
        const QByteArray before = f.status();
        edits = {{a, "newer\n"_ba, "new\n"_ba}, {c, "newer\n"_ba, "another\n"_ba}};
        QVERIFY(!f.repository.apply(test::changeSet(u"main"_s, f.base, edits, u"Many"_s, FileChanges::Until::Index)));
        QCOMPARE(f.status(), before);
        QCOMPARE(f.read(a), "new\n"_ba);
    }

    void indexStays_data()
    {
        QTest::addColumn<QStringList>("steps"); ///< what the user did with a.nix: git's words, or a text to write
        QTest::addColumn<bool>("added");        ///< what git does not track is added
        const auto row = [](const char *name, const QStringList &steps, bool added = false) {
            QTest::newRow(name) << steps << added;
        };
        const QString add = u"git add .flox/pkgs/a.nix"_s;
        const QString untrack = u"git rm -q --cached .flox/pkgs/a.nix"_s;
        row("clean", {});
        row("unstaged", {u"mine\n"_s});
        row("staged", {u"mine\n"_s, add});
        row("staged, and another text unstaged", {u"staged\n"_s, add, u"mine\n"_s});
        row("staged, and as committed", {u"staged\n"_s, add, u"old\n"_s});
        row("staged deletion", {untrack}, true);
        row("staged deletion, and another text", {untrack, u"mine\n"_s}, true);
        row("intent to add", {untrack, u"git add -N .flox/pkgs/a.nix"_s});
    }

    // Without a commit, what the user staged stays staged, what he did not stage stays unstaged; replaced text is
    // named.
    void indexStays()
    {
        QFETCH(const QStringList, steps);
        QFETCH(const bool, added);
        for (const auto &after : {std::optional("new\n"_ba), std::optional<QByteArray>()}) { // written; as on disk
            const EditsFixture f;
            for (const QString &step : steps) {
                if (step.startsWith("git "_L1))
                    f.git(step.split(u' ').sliced(1));
                else
                    f.write(a, step.toUtf8());
            }
            const QByteArray index = f.git({u"ls-files"_s, u"-s"_s});
            const QByteArray text = f.read(a);
            const auto done = f.repository.apply(test::changeSet(u"main"_s, f.base, {{a, after.value_or(text), text}},
                                                                 u"Write"_s, FileChanges::Until::Index));
            QVERIFY_OK(done);
            QCOMPARE(f.read(a), after.value_or(text));
            QCOMPARE(done->added, added ? QStringList{a} : QStringList());
            if (added)
                QCOMPARE(f.show(u":"_s + a) + '\n', after.value_or(text));
            else
                QCOMPARE(f.git({u"ls-files"_s, u"-s"_s}), index);
            const bool replaced = after && text != "old\n";
            QCOMPARE(done->kept.size(), replaced ? 1 : 0);
            if (replaced)
                QCOMPARE(f.show(done->kept.constFirst()) + '\n', text);
        }
    }

    // In a merge that is not finished, what is added would be in the merge commit.
    void notAddedInAMerge()
    {
        const EditsFixture f;
        f.git({u"switch"_s, u"-q"_s, u"two"_s});
        f.commitFile(u"other.txt"_s, "two\n");
        f.git({u"switch"_s, u"-q"_s, u"main"_s});
        f.git({u"merge"_s, u"-q"_s, u"--no-ff"_s, u"--no-commit"_s, u"two"_s});
        const QByteArray status = f.status();
        const auto write = [&](const QString &path, const std::optional<QByteArray> &before) {
            return f.repository.apply(test::changeSet(u"main"_s, f.base, {{path, "new\n"_ba, before}}, u"Write"_s,
                                                      FileChanges::Until::Index));
        };
        QVERIFY_ERROR(write(c, std::nullopt), u"a merge is in progress"_s);
        QCOMPARE(f.status(), status);
        QVERIFY_OK(write(a, "old\n"_ba));
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\n"_ba + status);
    }

    void manyFilesAreOnePack_data()
    {
        QTest::addColumn<QString>("branch");
        for (const char *branch : {"main", "two", "new"})
            QTest::newRow(branch) << QString::fromLatin1(branch);
    }

    // Made durable with few writes, and the objects of a commit that was not made are invisible.
    void manyFilesAreOnePack()
    {
        QFETCH(const QString, branch);
        const EditsFixture f;
        f.git({u"gc"_s, u"--quiet"_s});
        const auto objects = [&f](const QByteArray &kind) {
            const QByteArray counts = f.git({u"count-objects"_s, u"-v"_s});
            const qsizetype at = counts.indexOf(kind + ": ");
            return at < 0 ? -1 : counts.sliced(at + kind.size() + 2).split('\n').constFirst().toInt();
        };
        QCOMPARE(objects("count"), 0);
        QCOMPARE(objects("packs"), 1);
        QList<Edit> edits;
        for (int i = 0; i < 40; ++i)
            edits.append({u".flox/pkgs/many-%1.nix"_s.arg(i), "text " + QByteArray::number(i) + "\n", std::nullopt});
        const auto commit = [&](const QList<Edit> &some) {
            return branch == "new"_L1 ? commitToNewBranch(f.repository, branch, f.base, some, u"Many"_s)
                                      : commitEdits(f.repository, branch, some, u"Many"_s, f.base);
        };

        QList<Edit> unwanted = edits;
        unwanted.append({a, "new\n"_ba, "another text than there is\n"_ba});
        QVERIFY(!commit(unwanted));
        QCOMPARE(objects("count"), 0);
        QCOMPARE(objects("packs"), 1);

        QVERIFY_OK(commit(edits));
        QCOMPARE(objects("count"), 0);
        QCOMPARE(objects("packs"), 2);
        QCOMPARE(f.show(branch + ":.flox/pkgs/many-39.nix"_L1), "text 39"_ba);
        QCOMPARE(f.files(branch).count("many-"), 40);
        QCOMPARE(f.fsck(), ""_ba);

        // The same handle continues to work.
        const QString tip = QString::fromLatin1(f.git({u"rev-parse"_s, branch}));
        QVERIFY_OK(commitEdits(f.repository, branch, {{a, "one more\n"_ba, "old\n"_ba}}, u"One"_s, tip));
        QCOMPARE(f.show(branch + ":.flox/pkgs/a.nix"_L1), "one more"_ba);
        QCOMPARE(objects("packs"), 2);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void newBranchRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("packed");
        QTest::addColumn<QString>("words");
        QTest::newRow("taken") << u"two"_s << false << u"a branch with that name already exists"_s;
        QTest::newRow("taken and packed") << u"two"_s << true << u"a branch with that name already exists"_s;
        QTest::newRow("checked out") << u"main"_s << false << u"a branch with that name already exists"_s;
        QTest::newRow("below one") << u"two/x"_s << true << u"it conflicts with the branch two"_s;
        QTest::newRow("above one") << u"deep"_s << true << u"it conflicts with the branch deep/one"_s;
        for (const QString &name : {u"-x"_s, u"a..b"_s, u"HEAD"_s, u""_s, u"a b"_s, u"x.lock"_s, u"../x"_s})
            QTest::newRow(qPrintable(u"name "_s + name)) << name << false << u"git does not allow that name"_s;
    }
    void newBranchRefused()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, packed);
        QFETCH(const QString, words);
        const EditsFixture f;
        f.git({u"branch"_s, u"deep/one"_s});
        if (packed)
            f.git({u"pack-refs"_s, u"--all"_s});
        const QByteArray before = f.refs();
        QVERIFY_ERROR(commitToNewBranch(f.repository, name, f.base, manyEdits(), u"A line"_s), words);
        QCOMPARE(f.refs(), before);
    }

    // Texts that were never committed are saved, from the working tree and from the index.
    void uncommittedTextIsSaved()
    {
        const EditsFixture f;
        f.write(a, "staged\n");
        f.git({u"add"_s, a});
        f.write(a, "mine\n");
        f.write(c, "untracked\n");
        const QList<Edit> edits{
            {a, "new\n"_ba, "mine\n"_ba}, {c, std::nullopt, "untracked\n"_ba}, {b, std::nullopt, "old b\n"_ba}};
        const Result<Applied> made = commitEdits(f.repository, u"main"_s, edits, u"Many"_s, f.base);
        QVERIFY_OK(made);
        QVERIFY2(made->saved.startsWith("refs/torch-matrix/saved/"_L1), qPrintable(made->saved));
        QCOMPARE(f.show(made->saved + u':' + a), "mine"_ba);
        QCOMPARE(f.show(made->saved + u':' + c), "untracked"_ba);
        QCOMPARE(f.show(made->saved + u":staged/"_s + a), "staged"_ba);
        QCOMPARE(f.files(made->saved),
                 ".flox/pkgs/a.nix .flox/pkgs/c.nix staged/.flox/pkgs/a.nix"_ba); // b is in the history
        QVERIFY(!QFile::exists(f.path(c)));
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void refused_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QList<Edit>>("edits");
        QTest::addColumn<QString>("words");
        const Edit good{c, "c\n"_ba, std::nullopt};
        for (const QString &branch : {u"main"_s, u"two"_s}) {
            const auto row = [&](const char *name, const Edit &edit, const QString &words) {
                QTest::newRow(qPrintable(branch + u": "_s + QString::fromLatin1(name)))
                    << branch << QList<Edit>{good, edit} << words;
            };
            row("another text", {a, "new\n"_ba, "seen\n"_ba}, u"it has changed since"_s);
            row("taken", {a, "new\n"_ba, std::nullopt},
                branch == u"main" ? u"already exists"_s : u"has that file already"_s);
            row("gone", {u".flox/pkgs/d.nix"_s, std::nullopt, "d\n"_ba},
                branch == u"main" ? u"the file is gone"_s : u"has no such file"_s);
            row("twice", good, u"it is named twice"_s);
            row("outside", {u"../x.nix"_s, "x\n"_ba, std::nullopt}, u"recipes are in"_s);
            row("git's own", {u".git/config.md"_s, "x\n"_ba, std::nullopt}, u"recipes are in"_s);
            row("dash", {u"-x.md"_s, "x\n"_ba, std::nullopt}, u"dash"_s);
            row("in a folder called .nix", {u".flox/pkgs/a.nix/default.nix"_s, "x\n"_ba, std::nullopt},
                u"does not end in .nix"_s);
            row("no text", {u".flox/pkgs/d.nix"_s, "\0\xff"_ba, std::nullopt}, u"not text"_s);
        }
        QTest::newRow("nothing") << u"main"_s << QList<Edit>() << u"no file was chosen"_s;
        QTest::newRow("no such branch") << u"three"_s << QList<Edit>{good} << u"no such branch"_s;
        QTest::newRow("same") << u"main"_s << QList<Edit>{{a, "old\n"_ba, "old\n"_ba}} << u"nothing to commit"_s;
    }
    void refused()
    {
        QFETCH(const QString, branch);
        QFETCH(const QList<Edit>, edits);
        QFETCH(const QString, words);
        const EditsFixture f;
        const QByteArray before = f.refs() + f.status();
        QVERIFY_ERROR(commitEdits(f.repository, branch, edits, u"Many"_s, f.base), words);
        QCOMPARE(f.refs() + f.status(), before);
        QCOMPARE(f.read(a), "old\n"_ba);
        QVERIFY(!QFile::exists(f.path(c)));
    }

    void refusedByTheRepository_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QStringList>("git");
        QTest::addColumn<QString>("words");
        QTest::newRow("main moved") << u"main"_s
                                    << QStringList{u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"x"_s}
                                    << u"moved meanwhile"_s;
        QTest::newRow("two moved") << u"two"_s << QStringList{u"branch"_s, u"--force"_s, u"two"_s, u"HEAD~1"_s}
                                   << u"moved meanwhile"_s;
        QTest::newRow("two elsewhere") << u"two"_s
                                       << QStringList{u"worktree"_s, u"add"_s, u"--quiet"_s, u"../other"_s, u"two"_s}
                                       << u"is checked out in"_s;
    }
    void refusedByTheRepository()
    {
        QFETCH(const QString, branch);
        QFETCH(const QStringList, git);
        QFETCH(const QString, words);
        const EditsFixture f;
        f.git(git);
        const QByteArray before = f.refs() + f.status();
        QVERIFY_ERROR(commitEdits(f.repository, branch, manyEdits(), u"Many"_s, f.base), words);
        QCOMPARE(f.refs() + f.status(), before);
        QCOMPARE(f.read(a), "old\n"_ba);
    }

    void aLinkIsNotWrittenThrough()
    {
        const EditsFixture f;
        f.write(u"outside.nix"_s, "outside\n");
        QVERIFY(QFile::remove(f.path(a)));
        QVERIFY(QFile::link(f.path(u"outside.nix"_s), f.path(a)));
        QVERIFY_ERROR(commitEdits(f.repository, u"main"_s, {{a, "new\n"_ba, "outside\n"_ba}}, u"Many"_s, f.base),
                      u"it is a link"_s);
        QCOMPARE(f.read(u"outside.nix"_s), "outside\n"_ba);
    }

    void folderOfARecipeGoesWithIt()
    {
        const EditsFixture f;
        const QString inFolder = u".flox/pkgs/d/default.nix"_s;
        const QString tip = f.commitFile(inFolder, "d\n");
        QVERIFY_OK(commitEdits(f.repository, u"main"_s, {{inFolder, std::nullopt, "d\n"_ba}}, u"Gone"_s, tip));
        QVERIFY(!QFile::exists(f.path(u".flox/pkgs/d"_s)));
        QCOMPARE(f.status(), ""_ba);
    }

    void modeIsKept()
    {
        const EditsFixture f;
        QVERIFY(QFile::setPermissions(f.path(a), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        f.git({u"commit"_s, u"--quiet"_s, u"-am"_s, u"Executable"_s});
        f.git({u"branch"_s, u"--force"_s, u"two"_s});
        const QList<Edit> edits{{a, "new\n"_ba, "old\n"_ba}};
        for (const QString &branch : {u"main"_s, u"two"_s}) {
            QVERIFY_OK(commitEdits(f.repository, branch, edits, u"New"_s,
                                   QString::fromLatin1(f.git({u"rev-parse"_s, branch}))));
            QVERIFY(f.git({u"ls-tree"_s, branch, a}).startsWith("100755"));
        }
        QVERIFY(QFile::permissions(f.path(a)) & QFile::ExeOwner);
        QCOMPARE(f.status(), ""_ba);
    }

    void changesOfACommit()
    {
        const EditsFixture f;
        const Result<Applied> made = commitEdits(f.repository, u"two"_s, manyEdits(), u"Many"_s, f.base);
        QVERIFY_OK(made);
        const Result<QList<CommittedChange>> changes = f.repository.changesOf(made->commit);
        QVERIFY_OK(changes);
        const QList<CommittedChange> expected{{a, "old\n"_ba, "new\n"_ba},
                                              {b, "old b\n"_ba, std::nullopt},
                                              {c, std::nullopt, "old b\n"_ba},
                                              {lineToml, std::nullopt, "[versions]\n"_ba}};
        QCOMPARE(*changes, expected);
        QVERIFY_ERROR(f.repository.changesOf(u"nonsense"_s), u"there is no such commit"_s);
    }
};

TM_TEST(TestCommitEdits, QCoreApplication)
#include "tst_commitedits.moc"
