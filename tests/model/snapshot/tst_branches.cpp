// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/Branches.h"
#include "tests/support/BranchContents.h"
#include "tests/support/TestMain.h"
#include "tests/support/TwoBranches.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;
using tmx::test::avx2, tmx::test::avx512, tmx::test::TwoBranches;

namespace {

QStringList labels(const Branches &branches)
{
    QStringList labels;
    for (const ReadBranch &branch : branches.reading().branches)
        labels.append(branch.source.label);
    return labels;
}

} // namespace

/// External changes are noticed automatically through the file system.
class BranchesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TwoBranches> m_fixture;
    std::unique_ptr<Branches> m_branches;

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<TwoBranches>();
        m_branches = std::make_unique<Branches>(std::make_shared<const SnapshotReader>(builtInCatalog()));
        m_branches->setWatching(true);
        m_branches->open(m_fixture->path());
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"main"_s, u"second"_s, workTreeLabel()}));
        QTRY_VERIFY(!m_branches->isReading());
    }
    void cleanup()
    {
        m_branches.reset();
        m_fixture.reset();
    }

    void commitOnAnotherBranch()
    {
        // As another tool would do it: without a working tree.
        const QByteArray tree = m_fixture->git({u"mktree"_s}, {});
        const QByteArray commit =
            m_fixture->git({u"commit-tree"_s, u"-m"_s, u"Empty"_s, u"-p"_s, u"second"_s, QString::fromLatin1(tree)});
        m_fixture->git({u"update-ref"_s, u"refs/heads/second"_s, QString::fromLatin1(commit)});
        QTRY_COMPARE(m_branches->reading().find(u"second"_s)->source.commit.toLatin1(), commit);
        QVERIFY(!m_branches->reading().find(u"second"_s)->snapshot->find(u"pytorch-python313-cpu-avx2"_s));
    }

    void branchesComeAndGo()
    {
        m_fixture->git({u"branch"_s, u"lines/third"_s});
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"lines/third"_s, u"main"_s, u"second"_s, workTreeLabel()}));
        m_fixture->git({u"branch"_s, u"-m"_s, u"lines/third"_s, u"lines/fourth"_s});
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"lines/fourth"_s, u"main"_s, u"second"_s, workTreeLabel()}));
        m_fixture->git({u"branch"_s, u"-qD"_s, u"lines/fourth"_s});
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"main"_s, u"second"_s, workTreeLabel()}));
    }

    void packedRefs()
    {
        m_fixture->git({u"pack-refs"_s, u"--all"_s});
        m_fixture->git({u"branch"_s, u"-qD"_s, u"second"_s}); // now packed-refs alone changes
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"main"_s, workTreeLabel()}));
    }

    void fetch()
    {
        test::GitFixture upstream;
        upstream.commitFile(avx2, "{ }: { upstream = 1; }\n");
        m_fixture->git({u"remote"_s, u"add"_s, u"origin"_s, upstream.path()});
        m_fixture->git({u"fetch"_s, u"-q"_s, u"origin"_s});
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"main"_s, u"second"_s, u"origin/main"_s, workTreeLabel()}));
        const QString moved = upstream.commitFile(avx2, "{ }: { upstream = 2; }\n");
        m_fixture->git({u"fetch"_s, u"-q"_s, u"origin"_s});
        QTRY_COMPARE(m_branches->reading().find(u"origin/main"_s)->source.commit, moved);
    }

    void theWorkTree()
    {
        m_fixture->write(avx2, "{ }: { a = 5; }\n");
        QTRY_COMPARE(
            m_branches->reading().find(workTreeLabel())->snapshot->entries[u"pytorch-python313-cpu-avx2"_s].text,
            "{ }: { a = 5; }\n");
        QCOMPARE(m_branches->reading().find(u"main"_s)->snapshot->entries[u"pytorch-python313-cpu-avx2"_s].text,
                 "{ }: { a = 1; }\n");
    }

    void nothingNewIsNoChange()
    {
        QSignalSpy changed(m_branches.get(), &Branches::changed);
        QSignalSpy reading(m_branches.get(), &Branches::readingChanged);
        m_branches->refresh();
        QTRY_VERIFY(reading.size() >= 2 && !m_branches->isReading());
        QCOMPARE(changed.size(), 0);
    }

    void stopTellsThatItStopped()
    {
        QSignalSpy reading(m_branches.get(), &Branches::readingChanged);
        m_branches->refresh();
        m_branches->stop();
        QTRY_VERIFY(!m_branches->isReading());
        QVERIFY(!reading.isEmpty());
        m_branches->refresh();
        QTRY_VERIFY(!m_branches->isReading() && !m_branches->reading().stopped);
        QCOMPARE(labels(*m_branches), (QStringList{u"main"_s, u"second"_s, workTreeLabel()}));
    }

    void anotherRepository()
    {
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { other = 1; }\n");
        m_branches->open(other.path());
        QVERIFY(m_branches->reading().repository != m_fixture->path()); // what was read of the old one is gone at once
        QTRY_COMPARE(labels(*m_branches), (QStringList{u"main"_s, workTreeLabel()}));
        QCOMPARE(m_branches->reading().repository, other.path());
    }

    void notARepository()
    {
        QTemporaryDir empty;
        QSignalSpy failed(m_branches.get(), &Branches::failed);
        m_branches->open(empty.path());
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!m_branches->isReading());
    }

    /// How many recipes the side holds that was named by `words`; -1: there is no such side.
    [[nodiscard]] int recipesOf(const QString &words) const
    {
        const ReadBranch *side = m_branches->reading().find(words);
        return side ? int(std::ranges::count_if(side->snapshot->entries, &VariantEntry::present)) : -1;
    }

    void aCommitInAnotherRepository()
    {
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        const QString words = other.path() + u"@main"_s;
        QSignalSpy added(m_branches.get(), &Branches::added);
        m_branches->add(words);
        QTRY_COMPARE(recipesOf(words), 1);
        QTRY_COMPARE(added.size(), 1);
        QCOMPARE(labels(*m_branches), (QStringList{u"main"_s, u"second"_s, workTreeLabel(), words}));
        QCOMPARE(m_branches->reading().find(words)->snapshot->repository, other.path());
        other.commitFile(avx512, "{ }: { }\n");
        QTRY_COMPARE(recipesOf(words), 2);
        other.git({u"pack-refs"_s, u"--all"_s});
        other.commitFile(u".flox/pkgs/pytorch-python313-cpu-avx.nix"_s, "{ }: { }\n");
        QTRY_COMPARE(recipesOf(words), 3);
        QCOMPARE(added.size(), 1);
    }

    void aFileInTheWorkTreeOfAnotherRepository()
    {
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        const QString words = other.path() + u"@."_s;
        m_branches->add(words);
        QTRY_COMPARE(recipesOf(words), 1);
        other.write(avx512, "{ }: { }\n");
        QTRY_COMPARE(recipesOf(words), 2);
    }

    void aSideThatGoesAwayIsDropped()
    {
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        other.git({u"branch"_s, u"side"_s});
        const QString words = other.path() + u"@side"_s;
        m_branches->add(words);
        QTRY_COMPARE(recipesOf(words), 1);
        QSignalSpy failed(m_branches.get(), &Branches::failed);
        other.git({u"branch"_s, u"-qD"_s, u"side"_s});
        QTRY_COMPARE(recipesOf(words), -1);
        QTRY_COMPARE(failed.size(), 1);
    }

    void aRevisionIsAnotherCommitOnceItsBranchMoved()
    {
        m_branches->add(u"HEAD"_s);
        QTRY_COMPARE(recipesOf(u"HEAD"_s), 1);
        m_fixture->commitFile(avx512, "{ }: { }\n");
        QTRY_COMPARE(recipesOf(u"HEAD"_s), 2);
    }

    void nobodyLooks()
    {
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        const QString words = other.path() + u"@main"_s;
        m_branches->setWatching(false);
        m_branches->add(words);
        QTRY_COMPARE(recipesOf(words), 1);
        other.commitFile(avx512, "{ }: { }\n");
        m_branches->setWatching(true); // what moved meanwhile is read
        QTRY_COMPARE(recipesOf(words), 2);
    }

    void sidesThatAreNamedWhileAllIsReadAreReadAfterIt()
    {
        m_branches->refresh();
        m_branches->add(u"HEAD"_s);
        m_branches->add(u"main~0"_s);
        m_branches->stop();
        QTRY_VERIFY(recipesOf(u"HEAD"_s) == 1 && recipesOf(u"main~0"_s) == 1 && !m_branches->isReading());
    }

    void whatWasNamedIsDroppedWithItsRepository()
    {
        m_branches->add(u"HEAD"_s);
        QTRY_COMPARE(recipesOf(u"HEAD"_s), 1);
        test::GitFixture other;
        other.commitFile(avx2, "{ }: { a = 1; }\n");
        m_branches->open(other.path());
        QCOMPARE(recipesOf(u"HEAD"_s), -1);
        QSignalSpy failed(m_branches.get(), &Branches::failed);
        m_branches->add(u"nothing"_s);
        QTRY_COMPARE(failed.size(), 1);
        QTRY_VERIFY(!m_branches->isReading());
        QCOMPARE(labels(*m_branches), (QStringList{u"main"_s, workTreeLabel()}));
    }

    void endsWhileReading()
    {
        m_branches->refresh();
        m_branches.reset(); // waits for the workers; nothing may come back to it
    }
};

TM_TEST(BranchesTest, QCoreApplication)
#include "tst_branches.moc"
