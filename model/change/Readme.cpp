// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Readme.h"

#include <QCoreApplication>

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Readme)
};

/// A line of the text: [from, to) with its line end, [from, end) without.
struct TextLine {
    qsizetype from = 0;
    qsizetype end = 0;
    qsizetype to = 0;
    bool code = false; ///< in a fenced code block, its fences included
};

QList<TextLine> linesOf(const QByteArray &text)
{
    QList<TextLine> lines;
    QByteArray fence;
    for (qsizetype from = 0; from < text.size();) {
        TextLine line;
        line.from = from;
        const qsizetype end = text.indexOf('\n', from);
        line.to = end < 0 ? text.size() : end + 1;
        line.end = end < 0 ? text.size() : end;
        if (line.end > line.from && text.at(line.end - 1) == '\r')
            --line.end;
        // CommonMark 4.5: a fence is closed by as many of the same characters, or more, and nothing else.
        const QByteArray words = text.sliced(line.from, line.end - line.from).trimmed();
        qsizetype length = 0;
        while (length < words.size() && (words.at(length) == '`' || words.at(length) == '~') &&
               words.at(length) == words.at(0))
            ++length;
        if (fence.isEmpty() && length >= 3 && !(words.at(0) == '`' && words.sliced(length).contains('`'))) {
            fence = words.first(length);
            line.code = true;
        } else if (!fence.isEmpty()) {
            line.code = true;
            if (length >= fence.size() && words.size() == length && words.at(0) == fence.at(0))
                fence.clear();
        }
        lines.append(line);
        from = line.to;
    }
    return lines;
}

struct Markers {
    QList<TextLine> begins;
    QList<TextLine> ends;
    int inCode = 0; ///< line of the first one in a code block; 0: none
};

Markers markersOf(const QByteArray &text)
{
    Markers markers;
    const QList<TextLine> lines = linesOf(text);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = text.sliced(line.from, line.end - line.from).trimmed();
        if (line.code && (words == readmeBegin || words == readmeEnd) && markers.inCode == 0)
            markers.inCode = int(i) + 1;
        if (line.code)
            continue;
        if (words == readmeBegin)
            markers.begins.append(line);
        else if (words == readmeEnd)
            markers.ends.append(line);
    }
    return markers;
}

QByteArray lineEndOf(const QByteArray &text, const TextLine &line)
{
    const QByteArray end = text.sliced(line.end, line.to - line.end);
    return end.isEmpty() ? QByteArray("\n") : end;
}

QByteArray withLineEnds(QByteArray text, const QByteArray &end)
{
    return end == "\n" ? text : text.replace("\n", end);
}

} // namespace

bool hasMarkers(const QByteArray &readme)
{
    const Markers markers = markersOf(readme);
    return !markers.begins.isEmpty() || !markers.ends.isEmpty();
}

int markerInCode(const QByteArray &readme)
{
    return markersOf(readme).inCode;
}

Result<QByteArray> withTables(const QByteArray &readme, const QByteArray &tables, const QString &subject)
{
    const Markers markers = markersOf(readme);
    const auto refused = [&subject](const QString &why) {
        return Error{Words::tr("write the tables into"), subject, why,
                     Words::tr("It needs one line \"%1\" and, below it, one line \"%2\".")
                         .arg(QString::fromLatin1(readmeBegin), QString::fromLatin1(readmeEnd))};
    };
    if (markers.begins.isEmpty() && markers.ends.isEmpty())
        return refused(Words::tr("it has no markers"));
    if (markers.begins.size() > 1 || markers.ends.size() > 1)
        return refused(Words::tr("a marker is there more than once"));
    if (markers.begins.isEmpty() || markers.ends.isEmpty())
        return refused(markers.inCode > 0
                           ? Words::tr("one of the two markers is missing; that of line %1 stands in a code block")
                                 .arg(markers.inCode)
                           : Words::tr("one of the two markers is missing"));
    const TextLine &begin = markers.begins.constFirst();
    const TextLine &end = markers.ends.constFirst();
    if (end.from < begin.to)
        return refused(Words::tr("the end marker stands before the beginning"));
    const QByteArray lineEnd = lineEndOf(readme, begin);
    return readme.first(begin.to) + withLineEnds(tables, lineEnd) + readme.sliced(end.from);
}

MarkerPlace proposedPlace(const QByteArray &readme)
{
    const QList<TextLine> lines = linesOf(readme);
    std::optional<int> section;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = readme.sliced(line.from, line.end - line.from);
        if (line.code || !words.startsWith("##"))
            continue;
        const QByteArray lower = words.toLower();
        if (lower.contains("variant") || lower.contains("matrix"))
            return {int(i) + 2, Words::tr("below \"%1\"").arg(QString::fromUtf8(words))};
        if (!section)
            section = int(i);
    }
    if (section) {
        const TextLine &line = lines.at(*section);
        return {*section + 1,
                Words::tr("before \"%1\"").arg(QString::fromUtf8(readme.sliced(line.from, line.end - line.from)))};
    }
    return {int(lines.size()) + 1, Words::tr("at the end")};
}

QByteArray withMarkers(const QByteArray &readme, const MarkerPlace &place)
{
    const QList<TextLine> lines = linesOf(readme);
    const QByteArray end = lines.isEmpty() ? QByteArray("\n") : lineEndOf(readme, lines.constFirst());
    const qsizetype at = place.line - 1 < lines.size() ? lines.at(place.line - 1).from : readme.size();
    QByteArray head = readme.first(at);
    if (!head.isEmpty() && !head.endsWith('\n'))
        head += end;
    if (!head.isEmpty() && !head.endsWith(end + end))
        head += end;
    const QByteArray tail = readme.sliced(at);
    const bool blankFollows = tail.isEmpty() || tail.startsWith(end);
    return head + readmeBegin.toByteArray() + end + readmeEnd.toByteArray() + end +
           (blankFollows ? QByteArray() : end) + tail;
}

} // namespace tmx
