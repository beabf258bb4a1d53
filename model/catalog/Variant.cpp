// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Variant.h"

#include "model/catalog/Facts.h"

#include <QJsonObject>
#include <QRegularExpression>

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// "sm103" after "sm90", then "all", rows without a GPU last.
int rowRank(const QString &row)
{
    if (!isGpuRow(row))
        return row == "cpu"_L1 ? 1'000'000 : 1'000'001;
    if (row == everyGpu)
        return 999'999;
    int number = 0;
    for (qsizetype i = 2; i < row.size() && row[i].isDigit() && number < 10'000; ++i)
        number = number * 10 + row[i].digitValue();
    return number;
}

/// The beginning of a version that has these digits: "0.26" of 0.26.1 for "026". Empty if none has.
QString releaseIn(const QString &digits, const QString &dotted)
{
    QString release;
    for (const QString &part : dotted.split(u'.')) {
        release += release.isEmpty() ? part : u'.' + part;
        if (QString(release).remove(u'.') == QString(digits).remove(u'_'))
            return release;
    }
    return {};
}

int sign(int difference)
{
    return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

} // namespace

QString Variant::name() const
{
    QString text; // one allocation, because grids make a name for each cell
    text.reserve(family.size() + python.size() + cuda.size() + row.size() + isa.size() + rest.size() + 9);
    text.append(family);
    if (!python.isEmpty())
        text.append(u'-').append(python);
    if (!cuda.isEmpty()) {
        text.append("-cuda"_L1);
        for (const QChar c : cuda)
            text.append(c == u'.' ? u'_' : c);
    }
    text.append(u'-').append(row);
    for (const QString &part : {isa, rest}) {
        if (!part.isEmpty())
            text.append(u'-').append(part);
    }
    return text;
}

QString Variant::column() const
{
    if (!hasIsa(row))
        return {};
    if (isa.isEmpty() && rest.isEmpty())
        return noneWord.toString();
    return isa.isEmpty() || rest.isEmpty() ? isa + rest : isa + u'-' + rest;
}

QString Variant::unknownIsa() const
{
    QStringList words = isa.isEmpty() ? rest.split(u'-', Qt::SkipEmptyParts) : QStringList();
    words.removeIf(isHost);
    return words.join(u'-');
}

QString Variant::file() const
{
    return ".flox/pkgs/"_L1 + name() + ".nix"_L1;
}

std::strong_ordering Variant::operator<=>(const Variant &other) const
{
    // Compare toolkits and rows as numbers, those without CUDA last; then compare the texts to keep the order total
    // ("12.8" and "12.08").
    int step = family.compare(other.family);
    if (step == 0)
        step = python.compare(other.python);
    if (step == 0)
        step = int(cuda.isEmpty()) - int(other.cuda.isEmpty());
    if (step == 0)
        step = compareVersions(cuda, other.cuda);
    if (step == 0)
        step = rowRank(row) - rowRank(other.row);
    if (step == 0)
        step = isa.compare(other.isa);
    if (step == 0)
        step = rest.compare(other.rest);
    if (step == 0)
        step = cuda.compare(other.cuda);
    if (step == 0)
        step = row.compare(other.row);
    return sign(step) <=> 0;
}

FamilyName FamilyName::of(const QString &family)
{
    static const QRegularExpression form(
        u"\\A(.*?[^0-9_-])([0-9][0-9_]*)?(?:-((?:pt|torch|pytorch)[0-9][0-9_]*))?\\z"_s);
    const QRegularExpressionMatch match = form.match(family);
    return match.hasMatch() ? FamilyName{match.captured(1), match.captured(2), match.captured(3)}
                            : FamilyName{family, {}, {}};
}

QString FamilyName::text() const
{
    return pairing.isEmpty() ? word + version : word + version + u'-' + pairing;
}

bool FamilyName::fits(const QString &dotted) const
{
    return version.isEmpty() || !releaseIn(version, dotted).isEmpty();
}

QString FamilyName::release(const QString &known) const
{
    QString stated = releaseIn(version, known);
    if (version.isEmpty() || !stated.isEmpty())
        return stated;
    return version.contains(u'_') ? QString(version).replace(u'_', u'.')
           : version.size() > 1   ? version.first(1) + u'.' + version.sliced(1)
                                  : version;
}

QString FamilyName::releaseOf(const QString &name)
{
    return of(name.section(u'-', 0, 0)).release({});
}

bool isGpuRow(const QString &row)
{
    return row.startsWith("sm"_L1) || row == everyGpu;
}

bool isHost(const QString &word)
{
    return word == "arm64"_L1 || word == "aarch64"_L1 || word == "x86_64"_L1 || word == "amd64"_L1;
}

QString systemInName(const Variant &variant)
{
    for (const QString &word : variant.rest.split(u'-')) {
        if (isHost(word))
            return word == "arm64"_L1 || word == "aarch64"_L1 ? u"aarch64-linux"_s : u"x86_64-linux"_s;
    }
    return {};
}

bool hasIsa(const QString &row)
{
    return row != "darwin-mps"_L1;
}

QString pythonVersion(const QString &python)
{
    constexpr QLatin1StringView major{"python3"};
    return python.startsWith(major) && python.size() > major.size() ? u"3."_s + python.sliced(major.size()) : python;
}

QJsonObject partsJson(const Variant &variant)
{
    const FamilyName family = FamilyName::of(variant.family);
    return {{u"family"_s, family.word},    {u"version"_s, family.version}, {u"pairing"_s, family.pairing},
            {u"python"_s, variant.python}, {u"cuda"_s, variant.cuda},      {u"gpu"_s, variant.row},
            {u"isa"_s, variant.isa},       {u"rest"_s, variant.rest}};
}

size_t qHash(const Variant &variant, size_t seed) noexcept
{
    return qHashMulti(seed, variant.family, variant.python, variant.cuda, variant.row, variant.isa, variant.rest);
}

} // namespace tmx
