// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/CommitReader.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// See CommitReader::history.
Result<QList<FileRevision>> fileHistory(const OpenRepository &repository, const QString &commit, const QString &path,
                                        const SameFile &sameFile, const FileSelection &among, int limit,
                                        const std::function<bool()> &stop);

/// See CommitReader::deletions.
Result<QList<DeletedFile>> deletedFiles(const OpenRepository &repository, const QString &commit,
                                        const FileSelection &among, const TakesItsPlace &takesItsPlace, int limit,
                                        const std::function<bool()> &stop);

} // namespace tmx
