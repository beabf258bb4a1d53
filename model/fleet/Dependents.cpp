// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/fleet/Dependents.h"

#include "model/base/Tr.h"
#include "model/fleet/BuiltRecipes.h"
#include "model/job/Needs.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Torch {
    const FleetBranch *branch;
    const RecipeSummary *recipe;
};

/// How well a torch is the one that a recipe is built against, the higher the better; 0: it is not.
int rankOf(const Torch &torch, const FleetBranch &branch, const RecipeSummary &recipe)
{
    const QString &file = torch.recipe->files.constFirst();
    const bool own = torch.branch == &branch;
    if (own && recipe.files.contains(file))
        return 6;
    if (!recipe.torch.revision.isEmpty()) {
        const TorchRepository from = TorchRepository::ofArchive(recipe.torch.archive, recipe.torch.revision);
        return from.name() == torch.branch->repositoryName() && recipe.torch.path == file ? 5 : 0;
    }
    switch (fitOf(recipe.torch, torch.recipe->torch)) {
    case TorchFit::Same: return own ? 4 : 3;
    case TorchFit::OtherPin: return own ? 2 : 1;
    case TorchFit::Other:
    case TorchFit::Unknown: return 0;
    }
    Q_UNREACHABLE_RETURN(0);
}

bool isBuilt(const JobRecord *record)
{
    return record->outcome && record->outcome->build.kind == BuildOutcome::Kind::Built;
}

QJsonObject recipeJson(const FleetBranch &branch, const RecipeSummary &recipe)
{
    return {{u"repository"_s, branch.repository}, {u"branch"_s, branch.ref.name}, {u"name"_s, recipe.variant.name()}};
}

QString labelOf(const FleetBranch &branch, const RecipeSummary &recipe)
{
    return Tr::tr("%1 of %2", "package, branch").arg(recipe.package, branch.label());
}

} // namespace

QString Dependent::label() const
{
    return labelOf(*branch, *recipe);
}

QList<Dependent> dependentsOf(const Fleet &fleet)
{
    QHash<Variant, QList<Torch>> torches; ///< by cell
    for (const FleetBranch &branch : fleet.branches) {
        for (const RecipeSummary &recipe : branch.summary->recipes) {
            if (recipe.torch.isTorch)
                torches[torchCellOf(recipe.variant)].append({&branch, &recipe});
        }
    }
    QList<Dependent> dependents;
    for (const FleetBranch &branch : fleet.branches) {
        for (const RecipeSummary &recipe : branch.summary->recipes) {
            const auto cell = recipe.torch.needed ? torches.constFind(torchCellOf(recipe.variant)) : torches.constEnd();
            if (cell == torches.cend())
                continue;
            int best = 0;
            QList<Dependent> found;
            for (const Torch &torch : *cell) {
                const int rank = rankOf(torch, branch, recipe);
                if (rank == 0 || rank < best)
                    continue;
                if (rank > best)
                    found.clear();
                best = rank;
                found.append({&branch, &recipe, torch.branch, torch.recipe});
            }
            dependents += found;
        }
    }
    return dependents;
}

QString jobKeyOf(const FleetBranch &branch, const RecipeSummary &recipe, const JobsByProduct &jobs)
{
    Job job;
    job.repository = canonicalRepository(branch.repository);
    job.branch = branch.ref.name;
    job.package = recipe.package;
    job.identity = recipe.identities.value(0);
    job.meaning = recipe.identities.value(2);
    takeKnownIdentity(job, jobs);
    return job.key();
}

QList<Dependent> staleDependents(const QList<Dependent> &dependents, const QList<JobRecord> &jobs)
{
    QList<Dependent> stale;
    const JobsByProduct byProduct = jobsByProduct(jobs);
    for (const Dependent &dependent : byProduct.isEmpty() ? QList<Dependent>() : dependents) {
        const QList<const JobRecord *> builds =
            byProduct.value(productOf(jobKeyOf(*dependent.branch, *dependent.recipe)));
        const auto last = std::ranges::find_if(builds.rbegin(), builds.rend(), isBuilt);
        const QString need = jobKeyOf(*dependent.torchBranch, *dependent.torch, byProduct);
        if (last != builds.rend() && !builds.constLast()->isActive() &&
            usedAnother(**last, need, byProduct.value(productOf(need))))
            stale.append(dependent);
    }
    return stale;
}

QString staleText(const QList<Dependent> &stale)
{
    QStringList lines;
    for (const Dependent &one : stale)
        lines.append(Tr::tr("%1: %2 changed since it was built", "two packages of branches")
                         .arg(one.label(), labelOf(*one.torchBranch, *one.torch)));
    return (lines.isEmpty() ? Tr::tr("Nothing is stale.") : lines.join(u'\n')) + u'\n';
}

QJsonObject staleJson(const QList<Dependent> &stale)
{
    QJsonArray array;
    for (const Dependent &one : stale) {
        QJsonObject object = recipeJson(*one.branch, *one.recipe);
        object.insert(u"torch"_s, recipeJson(*one.torchBranch, *one.torch));
        array.append(object);
    }
    return {{u"stale"_s, array}};
}

} // namespace tmx
