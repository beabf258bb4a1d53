// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"

namespace tmx {

/// The input's text with one finding fixed in place: the bytes of the finding are replaced, all others stay. The result
/// parses, and the rule has no finding there any more. Pure. Error: the finding is not in this text, or it cannot be
/// fixed safely; then the remedy is to render the recipe from the branch's template.
Result<QByteArray> fixedText(const AuditInput &input, const Finding &finding);

} // namespace tmx
