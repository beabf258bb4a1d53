// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

#include <QStringList>

namespace tmx {

/// Repository::commit.
Result<CommitResult> commitFiles(const OpenRepository &repository, const QStringList &paths, const QString &message,
                                 const QString &expectedHead);

} // namespace tmx
