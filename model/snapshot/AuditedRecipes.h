// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/audit/Audit.h"
#include "model/base/WorkHooks.h"
#include "model/snapshot/BranchSnapshot.h"

#include <memory>

namespace tmx {

/// audit() of many recipes of one line, each text once in the life of the program: a refresh of a branch that has not
/// changed audits nothing, and one that has, what changed. Keyed by line, variant, file, the texts that were looked at
/// and the catalog. Thread-safe. Same order as `inputs`, whose `catalog` and `line` are filled in. What it was stopped
/// before has an empty judgement.
QList<Judgement> auditedRecipes(const std::shared_ptr<const Catalog> &catalog, const Line &line,
                                const QList<AuditInput> &inputs, const WorkHooks &hooks = {});

/// What an entry of a snapshot is audited against: its own line, and the recipes beside it. The snapshot and the
/// catalog must outlive it.
AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry);

} // namespace tmx
