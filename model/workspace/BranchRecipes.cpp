// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/workspace/BranchRecipes.h"

#include "model/snapshot/NamedRecipe.h"

#include <algorithm>
#include <tuple>

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
            if (!named.lacksCuda() && named.suffix.isEmpty())
                found.recipes.append({.variant = named.name.variant,
                                      .branch = (*content)->branch,
                                      .package = packageOf(named.file->path),
                                      .recipe = Candidate::Recipe::Sound,
                                      .covered = true});
        }
    }
    QList<Candidate> sorted = found.recipes;
    std::ranges::sort(sorted, {}, [](const Candidate &one) { return std::tie(one.package, one.branch); });
    for (const Candidate &one : std::as_const(sorted)) {
        const qsizetype size = found.few.size();
        if (size < 2 || found.few.at(size - 2).package != one.package)
            found.few.append(one);
    }
    return found;
}

QList<Candidate> BranchRecipes::packagesElsewhereThan(const QString &branch) const
{
    QList<Candidate> others;
    for (const Candidate &one : few) {
        if (one.branch != branch && (others.isEmpty() || others.constLast().package != one.package))
            others.append(one);
    }
    return others;
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
