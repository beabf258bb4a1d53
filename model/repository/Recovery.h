// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/Journal.h"

namespace tmx {

/// Carries out or takes back what a killed process left in the journal, and removes its locks.
void recover(const OpenRepository &repository, const Journal &journal);

/// Puts the journal's index, branch and operation in place, as far as they are there still.
Result<void> publish(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                     const QString &what);

/// What GIT_REFLOG_ACTION is while the git program makes an operation's commit.
QByteArray reflogAction(const QString &operation);

/// The commit that the git program made for the plan's operation; nullopt: none.
std::optional<git_oid> commitOf(const OpenRepository &repository, const JournalPlan &plan);

/// What is left to do once the git program has made the plan's commit: files and index become as it, the operation's
/// ref is made.
Result<void> followCommit(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan,
                          const git_oid &commit, const QString &what);

/// Which texts, neither the old nor the new ones, are taken for a hook's.
enum class HooksTexts {
    InIndex, ///< those that the index of the commit holds: after a kill, since when a person may have edited the files
    All,     ///< right after the hook; the caller has saved them
};
/// Restores the files of a plan whose commit the git program did not make.
void takeBack(const OpenRepository &repository, const Journal &journal, const JournalPlan &plan, HooksTexts hooksTexts);

} // namespace tmx
