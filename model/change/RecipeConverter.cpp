// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/RecipeConverter.h"

#include "model/base/Tr.h"
#include "model/change/Library.h"
#include "model/change/StatedPins.h"
#include "model/snapshot/BranchSnapshot.h"
#include "model/snapshot/RecipeLike.h"
#include "model/template/FactExchange.h"
#include "model/template/RecipeContext.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// For a recipe that fetches another nixpkgs than the settings have: sets its own pin, so that the change starts from
/// there.
void takeOwnPin(QVariantHash &context, const RecipeFacts &facts)
{
    if (facts.pins.size() != 1 || !facts.pins.constFirst().revision.known)
        return;
    QVariantHash nixpkgs = context.value(u"nixpkgs"_s).toHash();
    if (nixpkgs.value(u"rev"_s).toString() == facts.pins.constFirst().revision.value)
        return;
    nixpkgs.insert(u"rev"_s, facts.pins.constFirst().revision.value);
    nixpkgs.insert(u"sha256"_s, facts.pins.constFirst().sha256.value);
    context.insert(u"nixpkgs"_s, nixpkgs);
}

template <class T>
void fill(T &value, const T &other)
{
    if (value == T{})
        value = other;
}

/// Fills in values that no recipe states from `settings`.
void fillIn(Profile &stated, const Profile &settings, bool setsVersion)
{
    // Settings without a version leave it unset, whatever the recipes state.
    if ((settings.version.isEmpty() && !setsVersion) || stated.version.isEmpty())
        stated.version = settings.version;
    fill(stated.pin.python3, settings.pin.python3);
    fill(stated.cudaAttribute, settings.cudaAttribute);
    fill(stated.release, settings.release);
    stated.templateName = settings.templateName;
    stated.notation = settings.notation;
}

/// The texts in a context with their paths: "nixpkgs.rev".
void addTexts(const QVariantHash &context, const QString &prefix, QMap<QString, QString> &texts)
{
    for (const auto &[key, value] : context.asKeyValueRange()) {
        if (value.typeId() == QMetaType::QVariantHash)
            addTexts(value.toHash(), prefix + key + u'.', texts);
        else if (value.typeId() != QMetaType::QVariantList)
            texts.insert(prefix + key, value.toString());
    }
}

} // namespace

QStringList RecipeConverter::notFollowedKeys(const QByteArray &text, const Variant &variant) const
{
    Result<QVariantHash> there = contextBefore(variant);
    const Result<QVariantHash> wanted = contextAfter(variant);
    if (!there || !wanted)
        return {};
    takeOwnPin(*there, *m_recipes.facts(sourceOf(text, variant)));
    QMap<QString, QString> own, others;
    addTexts(*there, {}, own);
    addTexts(*wanted, {}, others);
    for (auto it = own.cbegin(); it != own.cend(); ++it)
        others.insert(it.key(), others.value(it.key()));
    QMap<QString, QString> known, unknown; // by key; what follows from a key is known by it
    for (const auto &[path, value] : others.asKeyValueRange()) {
        const QString key = settingsKeyOf(path);
        if (own.value(path) == value || known.contains(key))
            continue;
        const auto shown = [](const QString &of) { return of.isEmpty() ? Tr::tr("nothing") : of; };
        (key.isEmpty() ? unknown : known)
            .insert(key.isEmpty() ? path : key,
                    Tr::tr("%1: %2 in the recipe, %3 in the settings")
                        .arg(key.isEmpty() ? path : key, shown(own.value(path)), shown(value)));
    }
    return known.isEmpty() ? unknown.values() : known.values();
}

bool RecipeConverter::sameBuild(const Variant &variant) const
{
    for (const Variant &each : {variant, torchVariantOf(variant)}) {
        Profile before = m_source.profileOf(each);
        Profile after = m_target.profileOf(each);
        before.cells.clear();
        after.cells.clear();
        if (before != after)
            return false;
    }
    return true;
}

Result<QVariantHash> RecipeConverter::contextBefore(const Variant &variant) const
{
    return recipeContext(m_catalog, m_source, variant, m_tables, UnknownCells::Allowed);
}

Result<QVariantHash> RecipeConverter::contextAfter(const Variant &variant) const
{
    return recipeContext(m_catalog, m_target, variant, m_tables, UnknownCells::Allowed);
}

QByteArray RecipeConverter::withoutMistakes(const QByteArray &text, const Variant &variant) const
{
    AuditInput input{.variant = variant, .file = variant.file(), .text = text};
    input.catalog = &m_catalog;
    input.settings = &m_source;
    input.files = m_files ? *m_files : nullptr;
    return completed(input);
}

RecipeSource RecipeConverter::sourceOf(const QByteArray &text, const Variant &variant) const
{
    if (!m_files || !*m_files)
        return text;
    const QString file = variant.file();
    const QString folder = file.chopped(4) + "/default.nix"_L1;
    return (*m_files)->source((*m_files)->text(folder) ? folder : file, text);
}

bool RecipeConverter::statesUnread(const RecipeSource &recipe) const
{
    const QList<PinFacts> &pins = m_recipes.facts(recipe)->pins;
    // In JSON and TOML a revision is known, but has no place.
    const auto isInData = [&](const PinFacts &pin) {
        const QByteArray revision = pin.revision.value.toUtf8();
        bool isThere = false;
        for (const QString &path : recipe.imports &&m_files && *m_files ? recipe.imports->paths : QStringList()) {
            const bool contains = (*m_files)->text(path).value_or(QByteArray()).contains(revision);
            if (contains && !isData(path))
                return false;
            isThere = isThere || contains;
        }
        return isThere && !revision.isEmpty() && !recipe.text.contains(revision);
    };
    if (std::ranges::any_of(pins, isInData))
        return true;
    return std::ranges::none_of(pins, [](const PinFacts &pin) { return pin.revision.known; }) &&
           !statedNixpkgs(recipe, m_files ? m_files->get() : nullptr).isEmpty();
}

bool RecipeConverter::concerns(const Variant &variant) const
{
    const Result<QVariantHash> there = contextBefore(variant);
    const Result<QVariantHash> wanted = contextAfter(variant);
    return !there || !wanted || *there != *wanted;
}

void RecipeConverter::limitPin(const QVariantHash &there, QVariantHash &wanted) const
{
    const QString own = textAt(there, u"nixpkgs.rev");
    if (m_onlyPin.isEmpty() || own == textAt(wanted, u"nixpkgs.rev"))
        return;
    wanted.insert(u"nixpkgs"_s, there.value(u"nixpkgs"_s));
    if (!own.startsWith(m_onlyPin))
        return;
    QVariantHash nixpkgs = wanted.value(u"nixpkgs"_s).toHash();
    nixpkgs.insert(u"rev"_s, m_pin);
    nixpkgs.insert(u"sha256"_s, m_pinHash);
    wanted.insert(u"nixpkgs"_s, nixpkgs);
}

Result<Carried> RecipeConverter::inPlace(const QByteArray &text, const Variant &from, const Variant &to) const
{
    if (from == to && sameBuild(from) && m_onlyPin.isEmpty())
        return Carried{text, {}, true};
    TM_TRY(there, contextBefore(from));
    TM_TRY(wanted, contextAfter(to));
    const RecipeSource recipe = sourceOf(text, from);
    if (recipe.imports)
        takeImported(*there, *wanted, text, *m_recipes.facts(recipe));
    takeOwnPin(*there, *m_recipes.facts(text));
    limitPin(*there, *wanted);
    if (statesUnread(recipe))
        there->insert(u"nixpkgs"_s, wanted->value(u"nixpkgs"_s));
    TM_TRY(made, exchanged(text, m_catalog, *there, *wanted));
    return Carried{made->text, made->remarks.join(u' '), true};
}

Result<QByteArray> RecipeConverter::following(const Result<QByteArray> &rendered, const Variant &from,
                                              const Variant &to) const
{
    const Result<QVariantHash> there = contextBefore(from);
    const Result<QVariantHash> wanted = contextAfter(to);
    const QString why = rendered && there && wanted
                            ? notFollowed(*m_recipes.facts(sourceOf(*rendered, to)), *there, *wanted)
                            : QString();
    if (why.isEmpty())
        return rendered;
    const QString named = m_target.profileOf(to).templateName;
    return Error{Tr::tr("render"), to.name(),
                 (named.isEmpty() ? Tr::tr("the text of its template does not match the settings: %1").arg(why)
                                  : Tr::tr("the text of template %1 does not match the settings: %2").arg(named, why)),
                 Tr::tr("Choose another template, or change the recipe by hand.")};
}

Result<Carried> RecipeConverter::operator()(const QByteArray &text, const Variant &from, const Variant &to,
                                            const Result<QByteArray> &asRendered, const Result<QByteArray> &given) const
{
    const Result<QByteArray> rendered = following(given, from, to);
    const bool plain = asRendered && *asRendered == text;
    // A template that was learned from recipes has the same values as they have.
    if (plain && !isLearned(m_source.profileOf(from).templateName))
        return rendered ? Result<Carried>(Carried{*rendered, {}, false}) : rendered.error();
    Result<Carried> changed = inPlace(text, from, to);
    if (changed || !rendered)
        return changed;
    if (!pathsNamedIn(from.file(), text).isEmpty() && pathsNamedIn(to.file(), *rendered).isEmpty())
        return changed; // A recipe that imports its builder does not become a whole one.
    if (plain)
        return Carried{*rendered, {}, false};
    static const QRegularExpression line(u"^line \\d+: "_s);
    const auto isRendered = [&](const QByteArray &own) {
        return asRendered && samenessOf(own, *m_recipes.meaning(own), *asRendered, *m_recipes.meaning(*asRendered)) !=
                                 Sameness::Different;
    };
    // A mistake that the audit would fix is no code to keep.
    const bool losesCode = !isRendered(text) && !isRendered(withoutMistakes(text, from));
    return Carried{*rendered,
                   (losesCode
                        ? Tr::tr("It is rendered from the template, and its own comments and changes are lost: %1.")
                        : Tr::tr("It is rendered from the template, and its own comments are lost: %1."))
                       .arg(changed.error().why),
                   false, QString(changed.error().why).remove(line), losesCode};
}

Settings statedSettings(const RecipeCache &recipes, const BranchContent &content, const Settings &settings,
                        const Settings *target)
{
    if (!content.settingsFile)
        return settings;
    BranchContent alone = content;
    alone.settingsFile.reset();
    alone.settingsTrouble = FileTrouble::None;
    Settings stated = settingsFor(recipes, alone, nullptr, nullptr, Templates::LeftOut);
    for (auto it = stated.profiles.begin(); it != stated.profiles.end(); ++it) {
        const auto own = settings.profiles.constFind(it.key());
        if (own == settings.profiles.cend())
            continue;
        fillIn(*it, *own, target && !target->profiles.value(it.key()).version.isEmpty());
        // Recipes do not show whether the settings name their Python's own set or none.
        if (it->pythonSet.isEmpty() && own->pythonSet == it.key().python + "Packages"_L1)
            it->pythonSet = own->pythonSet;
    }
    // A family without recipes states nothing that recipes of others could have to follow.
    const auto families = [&stated] {
        QSet<QString> families;
        for (const ProfileKey &key : stated.profiles.keys())
            families.insert(key.family);
        return families;
    }();
    for (const auto &[key, profile] : settings.profiles.asKeyValueRange()) {
        if (!families.contains(key.family))
            stated.profiles.insert(key, profile);
    }
    stated.smRows = settings.smRows;
    stated.flags = settings.flags;
    stated.learned = settings.learned;
    return stated;
}

} // namespace tmx
