// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"

namespace tmx {

/// The text of the file that a finding is in, with the finding fixed in place: its bytes are replaced, all others stay.
/// The result parses, and the recipe has one finding less of that rule. Pure. Error: the finding is not in this text,
/// or it cannot be fixed safely; then the remedy is to render the recipe from the branch's template. Of an imported
/// file the caller checks what it means for the other recipes.
Result<QByteArray> fixedText(const AuditInput &input, const Finding &finding);

} // namespace tmx
