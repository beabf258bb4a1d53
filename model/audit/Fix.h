// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/Result.h"

namespace tmx {

/// The input's text with one finding fixed in place: the bytes that it is about are replaced, every other byte stays
/// as it is. What comes out parses, and the rule has nothing more to say of it there. Pure. Error: the finding is not
/// of this text, or it cannot be fixed safely; the remedy then says to render the recipe again from the line's
/// template.
Result<QByteArray> fixedText(const AuditInput &input, const Finding &finding);

} // namespace tmx
