// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/RepositoryReading.h"

#include "model/builds/BuildRequest.h"
#include "model/git/Repository.h"

namespace tmx {

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    return buildStates(snapshot, readJobs(stateFolder()), otherBuildsOf(snapshot.repository, snapshot.branch));
}

Result<RepositoryReading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch,
                                         const WorkHooks &hooks)
{
    TM_TRY(opened, openWithInfo(path));
    TM_TRY(read, reader.read(path, branch, hooks));
    return RepositoryReading{std::move(opened->info), read->snapshot, buildsOf(*read->snapshot),
                             opened->repository.watchPaths()};
}

} // namespace tmx
