// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/BlobId.h"
#include "model/history/BuildHistory.h"
#include "model/job/Queue.h"
#include "model/snapshot/SnapshotReader.h"
#include "model/workspace/KnownBuilds.h"
#include "tests/support/Results.h"
#include "tests/support/SampleFixture.h"
#include "tests/support/TestMain.h"

#include <QCoreApplication>
#include <QTest>
#include <QTimeZone>

using namespace Qt::StringLiterals;
using namespace tmx;
using namespace tmx::test;

/// The builds' data for an export: which variants are missing, and how long they take.
class TestExporting : public QObject
{
    Q_OBJECT

    QTemporaryDir m_state;

private Q_SLOTS:
    void initTestCase()
    {
        QTest::failOnWarning();
        qputenv("TORCH_MATRIX_STATE", m_state.path().toUtf8());
    }

    void knowsWhatWasBuilt()
    {
        const QString avx2 = u"pytorch-python313-cpu-avx2"_s;
        const QString avx512 = u"pytorch-python313-cpu-avx512"_s;
        const QString gpu = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        const SampleFixture sample;
        const Result<ReadBranch> read = SnapshotReader(sample.catalog()).read(sample.path());
        QVERIFY_OK(read);
        const KnownBuilds nothing = knownBuilds(*read->snapshot);
        QCOMPARE(nothing.missing.size(), 44);
        QVERIFY(nothing.stale.isEmpty() && nothing.seconds.isEmpty());
        QVERIFY(!QFile::exists(m_state.filePath(u"builds.sqlite"_s))); // looking makes none

        Result<BuildHistory> history = BuildHistory::open();
        QVERIFY_OK(history);
        const QDateTime start = QDateTime::fromSecsSinceEpoch(1700000000, QTimeZone::UTC);
        int number = 0;
        const auto built = [&](const QString &variant, qint64 seconds, BuildOutcome::Kind outcome) {
            BuildRecord record;
            record.job = u"20260101-120000-00000%1"_s.arg(++number);
            record.variant = record.package = variant;
            record.branch = u"main"_s;
            record.repository = sample.path();
            record.engine = u"flox"_s;
            record.queued = record.started = start.addDays(number);
            record.ended = record.started.addSecs(seconds);
            record.outcome = outcome;
            QVERIFY_OK(history->record(record));
        };
        using Kind = BuildOutcome::Kind;
        built(avx2, 9000, Kind::Built);
        built(avx2, 25000, Kind::Built); // the newest
        built(gpu, 90000, Kind::Failed); // says nothing
        const VariantEntry *entry = read->snapshot->find(avx2);
        QVERIFY_OK(
            history->setPublished({read->snapshot->repository, u"main"_s, avx2,
                                   blobId(entry->committed, read->snapshot->commit.size()), u"acme/x"_s, start}));
        const KnownBuilds known = knownBuilds(*read->snapshot);
        QCOMPARE(known.missing.size(), 43);
        QVERIFY(!known.missing.contains(avx2));
        QCOMPARE(known.seconds.value(avx2), 25000);
        QCOMPARE(known.seconds.value(avx512), 25000); // like it
        QVERIFY(!known.seconds.contains(gpu));

        ExportRequest request;
        QCOMPARE(withBuilds(request, u"missing"_s, known).names, known.missing);
        QCOMPARE(withBuilds(request, u"missing"_s, known).only, u"missing"_s);
        QCOMPARE(withBuilds(request, u"stale"_s, known).names, QStringList());
        QVERIFY(!withBuilds(request, u"all"_s, known).names);
        QCOMPARE(withBuilds(request, u"all"_s, known).seconds, known.seconds);
    }
};

TM_TEST(TestExporting, QCoreApplication)
#include "tst_knownbuilds.moc"
