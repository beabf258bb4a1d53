// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QStringList>

namespace tmx {

/// Names with what is said of each: equal sentences once, in the order in which they came.
class NamesBySentence
{
public:
    struct Group {
        QString sentence;
        QStringList names;
        /// Whether the names are too many for a line of their own each.
        [[nodiscard]] bool isLarge() const { return names.size() > 3; }
    };

    void add(const QString &sentence, const QString &name);
    [[nodiscard]] const QList<Group> &groups() const { return m_groups; }

private:
    QList<Group> m_groups;
};

} // namespace tmx
