// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"

namespace tmx {

class Preparation;

/// Deletes recipes: with a commit, or without one if they were never committed.
struct DeleteRequest {
    QString branch;
    QStringList names; ///< variants
    bool operator==(const DeleteRequest &) const = default;
};

/// Restores recipes of the checked-out branch to their last committed text, in working tree and index; deletes those
/// that were never committed.
struct DiscardRequest {
    QStringList names; ///< variants
    bool operator==(const DiscardRequest &) const = default;
};

/// Errors: a name without a recipe on the branch; a file that cannot be read.
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DeleteRequest &request);
/// Creates no commit, because the branch does not change. Errors: a recipe without uncommitted changes; a file that
/// cannot be read.
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DiscardRequest &request);

} // namespace tmx
