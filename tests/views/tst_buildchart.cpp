// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "tests/support/Fuzzing.h"
#include "tests/support/TestMain.h"
#include "tests/views/PaneFixture.h"
#include "views/queue/BuildChart.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace tmx;

namespace {

/// The drawn height of an ink just after a point in time, in builds.
int heightAfter(const BuildDrawing &drawing, BuildDrawing::Ink ink, double x, double builds)
{
    double height = 0;
    for (const BuildDrawing::Box &box : drawing.boxes) {
        if (box.ink == ink && box.at.left() <= x && x < box.at.right())
            height += box.at.height();
    }
    return qRound(height / builds);
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
            const auto bars = std::min<qsizetype>(200, times.size());
            const BuildDrawing &drawing = chart.drawing();
            QCOMPARE(drawing.boxes.size(), bars);
            QCOMPARE(drawing.words.size(), 2 * bars + (times.size() > 200 ? 1 : 0));
            for (qsizetype i = 0; i < bars; ++i) {
                QVERIFY(drawing.words.at(2 * i).text.startsWith(times.at(i).variant));
                const double share = drawing.boxes.at(i).at.width() / drawing.boxes.at(0).at.width();
                const double seconds = double(std::max<qint64>(1, times.at(0).seconds));
                QVERIFY(std::abs(share - double(times.at(i).seconds) / seconds) < 0.02);
                QVERIFY(i == 0 || drawing.boxes.at(i).at.top() >= drawing.boxes.at(i - 1).at.bottom());
            }
            QVERIFY(chart.currentWidget()->accessibleDescription().contains(times.constFirst().variant));
        }
    }

    void showsTheQueueAsItWas()
    {
        using Ink = BuildDrawing::Ink;
        test::Fuzzing fuzzing(test::newSeed());
        const QDateTime day = QDateTime::fromSecsSinceEpoch(1'700'000'000);
        for (int round = 0; round < 20; ++round) {
            QList<BuildRecord> builds(1 + fuzzing.below(40));
            for (BuildRecord &build : builds) {
                build.queued = day.addSecs(fuzzing.below(14 * 24 * 3600));
                build.started = build.queued.addSecs(fuzzing.below(9000));
                build.ended = build.started.addSecs(1 + fuzzing.below(9000));
            }
            const QList<QueuePoint> points = queueOverTime(builds);
            const BuildDrawing drawing = drawQueue(points, {1, 0, 1e7 + 4, 1e4 + 3.6});
            const QDateTime first = std::max(points.constFirst().at, points.constLast().at.addDays(-7));
            int most = 1;
            for (const QueuePoint &point : points)
                most = std::max(most, point.running + point.waiting);
            for (const QueuePoint &point : points) {
                if (point.at < first) // the last week is shown
                    continue;
                const double x =
                    3 + 1e7 * double(first.msecsTo(point.at)) / double(first.msecsTo(points.constLast().at)) + 0.01;
                QCOMPARE(heightAfter(drawing, Ink::Running, x, 1e4 / most), point.running);
                QCOMPARE(heightAfter(drawing, Ink::Waiting, x, 1e4 / most), point.waiting);
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

    /// Every word is in the widget at any size, and contrast is at least 4.5 to 1 for words, 3 to 1 for bars.
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
        for (const QPalette &palette : {pane::darkPalette(), pane::lightPalette()}) {
            QApplication::setPalette(palette);
            QCoreApplication::processEvents();
            const QPalette shown = QApplication::palette();
            const Theme &theme = Theme::current(shown);
            QVERIFY(contrast(theme.text, theme.base) >= 4.5);
            QVERIFY(contrast(theme.build(BuildState::Phase::Running).fill, theme.base) >= 3);
            QVERIFY(contrast(theme.build(BuildState::Phase::Queued).fill, theme.base) >= 3);
            for (BuildChart *chart : {&times, &queue}) {
                for (const QSize size : {QSize(300, 120), QSize(900, 240)}) {
                    chart->resize(size);
                    chart->show();
                    QVERIFY(QTest::qWaitForWindowExposed(chart));
                    const BuildDrawing &drawing = chart->drawing();
                    for (const BuildDrawing::Words &words : drawing.words) {
                        const double wide = chart->fontMetrics().horizontalAdvance(words.text);
                        const double left = words.side == Qt::AlignRight ? words.at.x() - wide : words.at.x();
                        QVERIFY2(left >= 0 && left + wide <= drawing.size.width(), qPrintable(words.text));
                    }
                    const QImage shown = chart->grab().toImage();
                    QCOMPARE(shown.pixelColor(1, 1), theme.base);
                }
            }
        }
    }
};

TM_TEST(TestBuildChart, QApplication)
#include "tst_buildchart.moc"
