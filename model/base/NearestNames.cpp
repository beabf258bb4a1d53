// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/NearestNames.h"

#include "model/base/Tr.h"

#include <QVarLengthArray>

#include <algorithm>
#include <numeric>

namespace tmx {

qsizetype lettersBetween(QStringView one, QStringView other, qsizetype most)
{
    if (qAbs(one.size() - other.size()) > most)
        return most + 1;
    using Row = QVarLengthArray<qsizetype, 64>; // of the table of beginnings (optimal string alignment)
    Row row(other.size() + 1), last = row, beforeLast = row;
    std::iota(row.begin(), row.end(), 0);
    for (qsizetype i = 1; i <= one.size(); ++i) {
        std::swap(beforeLast, last);
        std::swap(last, row);
        row[0] = i;
        for (qsizetype j = 1; j <= other.size(); ++j) {
            const bool same = one.at(i - 1) == other.at(j - 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + !same});
            if (i > 1 && j > 1 && one.at(i - 1) == other.at(j - 2) && one.at(i - 2) == other.at(j - 1))
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        if (std::ranges::min(row) > most)
            return most + 1;
    }
    return std::min(row.back(), most + 1);
}

QStringList nearestNames(const QString &word, const QStringList &names)
{
    constexpr qsizetype lettersForOne = 4;
    constexpr qsizetype mostLetters = 3;
    constexpr qsizetype mostNames = 3;
    constexpr qsizetype longest = 200;
    if (word.isEmpty() || word.size() > longest)
        return {};
    qsizetype least = std::clamp<qsizetype>(word.size() / lettersForOne, 1, mostLetters);
    QStringList nearest;
    for (const QString &name : names) {
        const qsizetype letters = name == word ? least + 1 : lettersBetween(word, name, least);
        if (letters > least)
            continue;
        if (letters < least)
            nearest.clear();
        least = letters;
        if (nearest.size() < mostNames && !nearest.contains(name))
            nearest.append(name);
    }
    return nearest;
}

QString meantSentence(const QStringList &meant)
{
    return meant.isEmpty() ? QString() : Tr::tr("Did you mean %1?").arg(meant.join(Tr::tr(" or ", "between names")));
}

QString meantSentence(const QString &word, const QStringList &names)
{
    return meantSentence(nearestNames(word, names));
}

} // namespace tmx
