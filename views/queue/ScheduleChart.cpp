// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/queue/ScheduleChart.h"

#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
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
constexpr int textBefore = 5;  ///< in pixels, from the left edge of a bar to its text
constexpr int textBehind = 4;
constexpr qint64 minute = 60;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr qint64 steps[] = {minute,  2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
                            hour,    2 * hour,   3 * hour,   6 * hour,    12 * hour,   day,
                            2 * day, 7 * day,    28 * day,   84 * day};

/// The name, or as many of its last words as fit, or the beginning of the last one.
QString endOf(const QString &name, const QFontMetrics &metrics, int width)
{
    QString end = name;
    while (end.contains(u' ') && metrics.horizontalAdvance(end) > width)
        end = end.section(u' ', 1);
    return metrics.elidedText(end, Qt::ElideRight, width);
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
    m_bars.clear();
    m_first = 0;
    if (m_estimate) {
        addPlanned();
        addEnded();
        QStringList names;
        for (const Bar &bar : std::as_const(m_bars)) {
            m_first = std::min(m_first, bar.begin);
            names.append(bar.variant);
        }
        m_names = ShortNames(names);
        for (Lane &lane : m_lanes)
            std::ranges::stable_sort(lane.bars, {}, [this](int bar) { return m_bars.at(bar).begin; });
    }
    setCurrent(job);
    arrange();
}

void ScheduleChart::addPlanned()
{
    const FarmPlan &plan = m_estimate->plan;
    QMap<std::pair<int, int>, QList<int>> bySlot;
    for (int build = 0; build < plan.builds.size(); ++build) {
        if (plan.builds.at(build).machine >= 0)
            bySlot[{plan.builds.at(build).machine, plan.builds.at(build).slot}].append(build);
    }
    // What will be gets most of the room, unless there is more to show of what was.
    qint64 past = plan.seconds / 3;
    for (const EndedBuild &ended : m_estimate->ended)
        past = std::max(past, ended.started.secsTo(m_estimate->from));
    for (auto lane = bySlot.begin(); lane != bySlot.end(); ++lane) {
        const FarmMachine &machine = m_estimate->farm.machines.at(lane.key().first);
        m_lanes.append({machine.atOnce == 1 && lane.key().second == 0
                            ? machine.name
                            : tr("%1, %2", "machine, number of a slot").arg(machine.name).arg(lane.key().second + 1),
                        machine.name,
                        {}});
        for (const int build : std::as_const(*lane)) {
            const PlannedBuild &planned = m_estimate->builds.at(build);
            const bool runs = planned.started.isValid();
            m_lanes.last().bars.append(int(m_bars.size()));
            m_bars.append({planned.job, planned.variant,
                           runs ? -std::clamp<qint64>(planned.started.secsTo(m_estimate->from), 0, past)
                                : plan.builds.at(build).begin,
                           plan.builds.at(build).end, runs ? BuildState::Phase::Running : BuildState::Phase::Queued,
                           planned.time.builds == 0, build, int(m_lanes.size()) - 1});
        }
    }
}

/// Each in the first lane of its machine that is free then.
void ScheduleChart::addEnded()
{
    for (const EndedBuild &ended : m_estimate->ended) {
        const qint64 begin = m_estimate->from.secsTo(ended.started), end = m_estimate->from.secsTo(ended.ended);
        const auto free = std::ranges::find_if(m_lanes, [&](const Lane &lane) {
            return lane.machine == ended.machine && std::ranges::none_of(lane.bars, [&](int bar) {
                       return m_bars.at(bar).begin < end && begin < m_bars.at(bar).end;
                   });
        });
        auto lane = int(free - m_lanes.begin());
        if (free == m_lanes.end())
            m_lanes.append({ended.machine, ended.machine, {}});
        m_lanes[lane].bars.append(int(m_bars.size()));
        m_bars.append({ended.job, ended.variant, begin, end, ended.phase, false, -1, lane});
    }
}

int ScheduleChart::barOfJob(const QString &job) const
{
    const auto found = std::ranges::find(m_bars, job, &Bar::job);
    return job.isEmpty() || found == m_bars.end() ? -1 : int(found - m_bars.begin());
}

void ScheduleChart::setCurrent(const QString &job)
{
    m_current = barOfJob(job);
    describeAll();
    viewport()->update();
}

QString ScheduleChart::current() const
{
    return m_current >= 0 ? m_bars.at(m_current).job : QString();
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
    const int bar = barOfJob(job);
    return bar < 0 ? QRect() : placeOf(m_bars.at(bar)).toAlignedRect();
}

QSize ScheduleChart::sizeHint() const
{
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    return {QAbstractScrollArea::sizeHint().width(),
            axisHeight() + std::max(1, int(m_lanes.size())) * laneHeight() + edge + bar};
}

bool ScheduleChart::hasDetails() const
{
    constexpr int high = 900;
    return window()->height() >= high;
}

/// How long it took and why it failed, or when it will be done.
QString ScheduleChart::detailOf(const Bar &bar) const
{
    if (bar.build >= 0)
        return tr("until about %1", "time").arg(m_estimate->at(bar.end).toLocalTime().toString(u"HH:mm"_s));
    const EndedBuild &ended = *std::ranges::find(m_estimate->ended, bar.job, &EndedBuild::job);
    const QString time = durationText((bar.end - bar.begin) * 1000);
    return ended.why.isEmpty() ? time : tr("%1: %2", "duration, first error").arg(time, ended.why);
}

int ScheduleChart::laneHeight() const
{
    return (hasDetails() ? 2 : 1) * fontMetrics().height() + 8;
}

int ScheduleChart::axisHeight() const
{
    return fontMetrics().height() + 8;
}

int ScheduleChart::timeWidth() const
{
    return int(std::max(1, viewport()->width() - m_nameWidth - edge) * m_zoom);
}

qint64 ScheduleChart::seconds() const
{
    constexpr int restOfAxis = 24;
    return std::max<qint64>(1, std::max(m_estimate->plan.seconds, -m_first / restOfAxis) - m_first);
}

double ScheduleChart::xOf(double seconds) const
{
    return m_nameWidth + (seconds - double(m_first)) * timeWidth() / double(this->seconds()) -
           horizontalScrollBar()->value();
}

QRectF ScheduleChart::placeOf(const Bar &bar) const
{
    double from = xOf(double(bar.begin)) + 1;
    const double to = xOf(double(bar.end)) - 1;
    if (isFailed(bar)) // its sign is seen, however short it was
        from =
            std::max(std::min(from, to - fontMetrics().ascent() - textBefore - textBehind), xOf(double(m_first)) + 1);
    return {from, axisHeight() + bar.lane * laneHeight() + 2.0 - verticalScrollBar()->value(),
            std::max(leastBar, to - from), laneHeight() - 4.0};
}

bool ScheduleChart::isFailed(const Bar &bar)
{
    return bar.phase == BuildState::Phase::Failed;
}

int ScheduleChart::barAt(const QPoint &position) const
{
    const int lane = (position.y() - axisHeight() + verticalScrollBar()->value()) / laneHeight();
    if (position.y() < axisHeight() || position.x() < m_nameWidth || lane < 0 || lane >= m_lanes.size())
        return -1;
    int found = -1;
    for (const int bar : m_lanes.at(lane).bars) {
        if (placeOf(m_bars.at(bar)).contains(position) && (found < 0 || isFailed(m_bars.at(bar))))
            found = bar;
    }
    return found;
}

QString ScheduleChart::sentenceOf(const Bar &bar) const
{
    const auto time = [this](qint64 seconds) {
        return m_estimate->at(seconds).toLocalTime().toString(u"ddd d MMM HH:mm"_s);
    };
    const QString where = m_lanes.at(bar.lane).name;
    if (bar.build < 0) {
        const EndedBuild &ended = *std::ranges::find(m_estimate->ended, bar.job, &EndedBuild::job);
        const QString text = bar.phase == BuildState::Phase::Built    ? tr("%1 (%2) was built on %3 from %4 to %5.")
                             : bar.phase == BuildState::Phase::Failed ? tr("%1 (%2) failed on %3, from %4 to %5.")
                                                                      : tr("%1 (%2) was stopped on %3, from %4 to %5.");
        return text.arg(bar.variant, ended.branch, where, time(bar.begin), time(bar.end));
    }
    const PlannedBuild &one = m_estimate->builds.at(bar.build);
    const QString takes = roughTimeText(one.time.seconds);
    const QString source = bar.guessed ? tr("%1 by default: no similar build here").arg(takes)
                                       : tr("%1, from %n similar builds", nullptr, one.time.builds).arg(takes);
    return one.started.isValid()
               ? tr("%1 (%2) runs on %3 until about %4. %5.").arg(one.variant, one.branch, where, time(bar.end), source)
               : tr("%1 (%2) is built on %3 from about %4 to %5. %6.")
                     .arg(one.variant, one.branch, where, time(bar.begin), time(bar.end), source);
}

QString ScheduleChart::sentence() const
{
    return !m_estimate ? tr("Looking up the build times…")
           : isEmpty() ? tr("None of your builds is running or waiting, and none ended in the last day.")
           : m_estimate->builds.isEmpty()
               ? tr("%n builds ended in the last day, and none is running or waiting.", nullptr, int(m_bars.size()))
               : summaryOf(*m_estimate);
}

void ScheduleChart::describeAll()
{
    setAccessibleDescription(m_current >= 0 ? joinedSentences({sentenceOf(m_bars.at(m_current)), sentence()})
                                            : sentence());
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

void ScheduleChart::reveal(int index)
{
    const QRectF bar = placeOf(m_bars.at(index));
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

void ScheduleChart::choose(int bar)
{
    m_current = bar;
    describeAll();
    reveal(bar);
    viewport()->update();
    Q_EMIT chosen(current());
}

void ScheduleChart::go(int lanes, int bars)
{
    if (m_current < 0)
        return choose(m_lanes.constFirst().bars.constFirst());
    const Bar &current = m_bars.at(m_current);
    const QList<int> &own = m_lanes.at(current.lane).bars;
    if (lanes == 0)
        return choose(own.at(std::clamp<qsizetype>(own.indexOf(m_current) + bars, 0, own.size() - 1)));
    const QList<int> &others = m_lanes.at(std::clamp<qsizetype>(current.lane + lanes, 0, m_lanes.size() - 1)).bars;
    choose(
        *std::ranges::min_element(others, {}, [&](int bar) { return std::abs(m_bars.at(bar).begin - current.begin); }));
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
    case Qt::Key_Home: return choose(m_lanes.constFirst().bars.constFirst());
    case Qt::Key_End: return choose(m_lanes.constLast().bars.constLast());
    case Qt::Key_Plus: return zoom(zoomStep);
    case Qt::Key_Minus: return zoom(1 / zoomStep);
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void ScheduleChart::mousePressEvent(QMouseEvent *event)
{
    if (const int bar = barAt(event->position().toPoint()); bar >= 0 && event->button() == Qt::LeftButton)
        choose(bar);
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
        const int bar = barAt(help->pos());
        QToolTip::showText(help->globalPos(), bar >= 0 ? plainToolTip(sentenceOf(m_bars.at(bar))) : QString(),
                           viewport());
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
    const qint64 seconds = this->seconds();
    const double width = fontMetrics().horizontalAdvance(u"88:88 888"_s) + 2.0 * edge;
    qint64 step = *std::ranges::rbegin(steps);
    for (const qint64 one : steps) {
        if (double(one) * timeWidth() / double(seconds) >= width) {
            step = one;
            break;
        }
    }
    const int left = m_nameWidth;
    const QString nowText = tr("now");
    const double now = m_first < 0 ? std::round(xOf(0)) + 0.5 : -1;
    const double nowEnd = now + fontMetrics().horizontalAdvance(nowText) + edge;
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
        const double end = x + 3 + fontMetrics().horizontalAdvance(text);
        if (end <= viewport()->width() && (now < 0 || end + edge <= now || x > nowEnd))
            painter.drawText(QRectF(x + 3, 0, width, axisHeight()), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    if (m_first < 0) { // The current time, between finished and planned builds.
        painter.setPen(QPen(theme.text, 1, Qt::DashLine));
        painter.drawLine(QPointF(now, axisHeight()), QPointF(now, viewport()->height()));
        painter.drawText(QRectF(now + 3, 0, nowEnd - now, axisHeight()), Qt::AlignLeft | Qt::AlignVCenter, nowText);
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
    const bool isSame = lane > 0 && m_lanes.at(lane - 1).name == m_lanes.at(lane).name; // a second lane of it
    const QRect name(edge, top, m_nameWidth - 2 * edge, laneHeight());
    painter.setPen(theme.text);
    painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                     isSame ? QString()
                            : fontMetrics().elidedText(m_lanes.at(lane).name, Qt::ElideMiddle, name.width()));
    painter.save();
    painter.setClipRect(m_nameWidth - 1, axisHeight(), viewport()->width(), viewport()->height());
    for (const bool failed : {false, true}) { // over its neighbours
        for (const int bar : m_lanes.at(lane).bars) {
            if (isFailed(m_bars.at(bar)) == failed)
                paintBar(painter, m_bars.at(bar));
        }
    }
    painter.restore();
}

void ScheduleChart::paintBar(QPainter &painter, const Bar &bar) const
{
    const QRectF place = placeOf(bar);
    if (place.right() < m_nameWidth || place.left() > viewport()->width())
        return;
    const Theme &theme = Theme::current(palette());
    const bool waits = bar.phase == BuildState::Phase::Queued;
    const BuildStyle &style = theme.build(bar.phase);
    const QColor frame = legible(style.fill, theme.base, 3);
    // Waiting builds are framed and others filled, so that they differ in more than colour.
    painter.setBrush(waits ? QBrush(mix(theme.base, style.fill, 0.15)) : QBrush(style.fill));
    painter.setPen(QPen(frame, 1, bar.guessed && waits ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (&bar == m_bars.constData() + m_current) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.selection, 2));
        painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 2, 2);
    }
    QRectF text = place.adjusted(textBefore, 0, -textBehind, 0)
                      .intersected(QRectF(m_nameWidth + 4, 0, viewport()->width(), 1 << 20));
    painter.setPen(waits ? theme.text : style.text);
    const double side = fontMetrics().ascent();
    const bool hasName = text.width() >= fontMetrics().averageCharWidth() * 4;
    if (hasDetails()) {
        const QRectF below = text.adjusted(0, text.height() / 2, 0, 0);
        text.setBottom(below.top());
        if (hasName)
            painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                             fontMetrics().elidedText(detailOf(bar), Qt::ElideRight, int(below.width())));
    }
    if (bar.build < 0 && text.width() >= side) {
        drawGlyph(painter, style.glyph, QRectF(text.x() - 2, text.center().y() - side / 2, side, side), style.text);
        text.adjust(side + 2, 0, 0, 0);
    }
    if (hasName && text.width() > 0)
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         endOf(m_names.of(bar.variant), fontMetrics(), int(text.width())));
    if (!hasName && isFailed(bar)) { // before it, where its lane is free
        double free = m_nameWidth;
        for (const int other : m_lanes.at(bar.lane).bars) {
            if (const QRectF taken = placeOf(m_bars.at(other)); taken.left() < place.left())
                free = std::max(free, taken.right());
        }
        const QString name = m_names.of(bar.variant);
        const QRectF before(free + textBehind, place.top(), place.left() - free - 2.0 * textBehind, place.height());
        painter.setPen(theme.text);
        if (fontMetrics().horizontalAdvance(name) <= before.width())
            painter.drawText(before, Qt::AlignRight | Qt::AlignVCenter, name);
    }
}

} // namespace tmx
