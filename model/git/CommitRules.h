// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/OpenRepository.h"

namespace tmx {

/// Error, of an action ("commit in"): a merge, rebase, cherry-pick or the like of the checked-out branch is in
/// progress.
Result<void> nothingUnderWay(const OpenRepository &repository, const QString &what);

/// Error: git does not allow the name, or it conflicts with an existing branch.
Result<void> checkNewBranch(const OpenRepository &repository, const QString &name);

/// Author and committer: GIT_AUTHOR_* and GIT_COMMITTER_*, else user.name and user.email of git config. Error: neither
/// is set.
struct Identity {
    GitSignature author;
    GitSignature committer;
};
Result<Identity> identityOf(const OpenRepository &repository);

/// The message as git stores it: without trailing blanks and surrounding blank lines. Empty if nothing remains.
QByteArray tidyMessage(const QString &message);

} // namespace tmx
