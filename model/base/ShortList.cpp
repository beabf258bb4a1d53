// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/ShortList.h"

#include "model/base/TerminalText.h"
#include "model/base/Tr.h"

namespace tmx {

QString shortList(const QStringList &names)
{
    // "and 1 more" is no shorter than the name.
    const qsizetype most = names.size() == 4 ? 4 : 3;
    const QString shown = inOneLine(names.first(qMin(most, names.size())).join(QStringLiteral(", ")));
    return names.size() > most ? Tr::tr("%1 and %n more", nullptr, int(names.size() - most)).arg(shown) : shown;
}

} // namespace tmx
