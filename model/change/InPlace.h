// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/recipe/FactExchange.h"

namespace tmx {

/// The recipe of `reference` made the recipe of `wanted` (whose `text` is not read): exchanged() between the contexts
/// of their variants and settings, and checked by the audit and by meaning. Pure. Errors: those of recipeContext() and
/// exchanged(); the audit finds an error that `reference` does not have; exchanged back it would mean something else
/// than `reference`, so more than the named facts would change.
Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted);

} // namespace tmx
