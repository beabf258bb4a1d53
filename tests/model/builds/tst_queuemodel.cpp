// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/QueueModel.h"
#include "tests/support/TestMain.h"

#include <QAbstractItemModelTester>
#include <QCoreApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

JobRecord record(const QString &id, JobPhase phase, const std::optional<BuildOutcome::Kind> &kind = {}, int endedAt = 0)
{
    JobRecord one;
    one.job.id = id;
    one.job.variant = id;
    one.phase = phase;
    if (kind) {
        one.outcome = JobOutcome();
        one.outcome->build.kind = *kind;
        one.outcome->build.sentence = u"as it ended"_s;
        one.outcome->ended = QDateTime::fromSecsSinceEpoch(endedAt, QTimeZone::UTC);
    }
    return one;
}

std::shared_ptr<const JobsSeen> seen(const QList<JobRecord> &jobs, const QStringList &waiting)
{
    auto seen = std::make_shared<JobsSeen>();
    seen->jobs = jobs;
    seen->queue.waiting = waiting;
    return seen;
}

/// "running a, waiting b"
QString rows(const QueueModel &model)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row)
        rows.append(model.index(row, 0).data().toString() + u' ' + model.index(row, 1).data().toString());
    return rows.join(u", "_s);
}

} // namespace

class tst_QueueModel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void listsInTheirOrder()
    {
        QueueModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        const QList<JobRecord> jobs{record(u"a"_s, JobPhase::Ended, BuildOutcome::Kind::Built, 1),
                                    record(u"b"_s, JobPhase::Ended, BuildOutcome::Kind::CompileError, 3),
                                    record(u"c"_s, JobPhase::Ended, BuildOutcome::Kind::Stopped, 2),
                                    record(u"d"_s, JobPhase::Waiting),
                                    record(u"e"_s, JobPhase::Waiting),
                                    record(u"f"_s, JobPhase::Running),
                                    record(u"g"_s, JobPhase::Stopping)};
        model.setSeen(seen(jobs, {u"e"_s, u"d"_s}));
        QCOMPARE(rows(model), u"running f, stopping g, waiting e, waiting d, failed b, stopped c, built a"_s);
        QCOMPARE(model.summary(), u"2 running, 2 waiting, 1 built, 1 failed"_s);
        QCOMPARE(model.rowOf(u"d"_s), 3);
        QVERIFY(!model.recordAt(7));
        // Progress does not reset the model: selection and scroll position stay.
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        model.setSeen(seen(jobs, {u"e"_s, u"d"_s}));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        model.setSeen(seen(jobs, {u"d"_s, u"e"_s}));
        QCOMPARE(reset.count(), 1);
        QCOMPARE(rows(model).left(42), u"running f, stopping g, waiting d, waiting "_s);
    }

    void tellsHowFarABuildIs()
    {
        QueueModel model;
        const auto show = [&model](const BuildState &state) {
            auto jobs = std::make_shared<JobsSeen>();
            jobs->jobs = {record(u"a"_s, JobPhase::Running)};
            jobs->progress.insert(u"a"_s, state);
            model.setSeen(jobs);
            return model.index(0, 0).data().toString() + u": "_s +
                   model.index(0, int(QueueModel::Column::Progress)).data().toString();
        };
        BuildState state{BuildState::Phase::Running};
        QCOMPARE(show(state), u"running: "_s);
        state.text = u"buildPhase"_s;
        state.step = 12;
        state.total = 400;
        QCOMPARE(show(state), u"running: buildPhase, step 12 of 400"_s);
        state.secondsLeft = 3900;
        state.likeBuilds = 3;
        QCOMPARE(show(state), u"running: buildPhase, step 12 of 400, about 1 h 5 min left (from 3 similar "_s
                              u"builds)"_s);
        state.silentMinutes = 11;
        state.secondsLeft = -1;
        QCOMPARE(show(state), u"silent: buildPhase, step 12 of 400, no output for 11 min"_s);
    }

    void tellsWhyNothingBegins()
    {
        QueueModel model;
        const auto summary = [&model](const QueueContents &contents) {
            auto jobs = std::make_shared<JobsSeen>();
            jobs->jobs = {record(u"a"_s, JobPhase::Waiting)};
            jobs->queue = contents;
            jobs->queue.waiting = {u"a"_s};
            jobs->queueFile = u"/state/queue.json"_s;
            model.setSeen(jobs);
            return model.summary();
        };
        const QString counts = u"0 running, 1 waiting, 0 built, 0 failed"_s;
        QCOMPARE(summary({}), counts);
        QCOMPARE(summary({.paused = true}), u"Paused: "_s + counts);
        QCOMPARE(summary({.paused = true, .pausedBy = u"b"_s}), u"Paused by a failure: "_s + counts);
        QCOMPARE(
            summary({.paused = true, .damaged = true}),
            u"Paused: /state/queue.json is damaged. Resume writes it again, with the builds as they are listed. "_s +
                counts);
    }

    /// What all variants have in common is in the head; the whole name is in the tooltip and copied.
    void showsShortNames()
    {
        QueueModel model;
        QList<JobRecord> jobs{record(u"1"_s, JobPhase::Waiting), record(u"2"_s, JobPhase::Waiting)};
        jobs[0].job.variant = u"pytorch-python313-cuda12_8-sm90-avx512"_s;
        jobs[1].job.variant = u"pytorch-python313-cpu-avx2"_s;
        model.setSeen(seen(jobs, {u"1"_s, u"2"_s}));
        QCOMPARE(rows(model), u"waiting sm90, waiting cpu"_s);
        const int column = int(QueueModel::Column::Gpu);
        QCOMPARE(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), u"GPU"_s);
        QCOMPARE(model.index(0, int(QueueModel::Column::Cpu)).data().toString(), u"avx512"_s);
        QCOMPARE(model.names().common(), u"pytorch, Python 3.13, CUDA 12.8"_s);
        QCOMPARE(model.index(0, column).data(Qt::AccessibleTextRole).toString(), jobs.at(0).job.variant);
        QCOMPARE(model.index(0, column).data(Qt::ToolTipRole).toString(), jobs.at(0).job.variant);
        QCOMPARE(model.index(0, column).data(wholeNameRole).toString(), jobs.at(0).job.variant);
    }

    /// The variant has its own column; the result's path is in the tooltip.
    void namesAVariantOnce()
    {
        QueueModel model;
        JobRecord one = record(u"a"_s, JobPhase::Ended, BuildOutcome::Kind::Built, 1);
        one.outcome->build.sentence = u"a is built; the result is ./result-a."_s;
        const auto progress = [&](int role) {
            model.setSeen(seen({}, {}));
            model.setSeen(seen({one}, {}));
            return model.index(0, int(QueueModel::Column::Progress)).data(role).toString();
        };
        QCOMPARE(progress(Qt::DisplayRole), QString());
        QCOMPARE(progress(Qt::ToolTipRole), one.outcome->build.sentence);
        one.outcome->build.alreadyBuilt = true;
        QCOMPARE(progress(Qt::DisplayRole), u"built already"_s);
        one.outcome->build.kind = BuildOutcome::Kind::CompileError;
        QCOMPARE(progress(Qt::DisplayRole), one.outcome->build.sentence);
    }

    void asksToMoveWhatWaits()
    {
        QueueModel model;
        model.setSeen(seen(
            {record(u"a"_s, JobPhase::Running), record(u"b"_s, JobPhase::Waiting), record(u"c"_s, JobPhase::Waiting)},
            {u"b"_s, u"c"_s}));
        QVERIFY(!model.flags(model.index(0, 0)).testFlag(Qt::ItemIsDragEnabled));
        QVERIFY(model.flags(model.index(1, 0)).testFlag(Qt::ItemIsDragEnabled));
        QSignalSpy asked(&model, &QueueModel::moveRequested);
        const std::unique_ptr<QMimeData> data(model.mimeData({model.index(2, 0), model.index(2, 1)}));
        QVERIFY(model.dropMimeData(data.get(), Qt::MoveAction, 1, 0, {}));
        QVERIFY(model.dropMimeData(data.get(), Qt::MoveAction, -1, -1, {}));
        QCOMPARE(asked.at(0).at(0).toStringList(), QStringList{u"c"_s});
        QCOMPARE(asked.at(0).at(1).toString(), u"b"_s);
        QCOMPARE(asked.at(1).at(1).toString(), QString());
        QVERIFY(!model.dropMimeData(data.get(), Qt::CopyAction, 0, 0, {}));
    }
};

TM_TEST(tst_QueueModel, QCoreApplication)
#include "tst_queuemodel.moc"
