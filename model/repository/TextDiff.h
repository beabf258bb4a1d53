// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/GitValues.h"

namespace tmx {

/// Unified difference of two texts by libgit2, `context` lines around each change. Empty when they are equal.
QList<DiffLine> diffTexts(const QByteArray &before, const QByteArray &after, int context = 3);

} // namespace tmx
