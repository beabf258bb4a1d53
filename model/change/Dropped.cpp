// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Dropped.h"

#include "model/base/NamesBySentence.h"
#include "model/base/ShortList.h"
#include "model/base/Tr.h"

using namespace Qt::StringLiterals;

namespace tmx {

QString noLongerListed(const QStringList &names)
{
    if (names.isEmpty())
        return {};
    return Tr::tr("%n variants are no longer listed: %1. Their recipes stay.", nullptr, int(names.size()))
        .arg(shortList(names));
}

QStringList droppedByReason(const ChangeSet &changes, const QStringList &except)
{
    NamesBySentence reasons;
    for (const ChangedFile &file : changes.files) {
        if (file.action != ChangeAction::Delete || !changes.dropped.contains(file.name) || except.contains(file.name))
            continue;
        reasons.add(file.reason, file.name);
    }
    QStringList lines;
    for (const auto &[reason, names] : reasons.groups())
        lines.append(u"%1: %2"_s.arg(shortList(names), reason));
    return lines;
}

} // namespace tmx
