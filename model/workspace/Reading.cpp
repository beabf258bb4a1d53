// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Reading.h"

#include "model/repository/Repository.h"
#include "model/workspace/Building.h"

namespace tmx {

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    return buildStates(snapshot, readJobs(stateFolder()), otherBuildsOf(snapshot));
}

Result<Reading> readRepository(const SnapshotReader &reader, const QString &path, const QString &branch,
                               const WorkHooks &hooks)
{
    Result<OpenedRepository> opened = openWithInfo(path);
    if (!opened)
        return opened.error();
    const Result<ReadBranch> read = reader.read(path, branch, hooks);
    if (!read)
        return read.error();
    return Reading{std::move(opened->info), read->snapshot, buildsOf(*read->snapshot), opened->repository.watchPaths()};
}

} // namespace tmx
