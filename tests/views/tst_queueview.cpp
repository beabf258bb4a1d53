// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/Estimate.h"
#include "model/builds/QueueModel.h"
#include "tests/support/TestMain.h"
#include "views/console/BuildConsole.h"
#include "views/queue/BuildsView.h"
#include "views/queue/QueueView.h"
#include "views/queue/ScheduleChart.h"
#include "views/widgets/Label.h"

#include <QApplication>
#include <QHeaderView>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// The given number of waiting builds, the n-th with the id "n", and these running ones.
std::shared_ptr<const JobsSeen> waitingBuilds(int count, int running)
{
    auto seen = std::make_shared<JobsSeen>();
    for (int i = 0; i < count; ++i) {
        JobRecord record;
        record.job.id = QString::number(i);
        record.job.variant = record.job.package = u"pytorch-python313-cuda12_8-sm%1-avx512"_s.arg(i);
        record.phase = i < running ? JobPhase::Running : JobPhase::Waiting;
        if (i >= running)
            seen->queue.waiting.append(record.job.id);
        seen->jobs.append(record);
    }
    return seen;
}

/// Counts the calls of data().
class CountingModel : public QueueModel
{
public:
    using QueueModel::QueueModel;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override
    {
        ++asked;
        return QueueModel::data(index, role);
    }
    mutable qint64 asked = 0;
};

} // namespace

class TestQueueView : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }

    /// The cost of the first list, and of a build's start or end, depends on the visible rows, not on all waiting
    /// builds.
    void looksAtFewRowsOfAThousand()
    {
        constexpr int builds = 2000;
        CountingModel model;
        QueueView view;
        view.setModel(&model);
        view.resize(800, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        const auto list = [&](int count, int running) {
            model.asked = 0;
            model.setSeen(waitingBuilds(count, running));
            view.setContents({});
            view.list()->viewport()->grab();
            QCoreApplication::processEvents();
            return model.asked;
        };
        const qint64 ofHalf = list(builds / 2, 1);
        list(0, 0);
        const qint64 first = list(builds, 1);
        QVERIFY2(first < ofHalf + builds / 2, QByteArray::number(first - ofHalf)); // less than once for each more
        view.list()->selectAll();
        QCOMPARE(view.selectedIds().size(), builds);
        QCoreApplication::processEvents();
        // Once for each selected id, plus what the visible rows need.
        const qint64 changed = list(builds, 2);
        QVERIFY2(changed < builds + 10000, QByteArray::number(changed));
        QCOMPARE(view.selectedIds().size(), builds);
        QCOMPARE(view.list()->selectionModel()->selection().size(), 1);
        // Moved jobs stay selected, and no others are.
        view.list()->selectionModel()->clear();
        for (const int row : {3, 4, 9})
            view.list()->selectionModel()->select(model.index(row, 0),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
        auto moved = std::make_shared<JobsSeen>(*waitingBuilds(builds, 2));
        moved->queue.waiting.move(moved->queue.waiting.indexOf(u"4"_s), 0);
        model.setSeen(moved);
        QCOMPARE(view.selectedIds(), (QStringList{u"4"_s, u"3"_s, u"9"_s}));
    }

    /// At 1280 pixels, with builds of two repositories: every column is as wide as its head, and none is scrolled to.
    void everyColumnIsSeen()
    {
        auto seen = std::make_shared<JobsSeen>(*waitingBuilds(6, 3));
        for (qsizetype i = 0; i < seen->jobs.size(); ++i) {
            JobRecord &job = seen->jobs[i];
            job.job.repository = i % 2 == 0 ? u"/work/build-pytorch"_s : u"/work/a-repository-with-a-long-name"_s;
            job.job.branch = u"pytorch-2.9-python313"_s;
            job.job.here = i % 3 == 0;
            job.job.variant = i % 2 == 0 ? job.job.variant : u"pytorch-python312-cuda12_9-sm100-avx512bf16"_s;
            BuildState progress;
            progress.phase = BuildState::Phase::Running;
            progress.since = QDateTime::currentDateTime().addSecs(-7300);
            seen->progress.insert(job.job.id, progress);
        }
        QueueModel model;
        BuildsView view;
        view.queue()->setModel(&model);
        view.resize(1280, 700);
        view.show();
        model.setSeen(seen);
        const QTreeView *list = view.queue()->list();
        const QHeaderView *head = list->header();
        const auto right = [&] {
            for (int column = 0; column < QueueModel::columns; ++column) {
                if (!head->isSectionHidden(column) && head->sectionSize(column) < head->sectionSizeHint(column))
                    return false;
            }
            return head->length() == list->viewport()->width();
        };
        QTRY_VERIFY2(right(), qPrintable(u"%1 of %2"_s.arg(head->length()).arg(list->viewport()->width())));
        view.resize(1900, 700);
        QTRY_VERIFY2(right(), qPrintable(u"%1 of %2"_s.arg(head->length()).arg(list->viewport()->width())));
        // With room the branch is whole.
        const QModelIndex branch = model.index(0, int(QueueModel::Column::Branch));
        QVERIFY(head->sectionSize(branch.column()) >= list->fontMetrics().horizontalAdvance(branch.data().toString()) ||
                head->sectionSize(branch.column()) >= head->sectionSize(int(QueueModel::Column::Progress)));
    }

    /// The sentence below the schedule is completely visible in a window of any width, and the lists and the log have
    /// room side by side or one above the other.
    void everythingAboutBuildsIsInOneView()
    {
        QueueModel model;
        model.setSeen(waitingBuilds(5, 1));
        BuildsView view;
        view.queue()->setModel(&model);
        auto estimate = std::make_shared<Estimate>();
        estimate->from = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        estimate->farm.machines = {{u"this machine"_s, 1, 1}};
        estimate->farm.kinds = {{u"x86_64-linux"_s, {0}}};
        for (int i = 0; i < 5; ++i) {
            estimate->farm.jobs.append({0, 7200, {}, -1});
            estimate->builds.append({u"v"_s, u"p"_s, u"main"_s, QString::number(i), {}, {7200, 0}});
        }
        estimate->plan = planFarm(estimate->farm, FarmOrder::AsGiven);
        const QSignalSpy appeared(&view, &BuildsView::appeared);
        view.setEstimate(estimate);
        view.resize(500, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QVERIFY(!appeared.isEmpty());
        const auto *lists = view.findChild<QTabWidget *>();
        const int queue = lists->indexOf(view.queue());
        QCOMPARE(lists->tabText(queue), u"Queue (%1)"_s.arg(model.activeCount()));
        const Label *summary = nullptr;
        for (const Label *label : view.findChildren<Label *>()) {
            if (label->accessibleName() == u"Summary of the schedule"_s)
                summary = label;
        }
        QVERIFY(summary && summary->isVisible());
        QCOMPARE(summary->text(), summaryOf(*estimate) + u' ' + timesText(*estimate));
        QVERIFY(summary->fontMetrics().horizontalAdvance(summary->text()) > view.width());
        QVERIFY(summary->height() >= summary->heightForWidth(summary->width()));
        QCOMPARE(view.width(), 500);
        QVERIFY(view.schedule()->height() > 50 && view.queue()->list()->viewport()->height() > 50);
        QVERIFY(view.console()->mapTo(&view, QPoint()).y() > view.queue()->mapTo(&view, QPoint()).y() + 50);
        view.resize(1400, 500);
        QVERIFY(view.console()->mapTo(&view, QPoint()).x() > view.queue()->mapTo(&view, QPoint()).x() + 300);
        QVERIFY(view.console()->height() > 250);
        // What runs now is the first line.
        view.setNow(u"Building sm90, 34 %"_s);
        const Label *now = nullptr;
        for (const Label *label : view.findChildren<Label *>()) {
            if (label->accessibleName() == u"What runs now"_s)
                now = label;
        }
        QVERIFY(now && now->isVisible() && now->font().bold());
        QCOMPARE(now->mapTo(&view, QPoint()).y(), 0);
        view.setNow({});
        QVERIFY(!now->isVisible());
        // With room few builds stand above the log, as high as they need, and many beside it.
        view.resize(1400, 800);
        const auto at = [&view](const QWidget *part) { return part->mapTo(&view, QPoint()); };
        QVERIFY(at(view.console()).y() > at(view.queue()).y() + view.queue()->height());
        QCOMPARE(view.console()->width(), view.width());
        QVERIFY(!view.queue()->list()->verticalScrollBar()->isVisible());
        QVERIFY(view.console()->height() > view.queue()->height());
        model.setSeen(waitingBuilds(30, 1));
        QVERIFY(at(view.console()).x() > at(view.queue()).x() + 300);
        model.setSeen(waitingBuilds(5, 1));
        QCOMPARE(view.console()->width(), view.width());
        view.resize(1400, 500);
        QVERIFY(at(view.console()).x() > at(view.queue()).x() + 300);
        // The current build of the list and of the schedule are one, and the keys of the list work on both.
        const QSignalSpy stopped(view.queue(), &QueueView::stopRequested);
        QTest::keyClick(view.schedule(), Qt::Key_End);
        QCOMPARE(view.queue()->selectedIds(), QStringList{view.schedule()->current()});
        QTest::keyClick(view.schedule(), Qt::Key_Delete);
        QCOMPARE(stopped, QList<QVariantList>{{view.queue()->selectedIds()}});
        QTest::keyClick(view.queue()->list(), Qt::Key_Home);
        QCOMPARE(view.queue()->selectedIds(), QStringList{view.schedule()->current()});
        // A part that grows covers no other, not even until the next event.
        auto more = std::make_shared<Estimate>(*estimate);
        for (int i = 0; i < 6; ++i)
            more->ended.append({u"v"_s, u"main"_s, u"e%1"_s.arg(i), u"box"_s, more->from.addSecs(-9000),
                                more->from.addSecs(-100), BuildState::Phase::Built});
        const auto bottom = [&view](const QWidget *part) { return part->mapTo(&view, part->rect().bottomLeft()).y(); };
        const int before = bottom(summary);
        view.setEstimate(more);
        QVERIFY(bottom(summary->parentWidget()) > before);
        QVERIFY(bottom(summary->parentWidget()) < lists->mapTo(&view, QPoint()).y());
        view.setEstimate({});
        QVERIFY(!summary->isVisible());
    }
};

TM_TEST(TestQueueView, QApplication)
#include "tst_queueview.moc"
