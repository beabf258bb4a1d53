// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "views/recipe/Matches.h"

#include <algorithm>

namespace tmx {

namespace {
// One letter in a file of a megabyte has more matches than anyone uses; more are not worth the memory.
constexpr qsizetype mostMatches = 100'000;
} // namespace

void Matches::look(const QString &needle, Qt::CaseSensitivity sensitivity)
{
    m_needle = needle;
    m_sensitivity = sensitivity;
}

void Matches::find(const QString &text)
{
    m_positions.clear();
    if (m_needle.isEmpty())
        return;
    for (qsizetype at = text.indexOf(m_needle, 0, m_sensitivity); at >= 0 && m_positions.size() < mostMatches;
         at = text.indexOf(m_needle, at + m_needle.size(), m_sensitivity))
        m_positions.append(int(at));
}

int Matches::firstFrom(int position) const
{
    return int(std::ranges::lower_bound(m_positions, position) - m_positions.begin());
}

int Matches::next(int position, bool beyond) const
{
    const int index = firstFrom(beyond ? position + 1 : position);
    return index == count() ? 0 : index;
}

int Matches::previous(int position) const
{
    const int index = firstFrom(position);
    return (index == 0 ? count() : index) - 1;
}

} // namespace tmx
