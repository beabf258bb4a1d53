// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/DependentReading.h"

#include "model/snapshot/DiskCache.h"
#include "model/workspace/RepositoryReading.h"

using namespace Qt::StringLiterals;

namespace tmx {

Result<DependentBuilds> readDependentBuilds(const std::shared_ptr<const Catalog> &catalog, QStringList repositories,
                                            QList<Job> &jobs, const BuildWish &wish, const Queue &queue,
                                            const std::function<PreflightProbes(BuildEngine)> &probe,
                                            const WorkHooks &hooks)
{
    repositories.prepend(jobs.constFirst().repository);
    repositories.removeDuplicates();
    const auto load = [&catalog]() -> Result<std::shared_ptr<const Catalog>> { return catalog; };
    TM_TRY(fleet, readFleet(load, repositories, DiskCache::forUser(u"branches"_s), hooks));
    if (fleet->stopped)
        return stoppedError();
    const auto read = [&](const FleetBranch &branch) {
        const Result<RepositoryReading> reading = readRepository(catalog, branch.repository, branch.ref.name, hooks);
        return reading ? Result<std::shared_ptr<const BranchSnapshot>>(reading->snapshot) : reading.error();
    };
    DependentBuilds builds = dependentBuilds(*catalog, *fleet, jobs, wish, queue, read, probe);
    builds.notes.removeDuplicates();
    builds.warnings.removeDuplicates();
    builds.troubles = fleet->sentences();
    return builds;
}

} // namespace tmx
