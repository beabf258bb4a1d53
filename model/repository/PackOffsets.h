// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArrayList>

namespace tmx {

/// Checks that every object in the pack indexes of these object folders begins inside its pack. libgit2 1.9 reads
/// memory at the offset in an index (or a multi-pack-index) without a bounds check, so a crafted or damaged index would
/// crash the program. Reads each index once: at most 8 bytes per object, 24 in version 1. Skips indexes that libgit2
/// refuses to read. Error: which index is invalid, and how to rebuild it.
Result<void> checkPackOffsets(const QByteArrayList &folders);

} // namespace tmx
