// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"
#include "model/git/OpenRepository.h"

namespace tmx {

/// See Repository::changesOf.
Result<QList<CommittedChange>> changesOf(const OpenRepository &repository, const QString &commit);

} // namespace tmx
