// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/CopyCoverage.h"
#include "model/settings/SettingsFile.h"
#include "tests/support/BranchContents.h"
#include "tests/support/RandomSettings.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::testing;

namespace {

BranchContent contentOf(const QByteArray &settingsFile)
{
    BranchContent content{u"here"_s, QString(40, u'a'), true, {}};
    content.settingsFile = settingsFile;
    return content;
}

} // namespace

/// The coverage of another branch, in the settings of this one.
class CopyCoverageTest : public QObject
{
    Q_OBJECT

    const RecipeCache m_recipes{builtInCatalog()};

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    void companionsGetTheCoverageOfPyTorch()
    {
        const Settings source = *builtInCatalog()->settings(u"main"_s);
        const QByteArray here =
            "# mine\nbase = 'main'\nfamilies = ['torchvision']\nversions = { torchvision = '0.23.0' "
            "}\n[[coverage]]\nrows = ['cpu']\nisas = ['avx']\n";
        const auto changes = coverageCopied(m_recipes, source, contentOf(here));
        QVERIFY_OK(changes);
        QVERIFY(changes->warnings.isEmpty());
        QCOMPARE(changes->files.size(), 1);
        QCOMPARE(changes->files.constFirst().path, QString(settingsFileName));
        const Settings after = *readSettingsFile(*changes->files.constFirst().after, *builtInCatalog(), u"here"_s);
        QCOMPARE(after.families(), QStringList{u"torchvision"_s});
        QCOMPARE(after.promisedCount(), source.promisedCount());
        for (Variant variant : source.promised()) {
            variant.family = u"torchvision"_s;
            QVERIFY2(after.covers(variant), qPrintable(variant.name()));
        }
        QVERIFY2(changes->files.constFirst().reason.contains(u"44 new, 1 no longer listed."_s),
                 qPrintable(changes->files.constFirst().reason));
        // A second time there is nothing to do.
        const auto again = coverageCopied(m_recipes, source, contentOf(*changes->files.constFirst().after));
        QVERIFY_OK(again);
        QVERIFY(again->isEmpty());
    }

    // A few companions in a PyTorch repository are not what its coverage means.
    void theLargerOfTwoFamiliesCounts()
    {
        Settings source = *builtInCatalog()->settings(u"main"_s);
        for (const ProfileKey &key : source.profiles.keys()) {
            ProfileKey vision = key;
            vision.family = u"torchvision"_s;
            Profile profile = source.profiles.value(key);
            profile.cells = key.build == "cpu"_L1 ? profile.cells.first(1) : QList<GridCell>();
            source.profiles.insert(vision, profile);
        }
        const auto changes = coverageCopied(
            m_recipes, source,
            contentOf("base = 'main'\nfamilies = ['torchvision']\nversions = { torchvision = '0.23.0' }\n"
                      "[[coverage]]\nrows = ['cpu']\nisas = ['avx']\n"));
        QVERIFY_OK(changes);
        const Settings after = *readSettingsFile(*changes->files.constFirst().after, *builtInCatalog(), u"here"_s);
        QCOMPARE(after.promisedCount(), 44);
    }

    void whatCannotExistIsNamedAndLeftOut()
    {
        // GPUs that CUDA 13 has dropped, for a branch whose only toolkit replaces the other's.
        const auto changes =
            coverageCopied(m_recipes, *builtInCatalog()->settings(u"main"_s), contentOf("base = 'cuda-13_0'\n"));
        QVERIFY_OK(changes);
        const Settings after = *readSettingsFile(*changes->files.constFirst().after, *builtInCatalog(), u"here"_s);
        QCOMPARE(after.promisedCount(), 42);
        QCOMPARE(changes->warnings.size(), 1);
        QVERIFY2(changes->warnings.constFirst().startsWith(u"2 cells are impossible here"_s) &&
                     changes->warnings.constFirst().contains(u"sm61-avx2 ("_s),
                 qPrintable(changes->warnings.constFirst()));
    }

    void nothingToCopyIsSaid()
    {
        Settings source = *builtInCatalog()->settings(u"main"_s);
        source.set(&Profile::cells, QList<GridCell>());
        QVERIFY_ERROR(coverageCopied(m_recipes, source, contentOf("base = 'main'\n")), u"it covers nothing");
    }

    // For any two branches: what is listed afterwards was listed on either one and can exist; everything else stays.
    void anyTwoBranches()
    {
        QRandomGenerator random(31);
        for (int round = test::rounds(60); round > 0; --round) {
            Settings source = test::randomSettings(*builtInCatalog(), random);
            Settings own = test::randomSettings(*builtInCatalog(), random);
            source.branch = u"other"_s;
            const BranchContent content = contentOf(writeSettingsFile(own, *builtInCatalog()));
            const Settings before = settingsFor(m_recipes, content);
            const auto changes = coverageCopied(m_recipes, source, content);
            if (!changes) {
                QCOMPARE(source.promisedCount(), 0);
                continue;
            }
            const Settings after = *readSettingsFile(*changes->files.constFirst().after, *builtInCatalog(), u"here"_s);
            QCOMPARE(after.profiles.keys(), before.profiles.keys());
            QSet<GridCell> theirs;
            for (const Profile &profile : std::as_const(source.profiles))
                theirs.unite(QSet<GridCell>(profile.cells.begin(), profile.cells.end()));
            for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
                Profile was = before.profiles.value(it.key());
                for (const GridCell &cell : it->cells) {
                    const bool valid = builtInCatalog()->validity(it.key().variant(cell), before).valid;
                    QVERIFY2(was.cells.contains(cell) || (theirs.contains(cell) && valid),
                             qPrintable(it.key().variant(cell).name()));
                }
                was.cells = it->cells;
                QVERIFY(was == *it);
            }
        }
    }
};

TM_TEST(CopyCoverageTest, QCoreApplication)
#include "tst_copycoverage.moc"
