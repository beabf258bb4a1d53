// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Result.h"

#include <QCoreApplication>

namespace tmx {

QString Error::sentence() const
{
    QString text = subject.isEmpty() ? QCoreApplication::translate("tmx::Error", "Could not %1").arg(what)
                                     : QCoreApplication::translate("tmx::Error", "Could not %1 %2").arg(what, subject);
    if (!why.isEmpty())
        text += QStringLiteral(": ") + why;
    if (!text.endsWith(QLatin1Char('.'))) // A reason may already be a sentence.
        text += QLatin1Char('.');
    if (!remedy.isEmpty())
        text += QLatin1Char(' ') + remedy;
    return text;
}

} // namespace tmx
