// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// Repository::editWorkTree.
Result<QString> editWorkTree(const OpenRepository &repository, const QString &branch, const QList<FileEdit> &edits,
                             const QString &subject, const QString &expectedTip);

} // namespace tmx
