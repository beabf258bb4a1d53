// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitHandles.h"

namespace tmx {

/// Makes libgit2 read the refs of a repository in git's reftable format, which it cannot, through `git for-each-ref`.
/// It cannot write them: `git update-ref` does. Returns false, and changes nothing, if refs are files. Errors: another
/// format; no git program that knows the format.
Result<bool> readRefTables(git_repository *git);

/// The file that changes whenever a ref does, in such a repository.
QString refTablesList(const QString &commonFolder);

} // namespace tmx
