// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/catalog/Variant.h"

#include "model/catalog/Facts.h"

namespace tmx {

using namespace Qt::StringLiterals;

namespace {

/// "sm103" after "sm90", rows without a GPU last.
int rowRank(const QString &row)
{
    if (!row.startsWith("sm"_L1))
        return row == "cpu"_L1 ? 1'000'000 : 1'000'001;
    int number = 0;
    for (qsizetype i = 2; i < row.size() && row[i].isDigit() && number < 10'000; ++i)
        number = number * 10 + row[i].digitValue();
    return number;
}

int sign(int difference)
{
    return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

} // namespace

QString Variant::name() const
{
    QString text; // one allocation, because grids make a name for each cell
    text.reserve(family.size() + python.size() + cuda.size() + row.size() + isa.size() + 8);
    text.append(family).append(u'-').append(python);
    if (!cuda.isEmpty()) {
        text.append("-cuda"_L1);
        for (const QChar c : cuda)
            text.append(c == u'.' ? u'_' : c);
    }
    text.append(u'-').append(row);
    if (!isa.isEmpty())
        text.append(u'-').append(isa);
    return text;
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
        step = cuda.compare(other.cuda);
    if (step == 0)
        step = row.compare(other.row);
    return sign(step) <=> 0;
}

QString pythonVersion(const QString &python)
{
    constexpr QLatin1StringView major{"python3"};
    return python.startsWith(major) && python.size() > major.size() ? u"3."_s + python.sliced(major.size()) : python;
}

size_t qHash(const Variant &variant, size_t seed) noexcept
{
    return qHashMulti(seed, variant.family, variant.python, variant.cuda, variant.row, variant.isa);
}

} // namespace tmx
