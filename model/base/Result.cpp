// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Result.h"

#include "model/base/Tr.h"

namespace tmx {

QString Error::sentence() const
{
    QString text = subject.isEmpty() ? Tr::tr("Could not %1").arg(what) : Tr::tr("Could not %1 %2").arg(what, subject);
    if (!why.isEmpty())
        text += QStringLiteral(": ") + why;
    if (!text.endsWith(QLatin1Char('.'))) // a reason may be a sentence of its own
        text += QLatin1Char('.');
    if (!remedy.isEmpty())
        text += QLatin1Char(' ') + remedy;
    return text;
}

} // namespace tmx
