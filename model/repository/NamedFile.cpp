// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/repository/NamedFile.h"

using namespace Qt::StringLiterals;

namespace tmx {

QString packageOf(const QString &path)
{
    QStringView name = QStringView(path).sliced(path.lastIndexOf(u'/') + 1);
    if (name.endsWith(".nix"_L1))
        name.chop(4);
    return name.toString();
}

QString recipeNameOf(const QString &path)
{
    static constexpr QLatin1StringView inFolder("/default.nix");
    return packageOf(path.endsWith(inFolder) ? path.chopped(inFolder.size()) : path);
}

QList<NamedFile> namedFiles(const Catalog &catalog, const BranchContent &content, QStringList *others)
{
    const QStringList families = catalog.familyIds();
    const QStringList isas = catalog.isaIds();
    QList<NamedFile> named;
    for (const RecipeFile &file : content.files) {
        const bool onDisk = content.withWorkTree && (file.onDisk || file.trouble != FileTrouble::None);
        if (!file.committed && !file.onDisk && file.trouble == FileTrouble::None)
            continue; // the index alone still knows it
        // A folder x with a default.nix is a package x for flox, so it claims the cell as x.nix does.
        const bool recipe = file.path.endsWith(".nix"_L1) || file.trouble == FileTrouble::Folder;
        std::optional<VariantName> name;
        if (recipe)
            name = VariantName::parse(packageOf(file.path), families, isas);
        if (name)
            named.append({&file, *std::move(name), content.withWorkTree && !onDisk});
        else if (others)
            others->append(file.path);
    }
    return named;
}

} // namespace tmx
