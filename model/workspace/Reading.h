// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/Result.h"
#include "model/build/BuildState.h"
#include "model/repository/GitValues.h"
#include "model/snapshot/SnapshotReader.h"

#include <QHash>
#include <QStringList>

#include <memory>

namespace tmx {

/// What is known of a repository and one of its branches after reading it once.
struct Reading {
    RepositoryInfo info;
    std::shared_ptr<const BranchSnapshot> snapshot;
    QHash<QString, BuildState> builds; ///< of variants that a job built or builds, or an earlier build left a result of
    QStringList watchPaths;            ///< what to watch to learn that this reading is old
};

/// Reads `branch` (empty: what is checked out) of the repository that holds `path`.
/// Blocks: for workers and verbs. Errors: those of SnapshotReader::read.
Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch = {},
                               const WorkHooks &hooks = {});

/// What the jobs of the user say of the branch's variants, and what earlier builds left in the work tree
/// (buildStates()). Blocks: for workers.
QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot);

} // namespace tmx
