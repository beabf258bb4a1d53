// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/OpenRepository.h"

namespace tmx {

/// Refuses while a merge, rebase, cherry-pick, ... of the checked-out branch is under way.
Result<void> nothingUnderWay(const OpenRepository &repository);

/// Error: git does not allow the name, or a branch is in its way.
Result<void> checkNewBranch(const OpenRepository &repository, const QString &name);

/// Author and committer: GIT_AUTHOR_* and GIT_COMMITTER_*, else user.name and user.email of git config. Error: neither
/// is there.
struct Identity {
    GitSignature author;
    GitSignature committer;
};
Result<Identity> identityOf(const OpenRepository &repository);

/// The message as git keeps it: trailing blanks and surrounding blank lines gone. Empty when nothing is left.
QByteArray tidyMessage(const QString &message);

} // namespace tmx
