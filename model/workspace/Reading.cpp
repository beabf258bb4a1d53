// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/Reading.h"

#include "model/build/ResultLinks.h"
#include "model/repository/Repository.h"

namespace tmx {

QHash<QString, BuildState> buildsOf(const BranchSnapshot &snapshot)
{
    QHash<QString, BuildState> builds;
    if (!snapshot.checkedOut)
        return builds;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            continue;
        const BuildState state = builtBefore(snapshot.repository, entry.package(), entry.file);
        if (state.phase != BuildState::Phase::None)
            builds.insert(entry.variant.name(), state);
    }
    return builds;
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
