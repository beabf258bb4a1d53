// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/git/GitValues.h"

namespace tmx {

/// Unified diff of two texts by libgit2, with `context` lines around each change. Empty if they are equal.
QList<DiffLine> diffTexts(const QByteArray &before, const QByteArray &after, int context = 3);

} // namespace tmx
