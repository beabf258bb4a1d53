// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/change/LineWork.h"
#include "model/change/Plan.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/SnapshotReader.h"

#include <memory>

namespace tmx {

/// The long actions on many recipes at once, as functions of values: each first reads what is to be done, which can be
/// shown and chosen from, and then does it in one commit. See Operations.h: for workers and verbs, never on the
/// window's thread. Reading changes nothing and may be dropped at any time; a commit is made whole or not at all.
/// Stopped by its hooks, each gives stoppedError() and has changed nothing; a commit that is under way is not stopped.

/// A plan and what it was made from.
struct PlanReading {
    std::shared_ptr<const BranchSnapshot> snapshot;
    Plan plan;
};
/// Reads `branch` (empty: what is checked out) and plans it.
Result<PlanReading> readPlan(const SnapshotReader &reader, const QString &path, const QString &branch = {},
                             const WorkHooks &hooks = {});
/// Carries out the chosen steps of `plan`, all or none of them. `snapshot` is the one that it was made from, so that
/// nothing that came later is passed over. The message may be empty. Where the branch's tree stays as it is (files that
/// were never committed go, uncommitted changes do), work tree and index alone change, and the result has no commit.
/// Errors: nothing is chosen, the branch or one of its files is not what the plan was made for, and those of
/// Repository::commitEdits.
Result<CommitResult> applyPlan(const QString &path, const Plan &plan, const BranchSnapshot &snapshot,
                               const QString &message = {}, const WorkHooks &hooks = {});

/// A new branch `name` from `from` (empty: what is checked out), as committed; the work tree has no say.
Result<LineWork> readDerivation(const SnapshotReader &reader, const QString &path, const QString &from,
                                const QString &name, const SettingsChange &change, const WorkHooks &hooks = {});
/// `branch` (empty: what is checked out) under a changed line.
Result<LineWork> readMigration(const SnapshotReader &reader, const QString &path, const QString &branch,
                               const SettingsChange &change, const WorkHooks &hooks = {});
/// Cells of `from` on `to` (either empty: what is checked out).
Result<LineWork> readCopy(const SnapshotReader &reader, const QString &path, const QString &from, const QString &to,
                          const QStringList &names, const WorkHooks &hooks = {});
/// Commits the chosen steps. The message may be empty only for a work that one of the three above gave.
Result<CommitResult> applyLineWork(const QString &path, const LineWork &work, const QString &message,
                                   const WorkHooks &hooks = {});

} // namespace tmx
