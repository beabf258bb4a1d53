// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The recipes of all local branches of a repository, by their files' names alone.
struct BranchRecipes {
    QList<Candidate> recipes; ///< in the order of the branches; Candidate::covered and version are not known
    QSet<QString> rows;       ///< that any of them is for, those that name no toolkit included
    bool complete = true;     ///< every branch could be read

    /// Those of every branch but this one.
    [[nodiscard]] QList<Candidate> elsewhereThan(const QString &branch) const;
    /// The GPU architectures of the catalog that no branch has a recipe for, in grid order.
    [[nodiscard]] QList<GpuRow> uncoveredGpus(const Catalog &catalog) const;
};

/// Reads file names, in a commit or in the work tree. For workers. Errors: as branchesOf(); stoppedError().
Result<BranchRecipes> readBranchRecipes(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks = {});

/// "Jetson Orin 8.7": what people call it and its compute capability.
QString shortTitle(const GpuRow &row);

} // namespace tmx
