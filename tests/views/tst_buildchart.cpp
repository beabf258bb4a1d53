// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/Colors.h"
#include "views/queue/BuildChart.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalBarSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

QBarSet *barsOf(const BuildChart &chart)
{
    return qobject_cast<QHorizontalBarSeries *>(chart.chart()->series().constFirst())->barSets().constFirst();
}

QStringList namesOf(const BuildChart &chart)
{
    return qobject_cast<QBarCategoryAxis *>(chart.chart()->axes(Qt::Vertical).constFirst())->categories();
}

/// The height of an area just after a point in time.
double heightAfter(const QLineSeries *steps, const QDateTime &at)
{
    double height = 0;
    for (const QPointF &point : steps->points())
        height = point.x() <= double(at.toMSecsSinceEpoch()) ? point.y() : height;
    return height;
}

QString shownSentence(const BuildChart &chart)
{
    const auto *label = qobject_cast<const QLabel *>(chart.currentWidget());
    return label ? label->text() : QString();
}

QList<VariantTime> someTimes(int count)
{
    QList<VariantTime> times;
    for (int i = 0; i < count; ++i)
        times.append({u"pytorch-python313-cuda12_8-sm%1-avx512bf16"_s.arg(1000 - i), u"main"_s, 9000 - i * 30});
    return times;
}

} // namespace

class TestBuildChart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pane::failOnWarnings(); }
    void cleanup() { QApplication::setPalette(pane::lightPalette()); }

    void hasABarForEachTime()
    {
        test::Fuzzing fuzzing(test::newSeed());
        BuildChart chart(u"Build times"_s);
        for (int round = 0; round < 20; ++round) {
            QList<VariantTime> times;
            for (int i = 1 + fuzzing.below(250); i > 0; --i)
                times.append({u"variant-%1"_s.arg(i), fuzzing.below(9) ? u"main"_s : u"next"_s, fuzzing.below(40000)});
            std::ranges::sort(times, std::greater(), &VariantTime::seconds);
            chart.showTimes(times);
            const int bars = int(std::min<qsizetype>(200, times.size()));
            const QStringList names = namesOf(chart);
            QCOMPARE(names.size(), bars);
            QCOMPARE(barsOf(chart)->count(), bars);
            const double unit = times.constFirst().seconds >= 7200 ? 3600 : times.constFirst().seconds >= 120 ? 60 : 1;
            for (int i = 0; i < bars; ++i) { // the longest is on top, where the axis ends
                QVERIFY2(names.at(bars - 1 - i).startsWith(times.at(i).variant), qPrintable(names.at(bars - 1 - i)));
                QCOMPARE(barsOf(chart)->at(bars - 1 - i) * unit, double(times.at(i).seconds));
            }
            const auto *axis = qobject_cast<QValueAxis *>(chart.chart()->axes(Qt::Horizontal).constFirst());
            QVERIFY(axis->min() == 0 && axis->max() * unit >= double(times.constFirst().seconds));
            QCOMPARE(axis->titleText().contains(u"200 longest"_s), times.size() > 200);
            QVERIFY(chart.currentWidget()->accessibleDescription().contains(times.constFirst().variant));
        }
    }

    void showsTheQueueAsItWas()
    {
        test::Fuzzing fuzzing(test::newSeed());
        BuildChart chart(u"The queue over time"_s);
        const QDateTime day = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        for (int round = 0; round < 20; ++round) {
            QList<BuildRecord> builds(1 + fuzzing.below(40));
            for (BuildRecord &build : builds) {
                build.queued = day.addSecs(fuzzing.below(14 * 24 * 3600));
                build.started = build.queued.addSecs(fuzzing.below(9000));
                build.ended = build.started.addSecs(1 + fuzzing.below(9000));
            }
            const QList<QueuePoint> points = queueOverTime(builds);
            chart.showQueue(points);
            const QList<QAbstractSeries *> series = chart.chart()->series();
            QCOMPARE(series.size(), 2);
            const auto *running = qobject_cast<QAreaSeries *>(series.at(0));
            const auto *waiting = qobject_cast<QAreaSeries *>(series.at(1));
            for (const QueuePoint &point : points) {
                if (point.at < points.constLast().at.addDays(-7)) // the last week is shown
                    continue;
                QCOMPARE(heightAfter(running->upperSeries(), point.at), point.running);
                QCOMPARE(heightAfter(waiting->lowerSeries(), point.at), point.running);
                QCOMPARE(heightAfter(waiting->upperSeries(), point.at), point.running + point.waiting);
            }
        }
    }

    void saysWhyThereIsNothing()
    {
        BuildChart chart(u"Build times"_s);
        chart.showTimes({});
        QCOMPARE(shownSentence(chart), u"None of these builds succeeded, so there are no build times."_s);
        chart.showTimes(someTimes(3));
        QCOMPARE(shownSentence(chart), QString());
        chart.showQueue({});
        QCOMPARE(shownSentence(chart), u"None of these builds was queued by this program."_s);
    }

    void scrollsWithTheKeyboardAndIsNamed()
    {
        BuildChart chart(u"Build times"_s);
        chart.showTimes(someTimes(120));
        chart.resize(800, 300);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        auto *area = qobject_cast<QScrollArea *>(chart.currentWidget());
        QCOMPARE(area->accessibleName(), u"Build times"_s);
        QVERIFY(area->focusPolicy() & Qt::TabFocus);
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        QTest::keyClick(area, Qt::Key_PageDown);
        QVERIFY(area->verticalScrollBar()->value() > 0);
    }

    /// Contrast of words at least 4.5 to 1 on their background, of bars and areas 3 to 1, also after a change of
    /// palette.
    void canBeReadInLightAndDark()
    {
        BuildChart times(u"Build times"_s);
        BuildChart queue(u"The queue over time"_s);
        times.showTimes(someTimes(12));
        BuildRecord build;
        build.queued = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        build.started = build.queued.addSecs(3000);
        build.ended = build.started.addSecs(3000);
        queue.showQueue(queueOverTime({build}));
        times.show();
        queue.show();
        for (const QPalette &palette : {pane::darkPalette(), pane::lightPalette()}) {
            QApplication::setPalette(palette);
            QCoreApplication::processEvents();
            for (const BuildChart *chart : {&times, &queue}) {
                const QColor behind = chart->chart()->backgroundBrush().color();
                QCOMPARE(behind, qApp->palette().color(QPalette::Base));
                for (const QAbstractAxis *axis : chart->chart()->axes()) {
                    QVERIFY(contrast(axis->labelsColor(), behind) >= 4.5);
                    QVERIFY(contrast(axis->titleBrush().color(), behind) >= 4.5);
                }
            }
            QVERIFY(contrast(barsOf(times)->labelColor(), times.chart()->backgroundBrush().color()) >= 4.5);
            QVERIFY(contrast(barsOf(times)->color(), times.chart()->backgroundBrush().color()) >= 3);
            QVERIFY(contrast(queue.chart()->legend()->labelColor(), queue.chart()->backgroundBrush().color()) >= 4.5);
            for (QAbstractSeries *series : queue.chart()->series())
                QVERIFY(contrast(qobject_cast<QAreaSeries *>(series)->color(),
                                 queue.chart()->backgroundBrush().color()) >= 3);
        }
    }
};

TM_TEST(TestBuildChart, QApplication)
#include "tst_buildchart.moc"
