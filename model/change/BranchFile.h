// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/BranchSource.h"

namespace tmx {

/// A file of a branch that is not a recipe: README.md, or a pipeline of a CI host.
struct BranchFile {
    std::optional<QByteArray> committed;
    std::optional<QByteArray> disk; ///< equals `committed` for a branch that is not checked out
    bool readable = true;           ///< the working tree has a regular file there
    /// Whether the working tree equals the commit, apart from line ends.
    [[nodiscard]] bool isClean() const;
};

/// Errors: as CommitReader::fileAt. For workers.
Result<BranchFile> branchFile(const OpenedRepository &opened, const BranchSource &branch, const QString &path);

/// Compares without line ends, which git may normalise.
bool sameText(std::optional<QByteArray> a, std::optional<QByteArray> b);

} // namespace tmx
