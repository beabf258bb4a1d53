// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/plan/LineWork.h"
#include "model/plan/Plan.h"
#include "model/repository/GitValues.h"

#include <memory>

namespace tmx {

/// The long actions on many recipes at once, as functions of values: each first reads what is to be done, which can be shown and chosen
/// from, and then does it in one commit. See Operations.h: for workers and verbs, never on the window's thread. Reading changes nothing and
/// may be dropped at any time; a commit is made whole or not at all.

/// A plan and what it was made from: carried out against that, so that nothing that came later is passed over.
struct PlanReading {
    QString repository; ///< root of the work tree
    std::shared_ptr<const BranchSnapshot> snapshot;
    BranchContent content;
    Plan plan;
};
/// Reads `branch` (empty: what is checked out) and plans it.
Result<PlanReading> readPlan(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch = {});
/// Carries out the chosen steps of `plan` (the reading's, with other choices perhaps). The message may be empty.
Result<CommitResult> applyPlan(const PlanReading &reading, const Plan &plan, const QString &message = {});

/// What takes a commit back: one more commit, which gives its files the texts that they had before it.
struct UndoReading {
    QString repository;
    QString branch;
    QString tip;     ///< that the branch is expected at
    QString commit;  ///< that is undone
    bool isTip = false; ///< nothing came after it
    QList<CommittedChange> changes;
};
/// `commit` (any revision; empty: the branch's last) of `branch` (empty: what is checked out). Errors: a merge, a commit that touched files
/// which this program does not write, one that is not in the branch.
Result<UndoReading> readUndo(const QString &path, const QString &branch = {}, const QString &commit = {});
/// Error: one of the files was changed since, in a commit or in the work tree; nothing is done then.
Result<CommitResult> applyUndo(const UndoReading &reading, const QString &message = {});

/// A new branch `name` from `from` (empty: what is checked out), as committed; the work tree has no say.
Result<LineWork> readDerivation(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &from, const QString &name,
                                const LineChange &change);
/// `branch` (empty: what is checked out) under a changed line.
Result<LineWork> readMigration(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &branch,
                               const LineChange &change);
/// Cells of `from` on `to` (either empty: what is checked out).
Result<LineWork> readCopy(const std::shared_ptr<const Catalog> &catalog, const QString &path, const QString &from, const QString &to,
                          const QStringList &names);
/// Commits the chosen steps. The message may be empty only for a work that one of the three above gave.
Result<CommitResult> applyLineWork(const QString &path, const LineWork &work, const QString &message);

} // namespace tmx
