// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Changes of working tree and index without a commit. Judged by git.
#include "model/git/CommitReader.h"
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QFile>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::a;
using tmx::test::b;
using tmx::test::c;
using tmx::test::commitEdits;
using tmx::test::Edit;
using tmx::test::GitFixture;
using tmx::test::RepositoryFixture;

namespace {

QByteArray state(const RepositoryFixture &f)
{
    return f.status() + f.git({u"ls-files"_s, u"--stage"_s}) + f.git({u"for-each-ref"_s});
}

} // namespace

class TestEditWorkTree : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void whatIsNotCommittedIsKept()
    {
        const RepositoryFixture f;
        f.write(b, "untracked\n");
        f.write(c, "added\n");
        f.git({u"add"_s, c});
        f.write(c, "added, then changed\n");
        f.write(a, "staged\n");
        f.git({u"add"_s, a});
        f.write(u"other.txt"_s, "mine\n");
        f.git({u"add"_s, u"other.txt"_s});
        const QList<Edit> edits{{a, "old\n"_ba, "staged\n"_ba},
                                {b, std::nullopt, "untracked\n"_ba},
                                {c, std::nullopt, "added, then changed\n"_ba}};
        const Result<Applied> done = commitEdits(f.repository, u"main"_s, edits, u"Tidy up"_s, f.first);
        QVERIFY_OK(done);
        QCOMPARE(done->commit, QString());
        QCOMPARE(done->operation, QString());
        QCOMPARE(f.status(), "A  other.txt"_ba); // what else is staged stays so
        QCOMPARE(f.read(a), "old\n"_ba);
        QVERIFY(!QFile::exists(f.path(b)) && !QFile::exists(f.path(c)));
        QCOMPARE(f.head(), f.first);
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, done->saved}),
                 ".flox/pkgs/a.nix\n.flox/pkgs/b.nix\n.flox/pkgs/c.nix\nstaged/.flox/pkgs/c.nix"_ba);
        QCOMPARE(f.git({u"show"_s, done->saved + u":staged/"_s + c}), "added"_ba);
        QCOMPARE(f.fsck(), ""_ba);

        const Result<QList<SavedCommit>> all = f.repository.savedCommits();
        QVERIFY_OK(all);
        QCOMPARE(all->size(), 1);
        QCOMPARE(all->first().ref, done->saved);
        QCOMPARE(all->first().tip, f.first);
        QCOMPARE(all->first().subject, u"Tidy up"_s);
        QVERIFY(all->first().alone);
        QCOMPARE(all->first().paths, QStringList({a, b, c, u"staged/"_s + c}));
    }

    // A text restored over committed text needs no saving, and the index is as before.
    void overCommittedTextNothingIsKept()
    {
        const RepositoryFixture f;
        const Result<Applied> done = commitEdits(
            f.repository, u"main"_s,
            {{a, "old\n"_ba, "old\n"_ba, "mine\n"_ba}, {b, std::nullopt, std::nullopt, "b\n"_ba}}, u"Undo"_s, f.first);
        QVERIFY_OK(done);
        QCOMPARE(done->saved, QString());
        QCOMPARE(f.status(), " M " + a.toUtf8() + "\n?? " + b.toUtf8());
        QCOMPARE(f.read(a), "mine\n"_ba);
    }

    void noIdentityIsNeeded()
    {
        const RepositoryFixture f;
        f.write(b, "untracked\n");
        GitFixture::setGlobalConfig("[user]\n\tuseConfigOnly = true\n");
        f.git({u"config"_s, u"commit.gpgsign"_s, u"true"_s});
        QVERIFY_OK(commitEdits(f.repository, u"main"_s, {{b, std::nullopt, "untracked\n"_ba}}, u"Tidy up"_s, f.first));
        GitFixture::setGlobalConfig(GitFixture::defaultGlobalConfig());
        QVERIFY(!QFile::exists(f.path(b)));
    }

    void beforeTheFirstCommit()
    {
        const GitFixture f;
        f.write(b, "added\n");
        f.git({u"add"_s, b});
        const Repository repository = tmx::test::opened(f.path());
        const Result<Applied> done =
            commitEdits(repository, u"main"_s, {{b, std::nullopt, "added\n"_ba}}, u"Tidy up"_s, {});
        QVERIFY_OK(done);
        QCOMPARE(done->kept, QStringList{done->saved + u':' + b});
        QCOMPARE(f.git({u"show"_s, done->kept.first()}), "added"_ba);
        QCOMPARE(f.status(), ""_ba);
    }

    void refused()
    {
        const RepositoryFixture f;
        f.git({u"branch"_s, u"two"_s});
        f.write(b, "untracked\n");
        f.write(c, "added\n");
        f.git({u"add"_s, c});
        const QByteArray before = state(f);
        const Edit good{b, std::nullopt, "untracked\n"_ba};
        const auto tried = [&](const Edit &edit, const QString &branch = u"main"_s, const QString &tip = {}) {
            return commitEdits(f.repository, branch, {good, edit}, u"Tidy up"_s, tip.isEmpty() ? f.first : tip);
        };
        QVERIFY_ERROR(tried({c, std::nullopt, "seen\n"_ba}), u"it has changed since"_s);
        QVERIFY_ERROR(tried({a, "mine\n"_ba, std::nullopt}), u"already exists"_s);
        QVERIFY_ERROR(tried({u"../x.nix"_s, std::nullopt, "x\n"_ba}), u"recipes are in"_s);
        QVERIFY_ERROR(tried({c, std::nullopt, "added\n"_ba}, u"two"_s), u"has no such file"_s);
        QVERIFY_ERROR(tried({c, std::nullopt, "added\n"_ba}, u"main"_s, QString(40, u'a')), u"moved meanwhile"_s);
        QCOMPARE(state(f), before);
        f.write(u".git/index.lock"_s, "");
        QVERIFY_ERROR(tried({c, std::nullopt, "added\n"_ba}), u"another git process holds its lock"_s);
        QVERIFY(QFile::remove(f.path(u".git/index.lock"_s)));
        QCOMPARE(state(f), before);
        QCOMPARE(f.read(b), "untracked\n"_ba);
    }

    void whatABranchContains()
    {
        const RepositoryFixture f;
        const QString second = f.commitFile(b, "b\n");
        const Result<CommitReader> reader = CommitReader::open(f.path());
        QVERIFY_OK(reader);
        const auto contains = [&reader](const QString &tip, const QString &commit) {
            const Result<bool> is = reader->contains(tip, commit);
            return is && *is;
        };
        QVERIFY(contains(second, f.first) && contains(second, second));
        QVERIFY(!contains(f.first, second));
        QVERIFY(!contains(QString(), second));
        const Result<CommitInfo> info = reader->infoOf(second);
        QVERIFY_OK(info);
        QCOMPARE(info->parent, f.first);
        QCOMPARE(info->subject, u"Add a file"_s);
    }
};

TM_TEST(TestEditWorkTree, QCoreApplication)
#include "tst_editworktree.moc"
