// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
// Every change of a repository's state is visible on one of the watched paths.
#include "model/snapshot/BranchContent.h"
#include "model/snapshot/WatchPaths.h"
#include "tests/support/OpenedRepository.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileSystemWatcher>
#include <QSignalSpy>
#include <QTest>

#include <functional>
#include <memory>

using namespace Qt::StringLiterals;
using namespace tmx;
using tmx::test::GitFixture;
using tmx::test::opened;
using tmx::test::RepositoryFixture;

using Change = std::function<void(const GitFixture &)>;

namespace {

/// Watches a repository like the program, and counts the notifications.
class Watch
{
public:
    explicit Watch(const GitFixture &f)
    {
        const QStringList paths = workTreeWatchPaths(opened(f.path()));
        const QStringList notWatched = m_watcher.addPaths(paths);
        if (!notWatched.isEmpty() || paths.size() != QSet<QString>(paths.begin(), paths.end()).size())
            qFatal("cannot watch %s", qPrintable(notWatched.join(u' ')));
    }
    [[nodiscard]] bool noticed() const { return !m_files.isEmpty() || !m_folders.isEmpty(); }

private:
    QFileSystemWatcher m_watcher;
    QSignalSpy m_files{&m_watcher, &QFileSystemWatcher::fileChanged};
    QSignalSpy m_folders{&m_watcher, &QFileSystemWatcher::directoryChanged};
};

} // namespace

class TestWatchPaths : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void notices_data()
    {
        QTest::addColumn<Change>("change");
        const auto row = [](const char *name, const Change &change) { QTest::newRow(name) << change; };
        row("text in place", [](const GitFixture &f) { f.write(u".flox/pkgs/a.nix"_s, "new\n"); });
        row("imported text in place", [](const GitFixture &f) { f.write(u".flox/pkgs/lib/a.nix"_s, "new\n"); });
        row("text by rename", [](const GitFixture &f) {
            f.write(u".git/new"_s, "new\n");
            if (::rename(qPrintable(f.path(u".git/new"_s)), qPrintable(f.path(u".flox/pkgs/a.nix"_s))) != 0)
                qFatal("rename");
        });
        row("new recipe", [](const GitFixture &f) { f.write(u".flox/pkgs/b.nix"_s, "b\n"); });
        row("removed recipe", [](const GitFixture &f) { QFile::remove(f.path(u".flox/pkgs/a.nix"_s)); });
        row("recipe in a folder", [](const GitFixture &f) { f.write(u".flox/pkgs/folder/default.nix"_s, "new\n"); });
        row("new recipe in a folder", [](const GitFixture &f) { f.write(u".flox/pkgs/empty/default.nix"_s, "new\n"); });
        row("recipe folder removed", [](const GitFixture &f) { QDir(f.path(u".flox/pkgs"_s)).removeRecursively(); });
        row(".flox exchanged", [](const GitFixture &f) { QDir(f.path()).rename(u".flox"_s, u"moved"_s); });
        row("stage", [](const GitFixture &f) { f.git({u"rm"_s, u"--quiet"_s, u"--cached"_s, u".flox/pkgs/a.nix"_s}); });
        row("commit",
            [](const GitFixture &f) { f.git({u"commit"_s, u"--quiet"_s, u"--allow-empty"_s, u"-m"_s, u"Next"_s}); });
        row("switch", [](const GitFixture &f) { f.git({u"symbolic-ref"_s, u"HEAD"_s, u"refs/heads/two"_s}); });
        row("branch moved", [](const GitFixture &f) { f.git({u"branch"_s, u"--force"_s, u"two"_s, u"HEAD~1"_s}); });
        row("branch in a folder moved",
            [](const GitFixture &f) { f.git({u"branch"_s, u"--force"_s, u"lines/three"_s, u"HEAD~1"_s}); });
        row("new branch", [](const GitFixture &f) { f.git({u"branch"_s, u"four"_s}); });
        row("packed branch removed", [](const GitFixture &f) { f.git({u"branch"_s, u"-D"_s, u"packed"_s}); });
        row("branches packed", [](const GitFixture &f) { f.git({u"pack-refs"_s, u"--all"_s}); });
    }
    void notices()
    {
        QFETCH(const Change, change);
        const RepositoryFixture f;
        f.git({u"branch"_s, u"packed"_s});
        f.git({u"pack-refs"_s, u"--all"_s});
        f.commitFile(u".flox/pkgs/folder/default.nix"_s, "old\n");
        f.commitFile(u".flox/pkgs/lib/a.nix"_s, "old\n");
        QDir(f.path(u".flox/pkgs"_s)).mkdir(u"empty"_s);
        f.git({u"branch"_s, u"two"_s});
        f.git({u"branch"_s, u"lines/three"_s});
        const Watch watch(f);
        change(f);
        QTRY_VERIFY(watch.noticed());
    }

    void noticesTheFirstRecipeOfAll()
    {
        const GitFixture f;
        const Watch watch(f);
        f.write(u".flox/pkgs/a.nix"_s, "a\n");
        QTRY_VERIFY(watch.noticed());
    }

    void noticesTheFirstRecipeInAnEmptyEnvironment()
    {
        const GitFixture f;
        f.write(u".flox/env.json"_s, "{}\n");
        const Watch watch(f);
        f.write(u".flox/pkgs/a.nix"_s, "a\n");
        QTRY_VERIFY(watch.noticed());
    }

    void noticesInALinkedWorkTree_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("commit there") << QStringList{u"-C"_s, u"../linked"_s, u"commit"_s, u"--allow-empty"_s,
                                                     u"-m"_s, u"Next"_s};
        QTest::newRow("switch there") << QStringList{u"-C"_s,      u"../linked"_s, u"switch"_s,
                                                     u"--quiet"_s, u"-c"_s,        u"three"_s};
        QTest::newRow("branch elsewhere") << QStringList{u"branch"_s, u"four"_s};
    }
    void noticesInALinkedWorkTree()
    {
        QFETCH(const QStringList, command);
        const RepositoryFixture f;
        f.git({u"worktree"_s, u"add"_s, u"--quiet"_s, u"-b"_s, u"two"_s, f.path(u"../linked"_s)});
        QFileSystemWatcher watcher;
        QVERIFY(watcher.addPaths(workTreeWatchPaths(opened(f.path(u"../linked"_s)))).isEmpty());
        const QSignalSpy folders(&watcher, &QFileSystemWatcher::directoryChanged);
        f.git(command);
        QTRY_VERIFY(!folders.isEmpty());
    }

    void readingDoesNotDisturbTheWatcher()
    {
        const RepositoryFixture f;
        QFileSystemWatcher watcher;
        QVERIFY(watcher.addPaths(workTreeWatchPaths(f.repository)).isEmpty());
        const QSignalSpy files(&watcher, &QFileSystemWatcher::fileChanged);
        const QSignalSpy folders(&watcher, &QFileSystemWatcher::directoryChanged);
        const Repository again = opened(f.path());
        QVERIFY(again.info().ok());
        QVERIFY(readBranch(again, u"main"_s).ok());
        f.write(u"marker"_s,
                "1\n"); // in the root, so that there is an event to wait for, after which no other may have come
        QTRY_VERIFY(!folders.isEmpty());
        QCOMPARE(folders.size(), 1);
        QCOMPARE(folders.first().first().toString(), f.path());
        QVERIFY(files.isEmpty());
    }
};

TM_TEST(TestWatchPaths, QCoreApplication)
#include "tst_watchpaths.moc"
