// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

namespace {

/// A repository with commits of which ids do not depend on the time.
struct Made {
    explicit Made(const QString &format)
        : f(u"main"_s, format)
    {
        qputenv("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z");
        qputenv("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
    }
    ~Made()
    {
        qunsetenv("GIT_AUTHOR_DATE");
        qunsetenv("GIT_COMMITTER_DATE");
    }
    Q_DISABLE_COPY_MOVE(Made)
    GitFixture f;

    /// Runs lines of git commands. The repository is at "HERE", and the folder around it at "AROUND".
    void run(const QByteArray &script) const
    {
        for (const QByteArray &line : script.split('\n')) {
            QStringList words = QString::fromUtf8(line).split(u' ', Qt::SkipEmptyParts);
            for (QString &word : words)
                word.replace(u"AROUND"_s, QFileInfo(f.path()).path());
            if (!words.isEmpty())
                f.git(words);
        }
    }
    /// What the program reads at this folder, without the place where it is.
    [[nodiscard]] RepositoryInfo read(const QString &folder) const
    {
        const QString around = QFileInfo(f.path()).path();
        Result<RepositoryInfo> info = opened(around + folder).info();
        if (!info)
            qFatal("%s", qPrintable(info.error().sentence()));
        for (QString *path : {&info->workTree, &info->gitFolder})
            path->remove(around);
        for (BranchRef &branch : info->branches)
            branch.checkedOutElsewhere.remove(around);
        return *info;
    }
};

/// All refs with their trees, sorted without the times and numbers in the names of the program's.
QByteArray refs(const GitFixture &f)
{
    static const QRegularExpression operation(u"[0-9]{8}-[0-9]{6}[.][0-9]{3}-[0-9a-f]{8}"_s);
    QStringList lines = QString::fromUtf8(f.git({u"for-each-ref"_s, u"--format=%(refname) %(tree)"_s}))
                            .replace(operation, u"ID"_s)
                            .split(u'\n');
    lines.sort();
    return lines.join(u'\n').toUtf8();
}

} // namespace

/// A repository whose refs are in git's reftable format is read and written as one whose refs are files.
class TestRefTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        GitFixture::home();
    }

    void readsThem_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("no commit") << ""_ba;
        QTest::newRow("no commit on this branch") << "commit -q --allow-empty -m one\ncheckout -q --orphan other"_ba;
        QTest::newRow("detached") << "commit -q --allow-empty -m one\nbranch a/b\ncheckout -q --detach"_ba;
        QTest::newRow("branches and tags")
            << "commit -q --allow-empty -m one\ntag -a -m t one\nbranch a/b/c\nbranch z-ü\n"
               "commit -q --allow-empty -m two\ntag main\nsymbolic-ref refs/heads/alias refs/heads/main"_ba;
        QTest::newRow("a linked working tree")
            << "commit -q --allow-empty -m one\nworktree add -q -b side AROUND/linked\n"
               "-C AROUND/linked commit -q --allow-empty -m two\nworktree add -q --detach AROUND/third"_ba;
        QTest::newRow("upstream")
            << "commit -q --allow-empty -m one\nclone -q . AROUND/clone\nremote add origin AROUND/clone\n"
               "fetch -q\nbranch -q -u origin/main\ncommit -q --allow-empty -m two\nremote set-head origin main"_ba;
        QTest::newRow("packed")
            << "commit -q --allow-empty -m one\nbranch a\nbranch b\npack-refs --all\nbranch -D a"_ba;
    }
    void readsThem()
    {
        QFETCH(const QByteArray, script);
        const Made files(u"files"_s);
        const Made tables(u"reftable"_s);
        files.run(script);
        tables.run(script);
        QStringList folders{u"/repository"_s};
        for (const QString &linked : {u"/linked"_s, u"/third"_s}) {
            if (QFileInfo::exists(QFileInfo(files.f.path()).path() + linked))
                folders.append(linked);
        }
        for (const QString &folder : std::as_const(folders)) {
            const RepositoryInfo expected = files.read(folder);
            const RepositoryInfo found = tables.read(folder);
            for (qsizetype i = 0; i < std::max(expected.branches.size(), found.branches.size()); ++i) {
                QCOMPARE(found.branches.value(i).name, expected.branches.value(i).name);
                QCOMPARE(found.branches.value(i).commit, expected.branches.value(i).commit);
            }
            QVERIFY2(found == expected, qPrintable(folder + found.headBranch + found.headCommit));
        }
    }

    /// What apply() writes is there for git, with all that an undo needs.
    void writesThem()
    {
        QByteArrayList seen;
        for (const QString &format : {u"files"_s, u"reftable"_s}) {
            const Made made(format);
            const GitFixture &f = made.f;
            const QString first = f.commitFile(a, "old\n");
            f.git({u"branch"_s, u"two"_s});
            f.write(a, "mine\n");
            const Repository repository = opened(f.path());
            QVERIFY_OK(writeFile(repository, b, "written\n", std::nullopt));
            QVERIFY_OK(stageFiles(repository, {b}));
            QVERIFY_OK(commitEdits(repository, u"main"_s, {{a, "new\n"_ba, "mine\n"_ba}}, u"Here"_s, first));
            QVERIFY_OK(commitEdits(repository, u"two"_s, {{a, "other\n"_ba, "old\n"_ba}}, u"There"_s, first));
            QVERIFY_OK(commitToNewBranch(repository, u"a/three"_s, first, {{c, "third\n"_ba}}, u"New"_s));
            // A branch that git moves meanwhile is seen through the same handle.
            f.git({u"branch"_s, u"-f"_s, u"two"_s, first});
            QVERIFY_ERROR(commitEdits(repository, u"two"_s, {{a, "x\n"_ba, "other\n"_ba}}, u"Late"_s, f.head()),
                          u"moved meanwhile"_s);
            QCOMPARE(f.fsck(), ""_ba);
            QCOMPARE(f.read(a), "new\n"_ba);
            QCOMPARE(f.git({u"show"_s, u"two:"_s + a}), "old"_ba);
            const Result<QList<AppliedOperation>> operations = repository.operations();
            const Result<QList<SavedCommit>> saved = repository.savedCommits();
            const Result<QList<WrittenFiles>> written = repository.writtenFiles();
            QVERIFY(operations && saved && written);
            QCOMPARE(operations->size(), 3);
            QCOMPARE(saved->size(), 1);
            QCOMPARE(f.git({u"show"_s, saved->constFirst().ref + u':' + a}), "mine"_ba);
            QVERIFY(!QFileInfo::exists(f.path(u".git/refs/torch-matrix"_s)) == (format == u"reftable"_s));
            QVERIFY(!QFileInfo::exists(f.path(u".git/torch-matrix/saved"_s)));
            seen.append(refs(f) + f.status());
        }
        QCOMPARE(seen.at(1), seen.at(0));
    }

    void saysWhatItCannotRead()
    {
        const GitFixture f(u"main"_s, u"reftable"_s);
        f.commitFile(a, "old\n");
        const QByteArray path = qgetenv("PATH");
        const auto reset = qScopeGuard([&path] { qputenv("PATH", path); });
        qputenv("PATH", "/nonexistent");
        const Result<Repository> withoutGit = Repository::open(f.path());
        QVERIFY(!withoutGit && withoutGit.error().remedy.contains(u"git refs migrate"_s));
        qputenv("PATH", path);
        QVERIFY_OK(Repository::open(f.path()));
        f.git({u"config"_s, u"extensions.refStorage"_s, u"cuneiform"_s});
        const Result<Repository> unknown = Repository::open(f.path());
        QVERIFY(!unknown && unknown.error().sentence().contains(u"cuneiform"_s));
    }
};

TM_TEST(TestRefTables, QCoreApplication)
#include "tst_reftables.moc"
