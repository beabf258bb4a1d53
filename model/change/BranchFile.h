// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/repository/CommitReader.h"
#include "model/snapshot/BranchSource.h"

namespace tmx {

/// A file of a branch that is no recipe: README.md, a pipeline of a CI host.
struct BranchFile {
    std::optional<QByteArray> committed;
    std::optional<QByteArray> disk; ///< as `committed`, for a branch that is not checked out
    bool readable = true;           ///< what the work tree has there is a file
    /// The work tree holds what is committed, but for line ends.
    [[nodiscard]] bool isClean() const;
};

/// Errors: as CommitReader::fileAt. For workers.
Result<BranchFile> branchFile(const CommitReader &reader, const BranchSource &branch, const RepositoryInfo &info,
                              const QString &path);

/// Compared without regard to line ends, which git may normalise on the way.
bool sameText(QByteArray a, QByteArray b);

} // namespace tmx
