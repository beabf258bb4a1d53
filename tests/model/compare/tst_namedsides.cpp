// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/NamedSides.h"
#include "tests/support/BranchContents.h"
#include "tests/support/GitFixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

const QString avx2 = u".flox/pkgs/pytorch-python313-cpu-avx2.nix"_s;
const QString avx512 = u".flox/pkgs/pytorch-python313-cpu-avx512.nix"_s;

} // namespace

/// Sides that were named: they are watched where they live.
class NamedSidesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<test::GitFixture> m_own;
    std::unique_ptr<test::GitFixture> m_other;
    std::unique_ptr<NamedSides> m_sides;

    /// How many recipes the only side holds; -1: there is no side.
    [[nodiscard]] int recipes() const
    {
        return m_sides->sides().isEmpty() ? -1
                                          : int(std::ranges::count_if(m_sides->sides().constFirst().snapshot->entries,
                                                                      &VariantEntry::present));
    }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_own = std::make_unique<test::GitFixture>();
        m_own->commitFile(avx2, "{ }: { a = 1; }\n");
        m_other = std::make_unique<test::GitFixture>();
        m_other->commitFile(avx2, "{ }: { a = 1; }\n");
        m_sides = std::make_unique<NamedSides>(builtInCatalog());
        m_sides->setWatching(true);
        m_sides->open(m_own->path());
    }
    void cleanup() { m_sides.reset(); }

    void aCommitInAnotherRepository()
    {
        m_sides->add(m_other->path() + u"@main"_s);
        QTRY_COMPARE(recipes(), 1);
        m_other->commitFile(avx512, "{ }: { }\n");
        QTRY_COMPARE(recipes(), 2);
        m_other->git({u"pack-refs"_s, u"--all"_s});
        m_other->commitFile(u".flox/pkgs/pytorch-python313-cpu-avx.nix"_s, "{ }: { }\n");
        QTRY_COMPARE(recipes(), 3);
    }

    void aFileInTheWorkTreeOfAnotherRepository()
    {
        m_sides->add(m_other->path() + u"@."_s);
        QTRY_COMPARE(recipes(), 1);
        m_other->write(avx512, "{ }: { }\n");
        QTRY_COMPARE(recipes(), 2);
    }

    void aBranchThatGoesAwayIsDropped()
    {
        m_other->git({u"branch"_s, u"side"_s});
        m_sides->add(m_other->path() + u"@side"_s);
        QTRY_COMPARE(recipes(), 1);
        QSignalSpy failed(m_sides.get(), &NamedSides::failed);
        m_other->git({u"branch"_s, u"-qD"_s, u"side"_s});
        QTRY_COMPARE(recipes(), -1);
        QTRY_COMPARE(failed.size(), 1);
    }

    void aRevisionIsAnotherCommitOnceItsBranchMoved()
    {
        m_sides->add(u"HEAD"_s);
        QTRY_COMPARE(recipes(), 1);
        m_own->commitFile(avx512, "{ }: { }\n");
        m_sides->refresh(); // who watches this repository says when
        QTRY_COMPARE(recipes(), 2);
    }

    void nobodyLooks()
    {
        m_sides->setWatching(false);
        m_sides->add(m_other->path() + u"@main"_s);
        QTRY_COMPARE(recipes(), 1);
        m_other->commitFile(avx512, "{ }: { }\n");
        m_sides->setWatching(true); // what moved meanwhile is read
        QTRY_COMPARE(recipes(), 2);
    }

    void anotherRepositoryIsOpened()
    {
        m_sides->add(u"HEAD"_s);
        QTRY_COMPARE(recipes(), 1);
        m_sides->open(m_other->path());
        QCOMPARE(recipes(), -1);
        m_sides->add(u"nothing"_s);
        QSignalSpy failed(m_sides.get(), &NamedSides::failed);
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!m_sides->isReading());
    }
};

QTEST_GUILESS_MAIN(NamedSidesTest)
#include "tst_namedsides.moc"
