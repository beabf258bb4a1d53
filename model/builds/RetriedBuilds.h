// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/job/Queue.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The jobs that make ended builds again.
struct RetriedBuilds {
    QList<Job> jobs;     ///< each build once, in the order of the ended ones
    QList<Job> current;  ///< those of `jobs` whose recipe changed since: they build what their branch has now
    QStringList useless; ///< packages that are left out because they would fail again
    /// A sentence about `current`; empty if there are none.
    [[nodiscard]] QString currentText() const;
};

enum class RetryChoice {
    Named,      ///< all that the user chose
    MaySucceed, ///< without those that would fail again, and those whose changed recipe has a build of its own
};

/// A recipe that is the same on its branch is built from the commit of that time; one that changed, from what the
/// branch has now. `all`: readJobs(). Reads the branches: for workers.
RetriedBuilds retriedBuilds(const SnapshotReader &reader, const QList<JobRecord> &ended, const QList<JobRecord> &all,
                            RetryChoice choice);

} // namespace tmx
