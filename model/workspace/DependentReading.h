// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/base/WorkHooks.h"
#include "model/builds/DependentBuilds.h"

namespace tmx {

/// dependentBuilds() of the jobs of a branch, in its repository and in `repositories`, which are read. For workers.
/// Errors: those of readFleet(); stoppedError().
Result<DependentBuilds> readDependentBuilds(const std::shared_ptr<const Catalog> &catalog, QStringList repositories,
                                            QList<Job> &jobs, const BuildWish &wish, const Queue &queue,
                                            const std::function<PreflightProbes(BuildEngine)> &probe,
                                            const WorkHooks &hooks);

} // namespace tmx
