// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QString>

namespace tmx {

/// Where a text holds what is looked for: positions that do not overlap, ascending. Walking goes around the ends.
class Matches
{
public:
    void look(const QString &needle, Qt::CaseSensitivity sensitivity); ///< for; find() does it
    void find(const QString &text);

    [[nodiscard]] bool isLooking() const { return !m_needle.isEmpty(); }
    [[nodiscard]] int count() const { return int(m_positions.size()); }
    [[nodiscard]] int length() const { return int(m_needle.size()); } ///< of each
    [[nodiscard]] int at(int index) const { return m_positions.at(index); }
    [[nodiscard]] int firstFrom(int position) const; ///< index, count() when there is none
    [[nodiscard]] int next(int position,
                           bool beyond) const; ///< index; `beyond`: one at the position itself does not count
    [[nodiscard]] int previous(int position) const;

private:
    QString m_needle;
    Qt::CaseSensitivity m_sensitivity = Qt::CaseInsensitive;
    QList<int> m_positions;
};

} // namespace tmx
