// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

#include <QStringList>

#include <utility>

namespace tmx {

/// Repository::commit.
Result<CommitResult> commitFiles(const OpenRepository &repository, const QStringList &paths, const QString &message,
                                 const QString &expectedHead);

/// Repository::commitToBranch.
Result<CommitResult> commitToBranch(const OpenRepository &repository, const QString &branch,
                                    const QList<std::pair<QString, QByteArray>> &files, const QString &message, const QString &expectedTip);

} // namespace tmx
