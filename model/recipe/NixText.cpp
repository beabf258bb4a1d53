// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/NixText.h"

namespace tmx {

using namespace Qt::StringLiterals;

QString inNixQuotes(const QString &text)
{
    QString result = text.simplified();
    result.replace(u'\\', "\\\\"_L1);
    result.replace(u'"', "\\\""_L1);
    result.replace("${"_L1, "\\${"_L1);
    return result;
}

QString inNixIndented(const QString &text)
{
    QString result = text.simplified();
    result.replace("''"_L1, "'''"_L1);
    // Not as ''${, the usual form: after a single quote in the text that would parse as an escaped pair of quotes and
    // an open ${.
    result.replace("${"_L1, "$''\\{"_L1);
    return result;
}

QString inNixComment(const QString &text)
{
    return text.simplified();
}

} // namespace tmx
