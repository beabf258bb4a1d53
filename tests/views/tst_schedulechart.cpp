// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/queue/ScheduleChart.h"
#include "views/theme/Colors.h"

#include <QApplication>
#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// Builds of about an hour, the first ones running; the n-th is for job "n".
std::shared_ptr<const Estimate> someBuilds(int count, int slotCount, int running, test::Fuzzing &fuzzing)
{
    auto estimate = std::make_shared<Estimate>();
    estimate->from = QDateTime::fromSecsSinceEpoch(1'700'000'000);
    estimate->farm.machines = {{u"this machine"_s, slotCount, 1}};
    estimate->farm.kinds = {{u"x86_64-linux"_s, {0}}};
    for (int i = 0; i < count; ++i) {
        const qint64 seconds = 1800 + fuzzing.below(5400);
        const bool runs = i < running;
        estimate->farm.jobs.append({0, seconds, {}, runs ? 0 : -1});
        estimate->builds.append({u"pytorch-python313-cuda12_8-sm%1-avx512"_s.arg(i),
                                 u"p"_s,
                                 u"main"_s,
                                 QString::number(i),
                                 runs ? estimate->from.addSecs(-60 * i) : QDateTime(),
                                 {seconds, i % 3}});
    }
    estimate->plan = planFarm(estimate->farm, FarmOrder::AsGiven);
    return estimate;
}

} // namespace

class TestScheduleChart : public QObject
{
    Q_OBJECT
    test::Fuzzing m_fuzzing{test::newSeed()};

    void show(ScheduleChart &chart) const
    {
        chart.resize(900, 200);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
    }

private Q_SLOTS:
    /// A tooltip needs more than the offscreen platform has.
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support )"_s)); }
    void cleanup() { QApplication::setPalette(pane::lightPalette()); }

    /// A bar for each build, as long as it takes, in the lane of its slot, without overlaps.
    void hasABarForEachBuild()
    {
        for (int round = 0; round < 20; ++round) {
            const int slotCount = 1 + m_fuzzing.below(5);
            const auto estimate =
                someBuilds(1 + m_fuzzing.below(20), slotCount, m_fuzzing.below(slotCount + 1), m_fuzzing);
            ScheduleChart chart;
            chart.resize(4000, 400);
            chart.setEstimate(estimate);
            const FarmPlan &plan = estimate->plan;
            QSet<int> rows;
            for (int i = 0; i < plan.builds.size(); ++i) {
                const QRect bar = chart.barOf(QString::number(i));
                QVERIFY(!bar.isEmpty() && chart.viewport()->rect().contains(bar));
                rows.insert(bar.top());
                for (int other = 0; other < i; ++other) {
                    const QRect before = chart.barOf(QString::number(other));
                    QCOMPARE(bar.top() == before.top(), plan.builds.at(i).slot == plan.builds.at(other).slot);
                    QVERIFY(!bar.adjusted(1, 0, -1, 0).intersects(before.adjusted(1, 0, -1, 0)));
                    if (plan.builds.at(i).begin > plan.builds.at(other).begin)
                        QVERIFY(bar.left() >= before.left());
                }
            }
            QCOMPARE(rows.size(), chart.lanes().size());
            QCOMPARE(chart.lanes().constFirst(), slotCount == 1 ? u"this machine"_s : u"this machine, 1"_s);
            QCOMPARE(chart.horizontalScrollBar()->maximum(), 0);
        }
    }

    void isUsedWithKeysAndMouse()
    {
        ScheduleChart chart;
        chart.setEstimate(someBuilds(40, 2, 1, m_fuzzing));
        show(chart);
        const QSignalSpy chosen(&chart, &ScheduleChart::chosen);
        QCOMPARE(chart.current(), QString());
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), u"0"_s);
        QTest::keyClick(&chart, Qt::Key_Down);
        QCOMPARE(chart.current(), u"1"_s);
        QTest::keyClick(&chart, Qt::Key_Left); // there is nothing before it
        QCOMPARE(chart.current(), u"1"_s);
        QTest::keyClick(&chart, Qt::Key_Up);
        QTest::keyClick(&chart, Qt::Key_Right);
        const QString second = chart.current();
        QVERIFY(second != u"0"_s && chart.barOf(second).top() == chart.barOf(u"0"_s).top());
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.barOf(u"1"_s).center());
        QCOMPARE(chosen.constLast().constFirst().toString(), u"1"_s);
        QVERIFY(chart.accessibleDescription().contains(u"sm1-avx512 (main) is built on this machine, 2 from"_s));
        // Zoomed in, the current bar stays visible.
        QTest::keyClick(&chart, Qt::Key_End);
        const int before = chart.barOf(chart.current()).width();
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&chart, Qt::Key_Plus);
        QVERIFY(chart.barOf(chart.current()).width() > 3 * before);
        QVERIFY(chart.horizontalScrollBar()->maximum() > 0);
        QVERIFY(chart.viewport()->rect().contains(chart.barOf(chart.current())));
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.current(), u"0"_s);
        QVERIFY(chart.viewport()->rect().contains(chart.barOf(u"0"_s).topLeft()));
        for (int i = 0; i < 9; ++i)
            QTest::keyClick(&chart, Qt::Key_Minus);
        QCOMPARE(chart.horizontalScrollBar()->maximum(), 0);
        const QPoint middle = chart.viewport()->rect().center();
        QWheelEvent wheel(middle, chart.viewport()->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(chart.viewport(), &wheel);
        QVERIFY(chart.horizontalScrollBar()->maximum() > 0);
    }

    /// What ended stands before now, in the lane of its machine; two at once have two lanes.
    void whatEndedIsBeforeNow()
    {
        const auto planned = someBuilds(3, 1, 1, m_fuzzing);
        auto estimate = std::make_shared<Estimate>(*planned);
        const auto ended = [&](const QString &job, const QString &machine, int from, int to, BuildState::Phase phase) {
            estimate->ended.append({u"pytorch-<b>%1</b>-sm90-avx2"_s.arg(job), u"main"_s, job, machine,
                                    estimate->from.addSecs(from), estimate->from.addSecs(to), phase});
        };
        ended(u"built"_s, u"this machine"_s, -9000, -5000, BuildState::Phase::Built);
        ended(u"other"_s, u"box"_s, -9000, -5000, BuildState::Phase::Failed);
        ended(u"both"_s, u"box"_s, -8000, -2000, BuildState::Phase::None);
        ScheduleChart chart;
        chart.setEstimate(estimate);
        show(chart);
        QCOMPARE(chart.lanes(), (QStringList{u"this machine"_s, u"box"_s, u"box"_s}));
        for (const QString &job : {u"built"_s, u"other"_s, u"both"_s}) {
            QVERIFY(chart.viewport()->rect().contains(chart.barOf(job)));
            QVERIFY(chart.barOf(job).right() <= chart.barOf(u"1"_s).left());
        }
        QCOMPARE(chart.barOf(u"built"_s).top(), chart.barOf(u"1"_s).top());
        QVERIFY(chart.barOf(u"both"_s).top() > chart.barOf(u"other"_s).top());
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.barOf(u"other"_s).center());
        QCOMPARE(chart.current(), u"other"_s);
        QVERIFY2(chart.accessibleDescription().contains(u"-<b>other</b>-sm90-avx2 (main) failed on box, from"_s),
                 qPrintable(chart.accessibleDescription()));
        // All lanes fit in what it asks for; a machine is named once.
        chart.resize(900, chart.sizeHint().height());
        QCoreApplication::processEvents();
        QCOMPARE(chart.verticalScrollBar()->maximum(), 0);
        const QImage image = chart.viewport()->grab().toImage();
        const auto isNamed = [&](const QString &job) {
            const QRect bar = chart.barOf(job);
            for (int x = 0; x < bar.left() - 10; ++x) {
                for (int y = bar.top(); y < bar.bottom(); ++y) {
                    if (x < 60 && contrast(image.pixelColor(x, y), image.pixelColor(1, 1)) > 3)
                        return true;
                }
            }
            return false;
        };
        QVERIFY(isNamed(u"built"_s) && isNamed(u"other"_s) && !isNamed(u"both"_s));
        QTest::keyClick(&chart, Qt::Key_Up);
        QCOMPARE(chart.current(), u"built"_s);
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.current(), u"0"_s);
    }

    /// However short it was, a failed build has a bar with its sign, which is over its neighbours and takes the click.
    void aShortFailureIsSeen()
    {
        auto estimate = std::make_shared<Estimate>(*someBuilds(3, 1, 1, m_fuzzing));
        for (const int at : {-9000, -5000, -1}) {
            estimate->ended.append({u"pytorch-sm90-avx2"_s, u"main"_s, u"f%1"_s.arg(at), u"this machine"_s,
                                    estimate->from.addSecs(at), estimate->from.addSecs(at + 1),
                                    BuildState::Phase::Failed});
            if (at != -1)
                estimate->ended.append({u"pytorch-sm80-avx2"_s, u"main"_s, u"b%1"_s.arg(at), u"this machine"_s,
                                        estimate->from.addSecs(at - 3000), estimate->from.addSecs(at),
                                        BuildState::Phase::Built});
        }
        ScheduleChart chart;
        chart.setEstimate(estimate);
        show(chart);
        for (const int at : {-9000, -5000, -1}) {
            const QString job = u"f%1"_s.arg(at);
            const QRect bar = chart.barOf(job);
            QVERIFY(bar.width() > chart.fontMetrics().ascent() && chart.viewport()->rect().contains(bar));
            for (const int x : {bar.left() + 2, bar.right() - 2}) {
                QTest::keyClick(&chart, Qt::Key_End);
                QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, {x, bar.center().y()});
                QCOMPARE(chart.current(), job);
            }
        }
    }

    /// One that is too short for its name has it before it, where its lane is free.
    void aShortFailureIsNamed()
    {
        auto estimate = std::make_shared<Estimate>();
        estimate->from = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        for (const auto &[begin, end, phase] :
             {std::tuple(-6000, -5400, BuildState::Phase::Built), std::tuple(-10, -1, BuildState::Phase::Failed)})
            estimate->ended.append({u"pytorch-sm90-avx2"_s, u"main"_s, QString::number(begin), u"box"_s,
                                    estimate->from.addSecs(begin), estimate->from.addSecs(end), phase});
        ScheduleChart chart;
        chart.setEstimate(estimate);
        show(chart);
        const QRect bar = chart.barOf(u"-10"_s);
        const QImage before =
            chart.viewport()->grab(QRect(bar.left() - 30, bar.top() + 3, 26, bar.height() - 6)).toImage();
        int drawn = 0;
        for (int y = 0; y < before.height(); ++y) {
            for (int x = 0; x < before.width(); ++x)
                drawn += before.pixelColor(x, y).lightness() < 100;
        }
        QVERIFY2(drawn > 20, qPrintable(QString::number(drawn)));
    }

    /// Without a plan the axis ends a little after now.
    void whatEndedFillsTheAxis()
    {
        auto estimate = std::make_shared<Estimate>();
        estimate->from = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        estimate->ended.append({u"pytorch-sm90-avx2"_s, u"main"_s, u"1"_s, u"box"_s, estimate->from.addSecs(-6000),
                                estimate->from, BuildState::Phase::Failed});
        ScheduleChart chart;
        chart.setEstimate(estimate);
        show(chart);
        const QRect bar = chart.barOf(u"1"_s);
        QVERIFY(bar.width() > chart.viewport()->width() / 2);
        QVERIFY(bar.right() < chart.viewport()->width() - 20);
        // In a high window it has a second line.
        const int one = bar.height();
        chart.resize(900, 1000);
        QCoreApplication::processEvents();
        QVERIFY(chart.barOf(u"1"_s).height() > one + chart.fontMetrics().height() - 4);
        QCOMPARE(chart.accessibleDescription(), u"1 build ended in the last day, and none is running or waiting."_s);
    }

    void everyLaneCanBeReached()
    {
        ScheduleChart chart;
        const auto estimate = someBuilds(30, 30, 0, m_fuzzing);
        chart.setEstimate(estimate);
        show(chart);
        QCOMPARE(chart.lanes().size(), 30);
        for (int lane = 0; lane < 30; ++lane)
            QTest::keyClick(&chart, Qt::Key_Down);
        QCOMPARE(estimate->plan.builds.at(chart.current().toInt()).slot, 29);
        QVERIFY(chart.viewport()->rect().contains(chart.barOf(chart.current())));
    }

    void theCurrentOneStays()
    {
        ScheduleChart chart;
        chart.setEstimate(someBuilds(5, 1, 0, m_fuzzing));
        chart.setCurrent(u"3"_s);
        chart.setEstimate(someBuilds(4, 1, 0, m_fuzzing));
        QCOMPARE(chart.current(), u"3"_s);
        chart.setEstimate(someBuilds(3, 1, 0, m_fuzzing)); // it is done
        QCOMPARE(chart.current(), QString());
        chart.setCurrent(u"none"_s);
        QCOMPARE(chart.current(), QString());
    }

    void saysWhyThereIsNothing()
    {
        ScheduleChart chart;
        show(chart);
        QVERIFY(chart.accessibleDescription().contains(u"Looking up the build times"_s));
        chart.setEstimate(std::make_shared<Estimate>());
        QVERIFY(chart.accessibleDescription().contains(u"None of your builds is running or waiting, and none ended"_s));
        for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_End, Qt::Key_Plus})
            QTest::keyClick(&chart, key);
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.rect().center());
        QCOMPARE(chart.current(), QString());
        chart.grab();
    }

    void aBarTellsOfItsBuild()
    {
        ScheduleChart chart;
        chart.setEstimate(someBuilds(6, 1, 1, m_fuzzing));
        show(chart);
        const auto tip = [&chart](const QString &job) {
            const QPoint at = chart.barOf(job).center();
            QHelpEvent help(QEvent::ToolTip, at, chart.viewport()->mapToGlobal(at));
            QApplication::sendEvent(chart.viewport(), &help);
            return QToolTip::text();
        };
        QVERIFY2(tip(u"0"_s).contains(u"runs on this machine until about"_s), qPrintable(tip(u"0"_s)));
        QVERIFY(tip(u"0"_s).contains(u"by default: no similar build here"_s));
        QVERIFY(tip(u"1"_s).contains(u"from 1 similar build"_s));
        QVERIFY(tip(u"2"_s).contains(u"from 2 similar builds"_s));
    }

    /// Contrast of words at least 4.5 to 1 on their background, of bars 3 to 1, also after a change of palette.
    void canBeReadInLightAndDark()
    {
        ScheduleChart chart;
        chart.setEstimate(someBuilds(4, 1, 1, m_fuzzing));
        show(chart);
        for (const QPalette &palette : {pane::darkPalette(), pane::lightPalette()}) {
            QApplication::setPalette(palette);
            QCoreApplication::processEvents();
            const QImage image = chart.viewport()->grab().toImage();
            const QColor base = qApp->palette().color(QPalette::Base);
            QCOMPARE(image.pixelColor(image.width() - 2, image.height() - 2), base);
            for (const QString &job : {u"0"_s, u"2"_s}) {
                const QRect bar = chart.barOf(job);
                double most = 1;
                const QColor inside = image.pixelColor(bar.left() + 3, bar.top() + 3);
                for (int x = bar.left() + 6; x < bar.right() - 6; ++x)
                    most = std::max(most, contrast(image.pixelColor(x, bar.center().y()), inside));
                QVERIFY2(most >= 4.5, qPrintable(u"%1: %2"_s.arg(job).arg(most))); // the name
                double edge = 1;
                for (int x = bar.left() + 6; x < bar.right() - 6; ++x) {
                    for (int y = bar.top(); y < bar.top() + 3; ++y)
                        edge = std::max(edge, contrast(image.pixelColor(x, y), base));
                }
                QVERIFY2(edge >= 2.9, qPrintable(u"%1: %2"_s.arg(job).arg(edge)));
            }
        }
    }
};

TM_TEST(TestScheduleChart, QApplication)
#include "tst_schedulechart.moc"
