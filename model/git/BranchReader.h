// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/git/BlobTexts.h"
#include "model/git/GitValues.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// Reads a commit of this repository only, without torchFiles of another one.
Result<BranchContent> readCommitAlone(const OpenRepository &repository, const QString &commit, const QString &branch,
                                      BlobTexts *texts, const WorkHooks &hooks = {});

/// See CommitReader::readCommit.
Result<BranchContent> readCommit(const OpenRepository &repository, const QString &commit, const QString &branch,
                                 BlobTexts *texts, const WorkHooks &hooks);

/// See Repository::readBranch.
Result<BranchContent> readBranch(const OpenRepository &repository, const QString &branch, BlobTexts *texts,
                                 const WorkHooks &hooks);

} // namespace tmx
