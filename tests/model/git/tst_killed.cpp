// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// The state after a kill -9 at every possible moment: the old state or, once the program has opened the repository
// again, the new one. Judged by git itself.
#include "tests/support/Changes.h"
#include "tests/support/Fuzzing.h"
#include "tests/support/KillAt.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::commitEdits;
using tmx::test::commitFiles;
using tmx::test::commitToNewBranch;
using tmx::test::Edit;
using tmx::test::GitFixture;
using tmx::test::killAtChange;
using tmx::test::nixFiles;
using tmx::test::opened;
using tmx::test::stageFiles;
using tmx::test::writeFile;

namespace {

const QString recipe = u".flox/pkgs/a.nix"_s;
const QString other = u".flox/pkgs/other.nix"_s;

/// Files that must not be there once the program has opened the repository again.
QStringList leftOvers(const GitFixture &f)
{
    QStringList found;
    QDirIterator files(f.path(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = QDir(f.path()).relativeFilePath(files.next());
        const bool ours = path.startsWith(".git/torch-matrix/"_L1) && path != ".git/torch-matrix/lock"_L1;
        if (ours || path.endsWith(".lock"_L1) || path.startsWith(".flox/pkgs/."_L1))
            found.append(path);
    }
    // Half of a pack, or a draft of one, which git never clears.
    if (!f.git({u"count-objects"_s, u"-v"_s}).contains("garbage: 0"))
        found.append(QString::fromUtf8(f.git({u"count-objects"_s, u"-v"_s})));
    return found;
}

struct State {
    QString head;
    QByteArray index;
    QByteArray status;
    QByteArray text;
    bool operator==(const State &) const = default;
};

State stateOf(const GitFixture &f)
{
    return {f.head(), f.git({u"ls-files"_s, u"--stage"_s}), f.status(),
            QFile::exists(f.path(recipe)) ? f.read(recipe) : "(no file)"_ba};
}

QByteArray describe(const State &state)
{
    return "\nHEAD " + state.head.toLatin1() + "\nindex " + state.index + "\nstatus " + state.status + "\ntext " +
           state.text;
}

/// Complaints of git before our own next start as well. A work tree that git was adding for a commit has a HEAD that
/// names nothing for a moment, which git repairs in no other way than by removing that work tree, as recovery does.
QByteArray unsoundBeforeRecovery(const GitFixture &f)
{
    static const QRegularExpression ours(
        u"^error: worktrees/torch-matrix-commit-[0-9a-f]+/HEAD: detached HEAD points at nothing\\z"_s);
    QByteArrayList lines = f.fsck().split('\n');
    lines.removeIf(
        [](const QByteArray &line) { return line.isEmpty() || ours.match(QString::fromUtf8(line)).hasMatch(); });
    return lines.size() == 1 && lines.constFirst().startsWith("exit code ") ? QByteArray() : lines.join('\n');
}

/// Kills `operation` at each of its changes, or at each `step`th from a random one on, on a repository that `prepare`
/// brings to the same state each time (as defined by State). After each kill the state is the one before or after,
/// nothing is left over, and git finds no errors.
void killEverywhere(GitFixture &f, const std::function<void()> &prepare,
                    const std::function<Result<Applied>(const Repository &)> &operation,
                    const std::function<State(State)> &normalised, int *kills, int step = 1)
{
    const auto run = [&] {
        const Result<Applied> done = operation(opened(f.path()));
        if (!done)
            qCritical("%s", qPrintable(done.error().sentence()));
        return done ? 0 : 1;
    };
    prepare();
    const State before = normalised(stateOf(f));
    QCOMPARE(run(), 0);
    const State after = normalised(stateOf(f));
    QVERIFY2(before != after, "the operation changes nothing");

    bool sawOld = false;
    bool sawNew = false;
    const int first = 1 + test::Fuzzing(test::newSeed()).below(step);
    for (*kills = first;; *kills += step) {
        prepare();
        // git gc removes unfinished objects. libgit2 gives them random names, but all forks of one process continue
        // with the same seed.
        for (const QString &name : QDir(f.path(u".git/objects"_s)).entryList({u"tmp_object_git2_*"_s}, QDir::Files))
            QFile::remove(f.path(u".git/objects/"_s + name));
        const State again = normalised(stateOf(f));
        QVERIFY2(again == before, "not prepared as the first time" + describe(again));
        if (!killAtChange(*kills, run))
            break;
        // Processes that git left running when it was asked to end; on a busy machine they take a while.
        QTRY_VERIFY2_WITH_TIMEOUT(!test::isAtWork(f.path()), "git or a hook goes on", 120'000);
        const QByteArray where = "killed at change " + QByteArray::number(*kills);
        const QByteArray unsound = unsoundBeforeRecovery(f);
        QVERIFY2(unsound.isEmpty(), where + unsound);
        QCOMPARE(f.tryGit({u"status"_s}), 0);
        opened(f.path()).recover();
        const State now = normalised(stateOf(f));
        QVERIFY2(now == before || now == after, where + describe(now));
        QVERIFY2(f.fsck().isEmpty(), where + f.fsck());
        QVERIFY2(leftOvers(f).isEmpty(), where + leftOvers(f).join(u' ').toUtf8());
        sawOld |= now == before;
        sawNew |= now == after;
    }
    QVERIFY(sawOld);
    QVERIFY(sawNew || step > 1); // A step may be longer than what follows the commit.
    QVERIFY2(*kills > 5, "the operation made hardly any change: are its system calls known?");
    qInfo("total: %d kills (changes from %d on, step %d)", (*kills - first) / step, first, step);
}

/// Every change is tried where TORCH_MATRIX_ROUNDS is set, else every nth, or every fourth of these.
int every(int n)
{
    return qEnvironmentVariableIsSet("TORCH_MATRIX_ROUNDS") ? 1 : test::isCompleteRun() ? n : 4 * n;
}

/// The first change of a commit of one edit at which a kill leaves a decided journal. Searches in leaps, because each
/// try makes a repository. The journal exists for more changes than one leap.
int firstDecided()
{
    const auto decided = [](int change) {
        GitFixture f;
        const QString first = f.commitFile(recipe, "old\n");
        const auto run = [&] {
            return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "old\n"_ba}}, u"One"_s, first) ? 0
                                                                                                                 : 1;
        };
        if (!killAtChange(change, run))
            qFatal("a commit without a journal");
        return QFile::exists(f.path(u".git/torch-matrix/plan"_s));
    };
    constexpr int leap = 8;
    int change = 1;
    while (!decided(change))
        change += leap;
    while (change > 1 && decided(change - 1))
        --change;
    return change;
}

State same(State state)
{
    return state;
}

/// Commits differ in their time: compare whether there is one, and its content.
std::function<State(State)> byTree(const GitFixture &f, const QString &before)
{
    return [&f, before](State state) {
        state.head = state.head == before
                         ? u"before"_s
                         : QString::fromLatin1(f.git({u"show"_s, u"--name-only"_s, u"--format=%s %T %P"_s, u"HEAD"_s}));
        return state;
    };
}

} // namespace

class TestKilled : public QObject
{
    Q_OBJECT

    int m_decided = 0; ///< firstDecided()

private Q_SLOTS:
    void initTestCase() { m_decided = firstDecided(); }
    void init() { QTest::failOnWarning(); }

    void writingANewRecipe()
    {
        GitFixture f;
        f.commitFile(other, "1\n");
        int kills = 0;
        killEverywhere(
            f, [&] { QFile::remove(f.path(recipe)); },
            [](const Repository &r) { return writeFile(r, recipe, "new\n", std::nullopt); }, same, &kills, every(5));
    }

    void overwritingARecipe()
    {
        GitFixture f;
        f.commitFile(recipe, "old\n");
        int kills = 0;
        killEverywhere(
            f, [&] { f.write(recipe, "old\n"); },
            [](const Repository &r) { return writeFile(r, recipe, "new\n", "old\n"_ba); }, same, &kills, every(5));
    }

    void staging()
    {
        GitFixture f;
        f.commitFile(other, "1\n");
        f.write(recipe, "new\n");
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        int kills = 0;
        killEverywhere(
            f, [&] { f.git({u"rm"_s, u"--cached"_s, u"--quiet"_s, u"--ignore-unmatch"_s, recipe}); },
            [](const Repository &r) { return stageFiles(r, {recipe}); }, same, &kills, every(5));
    }

    void committing_data()
    {
        QTest::addColumn<bool>("packed");
        QTest::addColumn<QString>("format");
        QTest::newRow("loose branch") << false << u"files"_s;
        QTest::newRow("packed branch") << true << u"files"_s;
        QTest::newRow("reftable") << false << u"reftable"_s;
    }
    void committing()
    {
        QFETCH(const bool, packed);
        QFETCH(const QString, format);
        GitFixture f(u"main"_s, format);
        const QString first = f.commitFile(recipe, "old\n");
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        int kills = 0;
        const auto prepare = [&] {
            f.git({u"reset"_s, u"--quiet"_s, u"--soft"_s, first});
            f.write(recipe, "old\n");
            f.git({u"add"_s, recipe});
            f.write(recipe, "new\n");
            if (packed)
                f.git({u"pack-refs"_s, u"--all"_s});
        };
        const auto commit = [first](const Repository &r) { return commitFiles(r, {recipe}, u"New text"_s, first); };
        killEverywhere(f, prepare, commit, byTree(f, first), &kills, every(packed ? 11 : 5));
    }

    void committingTheFirstCommit()
    {
        GitFixture f;
        f.write(recipe, "new\n");
        int kills = 0;
        const auto prepare = [&] {
            f.tryGit({u"update-ref"_s, u"-d"_s, u"HEAD"_s});
            f.git({u"rm"_s, u"--cached"_s, u"--quiet"_s, u"--ignore-unmatch"_s, recipe});
        };
        const auto commit = [](const Repository &r) { return commitFiles(r, {recipe}, u"First"_s, {}); };
        killEverywhere(f, prepare, commit, byTree(f, {}), &kills, every(5));
    }

    // The journal is shared by all work trees: opening any of them recovers.
    void committingInALinkedWorkTree()
    {
        GitFixture f;
        const QString first = f.commitFile(recipe, "old\n");
        const QString linked = QFileInfo(f.path()).path() + u"/linked"_s;
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, u"-b"_s, u"two"_s, linked});
        const auto there = [&](QStringList arguments) { return f.git(QStringList{u"-C"_s, linked} + arguments); };
        int kills = 0;
        const auto prepare = [&] {
            there({u"reset"_s, u"--quiet"_s, u"--hard"_s, first});
            f.write(u"../linked/"_s + recipe, "new\n");
        };
        const auto commit = [&](const Repository &) {
            return commitFiles(opened(linked), {recipe}, u"New text"_s, first);
        };
        const auto state = [&](State now) {
            now.index = there({u"ls-files"_s, u"--stage"_s});
            now.status = there({u"status"_s, u"--porcelain"_s}) + there({u"log"_s, u"--format=%s %T"_s, u"two"_s});
            return now;
        };
        killEverywhere(f, prepare, commit, state, &kills, every(11));
    }

    // Files, index and branch are one: with a text that was never committed among what is replaced.
    void committingManyEdits_data() { committing_data(); }
    void committingManyEdits()
    {
        QFETCH(const bool, packed);
        QFETCH(const QString, format);
        GitFixture f(u"main"_s, format);
        f.commitFile(other, "other\n");
        const QString first = f.commitFile(recipe, "old\n");
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        const QString added = u".flox/pkgs/new.nix"_s;
        const QList<Edit> edits{{recipe, "new\n"_ba, "mine\n"_ba},
                                {other, std::nullopt, "other\n"_ba},
                                {added, "other\n"_ba, std::nullopt}};
        const auto prepare = [&] {
            f.git({u"reset"_s, u"--quiet"_s, u"--soft"_s, first});
            f.git({u"restore"_s, u"--staged"_s, u"--worktree"_s, u"--"_s, u".flox"_s});
            QFile::remove(f.path(added));
            f.write(recipe, "mine\n");
            if (packed)
                f.git({u"pack-refs"_s, u"--all"_s});
        };
        const auto commit = [&](const Repository &r) { return commitEdits(r, u"main"_s, edits, u"Many"_s, first); };
        const auto state = [&](State now) {
            for (const QString &path : {other, added})
                now.text += QFile::exists(f.path(path)) ? f.read(path) : "(no file)"_ba;
            return byTree(f, first)(now);
        };
        int kills = 0;
        killEverywhere(f, prepare, commit, state, &kills, every(packed ? 17 : 11));
        QVERIFY(kills > 30);
        const QString saved = QString::fromLatin1(
            f.git({u"for-each-ref"_s, u"--count=1"_s, u"--format=%(refname)"_s, u"refs/torch-matrix/saved"_s}));
        QCOMPARE(f.git({u"show"_s, saved + u':' + recipe}), "mine"_ba);
    }

    void writingManyFiles_data()
    {
        QTest::addColumn<int>("until");
        QTest::newRow("work tree") << int(FileChanges::Until::WorkTree);
        QTest::newRow("index") << int(FileChanges::Until::Index);
    }

    // All of the files or none, and the index with them.
    void writingManyFiles()
    {
        QFETCH(const int, until);
        GitFixture f;
        f.commitFile(other, "other\n");
        const QString first = f.commitFile(recipe, "old\n");
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        QList<Edit> edits{{recipe, "new\n"_ba, "mine\n"_ba}, {other, std::nullopt, "other\n"_ba}};
        for (int i = 0; i < 16; ++i) // enough for a pack
            edits.append({u".flox/pkgs/new-%1.nix"_s.arg(i), "text " + QByteArray::number(i) + '\n'});
        const auto prepare = [&] {
            f.git({u"restore"_s, u"--staged"_s, u"--"_s, u".flox"_s});
            f.git({u"restore"_s, u"--"_s, u".flox"_s});
            for (int i = 0; i < 16; ++i)
                QFile::remove(f.path(edits.at(2 + i).path));
            f.git({u"repack"_s, u"-a"_s, u"-d"_s, u"-q"_s}); // the texts are new ones each time
            f.git({u"prune"_s, u"--expire=now"_s});
            f.write(recipe, "mine\n");
        };
        const auto write = [&](const Repository &r) {
            return r.apply(test::changeSet(u"main"_s, first, edits, u"Many"_s, FileChanges::Until(until)));
        };
        int kills = 0;
        killEverywhere(f, prepare, write, same, &kills, every(13));
        QVERIFY(kills > 30);
    }

    void committingWithHooks_data()
    {
        QTest::addColumn<QString>("branch");
        QTest::addColumn<QByteArray>("script");
        const QByteArray format = "for file in $(git diff --cached --name-only --diff-filter=AM); do\n"
                                  "    sed -i 's/draft/final/' \"$file\" && git add --force \"$file\"\ndone\n";
        QTest::newRow("here") << u"main"_s << "exit 0\n"_ba;
        QTest::newRow("here, rewrites files") << u"main"_s << format;
        QTest::newRow("other branch, rewrites files") << u"line/two"_s << format;
        QTest::newRow("new branch, rewrites files") << u"line/new"_s << format;
    }

    // The git program commits: everything is committed, or nothing.
    void committingWithHooks()
    {
        QFETCH(const QString, branch);
        QFETCH(const QByteArray, script);
        GitFixture f;
        f.commitFile(other, "other\n");
        const QString first = f.commitFile(recipe, "old\n");
        f.git({u"branch"_s, u"line/two"_s});
        f.write(u"staged.txt"_s, "by hand\n");
        f.git({u"add"_s, u"staged.txt"_s});
        f.write(u".git/hooks/pre-commit"_s, "#!/bin/sh\n" + script);
        ::chmod(QFile::encodeName(f.path(u".git/hooks/pre-commit"_s)).constData(), 0755);
        const QString added = u".flox/pkgs/new.nix"_s;
        const bool here = branch == u"main"_s;
        const QList<Edit> edits{{recipe, "draft\n"_ba, here ? "mine\n"_ba : "old\n"_ba},
                                {other, std::nullopt, "other\n"_ba},
                                {added, "draft, too\n"_ba}};
        const auto prepare = [&] {
            f.git({u"reset"_s, u"--quiet"_s, u"--soft"_s, first});
            f.git({u"restore"_s, u"--staged"_s, u"--worktree"_s, u"--"_s, u".flox"_s});
            QFile::remove(f.path(added));
            f.write(recipe, "mine\n");
            f.git({u"branch"_s, u"--quiet"_s, u"--force"_s, u"line/two"_s, first});
            f.tryGit({u"branch"_s, u"--quiet"_s, u"-D"_s, u"line/new"_s});
        };
        const auto commit = [&](const Repository &r) {
            FileChanges changes = test::changeSet(branch, first, edits, u"Many"_s);
            changes.newBranch = branch == u"line/new"_s;
            return r.apply(changes);
        };
        const auto state = [&](State now) {
            for (const QString &path : {other, added})
                now.text += QFile::exists(f.path(path)) ? f.read(path) : "(no file)"_ba;
            QByteArray trees;
            f.tryGit({u"ls-tree"_s, u"-r"_s, branch}, &trees);
            now.text += trees + QByteArray::number(f.git({u"worktree"_s, u"list"_s}).count('\n'));
            return byTree(f, first)(now);
        };
        int kills = 0;
        killEverywhere(f, prepare, commit, state, &kills, every(19));
    }

    // A repository that was copied or moved after a kill recovers itself, without changing the original.
    void copiedAfterAKill()
    {
        const QTemporaryDir place;
        for (int n = 1;; n += every(7)) {
            GitFixture f;
            const QString first = f.commitFile(recipe, "old\n");
            f.write(recipe, "mine\n");
            const auto run = [&] {
                return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "mine\n"_ba}, {other, "1\n"_ba}},
                                   u"Many"_s, first)
                           ? 0
                           : 1;
            };
            if (!killAtChange(n, run))
                break;
            const QString copy = place.filePath(QString::number(n));
            QCOMPARE(QProcess::execute(u"cp"_s, {u"-a"_s, f.path(), copy}), 0);
            const QByteArray before = f.read(recipe);
            opened(copy).recover();
            QCOMPARE(f.read(recipe), before);
            QByteArray status;
            QCOMPARE(f.tryGit({u"-C"_s, copy, u"status"_s, u"--porcelain"_s}, &status), 0);
            const bool made = f.git({u"-C"_s, copy, u"rev-parse"_s, u"HEAD"_s}) != first.toLatin1();
            QCOMPARE(status, made ? QByteArray() : " M " + recipe.toUtf8() + '\n');
            QVERIFY(!QFile::exists(copy + u"/.git/index.lock"_s) && !QFile::exists(copy + u"/.git/HEAD.lock"_s));
        }
    }

    // Reading changes nothing, and reports that recovery is needed.
    void readingRecoversNothing()
    {
        for (int n = 1;; n += every(9)) {
            GitFixture f;
            const QString first = f.commitFile(recipe, "old\n");
            f.write(recipe, "mine\n");
            const auto run = [&] {
                return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "mine\n"_ba}, {other, "1\n"_ba}},
                                   u"Many"_s, first)
                           ? 0
                           : 1;
            };
            if (!killAtChange(n, run))
                break;
            const auto files = [&f] {
                QStringList all;
                QDirIterator walk(f.path(), QDir::Files | QDir::Hidden | QDir::System, QDirIterator::Subdirectories);
                while (walk.hasNext()) {
                    const QFileInfo file = walk.nextFileInfo();
                    all.append(u"%1 %2 %3"_s.arg(file.filePath())
                                   .arg(file.size())
                                   .arg(file.lastModified().toMSecsSinceEpoch()));
                }
                all.sort();
                return all;
            };
            const QStringList before = files();
            const Repository reading = opened(f.path());
            QVERIFY_OK(reading.info());
            QVERIFY_OK(reading.readBranch(u"main"_s, nixFiles()));
            QCOMPARE(files(), before);
            QVERIFY(reading.recover() || files() == before);
            QVERIFY(!reading.recover());
            QVERIFY2(leftOvers(f).isEmpty(), leftOvers(f).join(u' ').toUtf8());
        }
    }

    void damagedJournal_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("plan") << u"plan"_s;
        QTest::newRow("text of a file") << u"text-0"_s;
    }
    // A plan that differs from the decided one is ignored, and only the decided text gets into a file. The user's text
    // is in the file or, once the decided one has replaced it, among the saved ones.
    void damagedJournal()
    {
        QFETCH(const QString, file);
        int before = 0;
        int after = 0;
        for (int n = m_decided; after < 6; ++n) {
            GitFixture f;
            const QString first = f.commitFile(recipe, "old\n");
            f.write(recipe, "mine\n");
            const auto run = [&] {
                return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "mine\n"_ba}}, u"One"_s, first)
                           ? 0
                           : 1;
            };
            if (!killAtChange(n, run))
                break;
            const QString journal = u".git/torch-matrix/"_s;
            const bool decided = QFile::exists(f.path(journal + u"plan"_s));
            if (!decided || !QFile::exists(f.path(journal + u"text-0"_s)))
                continue;
            const QByteArray left = f.read(recipe);
            QVERIFY2(left == "mine\n" || left == "new\n", left);
            ++(left == "mine\n" ? before : after);
            const QString head = f.head();
            QVERIFY(left == "new\n" || head == first);
            f.write(journal + file, f.read(journal + file).replace("e", "E") + ' ');
            opened(f.path()).recover();
            QCOMPARE(f.read(recipe), left);
            if (left != "mine\n") {
                const Result<QList<SavedCommit>> saved = opened(f.path()).savedCommits();
                QVERIFY_OK(saved);
                QCOMPARE(saved->size(), 1);
                QByteArray text;
                QCOMPARE(f.tryGit({u"show"_s, saved->constFirst().commit + u':' + recipe}, &text), 0);
                QCOMPARE(text, "mine\n"_ba);
            }
            QVERIFY2(leftOvers(f).isEmpty(), leftOvers(f).join(u' ').toUtf8());
            if (file == "plan"_L1)
                QCOMPARE(f.head(), head);
        }
        QVERIFY(before > 0 && after > 0);
    }

    // Another user's journal is not trusted, on systems where files can be given away.
    void foreignJournal()
    {
        if (::geteuid() != 0)
            return; // nobody but root can make one
        // There is a change more if no two objects come into the same folder.
        for (int n = m_decided; n < m_decided + 8; ++n) {
            GitFixture f;
            const QString first = f.commitFile(recipe, "old\n");
            const auto run = [&] {
                return commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "old\n"_ba}}, u"One"_s, first)
                           ? 0
                           : 1;
            };
            QVERIFY(killAtChange(n, run));
            const QString plan = f.path(u".git/torch-matrix/plan"_s);
            if (!QFile::exists(plan))
                continue;
            QCOMPARE(::chown(QFile::encodeName(plan).constData(), 12345, 12345), 0);
            opened(f.path()).recover();
            QCOMPARE(f.read(recipe), "old\n"_ba);
            QCOMPARE(f.head(), first);
            return;
        }
        QFAIL("no kill left a journal");
    }

    // A name belongs to the program only if it matches completely.
    void namesThatLookLikeOurs()
    {
        GitFixture f;
        const QString first = f.commitFile(recipe, "old\n");
        QDir().mkpath(f.path(u".git/torch-matrix"_s));
        const QStringList names{u"plan\n"_s, u"index\n"_s, u"text-0\n"_s, u"plan.txt"_s, u"xplan"_s, u"text-"_s};
        for (const QString &name : names)
            f.write(u".git/torch-matrix/"_s + name, "mine\n");
        QVERIFY_OK(commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "old\n"_ba}}, u"One"_s, first));
        for (const QString &name : names)
            QCOMPARE(f.read(u".git/torch-matrix/"_s + name), "mine\n"_ba);
    }

    // A crafted folder has no effect outside the working tree.
    void preparedJournal()
    {
        const QTemporaryDir place;
        QDir(place.path()).mkpath(u"victim/.flox/pkgs"_s);
        const auto write = [](const QString &path, const QByteArray &text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        const QString victim = place.filePath(u"victim/.flox/pkgs/a.nix"_s);
        write(victim, "theirs\n");
        {
            GitFixture f; // the folder is a link
            f.commitFile(recipe, "old\n");
            QVERIFY(QFile::link(place.filePath(u"victim/.flox/pkgs"_s), f.path(u".git/torch-matrix"_s)));
            opened(f.path()).recover();
            QVERIFY(!writeFile(opened(f.path()), recipe, "new\n", "old\n"_ba));
            QCOMPARE(QDir(place.filePath(u"victim/.flox/pkgs"_s)).entryList(QDir::Files), QStringList{u"a.nix"_s});
        }
        GitFixture f; // files in it are links, and one is somebody's own
        const QString first = f.commitFile(recipe, "old\n");
        QDir().mkpath(f.path(u".git/torch-matrix"_s));
        for (const char *name :
             {"token", "index", "index.new", "ref", "operation", "saved", "plan", "plan.new", "text-0"})
            QVERIFY(QFile::link(victim, f.path(u".git/torch-matrix/"_s + QString::fromLatin1(name))));
        f.write(u".git/torch-matrix/notes.txt"_s, "mine\n");
        f.git({u"config"_s, u"core.worktree"_s, place.filePath(u"victim"_s)});
        f.tryGit({u"status"_s});
        if (const Result<Repository> elsewhere = Repository::open(f.path()))
            elsewhere->recover();
        f.git({u"config"_s, u"--unset"_s, u"core.worktree"_s});
        QVERIFY_OK(commitEdits(opened(f.path()), u"main"_s, {{recipe, "new\n"_ba, "old\n"_ba}}, u"New"_s, first));
        QCOMPARE(f.status(), ""_ba);
        QCOMPARE(f.read(u".git/torch-matrix/notes.txt"_s), "mine\n"_ba);
        QFile theirs(victim);
        QVERIFY(theirs.open(QIODevice::ReadOnly));
        QCOMPARE(theirs.readAll(), "theirs\n"_ba);
    }

    void makingABranch()
    {
        GitFixture f;
        const QString first = f.commitFile(other, "1\n");
        int kills = 0;
        const auto prepare = [&] { f.tryGit({u"branch"_s, u"--quiet"_s, u"-D"_s, u"line/two"_s}); };
        const auto commit = [first](const Repository &r) {
            return commitToNewBranch(r, u"line/two"_s, first, {{recipe, "new\n"_ba, std::nullopt}}, u"New"_s);
        };
        const auto tip = [&](State state) {
            f.tryGit({u"ls-tree"_s, u"-r"_s, u"line/two"_s}, &state.text);
            return state;
        };
        killEverywhere(f, prepare, commit, tip, &kills, every(4));
    }

    void committingToAnotherBranch()
    {
        GitFixture f;
        const QString first = f.commitFile(other, "1\n");
        int kills = 0;
        const auto prepare = [&] { f.git({u"branch"_s, u"--quiet"_s, u"--force"_s, u"line/two"_s, first}); };
        const auto commit = [first](const Repository &r) {
            return commitEdits(r, u"line/two"_s, {{recipe, "new\n"_ba}}, u"New"_s, first);
        };
        const auto tip = [&](State state) {
            state.text = f.git({u"ls-tree"_s, u"-r"_s, u"line/two"_s});
            return state;
        };
        killEverywhere(f, prepare, commit, tip, &kills, every(4));
    }
};

TM_TEST(TestKilled, QCoreApplication)
#include "tst_killed.moc"
