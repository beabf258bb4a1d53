// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/git/EditPath.h"

#include "model/base/RepositoryPaths.h"
#include "model/base/Tr.h"

#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {
namespace {

constexpr qsizetype maxNameBytes = 200;

QString nameTrouble(const QString &name)
{
    if (name.isEmpty())
        return Tr::tr("it has no name");
    if (name.startsWith(u'-') || name.startsWith(u'.'))
        return Tr::tr("a name cannot begin with a dash or a dot");
    if (name.contains(u"..") || name.contains(u'\\'))
        return Tr::tr("a name cannot contain \"..\" or a backslash");
    if (std::any_of(name.begin(), name.end(),
                    [](QChar c) { return c.category() == QChar::Other_Control || c.isNull(); }) ||
        !name.isValidUtf16())
        return Tr::tr("a name cannot contain control characters");
    if (name.toUtf8().size() > maxNameBytes)
        return Tr::tr("a name has at most %n bytes", nullptr, int(maxNameBytes));
    return {};
}

} // namespace

Result<void> checkRecipePath(const QString &path)
{
    const auto refused = [&path](const QString &why) { return Error{Tr::tr("use the path"), path, why, {}}; };
    if (path == settingsFileName)
        return {};
    if (!path.startsWith(recipeFolder + "/"_L1))
        return refused(Tr::tr("recipes are in %1").arg(recipeFolder));
    const QStringList parts = path.mid(recipeFolder.size() + 1).split(u'/');
    if (parts.size() > 2 || (parts.size() == 2 && parts[1] != u"default.nix"))
        return refused(Tr::tr("a recipe is NAME.nix or NAME/default.nix there"));
    for (const QString &part : parts) {
        if (const QString why = nameTrouble(part); !why.isEmpty())
            return refused(why);
    }
    if (parts.size() == 1 && !isRecipeName(parts[0]))
        return refused(Tr::tr("its name does not end in .nix"));
    return {};
}

Result<void> checkEditPath(const QString &path)
{
    // Files of a new repository.
    if (path == u".flox/env.json" || path == u".flox/env/manifest.toml" || path == u".gitignore")
        return {};
    if (path == settingsFileName || path == githubFile || path == gitlabFile)
        return {};
    QStringList parts = path.split(u'/');
    const auto isUsable = [](const QString &part) { return nameTrouble(part).isEmpty(); };
    if (path.endsWith(".md"_L1) && std::ranges::all_of(parts, isUsable))
        return {};
    if (path.endsWith(".md"_L1) && parts.size() == 1)
        return Error{Tr::tr("use the path"), path, nameTrouble(path), {}};
    if (path.startsWith(recipeFolder + "/"_L1))
        parts.remove(0, 2);
    const bool isRead = path.endsWith(".nix"_L1) || path.endsWith(".json"_L1) || path.endsWith(".toml"_L1);
    const bool isImported = isRead && parts.size() > 1 && std::ranges::all_of(parts, isUsable);
    if (const Result<void> recipe = checkRecipePath(path); !recipe && !isImported)
        return recipe;
    // x.nix/default.nix would replace the recipe x.nix in the tree.
    if (path.contains(".nix/"_L1))
        return Error{Tr::tr("use the path"), path, Tr::tr("a folder of a recipe does not end in .nix"), {}};
    return {};
}

} // namespace tmx
