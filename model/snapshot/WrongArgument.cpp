// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/WrongArgument.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Literal {
    QString text;
    qsizetype from = 0; ///< offset of the text between the quotes
};

/// The literals of a recipe, and the code around them without comments.
std::pair<QList<Literal>, QString> literalsOf(const QByteArray &recipe)
{
    static const QRegularExpression literal(u"#[^\\n]*|\"([^\"\\n]*)\""_s);
    const QString text = QString::fromLatin1(recipe);
    QList<Literal> literals;
    QString around;
    qsizetype end = 0;
    for (const QRegularExpressionMatch &match : literal.globalMatch(text)) {
        around += text.sliced(end, match.capturedStart() - end) + (match.hasCaptured(1) ? u"\"\""_s : QString());
        end = match.capturedEnd();
        if (match.hasCaptured(1))
            literals.append({match.captured(1), match.capturedStart(1)});
    }
    return {literals, (around + text.sliced(end)).simplified()};
}

/// The parts of a name in all notations of arguments; those of any two names have the same order.
QStringList partsOf(const Variant &variant)
{
    const FamilyName family = FamilyName::of(variant.family);
    const auto digits = [](const QString &of) {
        QString number;
        for (const QChar c : of) {
            if (c.isDigit())
                number += c;
        }
        return number;
    };
    // "9.0" of 90 and "10.3" of 103; "3.13" of 313.
    const auto split = [](const QString &number, qsizetype major) {
        return major > 0 && major < number.size() ? number.first(major) + u'.' + number.sliced(major) : QString();
    };
    const QString python = digits(variant.python);
    const QString gpu = digits(variant.row);
    const QString pairing = digits(family.pairing);
    QStringList parts{family.version,
                      family.release({}),
                      family.pairing,
                      pairing,
                      split(pairing, 1),
                      variant.python,
                      python,
                      split(python, 1),
                      variant.cuda,
                      digits(variant.cuda),
                      variant.row,
                      gpu,
                      split(gpu, gpu.size() - 1),
                      variant.isa,
                      variant.name()};
    for (const QString &part : QStringList(parts))
        parts.append(QString(part).replace(u'.', u'_'));
    return parts;
}

} // namespace

std::optional<Spot> wrongArgument(const Variant &variant, const QByteArray &text, const Variant &other,
                                  const QByteArray &otherText)
{
    const auto [own, code] = literalsOf(text);
    const auto [others, otherCode] = literalsOf(otherText);
    if (code != otherCode)
        return std::nullopt;
    const QStringList parts = partsOf(variant);
    const QStringList otherParts = partsOf(other);
    for (qsizetype i = 0; i < own.size(); ++i) {
        bool isPart = false;
        bool isRight = false;
        for (qsizetype part = 0; part < parts.size() && !others.at(i).text.isEmpty(); ++part) {
            if (otherParts.at(part) != others.at(i).text)
                continue;
            isPart = true;
            isRight = isRight || parts.at(part) == own.at(i).text;
        }
        if (!isPart || isRight)
            continue;
        const qsizetype from = own.at(i).from;
        const QByteArrayView before = QByteArrayView(text).first(from);
        return Spot{int(before.count('\n')) + 1, int(from - before.lastIndexOf('\n')), quint32(from),
                    quint32(own.at(i).text.size())};
    }
    return Spot();
}

} // namespace tmx
