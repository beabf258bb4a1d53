// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/ChangedSpan.h"

#include <algorithm>
#include <utility>

namespace tmx {

namespace {

bool isWord(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

} // namespace

ChangedSpan changedSpan(QStringView before, QStringView after)
{
    const qsizetype shorter = std::min(before.size(), after.size());
    qsizetype head = 0;
    while (head < shorter && before[head] == after[head])
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    if (head == before.size() && head == after.size())
        return {};
    // A difference inside a word marks the whole word: avx2 and avx512 are two names, not one with other digits.
    const auto inside = [](QStringView text, qsizetype at) {
        return at > 0 && at < text.size() && isWord(text[at - 1]) && isWord(text[at]);
    };
    while (head > 0 && (inside(before, head) || inside(after, head)))
        --head;
    while (tail > 0 && (inside(before, before.size() - tail) || inside(after, after.size() - tail)))
        --tail;
    // Equal indentation or a closing semicolon does not count as similarity.
    const qsizetype shared = before.first(head).trimmed().size() + before.last(tail).trimmed().size();
    if (shared * 4 < std::max(before.trimmed().size(), after.trimmed().size()))
        return {};
    // Leave out blanks at the ends, unless nothing else changed.
    const auto trimmed = [head, tail](QStringView text) {
        qsizetype from = head;
        qsizetype to = text.size() - tail;
        if (!text.sliced(from, to - from).trimmed().isEmpty()) {
            while (text[from].isSpace())
                ++from;
            while (text[to - 1].isSpace())
                --to;
        }
        return std::pair(int(from), int(to - from));
    };
    const auto [oldStart, oldLength] = trimmed(before);
    const auto [newStart, newLength] = trimmed(after);
    return {oldStart, oldLength, newStart, newLength};
}

} // namespace tmx
