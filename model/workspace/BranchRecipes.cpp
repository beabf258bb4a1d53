// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchRecipes.h"

#include "model/snapshot/NamedRecipe.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

Result<BranchRecipes> readBranchRecipes(const SnapshotReader &reader, const QString &path, const WorkHooks &hooks)
{
    TM_TRY(branches, branchesOf(path, WorkTreeAs::Branch, false));
    BranchRecipes found;
    for (const BranchSource &source : branches->sources) {
        const auto content = reader.content(source, hooks);
        if (hooks.stopped())
            return stoppedError();
        found.complete = found.complete && content;
        if (!content)
            continue;
        for (const NamedRecipe &named : namedRecipes(*reader.catalog(), **content)) {
            if (named.gone)
                continue;
            found.rows.insert(named.name.variant.row);
            if (!named.lacksCuda() && named.name.suffix.isEmpty())
                found.recipes.append({.variant = named.name.variant,
                                      .branch = (*content)->branch,
                                      .package = packageOf(named.file->path),
                                      .recipe = Candidate::Recipe::Sound,
                                      .covered = true});
        }
    }
    return found;
}

QList<Candidate> BranchRecipes::elsewhereThan(const QString &branch) const
{
    QList<Candidate> others;
    std::ranges::copy_if(recipes, std::back_inserter(others),
                         [&branch](const Candidate &candidate) { return candidate.branch != branch; });
    return others;
}

QList<GpuRow> BranchRecipes::uncoveredGpus(const Catalog &catalog) const
{
    QList<GpuRow> uncovered;
    std::ranges::copy_if(catalog.rows, std::back_inserter(uncovered),
                         [this](const GpuRow &row) { return row.isGpu() && !rows.contains(row.id); });
    return uncovered;
}

QString shortTitle(const GpuRow &row)
{
    return u"%1 %2"_s.arg(row.generation, row.capability);
}

} // namespace tmx
