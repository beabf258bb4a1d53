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

} // namespace

TemplateLearner::TemplateLearner(const RecipeCache &recipes, const BranchContent &content, const Settings &stated)
    : m_recipes(recipes)
    , m_siblings(content.fetchedTorch)
    , m_files(content.committedFiles)
{
    QSet<QString> names;
    for (const NamedRecipe &named : placedRecipes(*recipes.catalog(), content, stated.toolkits())) {
        const QByteArray text = named.file->committed.value_or(QByteArray());
        const Variant &variant = named.name.variant;
        if (text.isEmpty() || !named.suffix.isEmpty() || names.contains(variant.name()))
            continue;
        names.insert(variant.name());
        m_siblings.insert(named.file->path.section(u'/', -1), text);
        m_profiles[ProfileKey::of(variant)].append({variant, named.file->path, text});
    }
    for (QList<Committed> &profile : m_profiles)
        std::ranges::stable_sort(profile, {}, &Committed::variant);
}

Result<LearnedTemplate> TemplateLearner::learned(const ProfileKey &key, const Settings &stated) const
{
    const QList<Committed> committed = m_profiles.value(key);
    const Family *family = m_recipes.catalog()->family(key.family);
    const QHash<QString, QByteArray> siblings = family && family->companion ? m_siblings : QHash<QString, QByteArray>();
    // Everything that the template is learned from.
    const ProfileKey torch{torchFamilyOf(key.family), key.python, key.build};
    QByteArray texts;
    for (const Committed &recipe : committed)
        texts += asBytes(recipe.variant, recipe.file,
                         digestOf(m_files ? m_files->source(recipe.file, recipe.text).key() : recipe.text));
    return learnedIn(
        m_recipes.kept("template of " + asBytes(key.family, key.python, key.build, stated.smRows, stated.flags,
                                                stated.profiles.value(key), stated.profiles.value(torch), texts,
                                                m_recipes.digestOfSiblings(siblings)),
                       [&] { return bytesOf(learn(stated, committed, siblings)); }));
}

Result<LearnedTemplate> TemplateLearner::learn(const Settings &stated, const QList<Committed> &committed,
                                               const QHash<QString, QByteArray> &siblings) const
{
    QList<AuditInput> inputs;
    for (const Committed &recipe : committed)
        inputs.append({.variant = recipe.variant,
                       .file = recipe.file,
                       .text = recipe.text,
                       .siblings = siblings,
                       .files = m_files});
    const QList<Judgement> judgements = m_recipes.audited(stated, inputs);
    QList<KnownRecipe> known;
    std::optional<Error> error; // of the first recipe without a context
    ContextTables tables;
    for (qsizetype i = 0; i < committed.size(); ++i) {
        const Committed &recipe = committed.at(i);
        if (judgements.at(i).firstError())
            continue;
        const auto context = recipeContext(*m_recipes.catalog(), stated, recipe.variant, tables);
        if (context)
            known.append({recipe.variant, recipe.text, *context});
        else if (!error)
            error = context.error();
    }
    if (known.isEmpty() && error)
        return *error;
    if (known.isEmpty())
        return Error{Tr::tr("learn a template"), {}, Tr::tr("the audit finds an error in every recipe"), {}};
    return learnTemplate(*m_recipes.catalog(), known);
}

QList<LearnedProfile> learnedProfiles(const RecipeCache &recipes, const BranchContent &content, const Settings &stated,
                                      const ProfileSelector &where, const WorkHooks &hooks)
{
    const TemplateLearner learner(recipes, content, stated);
    QList<ProfileKey> profiles = learner.profiles();
    profiles.removeIf([&where](const ProfileKey &key) { return !where.matches(key); });
    QList<LearnedProfile> learned;
    for (const ProfileKey &key : std::as_const(profiles)) {
        if (hooks.stopped())
            break;
        hooks.tell(int(learned.size()), int(profiles.size()));
        learned.append({key, learner.learned(key, stated)});
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
