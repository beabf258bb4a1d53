// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Finding.h"

namespace tmx {

QString toString(Severity severity)
{
    switch (severity) {
    case Severity::Note: return QStringLiteral("note");
    case Severity::Warning: return QStringLiteral("warning");
    case Severity::Error: return QStringLiteral("error");
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
