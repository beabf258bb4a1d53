// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// Non-overlapping positions of matches in a text, ascending. Stepping wraps around at the ends.
class Matches
{
public:
    void look(const QString &needle, Qt::CaseSensitivity sensitivity); ///< sets the needle; find() searches
    void find(const QString &text);

    [[nodiscard]] bool isLooking() const { return !m_needle.isEmpty(); }
    [[nodiscard]] int count() const { return int(m_positions.size()); }
    [[nodiscard]] int length() const { return int(m_needle.size()); } ///< length of each match
    [[nodiscard]] int at(int index) const { return m_positions.at(index); }
    [[nodiscard]] int firstFrom(int position) const; ///< index of the match; count() if there is none
    [[nodiscard]] int next(int position,
                           bool beyond) const; ///< index of the match; `beyond`: exclude a match at the position itself
    [[nodiscard]] int previous(int position) const;

private:
    QString m_needle;
    Qt::CaseSensitivity m_sensitivity = Qt::CaseInsensitive;
    QList<int> m_positions;
};

} // namespace tmx
