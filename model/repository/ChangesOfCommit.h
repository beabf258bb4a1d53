// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"
#include "model/repository/OpenRepository.h"

namespace tmx {

/// See Repository::changesOf.
Result<QList<CommittedChange>> changesOf(const OpenRepository &repository, const QString &commit);

} // namespace tmx
