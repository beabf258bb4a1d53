// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/Branches.h"
#include "tests/support/BranchContents.h"
#include "tests/support/GitFixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString avx2 = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;

struct Fixture : test::GitFixture {
    Fixture()
    {
        commitFile(avx2, "{ }: { a = 1; }\n");
        git({u"branch"_s, u"second"_s});
    }
};

QStringList labels(const Branches &branches)
{
    QStringList labels;
    for (const ReadBranch &branch : branches.reading().branches)
        labels.append(branch.source.label);
    return labels;
}

} // namespace

/// What moves under the program is noticed: by itself, through the file system.
class BranchesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Fixture> m_fixture;
    std::unique_ptr<Branches> m_branches;

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<Fixture>();
        m_branches = std::make_unique<Branches>(builtInCatalog());
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
        // As a colleague's tool does: no work tree takes part.
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

    void endsWhileReading()
    {
        m_branches->refresh();
        m_branches.reset(); // waits for the workers; nothing may come back to it
    }
};

QTEST_GUILESS_MAIN(BranchesTest)
#include "tst_branches.moc"
