// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/NamesBySentence.h"

#include <algorithm>

namespace tmx {

void NamesBySentence::add(const QString &sentence, const QString &name)
{
    const auto known = std::ranges::find(m_groups, sentence, &Group::sentence);
    if (known == m_groups.end())
        m_groups.append({sentence, {name}});
    else
        known->names.append(name);
}

} // namespace tmx
