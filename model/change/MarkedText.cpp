// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/MarkedText.h"

#include "model/base/Tr.h"

namespace tmx {

namespace {

QByteArray withLineEnds(QByteArray text, const QByteArray &end)
{
    return end == "\n" ? text : text.replace("\n", end);
}

} // namespace

QList<TextLine> linesOf(const QByteArray &text, bool markdown)
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
        from = line.to;
        if (!markdown) {
            lines.append(line);
            continue;
        }
        // CommonMark 4.5: a fence is closed by at least as many of the same characters, followed by nothing else.
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
    }
    return lines;
}

Markers markersOf(const QByteArray &text, const MarkedForm &form)
{
    Markers markers;
    const QList<TextLine> lines = linesOf(text, form.markdown);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const TextLine &line = lines.at(i);
        const QByteArray words = text.sliced(line.from, line.end - line.from).trimmed();
        const bool begins = form.isBegin(words);
        if (line.code && (begins || words == form.end) && markers.inCode == 0)
            markers.inCode = int(i) + 1;
        if (line.code)
            continue;
        if (begins)
            markers.begins.append(line);
        else if (words == form.end)
            markers.ends.append(line);
    }
    return markers;
}

QByteArray lineEndOf(const QByteArray &text, const TextLine &line)
{
    const QByteArray end = text.sliced(line.end, line.to - line.end);
    return end.isEmpty() ? QByteArray("\n") : end;
}

Result<QByteArray> withMarkedPart(const QByteArray &text, const QByteArray &part, const MarkedForm &form,
                                  const Error &refused)
{
    const Markers markers = markersOf(text, form);
    const auto because = [&](const QString &why) {
        return Error{refused.what, refused.subject, why,
                     Tr::tr("It needs one line \"%1\" and, below it, one line \"%2\".")
                         .arg(QString::fromLatin1(form.begin), QString::fromLatin1(form.end))};
    };
    if (markers.begins.isEmpty() && markers.ends.isEmpty())
        return because(Tr::tr("it has no markers"));
    if (markers.begins.size() > 1 || markers.ends.size() > 1)
        return because(Tr::tr("a marker occurs more than once"));
    if (markers.begins.isEmpty() || markers.ends.isEmpty())
        return because(
            markers.inCode > 0
                ? Tr::tr("one of the two markers is missing; the one in line %1 is in a code block").arg(markers.inCode)
                : Tr::tr("one of the two markers is missing"));
    const TextLine &begin = markers.begins.constFirst();
    const TextLine &end = markers.ends.constFirst();
    if (end.from < begin.to)
        return because(Tr::tr("the end marker comes before the begin marker"));
    const QByteArray lineEnd = lineEndOf(text, begin);
    return text.first(begin.to) + withLineEnds(part, lineEnd) + text.sliced(end.from);
}

} // namespace tmx
