// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/BuildChart.h"

#include "model/base/TextForm.h"
#include "views/Theme.h"
#include "views/widgets/Label.h"

#include <QEvent>
#include <QScrollArea>
#include <QtCharts/QAreaSeries>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QDateTimeAxis>
#include <QtCharts/QHorizontalBarSeries>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr qsizetype mostBars = 200;
constexpr int days = 7;
constexpr double mostForLabels = 0.4;   ///< of a chart's width: the share that Qt Charts gives to an axis's labels
constexpr auto phaseProperty = "phase"; ///< property of a series: the phase whose colour it has

struct Unit {
    QString name;
    qint64 seconds = 1;
};

Unit unitFor(qint64 longest)
{
    if (longest >= 2 * 3600)
        return {BuildChart::tr("h"), 3600};
    if (longest >= 2 * 60)
        return {BuildChart::tr("min"), 60};
    return {BuildChart::tr("s"), 1};
}

QValueAxis *timeAxis(double most, const QString &unit, const QString &title)
{
    auto *axis = new QValueAxis;
    axis->setRange(0, most);
    axis->applyNiceNumbers();
    axis->setLabelFormat(u"%g "_s + unit);
    axis->setTitleText(title);
    return axis;
}

QValueAxis *countAxis(int most)
{
    auto *axis = new QValueAxis;
    const int step = std::max(1, (most + 3) / 4);
    axis->setRange(0, step * ((most + step - 1) / step));
    axis->setTickType(QValueAxis::TicksDynamic);
    axis->setTickInterval(step);
    axis->setLabelFormat(u"%.0f"_s);
    axis->setTruncateLabels(false);
    return axis;
}

QLineSeries *stepsOf(const QList<QueuePoint> &points, const QDateTime &from, int (*height)(const QueuePoint &))
{
    auto *steps = new QLineSeries;
    int before = 0;
    for (const QueuePoint &point : points) {
        if (point.at < from) {
            before = height(point);
            continue;
        }
        const double at = double(std::max(point.at, from).toMSecsSinceEpoch());
        steps->append(at, before);
        before = height(point);
        steps->append(at, before);
    }
    return steps;
}

QAreaSeries *areaOf(const QString &name, QLineSeries *upper, QLineSeries *lower, BuildState::Phase phase)
{
    auto *area = new QAreaSeries(upper, lower);
    upper->setParent(area);
    if (lower)
        lower->setParent(area);
    area->setName(name);
    area->setProperty(phaseProperty, int(phase));
    return area;
}

} // namespace

BuildChart::BuildChart(const QString &name, QWidget *parent)
    : QStackedWidget(parent)
    , m_nothing(new Label({}, Label::Placeholder))
    , m_scroll(new QScrollArea)
    , m_view(new QChartView)
{
    m_scroll->setAccessibleName(name);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setWidget(m_view);
    m_view->setAccessibleName(name);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setAttribute(Qt::WA_TransparentForMouseEvents); // The surrounding scroll area takes the wheel.
    addWidget(m_nothing);
    addWidget(m_scroll);
}

QChart *BuildChart::chart() const
{
    return m_view->chart();
}

void BuildChart::showTimes(const QList<VariantTime> &times)
{
    if (times.isEmpty()) {
        showNothing(tr("None of these builds succeeded, so there are no build times."));
        return;
    }
    const Unit unit = unitFor(times.constFirst().seconds);
    const bool several = std::ranges::any_of(
        times, [&times](const VariantTime &time) { return time.branch != times.constFirst().branch; });
    const auto label = [several](const VariantTime &time) {
        return several ? tr("%1 (%2)").arg(time.variant, time.branch) : time.variant;
    };
    const auto sentence = [&label](const VariantTime &time) {
        return tr("%1, %2").arg(label(time), durationText(time.seconds * 1000));
    };
    const qsizetype count = std::min(times.size(), mostBars);
    auto *bars = new QBarSet(QString());
    auto *names = new QBarCategoryAxis;
    names->setTruncateLabels(false);
    int widest = 0;
    for (qsizetype i = count - 1; i >= 0; --i) { // The axis begins at the bottom.
        bars->append(double(times.at(i).seconds) / double(unit.seconds));
        names->append(label(times.at(i)));
        widest = std::max(widest, fontMetrics().horizontalAdvance(label(times.at(i))));
    }
    auto *series = new QHorizontalBarSeries;
    series->append(bars);
    series->setBarWidth(0.7);
    series->setLabelsFormat(u"@value "_s + unit.name);
    series->setLabelsPrecision(3);
    series->setLabelsPosition(QAbstractBarSeries::LabelsOutsideEnd);
    series->setLabelsVisible();
    series->setProperty(phaseProperty, int(BuildState::Phase::Built));
    const QString title =
        count < times.size() ? tr("The %1 longest of %n builds", nullptr, int(times.size())).arg(count) : QString();
    const int line = fontMetrics().height();
    const double longest = double(times.constFirst().seconds) / double(unit.seconds);
    draw({series}, timeAxis(longest * 1.1, unit.name, title), names, // Leaves room for the number at the longest bar.
         {int(widest / mostForLabels) + 4 * line, int(count) * (line + 4) + 4 * line},
         tr("Variants: %1. The longest: %2. The shortest: %3.")
             .arg(times.size())
             .arg(sentence(times.constFirst()), sentence(times.constLast())));
}

void BuildChart::showQueue(const QList<QueuePoint> &points)
{
    if (points.size() < 2) {
        showNothing(tr("None of these builds was queued by this program."));
        return;
    }
    const QDateTime last = points.constLast().at;
    const QDateTime first = std::max(points.constFirst().at, last.addDays(-days));
    int most = 1;
    int running = 0;
    for (const QueuePoint &point : points) {
        most = std::max(most, point.running + point.waiting);
        running = std::max(running, point.running);
    }
    const auto ran = [](const QueuePoint &point) { return point.running; };
    const auto all = [](const QueuePoint &point) { return point.running + point.waiting; };
    auto *time = new QDateTimeAxis;
    time->setRange(first, last);
    time->setFormat(first.daysTo(last) > 0 ? u"ddd d MMM, HH:mm"_s : u"HH:mm"_s);
    const QString what = tr("at most %n builds, %1 of them at once", nullptr, int(most)).arg(running);
    const QString span =
        tr("%1 to %2").arg(first.toString(u"yyyy-MM-dd HH:mm"_s), last.toString(u"yyyy-MM-dd HH:mm"_s));
    time->setTruncateLabels(false);
    draw({areaOf(tr("running"), stepsOf(points, first, ran), nullptr, BuildState::Phase::Running),
          areaOf(tr("waiting"), stepsOf(points, first, all), stepsOf(points, first, ran), BuildState::Phase::Queued)},
         time, countAxis(most), {30 * fontMetrics().height(), 7 * fontMetrics().height()},
         tr("%1: %2", "time, builds").arg(span, what));
}

void BuildChart::draw(const QList<QAbstractSeries *> &series, QAbstractAxis *across, QAbstractAxis *up, QSize least,
                      const QString &description)
{
    auto *chart = new QChart;
    for (QAbstractSeries *one : series)
        chart->addSeries(one);
    chart->addAxis(across, Qt::AlignBottom);
    chart->addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries *one : series) {
        one->attachAxis(across);
        one->attachAxis(up);
    }
    chart->legend()->setVisible(series.size() > 1);
    chart->legend()->setAlignment(Qt::AlignRight);
    chart->setBackgroundRoundness(0);
    chart->setMargins({8, 4, 16, 4});
    const std::unique_ptr<QChart> before(m_view->chart()); // The view returns ownership of the old chart.
    m_view->setChart(chart);
    m_view->setMinimumSize(least);
    m_view->setAccessibleDescription(description);
    m_scroll->setAccessibleDescription(description);
    takePalette();
    setCurrentWidget(m_scroll);
}

void BuildChart::showNothing(const QString &sentence)
{
    m_nothing->setText(sentence);
    setCurrentWidget(m_nothing);
}

void BuildChart::takePalette()
{
    const Theme &theme = Theme::current(palette());
    QChart *chart = m_view->chart();
    chart->setBackgroundBrush(theme.base);
    chart->setBackgroundPen(Qt::NoPen);
    m_view->setBackgroundBrush(theme.base);
    chart->legend()->setLabelColor(theme.text);
    chart->legend()->setFont(font());
    for (QAbstractAxis *axis : chart->axes()) {
        axis->setLabelsColor(theme.text);
        axis->setLabelsFont(font());
        axis->setTitleBrush(theme.text);
        axis->setTitleFont(font());
        axis->setLinePenColor(theme.quietText);
        axis->setGridLineColor(theme.line);
    }
    for (QAbstractSeries *series : chart->series()) {
        const QColor fill = theme.build(BuildState::Phase(series->property(phaseProperty).toInt())).fill;
        if (auto *area = qobject_cast<QAreaSeries *>(series)) {
            // Hatched, so that waiting and running builds differ in more than colour.
            const bool waits = area->property(phaseProperty) == int(BuildState::Phase::Queued);
            area->setBrush(QBrush(fill, waits ? Qt::BDiagPattern : Qt::SolidPattern));
            area->setPen(fill);
        } else if (auto *bars = qobject_cast<QAbstractBarSeries *>(series)) {
            for (QBarSet *set : bars->barSets()) {
                set->setBrush(fill);
                set->setPen(Qt::NoPen);
                set->setLabelColor(theme.text);
                set->setLabelFont(font());
            }
        }
    }
}

void BuildChart::changeEvent(QEvent *event)
{
    QStackedWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        takePalette();
}

} // namespace tmx
