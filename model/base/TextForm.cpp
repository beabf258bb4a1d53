// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/TextForm.h"

#include "model/base/Surface.h"
#include "model/base/Tr.h"

#include <QHash>
#include <QMutex>
#include <QRegularExpression>

#include <algorithm>
#include <cstdlib>
#include <functional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

constexpr QStringView units = u"KMGT";

} // namespace

bool hasForm(const QString &text, QStringView form)
{
    static QMutex mutex;
    static QHash<QString, QRegularExpression> compiled; // Compiling takes a hundred times as long as matching.
    const auto pattern = [&] {
        const QMutexLocker lock(&mutex);
        QRegularExpression &known = compiled[form.toString()];
        if (known.pattern().isEmpty())
            known.setPattern(QRegularExpression::anchoredPattern(form));
        return known;
    }();
    return pattern.match(text).hasMatch();
}

QStringList newestMonthsFirst(QStringList names)
{
    std::ranges::sort(names, std::greater());
    std::ranges::stable_partition(names, [](const QString &name) { return hasForm(name, u"[0-9]{4}-[0-9]{2}"); });
    return names;
}

bool isSshHost(const QString &host)
{
    return hasForm(host, u"[A-Za-z0-9_][A-Za-z0-9_.@:\\[\\]%+-]{0,254}");
}

QString hostRemedy()
{
    return Tr::tr("Give a host, user@host, or a name from your ssh configuration.");
}

QString loginRemedy(const QString &host)
{
    return forSurface(Tr::tr("Try \"ssh %1\" in a terminal: it must log in without asking anything.").arg(host),
                      Tr::tr("Check that you can log in to %1 without a password.").arg(host));
}

QString connectionTrouble(QStringView line)
{
    static const QRegularExpression pattern(
        uR"(^(?:ssh: (.*)|(\S*: ?Permission denied \(.*\))\.?|(Host key verification failed)\.?|kex_exchange_identification: (.*)|(Connection (?:closed|reset|timed out).*?)\.?|(?:\S*sh: )?(?:line )?(?:\d+: )?(nix-\S+: (?:command )?not found))\s*$)"_s);
    const QRegularExpressionMatch match = pattern.matchView(line);
    return match.hasMatch() ? match.captured(match.lastCapturedIndex()).simplified() : QString();
}

QString enumerated(const QStringList &words)
{
    constexpr QStringView comma = u", ";
    return words.size() < 2 ? words.join(QString())
                            : words.first(words.size() - 1).join(comma) + " and "_L1 + words.constLast();
}

QString durationText(qint64 milliseconds)
{
    const qint64 seconds = qMax<qint64>(0, milliseconds) / 1000;
    const auto two = [](qint64 n) { return QString::number(n).rightJustified(2, u'0'); };
    const QString end = u':' + two(seconds % 60);
    return seconds < 3600 ? QString::number(seconds / 60) + end
                          : QString::number(seconds / 3600) + u':' + two(seconds / 60 % 60) + end;
}

std::optional<qint64> bytesOf(const QString &text)
{
    static const QRegularExpression form(u"^(?:(\\d{1,18})|(\\d{1,9}(?:\\.\\d{1,3})?)\\s*([KMGT])i?)\\s*B?$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return {};
    if (match.hasCaptured(1))
        return match.captured(1).toLongLong();
    const double bytes =
        match.captured(2).toDouble() * double(1LL << (10 * (units.indexOf(match.captured(3).toUpper()) + 1)));
    return bytes < double(1LL << 60) ? std::optional(qint64(bytes)) : std::nullopt;
}

QString exactSizeText(qint64 bytes)
{
    for (qsizetype unit = units.size(); unit > 0; --unit) {
        if (bytes < 1LL << (10 * unit))
            continue;
        QString number = QString::number(double(bytes) / double(1LL << (10 * unit)), 'f', 3);
        number.remove(QRegularExpression(u"\\.?0+$"_s));
        const QString text = number + u' ' + units.at(unit - 1) + u"iB"_s;
        if (bytesOf(text) == bytes)
            return text;
    }
    return QString::number(bytes) + u" B"_s;
}

QString alignedText(const QList<QStringList> &lines)
{
    QList<qsizetype> widths;
    for (const QStringList &line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        const qsizetype wide = line.size() == lines.constFirst().size() ? line.size() : line.size() - 1;
        for (qsizetype i = 0; i < wide; ++i)
            widths[i] = std::max(widths.at(i), line.at(i).size());
    }
    QString text;
    for (const QStringList &line : lines) {
        QString padded;
        for (qsizetype i = 0; i < line.size(); ++i)
            padded += line.at(i).leftJustified(widths.at(i) + 2);
        while (padded.endsWith(u' '))
            padded.chop(1);
        text += padded + u'\n';
    }
    return text;
}

} // namespace tmx
