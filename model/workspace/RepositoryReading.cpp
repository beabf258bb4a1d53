// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/RepositoryReading.h"

#include "model/builds/BuildRequest.h"
#include "model/git/Repository.h"
#include "model/snapshot/WatchPaths.h"

namespace tmx {

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    return buildStates(snapshot, readJobs(stateFolder()), otherBuildsOf(snapshot.repository));
}

Result<RepositoryReading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch,
                                         const WorkHooks &hooks)
{
    TM_TRY(opened, openWithInfo(path));
    TM_TRY(source, branchNamed(*opened, path, branch));
    TM_TRY(read, reader.read(*source, hooks, Templates::Rendered, &opened->repository));
    return RepositoryReading{std::move(opened->info), read->snapshot, buildsOf(*read->snapshot),
                             workTreeWatchPaths(opened->repository)};
}

} // namespace tmx
