// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "model/hardware/VariantPicker.h"
#include "model/snapshot/SnapshotReader.h"

namespace tmx {

/// The recipes of all local branches of a repository, known from the file names only.
struct BranchRecipes {
    QList<Candidate> recipes; ///< in the order of the branches; Candidate::covered and version are not set
    QSet<QString> rows;       ///< rows that any recipe is for, including recipes without a toolkit in their name
    bool complete = true;     ///< false: some branch could not be read
    QList<Candidate> few;     ///< of `recipes` two for each package, sorted by package and branch

    /// The recipes of every branch except this one.
    [[nodiscard]] QList<Candidate> elsewhereThan(const QString &branch) const;
    /// The same with one branch for each package, the first by name: which packages there are, and where to find one.
    [[nodiscard]] QList<Candidate> packagesElsewhereThan(const QString &branch) const;
    /// The GPU architectures of the catalog that no branch has a recipe for, in grid order.
    [[nodiscard]] QList<GpuRow> uncoveredGpus(const Catalog &catalog) const;
};

/// Reads file names, in a commit or in the working tree. For workers. Errors: as branchesOf(); stoppedError().
Result<BranchRecipes> readBranchRecipes(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks = {});

/// "Jetson Orin 8.7": the product name and the compute capability.
QString shortTitle(const GpuRow &row);

} // namespace tmx
