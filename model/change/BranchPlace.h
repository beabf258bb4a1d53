// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/change/Change.h"

namespace tmx {

/// A branch of any repository.
struct BranchPlace {
    QString repository;
    QString branch; ///< empty: the one that is checked out
    /// "DIR@BRANCH" or "DIR". A branch may have an @ in its name, and a folder too.
    static BranchPlace of(const QString &words);
    [[nodiscard]] QString label() const; ///< "build-vllm@main"
    bool operator==(const BranchPlace &) const = default;
};

/// prepare() of the same change for each of several branches, with ChangeSet::repository: a derivation, a migration or
/// the fixes of a rule; of a place without a branch for that of the request. Where it cannot be prepared, the change
/// has a refusal. Error: stoppedError().
Result<QList<ChangeSet>> prepareMany(const SnapshotReader &reader, const QList<BranchPlace> &places,
                                     const ChangeRequest &request, const WorkHooks &hooks = {});

/// Whether each of these can be applied as far as Repository::checkApply() knows: all are checked before the first is
/// applied. Completes what an earlier program left undone there.
Result<void> checkMany(const QList<ChangeSet> &changes);

} // namespace tmx
