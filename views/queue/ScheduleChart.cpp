// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/ScheduleChart.h"

#include "model/base/Sentences.h"
#include "model/job/RunningBuilds.h"
#include "views/theme/Colors.h"
#include "views/theme/Theme.h"
#include "views/widgets/Tips.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr double mostZoom = 256;
constexpr double zoomStep = 1.5;
constexpr int edge = 8;
constexpr double leastBar = 3; ///< in pixels
constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr qint64 steps[] = {minute,  2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
                            hour,    2 * hour,   3 * hour,   6 * hour,    12 * hour,   day,
                            2 * day, 7 * day,    28 * day,   84 * day};

/// As much of the end of a variant's name as fits: names share their beginning.
QString endOf(const QString &variant, const QFontMetrics &metrics, int width)
{
    QString end = variant;
    while (end.contains(u'-') && metrics.horizontalAdvance(end) > width)
        end = end.section(u'-', 1);
    return metrics.elidedText(end, Qt::ElideLeft, width);
}

} // namespace

ScheduleChart::ScheduleChart(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setAccessibleName(tr("Schedule of the builds"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    viewport()->setBackgroundRole(QPalette::Base);
    describeAll();
}

void ScheduleChart::setEstimate(const std::shared_ptr<const Estimate> &estimate)
{
    const QString job = current();
    m_estimate = estimate;
    m_lanes.clear();
    m_current = -1;
    m_first = 0;
    if (m_estimate) {
        const FarmPlan &plan = m_estimate->plan;
        QMap<std::pair<int, int>, QList<int>> bySlot;
        for (int build = 0; build < plan.builds.size(); ++build) {
            const FarmBuild &planned = plan.builds.at(build);
            if (planned.machine < 0)
                continue;
            bySlot[{planned.machine, planned.slot}].append(build);
            m_first = std::min(m_first, beginOf(build));
        }
        m_laneOf.fill(0, plan.builds.size());
        for (auto lane = bySlot.begin(); lane != bySlot.end(); ++lane) {
            const FarmMachine &machine = m_estimate->farm.machines.at(lane.key().first);
            std::ranges::stable_sort(*lane, {}, [&plan](int build) { return plan.builds.at(build).begin; });
            for (const int build : std::as_const(*lane))
                m_laneOf[build] = int(m_lanes.size());
            m_lanes.append(
                {machine.atOnce == 1 && lane.key().second == 0
                     ? machine.name
                     : tr("%1, %2", "machine, number of a slot").arg(machine.name).arg(lane.key().second + 1),
                 *lane});
        }
    }
    setCurrent(job);
    arrange();
}

void ScheduleChart::setCurrent(const QString &job)
{
    m_current = -1;
    for (int build = 0; m_estimate && !job.isEmpty() && build < m_estimate->builds.size(); ++build) {
        if (m_estimate->builds.at(build).job == job && m_estimate->plan.builds.at(build).machine >= 0)
            m_current = build;
    }
    describeAll();
    viewport()->update();
}

QString ScheduleChart::current() const
{
    return m_current >= 0 ? m_estimate->builds.at(m_current).job : QString();
}

QStringList ScheduleChart::lanes() const
{
    QStringList names;
    for (const Lane &lane : m_lanes)
        names.append(lane.name);
    return names;
}

QRect ScheduleChart::barOf(const QString &job) const
{
    for (int build = 0; m_estimate && build < m_estimate->builds.size(); ++build) {
        if (m_estimate->builds.at(build).job == job && m_estimate->plan.builds.at(build).machine >= 0)
            return barOf(build).toAlignedRect();
    }
    return {};
}

int ScheduleChart::laneHeight() const
{
    return fontMetrics().height() + 8;
}

int ScheduleChart::axisHeight() const
{
    return fontMetrics().height() + 8;
}

int ScheduleChart::timeWidth() const
{
    return int(std::max(1, viewport()->width() - m_nameWidth - edge) * m_zoom);
}

double ScheduleChart::xOf(double seconds) const
{
    const double all = double(std::max<qint64>(1, m_estimate->plan.seconds - m_first));
    return m_nameWidth + (seconds - double(m_first)) * timeWidth() / all - horizontalScrollBar()->value();
}

qint64 ScheduleChart::beginOf(int build) const
{
    const PlannedBuild &planned = m_estimate->builds.at(build);
    if (!planned.started.isValid())
        return m_estimate->plan.builds.at(build).begin;
    // The future gets most of the room.
    return -std::clamp<qint64>(planned.started.secsTo(m_estimate->from), 0, m_estimate->plan.seconds / 3);
}

QRectF ScheduleChart::barOf(int build) const
{
    const double from = xOf(double(beginOf(build)));
    const double to = xOf(double(m_estimate->plan.builds.at(build).end));
    return {from + 1, axisHeight() + laneOf(build) * laneHeight() + 2.0 - verticalScrollBar()->value(),
            std::max(leastBar, to - from - 2), laneHeight() - 4.0};
}

int ScheduleChart::buildAt(const QPoint &position) const
{
    const int lane = (position.y() - axisHeight() + verticalScrollBar()->value()) / laneHeight();
    if (position.y() < axisHeight() || position.x() < m_nameWidth || lane < 0 || lane >= m_lanes.size())
        return -1;
    for (const int build : m_lanes.at(lane).builds) {
        if (barOf(build).contains(position))
            return build;
    }
    return -1;
}

QString ScheduleChart::sentenceOf(int build) const
{
    const PlannedBuild &one = m_estimate->builds.at(build);
    const FarmBuild &planned = m_estimate->plan.builds.at(build);
    const auto time = [this](qint64 seconds) {
        return m_estimate->at(seconds).toLocalTime().toString(u"ddd d MMM HH:mm"_s);
    };
    const QString where = m_lanes.at(laneOf(build)).name;
    const QString takes = roughTimeText(one.time.seconds);
    const QString source = one.time.builds == 0 ? tr("%1 by default: no similar build here").arg(takes)
                                                : tr("%1, from %n similar builds", nullptr, one.time.builds).arg(takes);
    return one.started.isValid()
               ? tr("%1 (%2) runs on %3 until about %4. %5.")
                     .arg(one.variant, one.branch, where, time(planned.end), source)
               : tr("%1 (%2) is built on %3 from about %4 to %5. %6.")
                     .arg(one.variant, one.branch, where, time(planned.begin), time(planned.end), source);
}

QString ScheduleChart::sentence() const
{
    return !m_estimate ? tr("Looking up the build times…")
           : isEmpty() ? tr("No builds are running or waiting.")
                       : summaryOf(*m_estimate);
}

void ScheduleChart::describeAll()
{
    setAccessibleDescription(m_current >= 0 ? joinedSentences({sentenceOf(m_current), sentence()}) : sentence());
}

void ScheduleChart::arrange()
{
    int widest = 0;
    for (const Lane &lane : m_lanes)
        widest = std::max(widest, fontMetrics().horizontalAdvance(lane.name));
    m_nameWidth = std::min(widest + 2, viewport()->width() / 4) + 2 * edge; // A glyph may be a little wider.
    const int height = int(m_lanes.size()) * laneHeight() + edge;
    const int shown = viewport()->height() - axisHeight();
    verticalScrollBar()->setRange(0, isEmpty() ? 0 : std::max(0, height - shown));
    verticalScrollBar()->setPageStep(std::max(1, shown));
    verticalScrollBar()->setSingleStep(laneHeight());
    const int wide = viewport()->width() - m_nameWidth - edge;
    horizontalScrollBar()->setRange(0, isEmpty() ? 0 : std::max(0, timeWidth() - wide));
    horizontalScrollBar()->setPageStep(std::max(1, wide));
    horizontalScrollBar()->setSingleStep(std::max(1, wide / 20));
    viewport()->update();
}

void ScheduleChart::zoom(double factor)
{
    const double before = m_zoom;
    m_zoom = std::clamp(m_zoom * factor, 1.0, mostZoom);
    const int at = horizontalScrollBar()->value();
    arrange();
    horizontalScrollBar()->setValue(int(at * m_zoom / before));
    if (m_current >= 0)
        reveal(m_current);
}

void ScheduleChart::reveal(int build)
{
    const QRectF bar = barOf(build);
    const int left = m_nameWidth;
    const int right = viewport()->width() - edge;
    if (bar.left() < left || bar.width() > right - left)
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(bar.left()) - left);
    else if (bar.right() > right)
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + int(std::ceil(bar.right())) - right);
    if (bar.top() < axisHeight())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(bar.top()) - axisHeight() - 2);
    else if (bar.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + int(bar.bottom()) - viewport()->height() + 2);
}

void ScheduleChart::choose(int build)
{
    m_current = build;
    describeAll();
    reveal(build);
    viewport()->update();
    Q_EMIT chosen(current());
}

void ScheduleChart::go(int lanes, int builds)
{
    if (m_current < 0)
        return choose(m_lanes.constFirst().builds.constFirst());
    const int lane = laneOf(m_current);
    const QList<int> &own = m_lanes.at(lane).builds;
    if (lanes == 0)
        return choose(own.at(std::clamp<qsizetype>(own.indexOf(m_current) + builds, 0, own.size() - 1)));
    const qint64 begin = m_estimate->plan.builds.at(m_current).begin;
    const QList<int> &others = m_lanes.at(std::clamp<qsizetype>(lane + lanes, 0, m_lanes.size() - 1)).builds;
    choose(*std::ranges::min_element(
        others, {}, [&](int build) { return std::abs(m_estimate->plan.builds.at(build).begin - begin); }));
}

void ScheduleChart::keyPressEvent(QKeyEvent *event)
{
    const bool plain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == 0;
    if (isEmpty() || !plain)
        return QAbstractScrollArea::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return go(0, -1);
    case Qt::Key_Right: return go(0, 1);
    case Qt::Key_Up: return go(-1, 0);
    case Qt::Key_Down: return go(1, 0);
    case Qt::Key_Home: return choose(m_lanes.constFirst().builds.constFirst());
    case Qt::Key_End: return choose(m_lanes.constLast().builds.constLast());
    case Qt::Key_Plus: return zoom(zoomStep);
    case Qt::Key_Minus: return zoom(1 / zoomStep);
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void ScheduleChart::mousePressEvent(QMouseEvent *event)
{
    if (const int build = buildAt(event->position().toPoint()); build >= 0 && event->button() == Qt::LeftButton)
        choose(build);
}

void ScheduleChart::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() != Qt::ControlModifier)
        return QAbstractScrollArea::wheelEvent(event);
    zoom(event->angleDelta().y() > 0 ? zoomStep : 1 / zoomStep);
    event->accept();
}

bool ScheduleChart::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int build = buildAt(help->pos());
        QToolTip::showText(help->globalPos(), build >= 0 ? plainToolTip(sentenceOf(build)) : QString(), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ScheduleChart::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

void ScheduleChart::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        arrange();
}

void ScheduleChart::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::current(palette());
    painter.fillRect(viewport()->rect(), theme.base);
    if (isEmpty()) {
        painter.setPen(theme.quietText);
        painter.drawText(viewport()->rect().adjusted(edge, 0, -edge, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         sentence());
        return;
    }
    paintAxis(painter);
    painter.setClipRect(0, axisHeight(), viewport()->width(), viewport()->height());
    for (int lane = 0; lane < m_lanes.size(); ++lane)
        paintLane(painter, lane);
}

void ScheduleChart::paintAxis(QPainter &painter) const
{
    const Theme &theme = Theme::current(palette());
    const qint64 seconds = std::max<qint64>(1, m_estimate->plan.seconds - m_first);
    const double width = fontMetrics().horizontalAdvance(u"88:88 888"_s) + 2.0 * edge;
    qint64 step = *std::ranges::rbegin(steps);
    for (const qint64 one : steps) {
        if (double(one) * timeWidth() / double(seconds) >= width) {
            step = one;
            break;
        }
    }
    const int left = m_nameWidth;
    painter.setClipRect(left, 0, viewport()->width() - left, viewport()->height());
    const QDateTime from = m_estimate->at(m_first).toLocalTime();
    const QDateTime midnight = from.date().startOfDay();
    for (qint64 at = midnight.secsTo(from) / step * step; at <= midnight.secsTo(from) + seconds; at += step) {
        const QDateTime when = step >= day ? midnight.addDays(at / day) : midnight.addSecs(at);
        const double x = std::round(xOf(double(m_estimate->from.secsTo(when)))) + 0.5;
        if (x < left)
            continue;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(x, axisHeight()), QPointF(x, viewport()->height()));
        const QString text = when.time().msecsSinceStartOfDay() == 0
                                 ? when.toString(step >= day ? u"d MMM"_s : u"ddd d"_s)
                                 : when.toString(u"HH:mm"_s);
        painter.setPen(theme.text);
        if (x + 3 + fontMetrics().horizontalAdvance(text) <= viewport()->width())
            painter.drawText(QRectF(x + 3, 0, width, axisHeight()), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    if (m_first < 0) { // The current time, between finished and planned builds.
        const double x = std::round(xOf(0)) + 0.5;
        painter.setPen(QPen(theme.text, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, axisHeight()), QPointF(x, viewport()->height()));
    }
    painter.setClipping(false);
    painter.setPen(theme.line);
    painter.drawLine(0, axisHeight() - 1, viewport()->width(), axisHeight() - 1);
}

void ScheduleChart::paintLane(QPainter &painter, int lane) const
{
    const int top = axisHeight() + lane * laneHeight() - verticalScrollBar()->value();
    if (top + laneHeight() < axisHeight() || top > viewport()->height())
        return;
    const Theme &theme = Theme::current(palette());
    const QRect name(edge, top, m_nameWidth - 2 * edge, laneHeight());
    painter.setPen(theme.text);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_lanes.at(lane).name, Qt::ElideMiddle, name.width()));
    painter.save();
    painter.setClipRect(m_nameWidth - 1, axisHeight(), viewport()->width(), viewport()->height());
    for (const int build : m_lanes.at(lane).builds)
        paintBar(painter, build);
    painter.restore();
}

void ScheduleChart::paintBar(QPainter &painter, int build) const
{
    const QRectF bar = barOf(build);
    if (bar.right() < m_nameWidth || bar.left() > viewport()->width())
        return;
    const Theme &theme = Theme::current(palette());
    const PlannedBuild &one = m_estimate->builds.at(build);
    const bool runs = one.started.isValid();
    const BuildStyle &style = theme.build(runs ? BuildState::Phase::Running : BuildState::Phase::Queued);
    const QColor frame = legible(style.fill, theme.base, 3);
    // Waiting builds are framed and running ones filled, so that they differ in more than colour.
    painter.setBrush(runs ? QBrush(style.fill) : QBrush(mix(theme.base, style.fill, 0.15)));
    painter.setPen(QPen(frame, 1, one.time.builds == 0 && !runs ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (build == m_current) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.selection, 2));
        painter.drawRoundedRect(bar.adjusted(1, 1, -1, -1), 2, 2);
    }
    const QRectF text = bar.adjusted(5, 0, -4, 0).intersected(QRectF(m_nameWidth + 4, 0, viewport()->width(), 1 << 20));
    if (text.width() < fontMetrics().averageCharWidth() * 4)
        return;
    painter.setPen(runs ? style.text : theme.text);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, endOf(one.variant, fontMetrics(), int(text.width())));
}

} // namespace tmx
