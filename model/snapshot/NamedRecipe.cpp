// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/NamedRecipe.h"

#include <QMap>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

void NamedRecipe::setApart()
{
    name.variant = name.withoutSuffix();
    suffix = name.suffix;
}

/// Sets those apart whose suffix is not simply a part of the names of their family.
static void setFurtherApart(QList<NamedRecipe> &named)
{
    QSet<QString> plain;    // names without a suffix
    QSet<QString> families; // that have such a name
    QMap<std::pair<QString, QString>, QList<NamedRecipe *>> bySuffix;
    for (NamedRecipe &recipe : named) {
        const VariantName &name = recipe.name;
        if (!name.suffix.isEmpty()) {
            bySuffix[{name.variant.family, name.suffix}].append(&recipe);
            continue;
        }
        plain.insert(name.variant.name());
        families.insert(name.variant.family);
    }
    for (const auto &[key, recipes] : bySuffix.asKeyValueRange()) {
        const auto hasPlain = [&plain](const NamedRecipe *recipe) {
            return plain.contains(recipe->name.withoutSuffix().name());
        };
        const bool isAlone = recipes.size() == 1 && families.contains(key.first);
        if (!isAlone && std::ranges::none_of(recipes, hasPlain))
            continue;
        for (NamedRecipe *recipe : recipes)
            recipe->setApart();
    }
}

QList<NamedRecipe> namedRecipes(const Catalog &catalog, const BranchContent &content, QStringList *others)
{
    const QStringList isas = catalog.isaIds();
    QList<NamedRecipe> named;
    QSet<QString> certain; // families
    for (const VersionedFile &file : content.files) {
        if (!file.committed && !file.onDisk && file.trouble == FileTrouble::None)
            continue; // only the index still has it
        // Flox takes a folder x with a default.nix for the package x, like x.nix; it ignores a folder that is named
        // x.nix.
        const bool recipe = file.path.endsWith(".nix"_L1) || file.trouble == FileTrouble::Folder;
        std::optional<VariantName> name;
        if (recipe)
            name = VariantName::parse(packageOf(file.path), isas);
        if (name && !name->uncertain)
            certain.insert(name->variant.family);
        if (name)
            named.append({&file, *std::move(name), content.withWorkTree && file.isGone()});
        else if (others && packageOf(file.path) != "lib"_L1) // which recipes import
            others->append(file.path);
    }
    named.removeIf([&certain, others](const NamedRecipe &recipe) {
        const bool package = recipe.name.uncertain && !certain.contains(recipe.name.variant.family);
        if (package && others)
            others->append(recipe.file->path);
        return package;
    });
    setFurtherApart(named);
    return named;
}

QList<NamedRecipe> placedRecipes(const Catalog &catalog, const BranchContent &content, const QStringList &toolkits)
{
    QList<NamedRecipe> placed;
    for (NamedRecipe &named : namedRecipes(catalog, content)) {
        if (named.lacksCuda() && toolkits.size() != 1)
            continue;
        if (named.lacksCuda())
            named.name.variant.cuda = toolkits.constFirst();
        placed.append(std::move(named));
    }
    return placed;
}

} // namespace tmx
