// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/git/GitValues.h"
#include "model/outcome/BuildState.h"
#include "model/snapshot/SnapshotReader.h"

#include <QHash>
#include <QStringList>

#include <memory>

namespace tmx {

/// The result of reading a repository and one of its branches once.
struct RepositoryReading {
    RepositoryInfo info;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QHash<QString, BuildState> builds; ///< of variants that a job builds or has built, or that have a result of an
                                       ///< earlier build
    QStringList watchPaths;            ///< paths to watch: a change makes this reading outdated
};

/// Reads `branch` (empty: the checked-out branch) of the repository that contains `path`. Blocks: for workers and
/// verbs. Errors: those of SnapshotReader::read.
Result<RepositoryReading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch = {},
                                         const WorkHooks &hooks = {});

/// States of the branch's variants from the user's jobs and from results in the working tree (buildStates()). Blocks:
/// for workers.
QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot);

} // namespace tmx
