// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArrayList>

namespace tmx {

/// Whether every object that the pack indexes of these folders of objects name begins inside its pack. libgit2 1.9
/// reads memory at the offset that an index (or a multi-pack-index) gives, inside the pack or not, so that a prepared
/// or damaged one would end the program. Reads each index once: 8 bytes of an object at most, 24 in version 1.
/// Indexes that libgit2 refuses to read are left to it. Error: which one leads outside, and how to rebuild it.
Result<void> checkPackOffsets(const QByteArrayList &folders);

} // namespace tmx
