// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchTemplates.h"

#include "model/base/Tr.h"
#include "model/snapshot/Bytes.h"
#include "model/snapshot/Inference.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/template/RecipeContext.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QDataStream &operator<<(QDataStream &out, const Dissenter &dissenter)
{
    return out << dissenter.variant << dissenter.why;
}

QDataStream &operator>>(QDataStream &in, Dissenter &dissenter)
{
    return in >> dissenter.variant >> dissenter.why;
}

namespace {

/// A committed recipe.
struct Committed {
    Variant variant;
    QString file;
    QByteArray text;
};

QList<Committed> committedRecipes(const Catalog &catalog, const Settings &stated, const BranchContent &content)
{
    QList<Committed> found;
    QSet<QString> names;
    for (const NamedRecipe &named : placedRecipes(catalog, content, stated.toolkits())) {
        const QByteArray text = named.file->committed.value_or(QByteArray());
        if (text.isEmpty() || !named.name.suffix.isEmpty() || names.contains(named.name.variant.name()))
            continue;
        names.insert(named.name.variant.name());
        found.append({named.name.variant, named.file->path, text});
    }
    std::ranges::stable_sort(found, {}, &Committed::variant);
    return found;
}

QByteArray bytesOf(const Result<LearnedTemplate> &learned)
{
    if (!learned)
        return asBytes(false, learned.error().what, learned.error().subject, learned.error().why,
                       learned.error().remedy);
    return asBytes(true, learned->text, learned->reference, learned->conditions, learned->recipes, learned->identical,
                   learned->same, learned->others);
}

Result<LearnedTemplate> learnedIn(const QByteArray &bytes)
{
    QDataStream in(bytes);
    bool ok = false;
    in >> ok;
    if (!ok) {
        Error error;
        in >> error.what >> error.subject >> error.why >> error.remedy;
        return error;
    }
    LearnedTemplate learned;
    in >> learned.text >> learned.reference >> learned.conditions >> learned.recipes >> learned.identical >>
        learned.same >> learned.others;
    return learned;
}

/// Identifies everything that the template of a profile is learned from.
QByteArray keyOf(const ProfileKey &key, const Settings &stated, const QList<Committed> &recipes,
                 const QHash<QString, QByteArray> &siblings)
{
    const ProfileKey torch{torchFamilyOf(key.family), key.python, key.build};
    QByteArray texts;
    for (const Committed &recipe : recipes)
        texts += asBytes(recipe.variant, recipe.file, digestOf(recipe.text));
    return "template " + asBytes(key.family, key.python, key.build, stated.smRows, stated.flags,
                                 stated.profiles.value(key), stated.profiles.value(torch), texts, digestOf(siblings));
}

Result<LearnedTemplate> learn(const RecipeCache &recipes, const Settings &stated, const QList<Committed> &committed,
                              const QHash<QString, QByteArray> &siblings)
{
    QList<AuditInput> inputs;
    for (const Committed &recipe : committed)
        inputs.append({.variant = recipe.variant, .file = recipe.file, .text = recipe.text, .siblings = siblings});
    const QList<Judgement> judgements = recipes.audited(stated, inputs);
    QList<KnownRecipe> known;
    if (!committed.isEmpty() && !recipes.catalog()->family(committed.constFirst().variant.family))
        return Error{
            Tr::tr("learn a template"), committed.constFirst().variant.family, Tr::tr("no family has that name"), {}};
    std::optional<Error> error; // of the first recipe without a context
    ContextTables tables;
    for (qsizetype i = 0; i < committed.size(); ++i) {
        const Committed &recipe = committed.at(i);
        if (judgements.at(i).firstError())
            continue;
        const auto context = recipeContext(*recipes.catalog(), stated, recipe.variant, tables);
        if (context)
            known.append({recipe.variant, recipe.text, *context});
        else if (!error)
            error = context.error();
    }
    if (known.isEmpty() && error)
        return *error;
    if (known.isEmpty())
        return Error{Tr::tr("learn a template"), {}, Tr::tr("the audit finds an error in every recipe"), {}};
    return learnTemplate(*recipes.catalog(), known);
}

} // namespace

QList<LearnedProfile> learnedProfiles(const RecipeCache &recipes, const BranchContent &content, const Settings &stated,
                                      const ProfileSelector &where, const WorkHooks &hooks)
{
    const Catalog &catalog = *recipes.catalog();
    QMap<ProfileKey, QList<Committed>> profiles;
    QHash<QString, QByteArray> siblings = content.fetchedTorch;
    for (const Committed &recipe : committedRecipes(catalog, stated, content)) {
        siblings.insert(recipe.file.section(u'/', -1), recipe.text);
        if (const ProfileKey key = ProfileKey::of(recipe.variant); where.matches(key))
            profiles[key].append(recipe);
    }
    QList<LearnedProfile> learned;
    for (auto it = profiles.cbegin(); it != profiles.cend() && !hooks.stopped(); ++it) {
        hooks.tell(int(learned.size()), int(profiles.size()));
        const Family *family = catalog.family(it.key().family);
        const QHash<QString, QByteArray> beside = family && family->companion ? siblings : QHash<QString, QByteArray>();
        const QByteArray kept = recipes.kept(keyOf(it.key(), stated, *it, beside),
                                             [&] { return bytesOf(learn(recipes, stated, *it, beside)); });
        learned.append({it.key(), learnedIn(kept)});
    }
    return learned;
}

Settings withLearned(Settings settings, const RecipeCache &recipes, const BranchContent &content)
{
    ProfileSelector where;
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        if (isLearned(it->templateName) && !where.families.contains(it.key().family))
            where.families.append(it.key().family);
    }
    if (where.isEmpty())
        return settings;
    const Settings stated = inferred(recipes, content, WithTemplates::No).settings;
    for (const LearnedProfile &profile : learnedProfiles(recipes, content, stated, where)) {
        if (profile.learned)
            settings.learned.insert(profile.key, profile.learned->text);
    }
    return settings;
}

} // namespace tmx
