// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/builds/BuildTimes.h"

#include "model/base/TextForm.h"
#include "model/base/Tr.h"

#include <QMap>
#include <QSet>

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr int textBars = 40;

qint64 longestOf(const QList<VariantTime> &times)
{
    return times.isEmpty() ? 1 : std::max<qint64>(1, times.constFirst().seconds);
}

} // namespace

QList<VariantTime> timesByVariant(const QList<BuildRecord> &builds)
{
    QList<VariantTime> times;
    QSet<std::pair<QString, QString>> seen;
    for (const BuildRecord &build : builds) {
        const std::optional<qint64> seconds = build.seconds();
        if (build.outcome != BuildOutcome::Kind::Built || !seconds || seen.contains({build.variant, build.branch}))
            continue;
        seen.insert({build.variant, build.branch});
        times.append({build.variant, build.branch, *seconds});
    }
    std::sort(times.begin(), times.end(), [](const VariantTime &a, const VariantTime &b) {
        return std::tuple(b.seconds, a.variant, a.branch) < std::tuple(a.seconds, b.variant, b.branch);
    });
    return times;
}

QList<QueuePoint> queueOverTime(const QList<BuildRecord> &builds)
{
    struct Change {
        int waiting = 0;
        int running = 0;
    };
    QMap<QDateTime, Change> changes;
    for (const BuildRecord &build : builds) {
        const QDateTime began = build.started.isValid() ? build.started : build.ended;
        if (!build.queued.isValid() || !build.ended.isValid() || began < build.queued || build.ended < began)
            continue;
        ++changes[build.queued].waiting;
        --changes[began].waiting;
        ++changes[began].running;
        --changes[build.ended].running;
    }
    QList<QueuePoint> points;
    QueuePoint now;
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        now = {change.key(), now.waiting + change->waiting, now.running + change->running};
        points.append(now);
    }
    return points;
}

QString timesAsText(const QList<VariantTime> &times)
{
    const qint64 longest = longestOf(times);
    qsizetype width = 0;
    for (const VariantTime &time : times)
        width = std::max(width, time.variant.size());
    QString text;
    for (const VariantTime &time : times)
        text += u"%1  %2  %3\n"_s.arg(time.variant.leftJustified(width),
                                      durationText(time.seconds * 1000).rightJustified(8),
                                      QString(qsizetype(std::max<qint64>(1, time.seconds * textBars / longest)), u'#'));
    return text;
}

BuildDrawing drawTimes(const QList<VariantTime> &times, const DrawingMeasures &measures)
{
    constexpr qsizetype mostBars = 200;
    BuildDrawing drawing{{}, Tr::tr("Build times"), {}, {}};
    if (times.isEmpty())
        return drawing;
    const bool several = std::ranges::any_of(
        times, [&times](const VariantTime &time) { return time.branch != times.constFirst().branch; });
    const double row = measures.line * 1.4;
    const double room = measures.line * 6; // for the number at the longest bar
    const double label = std::max(measures.label, measures.line);
    const double longest = double(longestOf(times));
    const double bars = std::max(measures.width - label - room, 4 * measures.line);
    double y = 0;
    for (const VariantTime &time : times.first(std::min(times.size(), mostBars))) {
        const QRectF bar(label, y + row * 0.15, std::max(1.0, bars * double(time.seconds) / longest), row * 0.7);
        const QString name = several ? Tr::tr("%1 (%2)").arg(time.variant, time.branch) : time.variant;
        drawing.boxes.append({bar, BuildDrawing::Ink::Running});
        drawing.words.append({{label - measures.line / 2, bar.center().y()}, name, Qt::AlignRight});
        drawing.words.append({{bar.right() + measures.line / 2, bar.center().y()}, durationText(time.seconds * 1000)});
        y += row;
    }
    if (times.size() > mostBars) {
        drawing.words.append(
            {{label, y + row / 2}, Tr::tr("The %1 longest of %2 builds").arg(mostBars).arg(times.size())});
        y += row;
    }
    drawing.size = {label + bars + room, y};
    return drawing;
}

BuildDrawing drawQueue(const QList<QueuePoint> &points, const DrawingMeasures &measures)
{
    constexpr int days = 7;
    using Ink = BuildDrawing::Ink;
    BuildDrawing drawing{{}, Tr::tr("The queue over time"), {}, {}};
    if (points.size() < 2)
        return drawing;
    const QDateTime last = points.constLast().at;
    const QDateTime first = std::max(points.constFirst().at, last.addDays(-days));
    const double span = double(std::max<qint64>(1, first.msecsTo(last)));
    int most = 1;
    for (const QueuePoint &point : points)
        most = std::max(most, point.waiting + point.running);
    const double line = measures.line;
    const QRectF plot(3 * line, 1.8 * line, measures.width - 4 * line, measures.height - 3.6 * line);
    const auto x = [&](const QDateTime &at) {
        return plot.left() + plot.width() * double(first.msecsTo(std::max(at, first))) / span;
    };
    const auto y = [&](int count) { return plot.bottom() - plot.height() * count / most; };
    const int step = (most + 3) / 4;
    for (int count = 0; count <= most; count += step) {
        drawing.boxes.append({{plot.left(), y(count), plot.width(), 1}, Ink::Rule});
        drawing.words.append({{plot.left() - line / 2, y(count)}, QString::number(count), Qt::AlignRight});
    }
    for (qsizetype i = 0; i + 1 < points.size(); ++i) {
        const QueuePoint &point = points.at(i);
        const double from = x(point.at);
        const double width = x(points.at(i + 1).at) - from;
        const auto box = [&](int below, int above, Ink ink) {
            if (below < above && width > 0)
                drawing.boxes.append({{from, y(above), width, y(below) - y(above)}, ink});
        };
        box(0, point.running, Ink::Running);
        box(point.running, point.running + point.waiting, Ink::Waiting);
    }
    double at = plot.left();
    for (const auto &[ink, word] : {std::pair(Ink::Running, Tr::tr("running")), {Ink::Waiting, Tr::tr("waiting")}}) {
        drawing.boxes.append({{at, line * 0.4, line, line}, ink});
        drawing.words.append({{at + 1.5 * line, line * 0.9}, word});
        at += 8 * line;
    }
    const QString form = u"yyyy-MM-dd HH:mm"_s;
    drawing.words.append({{plot.left(), plot.bottom() + line}, first.toString(form)});
    drawing.words.append({{plot.right(), plot.bottom() + line}, last.toString(form), Qt::AlignRight});
    drawing.size = {measures.width, measures.height};
    return drawing;
}

QString asSvg(const BuildDrawing &drawing)
{
    if (drawing.size.isEmpty())
        return {};
    const auto number = [](double value) { return QString::number(value); };
    const auto colour = [](BuildDrawing::Ink ink) {
        return ink == BuildDrawing::Ink::Running   ? u"#4c8c4a"_s
               : ink == BuildDrawing::Ink::Waiting ? u"#c9c9c9"_s
                                                   : u"#dddddd"_s;
    };
    QString content;
    for (const BuildDrawing::Box &box : drawing.boxes)
        content += u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>\n"_s.arg(
            number(box.at.x()), number(box.at.y()), number(box.at.width()), number(box.at.height()), colour(box.ink));
    for (const BuildDrawing::Words &words : drawing.words)
        content += u"<text x=\"%1\" y=\"%2\" text-anchor=\"%3\">%4</text>\n"_s.arg(
            number(words.at.x()), number(words.at.y() + 4), words.side == Qt::AlignRight ? u"end"_s : u"start"_s,
            words.text.toHtmlEscaped());
    return u"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" role=\"img\" aria-label=\"%3\" "
           "font-family=\"sans-serif\" font-size=\"12\">\n%4</svg>\n"_s.arg(
               number(drawing.size.width()), number(drawing.size.height()), drawing.title.toHtmlEscaped(), content);
}

} // namespace tmx
