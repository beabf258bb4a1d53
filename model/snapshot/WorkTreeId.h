// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"

#include <QByteArray>

namespace tmx {

class DiskCache;
class Repository;
struct BranchContent;

/// Identifies everything that the snapshot of a working tree is made from.
QByteArray workTreeId(const BranchContent &content);

/// The same, read now. Files that `cache` knows from the last time, and that git would not read to know that they are
/// as committed, are not read. Errors: as Repository::readBranch.
Result<QByteArray> workTreeId(const Repository &repository, const DiskCache *cache);

} // namespace tmx
