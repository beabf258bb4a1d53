// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/GitTask.h"
#include "model/git/Repository.h"
#include "tests/support/GitFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;

namespace {

using Kind = GitTask::Kind;

/// A repository with one commit on main, and a bare repository on disk as its remote "origin".
struct Cloned {
    GitFixture f;
    QTemporaryDir folder;
    QString bare = folder.filePath(u"bare.git"_s);
    Cloned()
    {
        f.commitFile(u"a.txt"_s, "one\n");
        f.git({u"init"_s, u"--quiet"_s, u"--bare"_s, u"--initial-branch=main"_s, bare});
        f.git({u"remote"_s, u"add"_s, u"origin"_s, bare});
    }
    QByteArray remote(const QStringList &arguments) const
    {
        return f.git(QStringList{u"--git-dir"_s, bare} + arguments);
    }
    /// Somebody else's commit on a branch of the remote.
    void commitRemotely(const QString &branch) const
    {
        const QByteArray tree = remote({u"rev-parse"_s, branch + u"^{tree}"_s});
        const QByteArray commit =
            remote({u"commit-tree"_s, QString::fromLatin1(tree), u"-p"_s, branch, u"-m"_s, u"Theirs"_s});
        remote({u"update-ref"_s, u"refs/heads/"_s + branch, QString::fromLatin1(commit)});
    }
    [[nodiscard]] Result<QString> run(const GitTask &task) const { return runGitTask(f.path(), task); }
    [[nodiscard]] BranchRef branch(const QString &name) const
    {
        const Result<Repository> repository = Repository::open(f.path());
        const QList<BranchRef> branches = repository->info()->branches;
        const auto found = std::ranges::find(branches, name, &BranchRef::name);
        return found == branches.end() ? BranchRef{} : *found;
    }
};

void mustSucceed(const Result<QString> &done)
{
    QVERIFY2(done.ok(), done ? "" : qPrintable(done.error().sentence()));
}

} // namespace

class TestGitTask : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void pushSetsTheUpstreamOnce()
    {
        const Cloned c;
        QCOMPARE(c.branch(u"main"_s).upstream, QString());
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        QCOMPARE(c.remote({u"rev-parse"_s, u"main"_s}), c.f.head().toLatin1());
        QCOMPARE(c.branch(u"main"_s).upstream, u"origin/main"_s);

        // A branch with another upstream branch is pushed under its own name, and keeps its upstream.
        c.f.git({u"branch"_s, u"--track"_s, u"next"_s, u"origin/main"_s});
        mustSucceed(c.run({Kind::Push, u"next"_s}));
        QCOMPARE(c.remote({u"rev-parse"_s, u"next"_s}), c.f.head().toLatin1());
        QCOMPARE(c.branch(u"next"_s).upstream, u"origin/main"_s);
    }

    void branchesSayHowFarTheyAre()
    {
        const Cloned c;
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        QCOMPARE(std::pair(c.branch(u"main"_s).ahead, c.branch(u"main"_s).behind), std::pair(0, 0));
        c.f.commitFile(u"b.txt"_s, "two\n");
        c.f.commitFile(u"b.txt"_s, "three\n");
        c.commitRemotely(u"main"_s);
        QCOMPARE(std::pair(c.branch(u"main"_s).ahead, c.branch(u"main"_s).behind), std::pair(2, 0)); // not fetched yet
        mustSucceed(c.run({Kind::Fetch, {}}));
        QCOMPARE(std::pair(c.branch(u"main"_s).ahead, c.branch(u"main"_s).behind), std::pair(2, 1));
        c.f.git({u"update-ref"_s, u"-d"_s, u"refs/remotes/origin/main"_s});
        QCOMPARE(c.branch(u"main"_s).upstream, QString()); // what it follows is gone
    }

    void rejectedPushNamesTheCause()
    {
        const Cloned c;
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        c.commitRemotely(u"main"_s);
        const QByteArray theirs = c.remote({u"rev-parse"_s, u"main"_s});
        c.f.commitFile(u"b.txt"_s, "two\n");
        const QString sentence = u"Could not push main: origin has commits that main does not have. "
                                 "Fetch, then merge or rebase."_s;
        QCOMPARE(c.run({Kind::Push, u"main"_s}).error().sentence(), sentence);
        mustSucceed(c.run({Kind::Fetch, {}}));
        QCOMPARE(c.run({Kind::Push, u"main"_s}).error().sentence(), sentence); // git words it otherwise now
        QCOMPARE(c.remote({u"rev-parse"_s, u"main"_s}), theirs);
    }

    void pushThatAHookRefusesShowsItsWords()
    {
        const Cloned c;
        QFile hook(c.bare + u"/hooks/update"_s);
        QVERIFY(hook.open(QIODevice::WriteOnly));
        hook.write("#!/bin/sh\necho 'main is closed <b>today</b>'\nexit 1\n");
        hook.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        hook.close();
        const Result<QString> done = c.run({Kind::Push, u"main"_s});
        QVERIFY(!done);
        QVERIFY2(done.error().why.contains("main is closed <b>today</b>"_L1), qPrintable(done.error().why));
        QVERIFY2(done.error().why.contains("hook declined"_L1), qPrintable(done.error().why));
    }

    void withoutARemoteNothingIsFetchedOrPushed()
    {
        const GitFixture f;
        f.commitFile(u"a.txt"_s, "one\n");
        QCOMPARE(runGitTask(f.path(), {Kind::Fetch, {}}).error().sentence(),
                 u"Could not fetch: the repository has no remote. Add one: git remote add origin ADDRESS"_s);
        QCOMPARE(runGitTask(f.path(), {Kind::Push, u"main"_s}).error().sentence(),
                 u"Could not push main: the repository has no remote. Add one: git remote add origin ADDRESS"_s);
        QVERIFY(!pullRequestPageOf(f.path(), u"main"_s));
    }

    void ofSeveralRemotesASettingChooses()
    {
        const Cloned c;
        c.f.git({u"remote"_s, u"rename"_s, u"origin"_s, u"one"_s});
        c.f.git({u"remote"_s, u"add"_s, u"two"_s, c.folder.filePath(u"absent"_s)});
        QVERIFY(c.run({Kind::Push, u"main"_s}).error().why.contains("several remotes"_L1));
        c.f.git({u"config"_s, u"remote.pushDefault"_s, u"one"_s});
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        QCOMPARE(c.branch(u"main"_s).upstream, u"one/main"_s);
        // A missing remote does not prevent fetching the other, and is named.
        c.commitRemotely(u"main"_s);
        const Result<QString> fetched = c.run({Kind::Fetch, {}});
        QVERIFY(!fetched);
        QVERIFY2(fetched.error().why.contains("absent"_L1), qPrintable(fetched.error().why));
        QCOMPARE(c.branch(u"main"_s).behind, 1);
    }

    void checkOutKeepsUncommittedChanges()
    {
        const Cloned c;
        c.f.git({u"branch"_s, u"next"_s});
        c.f.write(u"a.txt"_s, "mine\n");
        mustSucceed(c.run({Kind::CheckOut, u"next"_s}));
        QCOMPARE(c.f.git({u"branch"_s, u"--show-current"_s}), QByteArray("next"));
        QCOMPARE(c.f.read(u"a.txt"_s), QByteArray("mine\n"));
    }

    void checkOutRefusesAsGitDoes()
    {
        const Cloned c;
        c.f.git({u"switch"_s, u"--quiet"_s, u"-c"_s, u"next"_s});
        c.f.commitFile(u"a.txt"_s, "next\n");
        c.f.git({u"switch"_s, u"--quiet"_s, u"main"_s});
        c.f.write(u"a.txt"_s, "mine\n");
        const Result<QString> done = c.run({Kind::CheckOut, u"next"_s});
        QVERIFY(!done);
        QCOMPARE(done.error().sentence(),
                 u"Could not check out next: Your local changes to the following files would be overwritten by "
                 "checkout:\na.txt\nPlease commit your changes or stash them before you switch branches."_s);
        QCOMPARE(c.f.read(u"a.txt"_s), QByteArray("mine\n"));
        QCOMPARE(c.f.git({u"branch"_s, u"--show-current"_s}), QByteArray("main"));
    }

    void checkOutFromADetachedHeadNamesTheLostCommit()
    {
        const Cloned c;
        c.f.git({u"switch"_s, u"--quiet"_s, u"--detach"_s});
        const QString lost = c.f.commitFile(u"b.txt"_s, "two\n", u"On no branch"_s);
        const Result<QString> done = c.run({Kind::CheckOut, u"main"_s});
        mustSucceed(done);
        QVERIFY2(done->contains("On no branch"_L1) && done->contains(lost.left(7)), qPrintable(*done));
    }

    void namesAreNeverOptions()
    {
        const Cloned c;
        // Created by plumbing, because git refuses such a name.
        c.f.git({u"update-ref"_s, u"refs/heads/--detach"_s, u"HEAD"_s});
        QVERIFY(!c.run({Kind::CheckOut, u"--detach"_s}));
        QCOMPARE(c.f.git({u"branch"_s, u"--show-current"_s}), QByteArray("main"));
        QVERIFY(!c.run({Kind::SetUpstream, u"--delete"_s, u"origin/main"_s}));
        QCOMPARE(c.f.git({u"for-each-ref"_s, u"refs/heads/main"_s}).isEmpty(), false);
    }

    void upstreamIsSet()
    {
        const Cloned c;
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        c.f.git({u"branch"_s, u"next"_s});
        QCOMPARE(*remoteBranches(c.f.path()), QStringList{u"origin/main"_s});
        mustSucceed(c.run({Kind::SetUpstream, u"next"_s, u"origin/main"_s}));
        QCOMPARE(c.branch(u"next"_s).upstream, u"origin/main"_s);
        QVERIFY(!c.run({Kind::SetUpstream, u"next"_s, u"origin/absent"_s}));
    }

    /// A remote that never answers: git waits, and a stop ends it.
    void stopEndsGit()
    {
        const Cloned c;
        c.f.git({u"config"_s, u"remote.origin.uploadpack"_s, u"sleep 1000 #"_s});
        int asked = 0;
        const Result<QString> done = runGitTask(c.f.path(), {Kind::Fetch, {}}, {}, [&] { return ++asked > 1; });
        QVERIFY(!done);
        QCOMPARE(done.error().sentence(), u"Could not fetch: it was stopped."_s);
    }

    /// An address that requires a password fails: nobody is asked in a terminal.
    void passwordIsNotAskedForInATerminal()
    {
        const Cloned c;
        const QString asker = c.folder.filePath(u"asker"_s);
        QFile program(asker);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\ntouch \"$0.asked\"\necho secret\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        program.close();
        // A transport of its own that asks git for a password, as https does.
        const QString helper = c.folder.filePath(u"git-remote-asking"_s);
        QFile transport(helper);
        QVERIFY(transport.open(QIODevice::WriteOnly));
        transport.write(
            "#!/bin/sh\nprintf 'protocol=https\\nhost=example.org\\n\\n' | git credential fill >&2\nexit 1\n");
        transport.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        transport.close();
        c.f.git({u"remote"_s, u"set-url"_s, u"origin"_s, u"asking::x"_s});
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", c.folder.path().toUtf8() + ':' + path);
        qputenv("GIT_ASKPASS", asker.toUtf8());
        const QByteArray display = qgetenv("DISPLAY");
        qunsetenv("WAYLAND_DISPLAY");
        qunsetenv("DISPLAY");
        const Result<QString> without = c.run({Kind::Fetch, {}});
        const bool askedWithout = QFile::exists(asker + u".asked"_s);
        qputenv("DISPLAY", ":77");
        const Result<QString> with = c.run({Kind::Fetch, {}});
        const bool askedWith = QFile::exists(asker + u".asked"_s);
        qputenv("PATH", path);
        qunsetenv("GIT_ASKPASS");
        qputenv("DISPLAY", display);
        QVERIFY(!without && !with);
        QVERIFY2(without.error().why.contains("terminal prompts disabled"_L1), qPrintable(without.error().why));
        QVERIFY(!askedWithout);
        QVERIFY(askedWith);
    }

    void progressIsReadPieceByPiece_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("phase");
        QTest::addColumn<int>("percent");
        QTest::newRow("percent") << QByteArray("Receiving objects:  42% (21/50), 1.2 MiB | 3 MiB/s\r")
                                 << u"Receiving objects"_s << 42;
        QTest::newRow("of the remote") << QByteArray("remote: Compressing objects: 100% (9/9), done.\n")
                                       << u"Compressing objects"_s << 100;
        QTest::newRow("a count") << QByteArray("remote: Enumerating objects: 12, done.\n") << u"Enumerating objects"_s
                                 << -1;
        QTest::newRow("the last of several")
            << QByteArray("Writing objects:  1% (1/99)\rWriting objects:  2% (2/99)\r") << u"Writing objects"_s << 2;
        QTest::newRow("too much") << QByteArray("Writing objects: 99999% (1/99)\r") << u"Writing objects"_s << 100;
        QTest::newRow("an error") << QByteArray("error: 12 files would be lost\n") << QString() << 0;
        QTest::newRow("no end yet") << QByteArray("Writing objects:  1% (1/99)") << QString() << 0;
    }
    void progressIsReadPieceByPiece()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, phase);
        QFETCH(const int, percent);
        const std::optional<GitProgress> expected =
            phase.isEmpty() ? std::nullopt : std::optional(GitProgress{phase, percent});
        QCOMPARE(GitProgressReader().read(text), expected);
        for (qsizetype cut = 0; cut < text.size(); ++cut) {
            GitProgressReader reader;
            const std::optional<GitProgress> first = reader.read(text.first(cut));
            const std::optional<GitProgress> second = reader.read(text.sliced(cut));
            QCOMPARE(second ? second : first, expected);
        }
    }

    void pullRequestPages_data()
    {
        QTest::addColumn<QString>("remote");
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QString>("page"); ///< empty: an error
        const auto row = [](const char *name, const QString &remote, const QString &base, const QString &branch,
                            const QString &page) { QTest::newRow(name) << remote << base << branch << page; };
        row("GitHub, ssh", u"git@github.com:ada/build.git"_s, u"main"_s, u"next"_s,
            u"https://github.com/ada/build/compare/main...next?expand=1"_s);
        row("GitHub without a base", u"https://github.com/ada/build"_s, {}, u"cuda/13"_s,
            u"https://github.com/ada/build/compare/cuda/13?expand=1"_s);
        row("a token goes", u"https://ada:secret@github.com/ada/build.git"_s, {}, u"next"_s,
            u"https://github.com/ada/build/compare/next?expand=1"_s);
        row("ssh with a port", u"ssh://git@gitlab.example.org:2222/group/sub/build.git"_s, u"main"_s, u"next"_s,
            u"https://gitlab.example.org/group/sub/build/-/merge_requests/new?"
            "merge_request%5Bsource_branch%5D=next&merge_request%5Btarget_branch%5D=main"_s);
        row("https with a port", u"https://gitea.example.org:8443/ada/build.git/"_s, u"main"_s, u"next"_s,
            u"https://gitea.example.org:8443/ada/build/compare/main...next"_s);
        row("Codeberg", u"https://codeberg.org/ada/build.git"_s, u"main"_s, u"next"_s,
            u"https://codeberg.org/ada/build/compare/main...next"_s);
        row("Bitbucket", u"git@bitbucket.org:ada/build.git"_s, u"main"_s, u"next"_s,
            u"https://bitbucket.org/ada/build/pull-requests/new?source=next&dest=main"_s);
        row("http becomes https", u"http://github.com/ada/build"_s, {}, u"next"_s,
            u"https://github.com/ada/build/compare/next?expand=1"_s);
        row("a branch with signs", u"git@github.com:ada/build.git"_s, {}, u"a#b?c=d&e%20<f>"_s,
            u"https://github.com/ada/build/compare/a%23b%3Fc%3Dd%26e%2520%3Cf%3E?expand=1"_s);
        row("a name with signs", u"git@github.com:ada/bu?ild#x.git"_s, {}, u"next"_s,
            u"https://github.com/ada/bu%3Fild%23x/compare/next?expand=1"_s);
        row("another address behind @", u"https://github.com@evil.example/ada/build"_s, {}, u"next"_s, {});
        row("a folder", u"/srv/git/build.git"_s, {}, u"next"_s, {});
        row("a folder's address", u"file:///srv/git/build.git"_s, {}, u"next"_s, {});
        row("a script", u"javascript://github.com/ada/build"_s, {}, u"next"_s, {});
        row("up and away", u"https://github.com/ada/../build"_s, {}, u"next"_s, {});
        row("no owner", u"git@github.com:build.git"_s, {}, u"next"_s, {});
        row("http with a port", u"http://gitea.example.org:3000/ada/build"_s, {}, u"next"_s, {});
        row("an unknown host", u"git@example.org:ada/build.git"_s, {}, u"next"_s, {});
        row("nothing", {}, {}, u"next"_s, {});
    }
    void pullRequestPages()
    {
        QFETCH(const QString, remote);
        QFETCH(const QString, base);
        QFETCH(const QString, branch);
        QFETCH(const QString, page);
        const Result<QUrl> url = pullRequestPage(remote, base, branch);
        QCOMPARE(url ? QString::fromLatin1(url->toEncoded()) : QString(), page);
        if (url) {
            QCOMPARE(url->scheme(), u"https"_s);
            QCOMPARE(url->userInfo(), QString());
        }
    }

    void pullRequestPageNeedsAPushedBranch()
    {
        const Cloned c;
        c.f.git({u"branch"_s, u"next"_s});
        mustSucceed(c.run({Kind::Push, u"main"_s}));
        QCOMPARE(pullRequestPageOf(c.f.path(), u"next"_s).error().sentence(),
                 u"Could not open a pull request of next: it was not pushed to origin yet. Push it first."_s);
        mustSucceed(c.run({Kind::Push, u"next"_s}));
        c.f.git({u"remote"_s, u"set-head"_s, u"origin"_s, u"main"_s});
        c.f.git({u"remote"_s, u"set-url"_s, u"origin"_s, u"https://ada:secret@codeberg.org/ada/build.git"_s});
        QCOMPARE(pullRequestPageOf(c.f.path(), u"next"_s)->toString(),
                 u"https://codeberg.org/ada/build/compare/main...next"_s);
        QVERIFY(!pullRequestPageOf(c.f.path(), u"main"_s));
    }
};

TM_TEST(TestGitTask, QCoreApplication)
#include "tst_gittask.moc"
