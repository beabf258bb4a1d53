// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/git/BlobTexts.h"
#include "model/git/GitValues.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// See CommitReader::read.
Result<BranchFiles> readCommit(const OpenRepository &repository, const QString &commit, const QString &branch,
                               const FileSelection &selection, BlobTexts *texts, const WorkHooks &hooks);

/// See Repository::readBranch.
Result<BranchFiles> readBranch(const OpenRepository &repository, const QString &branch, const FileSelection &selection,
                               BlobTexts *texts, const WorkHooks &hooks);

/// See Repository::readFile.
Result<BlobText> readFile(const OpenRepository &repository, const BranchFiles &of, const QString &path,
                          const WorkHooks &hooks);

} // namespace tmx
