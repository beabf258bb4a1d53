// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/Journal.h"

namespace tmx {

/// Carries out or rolls back what a killed process left in the journal, and removes its locks.
void recover(const OpenRepository &repository, const Journal &journal);

/// Puts the journal's index, branch and operation in place, as far as they are still there.
Result<void> publish(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                     const QString &what);

/// Value of GIT_REFLOG_ACTION while the git program makes an operation's commit.
QByteArray reflogAction(const QString &operation);

/// The commit that the git program made for the plan's operation; nullopt if there is none.
std::optional<git_oid> commitOf(const OpenRepository &repository, const JournalPlan &plan);

/// Completes a plan after the git program has made its commit: updates files and index to match, and creates the
/// operation's ref.
Result<void> followCommit(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                          const git_oid &commit, const QString &what);

/// Which texts that are neither old nor new are considered to be a hook's.
enum class HooksTexts {
    InIndex, ///< those in the commit's index: used after a kill, because the user may have edited the files since
    All,     ///< all: used directly after the hook; the caller has saved them
};
/// Restores the files of a plan whose commit the git program did not make.
void takeBack(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan, HooksTexts hooksTexts);

} // namespace tmx
