// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/Fleet.h"
#include "model/fleet/FleetText.h"
#include "model/fleet/KnownRepositories.h"
#include "model/git/GitTask.h"
#include "model/git/RefLines.h"
#include "model/job/SharedBuildLines.h"
#include "model/snapshot/DiskCache.h"
#include "tests/support/BuiltInCatalog.h"
#include "tests/support/FleetFixture.h"
#include "tests/support/Results.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// Reading several repositories: what a summary holds, and when it is read again.
class FleetTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<FleetFixture> m_fixture;
    std::unique_ptr<QTemporaryDir> m_cache;
    int m_loaded = 0; ///< how often the catalog was asked for

    Fleet read(const QStringList &repositories, const WorkHooks &hooks = {})
    {
        const auto load = [this]() -> Result<std::shared_ptr<const Catalog>> {
            ++m_loaded;
            return testing::builtInCatalog();
        };
        const Result<Fleet> fleet = readFleet(load, repositories, DiskCache(m_cache->path()), hooks);
        if (!fleet)
            qFatal("%s", qPrintable(fleet.error().sentence()));
        return *fleet;
    }
    Fleet readAll() { return read(*repositoriesBelow(m_fixture->path())); }

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning();
        m_fixture = std::make_unique<FleetFixture>();
        m_cache = std::make_unique<QTemporaryDir>();
        m_loaded = 0;
        m_fixture->commit(u"build-torch"_s, u"old"_s,
                          FleetFixture::torches(oldPin, "12_8", "python311", "2.8.0", {"avx2", "avx512"}));
        m_fixture->commit(u"build-torch"_s, u"new"_s,
                          FleetFixture::torches(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512", "armv9"}));
        m_fixture->commit(u"group/serve"_s, u"main"_s,
                          FleetFixture::served(newPin, "12_8", "python313", "2.9.1", {"avx2", "avx512", "avx"}));
    }

    void repositoriesAreFoundBelowAFolder()
    {
        QDir().mkpath(m_fixture->path(u"notes/.flox"_s)); // no repository
        QDir().mkpath(m_fixture->path(u"plain/.git"_s));  // without recipes
        QDir().mkpath(m_fixture->path(u".hidden/r/.git/x"_s));
        QDir().mkpath(m_fixture->path(u".hidden/r/.flox"_s));
        QFile::link(m_fixture->path(), m_fixture->path(u"circle"_s));
        QCOMPARE(*repositoriesBelow(m_fixture->path()),
                 (QStringList{m_fixture->path(u"build-torch"_s), m_fixture->path(u"group/serve"_s)}));
    }

    void namesTellRepositoriesApart()
    {
        Fleet fleet;
        fleet.repositories = {u"/home/a/build-pytorch"_s, u"/srv/b/build-pytorch"_s, u"/srv/b/build-vllm"_s,
                              u"/x/build-vllm"_s,         u"/y/x/build-vllm"_s,      u"/srv/my-build-vllm"_s};
        QStringList names;
        for (const QString &repository : std::as_const(fleet.repositories))
            names.append(fleet.nameOf(repository));
        QCOMPARE(names, (QStringList{u"a/build-pytorch"_s, u"b/build-pytorch"_s, u"b/build-vllm"_s, u"/x/build-vllm"_s,
                                     u"y/x/build-vllm"_s, u"my-build-vllm"_s}));
    }

    void aSummaryHasWhatTheRecipesState()
    {
        const Fleet fleet = readAll();
        QVERIFY(fleet.troubles.isEmpty());
        QCOMPARE(fleet.branches.size(), 3);
        const FleetBranch &newer = fleet.branches.at(0);
        QCOMPARE(newer.label(), u"build-torch@new"_s);
        QVERIFY(newer.ref.checkedOut);
        QCOMPARE(newer.summary->recipes.size(), 3);
        QCOMPARE(newer.summary->pythons, QStringList{u"python313"_s});
        QCOMPARE(newer.summary->toolkits, QStringList{u"12.8"_s});
        QCOMPARE(newer.summary->versions.value(u"pytorch"_s), QStringList{u"2.9.1"_s});
        QCOMPARE(newer.summary->pins.size(), 1);
        QCOMPARE(newer.summary->pins.constFirst().revision, QString::fromLatin1(newPin));
        QCOMPARE(newer.summary->pins.constFirst().recipes, 3);
        QVERIFY(newer.summary->hasTorch());
        const FleetBranch &serve = fleet.branches.at(2);
        QCOMPARE(serve.repositoryName(), u"serve"_s);
        QCOMPARE(serve.summary->versions.value(u"vllm"_s), QStringList{u"0.15.1"_s});
        QVERIFY(serve.summary->recipes.constFirst().torch.needed);
        QCOMPARE(serve.summary->recipes.constFirst().torch.version, u"2.9.1"_s);
        QVERIFY(serve.summary->pinnedVersions.contains({QString::fromLatin1(newPin), u"pytorch"_s, u"2.9.1"_s}));
        QVERIFY(serve.summary->pinnedVersions.contains({QString::fromLatin1(newPin), u"vllm"_s, u"0.15.1"_s}));
    }

    void anUnchangedBranchIsNotReadAgain()
    {
        const Fleet first = readAll();
        QCOMPARE(m_loaded, 1);
        const Fleet second = readAll();
        QCOMPARE(m_loaded, 1);
        QCOMPARE(second.branches.size(), first.branches.size());
        for (qsizetype i = 0; i < first.branches.size(); ++i)
            QCOMPARE(*second.branches.at(i).summary, *first.branches.at(i).summary);
        // An uncommitted change counts.
        QFile recipe(m_fixture->path(u"build-torch/.flox/pkgs/pytorch-python313-cuda12_8-sm90-avx2.nix"_s));
        QVERIFY(recipe.remove());
        const Fleet third = readAll();
        QCOMPARE(m_loaded, 2);
        QCOMPARE(third.branches.at(0).summary->recipes.size(), 2);
        QCOMPARE(third.branches.at(1).summary->recipes.size(), 2);
    }

    // What is known is shown while the rest is read, and nothing is shown early where all is in the cache.
    void whatIsKnownComesEarly()
    {
        QList<QStringList> early;
        const auto load = [] { return Result<std::shared_ptr<const Catalog>>(testing::builtInCatalog()); };
        const auto namesOf = [](const Fleet &fleet) {
            QStringList names;
            for (const FleetBranch &branch : fleet.branches)
                names.append(branch.repository + u'@' + branch.ref.name);
            return names;
        };
        const QStringList repositories = *repositoriesBelow(m_fixture->path());
        const auto read = [&] {
            return readFleet(load, repositories, DiskCache(m_cache->path()), {},
                             [&](const Fleet &known) { early.append(namesOf(known)); });
        };
        const Result<Fleet> fleet = read();
        QVERIFY_OK(fleet);
        QVERIFY(!early.isEmpty());
        for (const QStringList &names : std::as_const(early)) {
            QVERIFY(!names.isEmpty());
            for (const QString &name : names)
                QVERIFY2(namesOf(*fleet).contains(name), qPrintable(name));
        }
        early.clear();
        QVERIFY_OK(read());
        QVERIFY(early.isEmpty());
    }

    void aDamagedCacheIsReadAgain()
    {
        const BranchSummary summary = *readAll().branches.constFirst().summary;
        const QByteArray bytes = summary.toBytes();
        QCOMPARE(BranchSummary::fromBytes(bytes), std::optional(summary));
        QCOMPARE(BranchSummary::fromBytes({}), std::nullopt);
        QCOMPARE(BranchSummary::fromBytes(qCompress(qUncompress(bytes).chopped(1))), std::nullopt);
        QCOMPARE(BranchSummary::fromBytes(qCompress(qUncompress(bytes) + 'x')), std::nullopt);
    }

    void whatCannotBeReadIsNamed()
    {
        m_fixture->git(u"build-torch"_s, {u"branch"_s, u"broken"_s});
        QFile ref(m_fixture->path(u"build-torch/.git/refs/heads/broken"_s));
        QVERIFY(ref.open(QIODevice::WriteOnly));
        ref.write("nothing\n");
        ref.close();
        const Fleet fleet =
            read({m_fixture->path(u"build-torch"_s), m_fixture->path(), m_fixture->path(u"build-torch"_s)});
        QCOMPARE(fleet.repositories.size(), 1);
        QCOMPARE(fleet.branches.size(), 2);
        QCOMPARE(fleet.troubles.size(), 2);
        QCOMPARE(fleet.troubles.at(0).branch, u"broken"_s);
        QCOMPARE(fleet.troubles.at(1).repository, m_fixture->path());
        QVERIFY(fleet.troubles.at(1).branch.isEmpty());
    }

    void aStopLeavesTheRest()
    {
        const Fleet fleet = read(*repositoriesBelow(m_fixture->path()), {{}, [] { return true; }});
        QVERIFY(fleet.stopped);
        QVERIFY(fleet.branches.isEmpty());
        QVERIFY(fleet.troubles.isEmpty());
        QVERIFY(!readAll().stopped);
    }

    void aTorchIsFoundOnAnotherRepositorysBranch()
    {
        const Fleet fleet = readAll();
        const QList<TorchCoverage> coverage = torchCoverage(fleet);
        QCOMPARE(coverage.size(), 3);
        QCOMPARE(coverage.at(0).needed, 0);
        QCOMPARE(coverage.at(2).needed, 3);
        QCOMPARE(coverage.at(2).covered, 2);
        QCOMPARE(coverage.at(2).samePin, 2);
        QVERIFY(coverage.at(2).branch >= 0);
        QCOMPARE(fleet.branches.at(coverage.at(2).branch).label(), u"build-torch@new"_s);
    }

    // A build of the team counts for the text that it built, on its branch, and not where the recipe changed since.
    void whatTheTeamBuiltCounts()
    {
        const QString repository = m_fixture->path(u"build-torch"_s);
        const FleetBranch newer = readAll().branches.at(0);
        QCOMPARE(newer.builds, BuildCounts());
        const QDateTime now = QDateTime::currentDateTimeUtc();
        QList<BuildRecord> records;
        const auto add = [&](qsizetype recipe, BuildOutcome::Kind outcome, const QString &blob = {}) {
            const RecipeSummary &of = newer.summary->recipes.at(recipe);
            BuildRecord record;
            record.job = u"job %1"_s.arg(records.size());
            record.variant = of.variant.name();
            record.package = of.package;
            record.blob = blob.isEmpty() ? of.identities.constFirst() : blob;
            record.branch = newer.ref.name;
            record.commit = newer.ref.commit;
            record.machine = u"theirs"_s;
            record.engine = u"nix"_s;
            record.queued = record.started = now.addSecs(-7200);
            record.ended = now.addSecs(-3600 + records.size());
            record.outcome = outcome;
            records.append(record);
        };
        add(0, BuildOutcome::Kind::Failed);
        add(1, BuildOutcome::Kind::Built);
        add(2, BuildOutcome::Kind::Failed, QString(newer.ref.commit.size(), u'a'));
        QVERIFY_OK(addRefLines(repository, buildsRef, sharedBuildLinesOf(records, {}, u"ada-box"_s, {}, now), {},
                               u"Add builds"_s));
        const Fleet fleet = readAll();
        BuildCounts expected;
        expected.failedByTeam = expected.builtByTeam = 1;
        expected.last = fleet.branches.at(0).builds.last;
        QCOMPARE(fleet.branches.at(0).builds, expected);
        QCOMPARE(expected.last.toSecsSinceEpoch(), records.at(1).ended.toSecsSinceEpoch());
        QCOMPARE(fleet.branches.at(1).builds, BuildCounts()); // another branch
        QVERIFY(overviewText(fleet).contains(u"1 failed, 1 built"_s));
        const QJsonObject json = overviewJson(fleet).value(u"branches"_s).toArray().first().toObject();
        QCOMPARE(json.value(u"failed_by_team"_s).toInt(), 1);
        QCOMPARE(json.value(u"built_by_team"_s).toInt(), 1);
    }

    void knownRepositoriesKeepTheirOrder()
    {
        addRepositories({u"/a"_s, u"/b"_s});
        rememberRepository(u"/c"_s);
        addRepositories({u"/b"_s, u"/d"_s});
        QCOMPARE(knownRepositories(), (QStringList{u"/c"_s, u"/a"_s, u"/b"_s, u"/d"_s}));
        forgetRepository(u"/a"_s);
        rememberRepository(u"/d"_s);
        QCOMPARE(knownRepositories(), (QStringList{u"/d"_s, u"/c"_s, u"/b"_s}));
    }
};

TM_TEST(FleetTest, QCoreApplication)
#include "tst_fleet.moc"
