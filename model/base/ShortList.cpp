// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/ShortList.h"

#include <QCoreApplication>

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::ShortList)
};

} // namespace

QString shortList(const QStringList &names)
{
    constexpr qsizetype most = 3;
    const QString shown = names.first(qMin(most, names.size())).join(QStringLiteral(", "));
    return names.size() > most ? Words::tr("%1 and %2 more").arg(shown).arg(names.size() - most) : shown;
}

} // namespace tmx
