// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/KeptVersions.h"

#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/catalog/Versions.h"
#include "model/change/Check.h"
#include "model/change/Readme.h"
#include "model/change/StatedPins.h"
#include "model/recipe/RecipeSource.h"
#include "model/template/VariantMentions.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// "pytorch-python313-cpu-avx2:1", where the text states the version.
QString placeOf(const QString &name, const QByteArray &text, const QString &version)
{
    const qsizetype at = text.indexOf(version.toUtf8());
    return at < 0 ? name : u"%1:%2"_s.arg(name).arg(text.first(at).count('\n') + 1);
}

} // namespace

QString placeInData(const RecipeSource &source, const std::shared_ptr<const RecipeFiles> &files, const QString &version)
{
    const QByteArray stated = '"' + version.toUtf8() + '"';
    QString place;
    for (const QString &path : source.imports &&files ? source.imports->paths : QStringList()) {
        const QByteArray text = isData(path) ? files->text(path).value_or(QByteArray()) : QByteArray();
        const auto count = text.count(stated);
        if (count > 1 || (count == 1 && !place.isEmpty()))
            return {};
        if (count == 1)
            place = u"%1:%2"_s.arg(shownPath(path)).arg(lineAt(text, quint32(text.indexOf(stated))));
    }
    return place;
}

void refuseKeptVersions(const RecipeCache &recipes, ChangeSet &changes, const Settings &former,
                        const std::shared_ptr<const RecipeFiles> &files, Kept which)
{
    if (changes.refusal || !changes.settings)
        return;
    const Catalog &catalog = *recipes.catalog();
    QStringList places;
    int count = 0;
    QString kept, wanted, title;
    for (const ChangedFile &file : std::as_const(changes.files)) {
        const auto named = VariantName::parse(file.name, catalog.isaIds());
        const bool isKept = file.before == file.after || file.action == ChangeAction::Keep;
        if (!named || !file.before || !file.after || (isKept ? which == Kept::Changed : !file.chosen))
            continue;
        const QString version = changes.settings->profileOf(named->variant).version;
        const QStringList names = namesOfFamily(catalog, named->variant.family);
        const RecipeSource after = files ? files->source(pathAfter(file), *file.after) : RecipeSource(*file.after);
        const QString stated = version.isEmpty() ? QString() : statedVersion(*recipes.facts(after), *file.after, names);
        if (stated.isEmpty() || sameVersion(stated, version))
            continue;
        // What has a version of its own keeps it.
        const QString before = former.profileOf(named->variant).version;
        if (before == version || (!before.isEmpty() && !sameVersion(before, stated)))
            continue;
        const QString inData = placeInData(after, files, stated);
        const QString place = inData.isEmpty() ? placeOf(file.name, *file.after, stated) : inData;
        if (!places.contains(place))
            places.append(place);
        ++count;
        kept = stated;
        wanted = version;
        title = names.constLast();
    }
    if (!places.isEmpty())
        changes.refusal = Error{Tr::tr("change the version of"), title,
                                Tr::tr("%n recipes would keep %1 in a text that cannot be changed: %2", nullptr, count)
                                    .arg(kept, shortList(places)),
                                Tr::tr("Write %1 there by hand first.").arg(wanted)};
}

} // namespace tmx
