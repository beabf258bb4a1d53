// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

#include <utility>

namespace tmx {

/// Repository::commitEdits.
Result<CommitResult> commitEdits(const OpenRepository &repository, const QString &branch, const QList<FileEdit> &edits,
                                 const QString &message, const QString &expectedTip);

/// Repository::commitToBranch.
Result<CommitResult> commitToBranch(const OpenRepository &repository, const QString &branch,
                                    const QList<std::pair<QString, QByteArray>> &files, const QString &message,
                                    const QString &expectedTip);

/// Repository::commitToNewBranch.
Result<CommitResult> commitToNewBranch(const OpenRepository &repository, const QString &name, const QString &base,
                                       const QList<FileEdit> &edits, const QString &message);

/// Repository::changesOf.
Result<QList<CommittedChange>> changesOf(const OpenRepository &repository, const QString &commit);

} // namespace tmx
