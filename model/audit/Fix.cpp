// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Fix.h"

#include <QCoreApplication>

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Fix)
};

} // namespace

Result<QByteArray> fixedText(const AuditInput &input, const Finding &finding)
{
    return Error{Words::tr("mend"), input.file, Words::tr("\"%1\" cannot be mended in place").arg(finding.rule),
                 Words::tr("Render the recipe anew from the line's template.")};
}

} // namespace tmx
