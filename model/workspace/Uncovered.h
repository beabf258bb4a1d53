// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The GPU architectures of the catalog for which no local branch of the repository has a recipe, in grid order. Goes
/// by the files' names, in a commit or in the work tree; a branch that cannot be read has none. For workers. Errors: as
/// branchesOf(); stoppedError().
Result<QList<GpuRow>> readUncoveredGpus(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks = {});

/// "Jetson Orin 8.7": what people call it and its compute capability.
QString shortTitle(const GpuRow &row);

} // namespace tmx
