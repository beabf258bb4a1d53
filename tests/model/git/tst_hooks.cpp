// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Commits in repositories with hooks and signatures: the git program makes them. Judged by git.
#include "tests/support/Changes.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::a;
using tmx::test::b;
using tmx::test::c;
using tmx::test::changeSet;
using tmx::test::Edit;
using tmx::test::GitFixture;
using tmx::test::opened;

namespace {

const QString d = u".flox/pkgs/d.nix"_s;

enum class Target { Here, Elsewhere, New };

/// a "old", b "old b" are committed on main and on two; staged.txt is staged; hooks note that they ran.
struct HooksFixture : GitFixture {
    QString base = [this] {
        commitFile(a, "old\n");
        const QString second = commitFile(b, "old b\n");
        git({u"branch"_s, u"two"_s});
        write(u"staged.txt"_s, "by hand\n");
        git({u"add"_s, u"staged.txt"_s});
        return second;
    }();

    void hook(const QString &name, const QByteArray &script) const
    {
        program(u".git/hooks/"_s + name, "echo " + name.toUtf8() +
                                             " \"$(git symbolic-ref --quiet --short HEAD)\" >> '" +
                                             path(u".git/ran"_s).toUtf8() + "'\n" + script);
    }
    void program(const QString &file, const QByteArray &script) const
    {
        write(file, "#!/bin/sh\n" + script);
        ::chmod(QFile::encodeName(path(file)).constData(), 0755);
    }
    [[nodiscard]] QByteArray ran() const
    {
        return QFile::exists(path(u".git/ran"_s)) ? read(u".git/ran"_s).trimmed().replace('\n', ", ") : QByteArray();
    }
    [[nodiscard]] QByteArray show(const QString &what) const { return git({u"show"_s, what}); }
    [[nodiscard]] QByteArray textOf(const QString &file) const
    {
        return QFile::exists(path(file)) ? read(file) : "(no file)"_ba;
    }
    /// All that a refused commit must leave as it was.
    [[nodiscard]] QByteArray state() const
    {
        return git({u"for-each-ref"_s, u"refs/heads"_s, u"refs/torch-matrix/operations"_s}) +
               git({u"ls-files"_s, u"--stage"_s}) + status() + textOf(a) + textOf(b) + textOf(c) + textOf(d);
    }
    /// Files of the program that must not be there afterwards.
    [[nodiscard]] QStringList leftOvers() const
    {
        QStringList found = QDir(path(u".git/torch-matrix"_s)).entryList(QDir::Files | QDir::Hidden);
        found.removeOne(u"lock"_s);
        found += QDir(path(u".git/worktrees"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        found += QDir(home() + u"/.local/state/torch-matrix/work-trees"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const QString &lock : {u".git/index.lock"_s, u".git/HEAD.lock"_s, u".git/refs/heads/main.lock"_s}) {
            if (QFile::exists(path(lock)))
                found.append(lock);
        }
        return found;
    }
};

FileChanges changeAt(Target place, const QString &base)
{
    const QList<Edit> edits{{a, "draft\n"_ba, "old\n"_ba}, {b, std::nullopt, "old b\n"_ba}, {c, "draft c\n"_ba}};
    FileChanges changes = changeSet(place == Target::Here        ? u"main"_s
                                    : place == Target::Elsewhere ? u"two"_s
                                                                 : u"line/new"_s,
                                    base, edits, u"Many\n\nWhy."_s);
    changes.newBranch = place == Target::New;
    return changes;
}

void eachPlace()
{
    QTest::addColumn<Target>("place");
    QTest::newRow("checked-out branch") << Target::Here;
    QTest::newRow("other branch") << Target::Elsewhere;
    QTest::newRow("new branch") << Target::New;
}

const QByteArray format = "for file in $(git diff --cached --name-only --diff-filter=AM); do\n"
                          "    sed -i 's/draft/final/' \"$file\"\n"
                          "    git add --force \"$file\"\n"
                          "done\n";

} // namespace

class TestHooks : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void pass_data() { eachPlace(); }
    void pass()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        for (const QString &name : {u"pre-commit"_s, u"prepare-commit-msg"_s, u"commit-msg"_s, u"post-commit"_s})
            f.hook(name, "echo said by " + name.toUtf8() + "\nexit 0\n");
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(f.git({u"rev-parse"_s, changes.branch}), done->commit.toLatin1());
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%P|%B|%an"_s, changes.branch}),
                 f.base.toLatin1() + "|Many\n\nWhy.\n|Ada Tester");
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, changes.branch}), (a + u'\n' + c).toLatin1());
        QVERIFY2(done->output.contains("said by pre-commit"), done->output);
        const QByteArray branch = place == Target::Here ? " main" : " "; // the others commit on a detached HEAD
        QCOMPARE(
            f.ran(),
            ("pre-commit%, prepare-commit-msg%, commit-msg%, post-commit" + branch).replace("%", branch).trimmed());
        QCOMPARE(f.git({u"rev-parse"_s, u"refs/torch-matrix/operations/"_s + done->operation}),
                 done->commit.toLatin1());
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        QCOMPARE(f.textOf(a), place == Target::Here ? "draft\n"_ba : "old\n"_ba);
        QCOMPARE(f.leftOvers(), QStringList());
        QCOMPARE(f.fsck(), ""_ba);
    }

    void fail_data()
    {
        QTest::addColumn<Target>("place");
        QTest::addColumn<QString>("hook");
        QTest::addColumn<QByteArray>("script");
        for (const auto &[name, place] :
             {std::pair("here", Target::Here), {"other", Target::Elsewhere}, {"new", Target::New}}) {
            QTest::addRow("%s: pre-commit", name) << place << u"pre-commit"_s << "echo rule 7 says no >&2\nexit 1\n"_ba;
            QTest::addRow("%s: formats, then fails", name)
                << place << u"pre-commit"_s << format + "echo rule 7 says no\nexit 1\n";
            QTest::addRow("%s: writes, then fails", name)
                << place << u"pre-commit"_s
                << "sed -i 's/draft/other/' .flox/pkgs/*.nix\necho rule 7 says no\nexit 1\n"_ba;
            QTest::addRow("%s: commit-msg", name) << place << u"commit-msg"_s << "echo rule 7 says no\nexit 3\n"_ba;
            QTest::addRow("%s: reference-transaction", name)
                << place << u"reference-transaction"_s
                << "[ \"$1\" = prepared ] && grep -q refs/heads/ && echo rule 7 says no && exit 1\nexit 0\n"_ba;
        }
    }
    void fail()
    {
        QFETCH(const Target, place);
        QFETCH(const QString, hook);
        QFETCH(const QByteArray, script);
        const HooksFixture f;
        f.hook(hook, script);
        const QByteArray before = f.state();
        const Result<Applied> done = opened(f.path()).apply(changeAt(place, f.base));
        QVERIFY_ERROR(done, u"rule 7 says no"_s);
        QCOMPARE(f.state(), before);
        QCOMPARE(f.leftOvers(), QStringList());
        QCOMPARE(f.fsck(), ""_ba);
        QVERIFY(f.ran().startsWith(hook.toUtf8()));
    }

    // A hook's change of a file is not lost if another hook refuses.
    void hooksTextIsSaved()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, "sed -i 's/draft/other/' .flox/pkgs/a.nix\nexit 1\n");
        QVERIFY(!opened(f.path()).apply(changeAt(Target::Here, f.base)));
        const Result<QList<SavedCommit>> saved = opened(f.path()).savedCommits();
        QVERIFY_OK(saved);
        QCOMPARE(saved->size(), 1);
        QCOMPARE(f.show(saved->first().ref + u':' + a), "other"_ba);
    }

    void rewriteFiles_data() { eachPlace(); }
    void rewriteFiles()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        f.hook(u"pre-commit"_s, format);
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(f.show(changes.branch + u':' + a), "final"_ba);
        QCOMPARE(f.show(changes.branch + u':' + c), "final c"_ba);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        QCOMPARE(f.textOf(a), place == Target::Here ? "final\n"_ba : "old\n"_ba);
        QCOMPARE(f.tryGit({u"diff-files"_s, u"--quiet"_s}), 0);
        QCOMPARE(f.leftOvers(), QStringList());
        QCOMPARE(f.fsck(), ""_ba);
    }

    // The hook changes only the index, and a file that was not chosen.
    void rewriteTheIndex()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, "id=$(echo from the hook | git hash-object -w --stdin)\n"
                                "git update-index --add --cacheinfo 100644,$id,.flox/pkgs/a.nix\n"
                                "echo list > LIST.md\ngit add LIST.md\n");
        const Result<Applied> done = opened(f.path()).apply(changeAt(Target::Here, f.base));
        QVERIFY_OK(done);
        QCOMPARE(f.show(u"HEAD:"_s + a), "from the hook"_ba);
        QCOMPARE(f.textOf(a), "from the hook\n"_ba);
        QCOMPARE(f.show(u"HEAD:LIST.md"_s), "list"_ba);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
    }

    void rewriteTheMessage_data() { eachPlace(); }
    void rewriteTheMessage()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        f.hook(u"prepare-commit-msg"_s, "sed -i 's/^Many$/ABC-1: Many/' \"$1\"\n");
        f.hook(u"commit-msg"_s, "echo 'Reviewed: yes' >> \"$1\"\n");
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(done->subject, u"ABC-1: Many"_s);
        QCOMPARE(f.git({u"log"_s, u"-1"_s, u"--format=%B"_s, changes.branch}),
                 "ABC-1: Many\n\nWhy.\nReviewed: yes\n"_ba);
        const Result<QList<AppliedOperation>> operations = opened(f.path()).operations();
        QVERIFY_OK(operations);
        QCOMPARE(operations->size(), 1);
        QCOMPARE(operations->first().id, done->operation);
        QCOMPARE(operations->first().commit, done->commit);
        QCOMPARE(operations->first().branch, changes.branch);
        QVERIFY(operations->first().when.isValid());
        QCOMPARE(f.status(), "A  staged.txt"_ba);
    }

    // Files already on disk: untracked, staged and changed; and a deleted one.
    void filesOnDisk()
    {
        const HooksFixture f;
        f.write(a, "draft\n");
        f.write(c, "draft c\n");
        f.write(d, "draft d\n");
        f.git({u"add"_s, d});
        QVERIFY(QFile::remove(f.path(b)));
        f.hook(u"pre-commit"_s, format);
        const Repository repository = opened(f.path());
        const Result<Applied> done = test::commitFiles(repository, {a, b, c, d}, u"Many"_s, f.base);
        QVERIFY_OK(done);
        QCOMPARE(f.git({u"show"_s, u"--name-status"_s, u"--format="_s, u"--no-renames"_s}).simplified(),
                 "M .flox/pkgs/a.nix D .flox/pkgs/b.nix A .flox/pkgs/c.nix A .flox/pkgs/d.nix"_ba);
        QCOMPARE(f.show(u"HEAD:"_s + d), "final d"_ba);
        QCOMPARE(f.textOf(a), "final\n"_ba);
        QCOMPARE(f.status(), "A  staged.txt"_ba);

        // Refused, with all of it as it was.
        f.hook(u"commit-msg"_s, "exit 1\n");
        f.write(a, "draft 2\n");
        const QByteArray before = f.state();
        QVERIFY(!test::commitFiles(repository, {a}, u"Again"_s, f.head()));
        QCOMPARE(f.state(), before);
    }

    // Undo: the committed text is restored, and the text that was never committed is an uncommitted change again.
    void uncommittedTextReturns()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, format);
        f.write(a, "mine\n");
        const Repository repository = opened(f.path());
        FileChanges changes = changeSet(u"main"_s, f.base, {{a, "draft\n"_ba, "mine\n"_ba}}, u"Change"_s);
        const Result<Applied> done = repository.apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(done->kept, QStringList{done->saved + u':' + a});
        QCOMPARE(f.show(done->kept.first()), "mine"_ba);
        changes = changeSet(u"main"_s, done->commit, {{a, "old\n"_ba, "final\n"_ba, "mine\n"_ba}}, u"Undo"_s);
        QVERIFY_OK(repository.apply(changes));
        QCOMPARE(f.show(u"HEAD:"_s + a), "old"_ba);
        QCOMPARE(f.textOf(a), "mine\n"_ba);
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\nA  staged.txt"_ba);
        QCOMPARE(f.leftOvers(), QStringList());
    }

    // No commit, no hook.
    void workTreeAndIndexRunNoHook()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, "exit 1\n");
        f.hook(u"reference-transaction"_s, "exit 1\n");
        FileChanges changes = changeAt(Target::Here, f.base);
        changes.until = FileChanges::Until::Index;
        QVERIFY_OK(opened(f.path()).apply(changes));
        QCOMPARE(f.status(), " M .flox/pkgs/a.nix\n D .flox/pkgs/b.nix\nA  .flox/pkgs/c.nix\nA  staged.txt"_ba);
        changes = changeSet(u"main"_s, f.base, {{a, "old\n"_ba, "draft\n"_ba}}, u"Back"_s);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QCOMPARE(done->commit, QString());
        QCOMPARE(f.ran(), ""_ba);
    }

    void firstCommit()
    {
        const HooksFixture f;
        f.git({u"switch"_s, u"--quiet"_s, u"--orphan"_s, u"fresh"_s});
        f.hook(u"pre-commit"_s, "exit 0\n");
        const Repository repository = opened(f.path());
        const Result<Applied> done = repository.apply(changeSet(u"fresh"_s, {}, {{c, "c\n"_ba}}, u"First"_s));
        QVERIFY_OK(done);
        QCOMPARE(f.git({u"ls-tree"_s, u"-r"_s, u"--name-only"_s, u"HEAD"_s}), c.toLatin1());
        QCOMPARE(f.git({u"rev-list"_s, u"--count"_s, u"HEAD"_s}), "1"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void inALinkedWorkTree()
    {
        const HooksFixture f;
        const QString linked = QFileInfo(f.path()).path() + u"/linked"_s;
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, linked, u"two"_s});
        f.hook(u"pre-commit"_s, format);
        const Result<Applied> done = opened(linked).apply(changeAt(Target::Elsewhere, f.base));
        QVERIFY_OK(done);
        QCOMPARE(f.git({u"-C"_s, linked, u"status"_s, u"--porcelain"_s}), ""_ba);
        QCOMPARE(f.show(u"two:"_s + a), "final"_ba);
        QCOMPARE(f.read(u"../linked/"_s + a), "final\n"_ba);
        QCOMPARE(f.ran(), "pre-commit two"_ba);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    // Found by the branch only if the repository keeps no reflog.
    void withoutReflog()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, "exit 0\n");
        f.git({u"config"_s, u"core.logAllRefUpdates"_s, u"false"_s});
        QDir(f.path(u".git/logs"_s)).removeRecursively();
        const Result<Applied> done = opened(f.path()).apply(changeAt(Target::Here, f.base));
        QVERIFY_OK(done);
        QCOMPARE(f.head(), done->commit);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        f.hook(u"pre-commit"_s, "exit 1\n");
        const QByteArray before = f.state();
        QVERIFY(!opened(f.path()).apply(changeSet(u"main"_s, f.head(), {{d, "d\n"_ba}}, u"More"_s)));
        QCOMPARE(f.state(), before);
    }

    void referenceTransaction_data() { eachPlace(); }
    void referenceTransaction()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        f.hook(u"reference-transaction"_s,
               "[ \"$1\" != committed ] || cat >> '" + f.path(u".git/moves"_s).toUtf8() + "'\n");
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QVERIFY(f.read(u".git/moves"_s).contains(done->commit.toLatin1() + " refs/heads/" + changes.branch.toLatin1()));
        QCOMPARE(f.git({u"rev-parse"_s, changes.branch}), done->commit.toLatin1());
        QCOMPARE(f.git({u"rev-parse"_s, u"refs/torch-matrix/operations/"_s + done->operation}),
                 done->commit.toLatin1());
        QCOMPARE(f.leftOvers(), QStringList());
    }

    void stoppedByTheCaller()
    {
        const HooksFixture f;
        f.hook(u"pre-commit"_s, "sleep 60\n");
        const QByteArray before = f.state();
        const WorkHooks hooks{{}, [&f] { return QFile::exists(f.path(u".git/ran"_s)); }};
        QVERIFY_ERROR(opened(f.path()).apply(changeAt(Target::Here, f.base), hooks), u"it was stopped"_s);
        QCOMPARE(f.state(), before);
        QCOMPARE(f.leftOvers(), QStringList());
    }

    void signatures_data() { eachPlace(); }
    void signatures()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        makeKey(f, {});
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QByteArray said;
        QVERIFY2(f.tryGit({u"verify-commit"_s, done->commit}, &said) == 0, said);
        QCOMPARE(f.git({u"rev-parse"_s, changes.branch}), done->commit.toLatin1());
        QCOMPARE(f.status(), "A  staged.txt"_ba);
        QCOMPARE(f.fsck(), ""_ba);
    }

    void signaturesWithHooks_data() { eachPlace(); }
    void signaturesWithHooks()
    {
        QFETCH(const Target, place);
        const HooksFixture f;
        makeKey(f, {});
        f.hook(u"pre-commit"_s, format);
        const FileChanges changes = changeAt(place, f.base);
        const Result<Applied> done = opened(f.path()).apply(changes);
        QVERIFY_OK(done);
        QByteArray said;
        QVERIFY2(f.tryGit({u"verify-commit"_s, done->commit}, &said) == 0, said);
        QCOMPARE(f.show(changes.branch + u':' + a), "final"_ba);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
    }

    void passphrase()
    {
        const HooksFixture f;
        makeKey(f, u"secret"_s);
        const QByteArray before = f.state();
        // No program can ask: refused at once, never a prompt in a terminal.
        QVERIFY(!opened(f.path()).apply(changeAt(Target::Here, f.base)));
        QCOMPARE(f.state(), before);
        f.program(u".git/ask"_s, "echo secret\n");
        f.git({u"config"_s, u"core.askPass"_s, f.path(u".git/ask"_s)});
        const Result<Applied> done = opened(f.path()).apply(changeAt(Target::Here, f.base));
        QVERIFY_OK(done);
        QVERIFY(f.tryGit({u"verify-commit"_s, done->commit}) == 0);
    }

    void askPass_data()
    {
        QTest::addColumn<QByteArray>("variable");
        QTest::newRow("ssh's") << QByteArray("SSH_ASKPASS");
        QTest::newRow("git's") << QByteArray("GIT_ASKPASS");
    }
    void askPass()
    {
        QFETCH(const QByteArray, variable);
        const HooksFixture f;
        makeKey(f, u"secret"_s);
        f.program(u".git/ask"_s, "echo \"$*\" >> '" + f.path(u".git/asked"_s).toUtf8() + "'\necho secret\n");
        const auto cleanUp = qScopeGuard([&variable] { qunsetenv(variable); });
        qputenv(variable, f.path(u".git/ask"_s).toUtf8());
        const Result<Applied> done = opened(f.path()).apply(changeAt(Target::Here, f.base));
        QVERIFY_OK(done);
        QVERIFY(f.tryGit({u"verify-commit"_s, done->commit}) == 0);
        QVERIFY2(f.read(u".git/asked"_s).contains("passphrase"), f.read(u".git/asked"_s));
        QCOMPARE(f.leftOvers(), QStringList());
    }

    /// A passphrase program without an answer does not prevent the caller from stopping.
    void askPassThatNeverAnswers()
    {
        const HooksFixture f;
        makeKey(f, u"secret"_s);
        f.program(u".git/ask"_s, "touch '" + f.path(u".git/asked"_s).toUtf8() + "'\nsleep 600\n");
        const auto cleanUp = qScopeGuard([] { qunsetenv("SSH_ASKPASS"); });
        qputenv("SSH_ASKPASS", f.path(u".git/ask"_s).toUtf8());
        const QByteArray before = f.state();
        const WorkHooks hooks{{}, [&f] { return QFile::exists(f.path(u".git/asked"_s)); }};
        QVERIFY_ERROR(opened(f.path()).apply(changeAt(Target::Here, f.base), hooks), u"it was stopped"_s);
        QCOMPARE(f.state(), before);
        QCOMPARE(f.leftOvers(), QStringList());
    }

    void signaturesByGpg()
    {
        const HooksFixture f;
        const QTemporaryDir keys; // gpg's agent wants a short path
        qputenv("GNUPGHOME", keys.path().toUtf8());
        const auto run = [](const QString &program, const QStringList &arguments) {
            QProcess process;
            process.setStandardInputFile(QProcess::nullDevice());
            process.start(program, arguments);
            return process.waitForFinished(60000) ? process.exitCode() : -1;
        };
        const bool made = run(u"gpg"_s, {u"--batch"_s, u"--quiet"_s, u"--passphrase"_s, u""_s, u"--quick-gen-key"_s,
                                         u"Ada Tester <ada@example.org>"_s, u"ed25519"_s, u"sign"_s}) == 0;
        f.git({u"config"_s, u"commit.gpgSign"_s, u"true"_s});
        const Result<Applied> done = opened(f.path()).apply(changeAt(Target::Here, f.base));
        const bool verified = done && f.tryGit({u"verify-commit"_s, done->commit}) == 0;
        run(u"gpgconf"_s, {u"--kill"_s, u"gpg-agent"_s});
        qunsetenv("GNUPGHOME");
        QVERIFY(made);
        QVERIFY_OK(done);
        QVERIFY(verified);
        QCOMPARE(f.status(), "A  staged.txt"_ba);
    }

    void noKey()
    {
        const HooksFixture f;
        f.git({u"config"_s, u"gpg.format"_s, u"ssh"_s});
        f.git({u"config"_s, u"user.signingKey"_s, f.path(u".git/nothing.pub"_s)});
        f.git({u"config"_s, u"commit.gpgSign"_s, u"true"_s});
        const QByteArray before = f.state();
        QVERIFY_ERROR(opened(f.path()).apply(changeAt(Target::Here, f.base)), u"nothing.pub"_s);
        QCOMPARE(f.state(), before);
        QCOMPARE(f.leftOvers(), QStringList());
    }

private:
    static void makeKey(const HooksFixture &f, const QString &passphrase)
    {
        const QString key = f.path(u".git/key"_s);
        QProcess process;
        process.start(u"ssh-keygen"_s,
                      {u"-q"_s, u"-t"_s, u"ed25519"_s, u"-N"_s, passphrase, u"-C"_s, u"test"_s, u"-f"_s, key});
        QVERIFY(process.waitForFinished() && process.exitCode() == 0);
        f.write(u".git/signers"_s, "ada@example.org " + f.read(u".git/key.pub"_s));
        f.git({u"config"_s, u"gpg.format"_s, u"ssh"_s});
        f.git({u"config"_s, u"user.signingKey"_s, key + u".pub"_s});
        f.git({u"config"_s, u"gpg.ssh.allowedSignersFile"_s, f.path(u".git/signers"_s)});
        f.git({u"config"_s, u"commit.gpgSign"_s, u"true"_s});
    }
};

TM_TEST(TestHooks, QCoreApplication)
#include "tst_hooks.moc"
