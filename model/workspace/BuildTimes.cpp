// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BuildTimes.h"

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
constexpr int rowHeight = 20;
constexpr int labelWidth = 360;
constexpr int barWidth = 420;
constexpr int queueHeight = 160;
constexpr int queueWidth = 780;
constexpr int axis = 24; ///< room for a line of text

qint64 longestOf(const QList<VariantTime> &times)
{
    return times.isEmpty() ? 1 : std::max<qint64>(1, times.constFirst().seconds);
}

QString textAt(double x, double y, const QString &text, const QString &anchor = u"start"_s)
{
    return u"<text x=\"%1\" y=\"%2\" text-anchor=\"%3\">%4</text>\n"_s.arg(QString::number(x), QString::number(y),
                                                                           anchor, text.toHtmlEscaped());
}

QString svg(int width, int height, const QString &title, const QString &content)
{
    return u"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" height=\"%2\" role=\"img\" aria-label=\"%3\" "
           "font-family=\"sans-serif\" font-size=\"12\">\n%4</svg>\n"_s.arg(
               QString::number(width), QString::number(height), title.toHtmlEscaped(), content);
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

QString timesAsSvg(const QList<VariantTime> &times)
{
    if (times.isEmpty())
        return {};
    const qint64 longest = longestOf(times);
    QString content;
    int y = 0;
    for (const VariantTime &time : times) {
        const double width = std::max(1.0, double(barWidth) * double(time.seconds) / double(longest));
        content += textAt(labelWidth - 8, y + 14, time.variant, u"end"_s) +
                   u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"#4c8c4a\"/>\n"_s.arg(
                       QString::number(labelWidth), QString::number(y + 3), QString::number(width),
                       QString::number(rowHeight - 6)) +
                   textAt(labelWidth + width + 6, y + 14, durationText(time.seconds * 1000));
        y += rowHeight;
    }
    return svg(labelWidth + barWidth + 80, y, Tr::tr("Build times"), content);
}

QString queueAsSvg(const QList<QueuePoint> &points)
{
    if (points.size() < 2)
        return {};
    const QDateTime first = points.constFirst().at;
    const qint64 span = std::max<qint64>(1, first.msecsTo(points.constLast().at));
    int most = 1;
    for (const QueuePoint &point : points)
        most = std::max(most, point.waiting + point.running);
    const auto x = [&](const QDateTime &at) { return double(queueWidth) * double(first.msecsTo(at)) / double(span); };
    const auto y = [&](int count) { return queueHeight - double(queueHeight - axis) * count / most; };
    QString content;
    for (qsizetype i = 0; i + 1 < points.size(); ++i) {
        const QueuePoint &point = points.at(i);
        const auto box = [&](int from, int to, const QString &colour) {
            if (from == to)
                return QString();
            return u"<rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" fill=\"%5\"/>\n"_s.arg(
                QString::number(x(point.at)), QString::number(y(to)),
                QString::number(x(points.at(i + 1).at) - x(point.at)), QString::number(y(from) - y(to)), colour);
        };
        content +=
            box(0, point.running, u"#4c8c4a"_s) + box(point.running, point.running + point.waiting, u"#c9c9c9"_s);
    }
    const auto time = [](const QDateTime &at) { return at.toUTC().toString(u"yyyy-MM-dd HH:mm"_s); };
    content += u"<line x1=\"0\" y1=\"%1\" x2=\"%2\" y2=\"%1\" stroke=\"#666\"/>\n"_s.arg(QString::number(queueHeight),
                                                                                         QString::number(queueWidth)) +
               textAt(0, 14, Tr::tr("at most %1; green: running, grey: waiting").arg(most)) +
               textAt(0, queueHeight + 16, time(first)) +
               textAt(queueWidth, queueHeight + 16, time(points.constLast().at), u"end"_s);
    return svg(queueWidth, queueHeight + axis, Tr::tr("The queue over time"), content);
}

} // namespace tmx
