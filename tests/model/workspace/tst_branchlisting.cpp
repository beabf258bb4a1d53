// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchListing.h"

#include "model/builds/BuildRequest.h"
#include "model/snapshot/DiskCache.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

BranchSources branchesIn(const QString &path)
{
    const Result<BranchSources> sources = branchesOf(path, WorkTreeAs::Branch, false);
    return sources ? *sources : BranchSources();
}

/// The sample, and a cache for its listing.
struct ListedSample {
    test::SampleFixture fixture;
    QTemporaryDir folder;
    DiskCache cache{folder.path()};

    /// Empty: it cannot be listed.
    [[nodiscard]] QByteArray list() const
    {
        const auto load = [this]() -> Result<std::shared_ptr<const Catalog>> { return fixture.catalog(); };
        const Result<BranchListing> listing = listBranches(load, branchesIn(fixture.path()), jsonForm(), cache);
        return listing ? listing->document() : QByteArray();
    }
};

} // namespace

class BranchListingTest : public QObject
{
    Q_OBJECT

    static constexpr auto recipe = ".flox/pkgs/pytorch-python313-cuda12_8-sm90-avx512.nix";

private Q_SLOTS:
    void init() { QTest::failOnWarning(); }

    // The catalog is loaded between the look into the cache and the reading of the branches.
    void aChangeWhileReadingIsNotKept()
    {
        const test::SampleFixture sample;
        const QTemporaryDir folder;
        const DiskCache cache(folder.path());
        const QByteArray before = sample.read(QLatin1StringView(recipe));
        int loads = 0;
        const auto list = [&](const QByteArray &meanwhile) {
            const auto loaded = [&]() -> Result<std::shared_ptr<const Catalog>> {
                ++loads;
                sample.write(QLatin1StringView(recipe), meanwhile);
                return sample.catalog();
            };
            const Result<BranchListing> listing = listBranches(loaded, branchesIn(sample.path()), jsonForm(), cache);
            return listing ? listing->document() : listing.error().sentence().toUtf8();
        };
        const QByteArray modified = list(before + "# changed\n");
        QCOMPARE(modified.count("\"recipe\":\"modified\""), 1);
        sample.write(QLatin1StringView(recipe), before);
        const QByteArray whole = list(before);
        QCOMPARE(whole.count("\"recipe\":\"modified\""), 0);
        QCOMPARE(loads, 2);
        QCOMPARE(list({}), whole); // from the cache
        QCOMPARE(loads, 2);
        sample.write(QLatin1StringView(recipe), before + "# changed\n");
        QCOMPARE(list({}), modified);
        QCOMPARE(loads, 2);
    }

    /// A listing that the cache has no room for would be made anew each time, as a whole.
    void theCacheHasRoomForManyBranches()
    {
        const ListedSample sample;
        const QByteArray document = sample.list();
        QVERIFY(!document.isEmpty());
        qint64 kept = 0;
        for (const QFileInfo &file : QDir(sample.cache.folder()).entryInfoList(QDir::Files))
            kept += file.size();
        QVERIFY2(kept > 0 && kept < document.size() / 8, qPrintable(QString::number(kept)));
        const auto never = []() -> Result<std::shared_ptr<const Catalog>> {
            return Error{u"load"_s, u"the catalog"_s, u"nothing needs it"_s, {}};
        };
        const Result<BranchListing> again =
            listBranches(never, branchesIn(sample.fixture.path()), jsonForm(), sample.cache);
        QVERIFY(again.ok());
        QCOMPARE(again->document(), document);
    }

    /// Builds change while the recipes do not: what changes nothing of them is listed from the cache, all else is not.
    void buildsArePartOfTheAnswer()
    {
        const QTemporaryDir state;
        qputenv("TORCH_MATRIX_STATE", state.path().toUtf8());
        const ListedSample sample;
        const QString name = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        int loads = 0;
        const auto list = [&] {
            const auto load = [&]() -> Result<std::shared_ptr<const Catalog>> {
                ++loads;
                return sample.fixture.catalog();
            };
            const Result<BranchListing> listing =
                listBranches(load, branchesIn(sample.fixture.path()), jsonForm(), sample.cache);
            return listing ? listing->document() : QByteArray();
        };
        QCOMPARE(list().count("\"build\":\"queued\""), 0);
        const auto read = SnapshotReader(sample.fixture.catalog()).read(sample.fixture.path());
        QVERIFY_OK(read);
        const Result<Job> job = jobFor(*read->snapshot, name, {});
        QVERIFY_OK(job);
        const Result<JobFolder> folder = JobFolder::create(state.path(), *job);
        QVERIFY_OK(folder);
        for (int look = 0; look < 2; ++look) {
            QCOMPARE(list().count("\"build\":\"queued\""), 1);
            QCOMPARE(loads, 2);
        }
        JobOutcome outcome{.build = {.kind = BuildOutcome::Kind::CompileError}};
        outcome.started = outcome.ended = job->created;
        QVERIFY_OK(folder->writeOutcome(outcome));
        for (int look = 0; look < 2; ++look) {
            QCOMPARE(list().count("\"build\":\"failed\""), 1);
            QCOMPARE(loads, 3);
        }
        // A result that no job made counts by its date and those of the files.
        const QString link = sample.fixture.path(u"result-"_s + name);
        QVERIFY(QFile::link(u"/nonexistent"_s, link));
        for (int look = 0; look < 2; ++look) {
            QCOMPARE(list().count("\"build\":\"built\""), 1);
            QCOMPARE(loads, 4 + look);
        }
        sample.fixture.write(QLatin1StringView(recipe), sample.fixture.read(QLatin1StringView(recipe)));
        QCOMPARE(list().count("\"build\":\"built\""), 0);
        QVERIFY(QFile::remove(link));
        QCOMPARE(list().count("\"build\":\"failed\""), 1);
        QCOMPARE(loads, 6);
        qunsetenv("TORCH_MATRIX_STATE");
    }

    void anEmptyEntryIsNoAnswer()
    {
        const ListedSample sample;
        const QByteArray document = sample.list();
        QVERIFY(!document.isEmpty());
        for (const Result<QByteArray> &key : keysOf(branchesIn(sample.fixture.path()).sources))
            sample.cache.insert(programFingerprint() + jsonForm().key + *key, {});
        QCOMPARE(sample.list(), document);
    }
};

TM_TEST(BranchListingTest, QCoreApplication)
#include "tst_branchlisting.moc"
