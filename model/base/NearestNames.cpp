// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/NearestNames.h"

#include "model/base/Tr.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tmx {

namespace {

/// Number of letters in which they differ (optimal string alignment); `most` + 1 if that is more than `most`.
qsizetype distance(QStringView one, QStringView other, qsizetype most)
{
    if (qAbs(one.size() - other.size()) > most)
        return most + 1;
    const auto width = size_t(other.size()) + 1;
    std::array<std::vector<qsizetype>, 3> rows; // of the last letters of `one`; the newest first
    rows.fill(std::vector<qsizetype>(width));
    for (size_t j = 0; j < width; ++j)
        rows[0][j] = qsizetype(j);
    for (qsizetype i = 0; i < one.size(); ++i) {
        std::ranges::rotate(rows, rows.end() - 1);
        rows[0][0] = i + 1;
        for (size_t j = 1; j < width; ++j) {
            const QChar letter = other.at(qsizetype(j) - 1);
            rows[0][j] = std::min({rows[1][j] + 1, rows[0][j - 1] + 1, rows[1][j - 1] + (one.at(i) == letter ? 0 : 1)});
            if (i > 0 && j > 1 && one.at(i - 1) == letter && one.at(i) == other.at(qsizetype(j) - 2))
                rows[0][j] = std::min(rows[0][j], rows[2][j - 2] + 1);
        }
    }
    return std::min(rows[0].back(), most + 1);
}

} // namespace

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
        const qsizetype letters = name == word ? least + 1 : distance(word, name, least);
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

QString meantSentence(const QString &word, const QStringList &names)
{
    const QStringList nearest = nearestNames(word, names);
    return nearest.isEmpty() ? QString()
                             : Tr::tr("Did you mean %1?").arg(nearest.join(Tr::tr(" or ", "between names")));
}

} // namespace tmx
