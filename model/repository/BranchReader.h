// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/BlobTexts.h"
#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// A commit of this repository and of no other: no torchFiles.
Result<BranchContent> readCommitAlone(const OpenRepository &repository, const QString &commit, const QString &branch,
                                      BlobTexts *texts);

/// CommitReader::readCommit.
Result<BranchContent> readCommit(const OpenRepository &repository, const QString &commit, const QString &branch,
                                 BlobTexts *texts);

/// Repository::readBranch.
Result<BranchContent> readBranch(const OpenRepository &repository, const QString &branch);

} // namespace tmx
