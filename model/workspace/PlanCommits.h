// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan/Plan.h"
#include "model/workspace/Operations.h"

namespace tmx {

/// Commits the chosen steps of a plan, all or none of them. `snapshot` is the one that it was made from. For workers and verbs.
/// Errors: nothing is chosen, the branch or one of its files is not what the plan was made for, and those of Repository::commitEdits.
Result<WriteReport> commitPlan(const QString &path, const Plan &plan, const BranchSnapshot &snapshot);

/// A commit on the tip of `branch` that gives the files of `commit` the texts that they had before it.
/// Errors: one of them was changed since, and those of Repository::changesOf and commitEdits.
Result<WriteReport> commitUndoOf(const QString &path, const QString &branch, const QString &commit);

} // namespace tmx
