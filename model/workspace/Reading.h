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
    QHash<QString, BuildState>
        builds;             ///< of variants that an earlier build left a result of; the checked-out branch's alone
    QStringList watchPaths; ///< what to watch to learn that this reading is old
};

/// Reads `branch` (empty: what is checked out) of the repository that holds `path`.
/// Blocks: for workers and verbs. Errors: those of SnapshotReader::read.
Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch = {},
                               const WorkHooks &hooks = {});

/// What earlier builds left, by variant. Results lie in the work tree, so they are the checked-out branch's; of another
/// there are none.
QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot);

} // namespace tmx
