// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/ChangeSet.h"

namespace tmx {

class Preparation;

/// Commits recipes as they are in the working tree.
struct CommitRequest {
    QStringList names;
    QString message;  ///< empty: the default
    QString seenHead; ///< the checked-out commit that the user saw; empty: the branch had none
    bool operator==(const CommitRequest &) const = default;
};

/// Adds recipes to the index that git does not track yet, because flox sees only tracked files.
struct StageRequest {
    QStringList names;
    bool operator==(const StageRequest &) const = default;
};

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CommitRequest &request);
Result<QList<ChangeSet>> prepared(const Preparation &preparation, const StageRequest &request);

} // namespace tmx
