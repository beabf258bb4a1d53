// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/NamedRecipe.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

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
