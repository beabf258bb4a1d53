// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/TemplateCheck.h"

#include "model/base/Tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString templateOf(const Catalog &catalog, const Settings &settings, const ProfileKey &key)
{
    const QString named = settings.profiles.value(key).templateName;
    const Family *family = named.isEmpty() ? catalog.family(key.family) : nullptr;
    return !family                   ? named
           : key.isCuda()            ? family->gpuTemplate
           : key.build == "metal"_L1 ? family->metalTemplate
                                     : family->cpuTemplate;
}

QString recipesOf(const ProfileKey &key)
{
    const QString form = key.isCuda()              ? Tr::tr("GPU recipes of %1")
                         : key.build == "metal"_L1 ? Tr::tr("Metal recipes of %1")
                                                   : Tr::tr("CPU recipes of %1");
    return form.arg(key.family);
}

std::optional<Error> uselessTemplate(const RecipeCache &recipes, const Settings &before, const Settings &after)
{
    const Catalog &catalog = *recipes.catalog();
    for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
        const QString name = templateOf(catalog, after, it.key());
        if (it->cells.isEmpty() || name.isEmpty() || name == templateOf(catalog, before, it.key()))
            continue;
        QList<Variant> variants;
        for (const GridCell &cell : it->cells)
            variants.append(it.key().variant(cell));
        const QList<Result<QByteArray>> texts = recipes.rendered(after, variants);
        if (std::ranges::none_of(texts, &Result<QByteArray>::ok))
            return Error{Tr::tr("use template %1 for").arg(name), recipesOf(it.key()), texts.constFirst().error().why,
                         texts.constFirst().error().remedy};
    }
    return std::nullopt;
}

} // namespace tmx
