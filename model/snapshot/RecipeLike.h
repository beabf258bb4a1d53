// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/recipe/FactExchange.h"
#include "model/snapshot/BranchSnapshot.h"

namespace tmx {

/// The recipe of `reference` made the recipe of `wanted` (whose `text` is not read): exchanged() between the contexts
/// of their variants and settings, and checked by the audit and by meaning. Pure. Errors: those of recipeContext() and
/// exchanged(); the audit finds an error that `reference` does not have; exchanged back it would mean something else
/// than `reference`, so more than the named facts would change.
Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted);

/// The recipe of a cell, made of the nearest recipe that people wrote for the same family, Python and build on this
/// branch. nullopt: the template serves, since it is learned from them or recipes there are what it gives; or none of
/// them can be made the wanted one. Only recipes that are committed and unchanged since are models, so that the answer
/// stays the same while others are being written. Pure.
std::optional<QByteArray> recipeLikeItsNeighbours(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                  const Variant &variant);

} // namespace tmx
