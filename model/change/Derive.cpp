// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/base/Sentences.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Dropped.h"
#include "model/change/Generate.h"
#include "model/change/Library.h"
#include "model/change/Makers.h"
#include "model/change/RecipeConverter.h"
#include "model/change/TemplateCheck.h"
#include "model/repository/CommitReader.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/snapshot/RecipeLike.h"
#include "model/template/FactExchange.h"
#include "model/template/TableEntry.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <future>
#include <set>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// The files of a change with their cells, to sort them when all are added.
class Files
{
public:
    ChangedFile &append(const Variant &place, ChangedFile file)
    {
        m_files.append({std::move(file), place});
        return m_files.last().first;
    }

    QList<ChangedFile> sorted()
    {
        std::ranges::stable_sort(m_files, [](const auto &a, const auto &b) {
            return std::tie(a.first.action, a.second) < std::tie(b.first.action, b.second);
        });
        QList<ChangedFile> files;
        for (const auto &[file, place] : std::as_const(m_files))
            files.append(file);
        return files;
    }

private:
    QList<std::pair<ChangedFile, Variant>> m_files;
};

/// The recipes of a branch that claim cells, in the grid's order. A recipe with an unknown toolkit is left out.
QList<NamedRecipe> recipesOf(const Catalog &catalog, const Settings &line, const BranchContent &content)
{
    QList<NamedRecipe> recipes = placedRecipes(catalog, content, line.toolkits());
    std::ranges::stable_sort(recipes, {}, [](const NamedRecipe &named) { return named.name.variant; });
    return recipes;
}

/// "PyTorch 2.9.1, CUDA 12.9 and 13.0, Python 3.13"
QString wordsOf(const Settings &line)
{
    QStringList parts;
    if (const QString version = line.versionOf(u"pytorch"_s); !version.isEmpty())
        parts.append(u"PyTorch %1"_s.arg(version));
    const QStringList cudas = line.toolkits();
    if (!cudas.isEmpty())
        parts.append(u"CUDA %1"_s.arg(enumerated(cudas)));
    QStringList pythons;
    for (const QString &python : line.pythons())
        pythons.append(pythonVersion(python));
    if (!pythons.isEmpty())
        parts.append(u"Python %1"_s.arg(enumerated(pythons)));
    return parts.join(u", "_s);
}

/// "blas = mkl, nixpkgs = 0123456789": the keys in the change, for a commit message; empty if there are none.
QString keysOf(const SettingsChange &change)
{
    QStringList keys;
    const auto add = [&keys](const QString &key, const QString &value) {
        keys.append(u"%1 = %2"_s.arg(key, value.isEmpty() ? u"\"\""_s : value));
    };
    const auto addAll = [&add](const QString &table, const QMap<QString, QString> &values) {
        for (auto it = values.cbegin(); it != values.cend(); ++it)
            add(table + u'.' + it.key(), *it);
    };
    addAll(u"versions"_s, change.versions);
    addAll(u"hashes"_s, change.hashes);
    if (change.cudas)
        add(u"cudas"_s, change.cudas->join(u' '));
    if (change.pythons)
        add(u"pythons"_s, change.pythons->join(u' '));
    if (change.pin)
        add(u"nixpkgs"_s, *change.pin);
    if (!change.pinHash.isEmpty())
        add(u"nixpkgs_sha256"_s, change.pinHash);
    addAll(u"gpu_templates"_s, change.gpuTemplates);
    addAll(u"cpu_templates"_s, change.cpuTemplates);
    for (const auto &[key, value] : change.keys)
        add(key, value);
    return keys.join(u'\n');
}

/// The change of the settings only: torch-matrix.toml, and remarks.
ChangeSet changeOf(const BranchContent &content, const ChangedSettings &changed, bool writes)
{
    ChangeSet changes;
    changes.branch = changed.settings.branch;
    changes.parentCommit = content.commit;
    changes.settings = changed.settings;
    changes.warnings = changed.warnings;
    const bool same = !writes || content.lineFile == changed.file;
    changes.files.append(
        {.action = same               ? Action::Keep
                   : content.lineFile ? Action::Rewrite
                                      : Action::Create,
         .path = settingsFileName,
         .before = content.lineFile,
         .after = changed.file,
         .reason = same ? Tr::tr("The change does not affect it.") : Tr::tr("The branch settings, in the same commit."),
         .group = same ? QString() : Tr::tr("Settings"),
         .chosen = !same,
         .possible = false});
    return changes;
}

/// The source of torch in a recipe that is built as the settings say.
TorchSource::Kind kindOf(TorchOrigin origin)
{
    switch (origin) {
    case TorchOrigin::InPlace: return TorchSource::Kind::Built;
    case TorchOrigin::Sibling: return TorchSource::Kind::Sibling;
    case TorchOrigin::Published: return TorchSource::Kind::Published;
    case TorchOrigin::Fetched: return TorchSource::Kind::Fetched;
    }
    Q_UNREACHABLE_RETURN({});
}

/// Why the profile's template does not give a recipe for its first cell with the source that the settings name and, if
/// `judged`, without errors. One sentence; empty if it does.
QString whyNotServed(const RecipeCache &recipes, const Settings &source, const Settings &settings,
                     const ProfileKey &key, bool judged)
{
    const Profile profile = settings.profiles.value(key);
    const Family *family = recipes.catalog()->family(key.family);
    const bool torchMoves = family && family->companion && source.profiles.contains(key) &&
                            source.profiles.value(key).torchOrigin != profile.torchOrigin;
    const Variant variant = key.variant(profile.cells.constFirst());
    if (isLearned(profile.templateName) && settings.learnedFor(variant).isEmpty())
        return Tr::tr("There is no recipe to learn that template from.");
    if (!judged && profile.sourceHash.isEmpty() && !torchMoves)
        return {}; // Another template would not solve this problem.
    const Result<QByteArray> text = recipes.rendered(settings, {variant}).constFirst();
    if (!text)
        return text.error().sentence();
    // What it imports may fetch it.
    const bool imports = !pathsNamedIn(variant.file(), *text).isEmpty();
    if (imports && !judged)
        return {};
    if (!imports && !text->contains(profile.sourceHash.toUtf8()))
        return Tr::tr("Recipes of that template fetch no source.");
    if (torchMoves && recipes.facts(*text)->torch.kind != kindOf(profile.torchOrigin))
        return Tr::tr("Recipes of that template take torch from elsewhere.");
    if (!judged)
        return {};
    const QList<Finding> findings =
        recipes.audited(settings, {AuditInput{.variant = variant, .file = variant.file(), .text = *text}})
            .constFirst()
            .findings;
    // Siblings are audited together with the whole branch.
    const auto error = std::ranges::find_if(findings, [](const Finding &finding) {
        return finding.severity == Severity::Error && finding.rule != "companion-sibling-missing"_L1;
    });
    return error == findings.end() ? QString() : placedSentence(*error);
}

/// A sentence for each template that the change of settings implies without being requested.
QStringList changedTemplates(const Catalog &catalog, const Settings &before, const Settings &after,
                             const SettingsChange &change, const QMap<ProfileKey, QString> &reasons)
{
    QStringList sentences;
    for (auto it = after.profiles.cbegin(); it != after.profiles.cend(); ++it) {
        const ProfileKey &key = it.key();
        const bool asked =
            std::ranges::any_of(change.keys, [](const auto &one) { return one.first.contains("template"_L1); });
        const bool named = asked || (key.isCuda()            ? change.gpuTemplates.contains(key.family)
                                     : key.build == "cpu"_L1 ? change.cpuTemplates.contains(key.family)
                                                             : false);
        if (it->cells.isEmpty() || named)
            continue;
        // For a new Python or toolkit: the first of the same kind.
        const QList<ProfileKey> keys = before.profiles.keys();
        const auto former = std::ranges::find_if(keys, [&](const ProfileKey &one) {
            return keys.contains(key)
                       ? one == key
                       : one.family == key.family && (one.isCuda() ? key.isCuda() : one.build == key.build);
        });
        if (former == keys.end())
            continue;
        const QString was = templateOf(catalog, before, *former);
        const QString now = templateOf(catalog, after, key);
        QString sentence = Tr::tr("The settings get template %1 for %2 instead of %3.").arg(now, recipesOf(key), was);
        if (const QString why = reasons.value(key); !why.isEmpty())
            sentence = joinedSentences({sentence, why});
        if (was != now && !sentences.contains(sentence))
            sentences.append(sentence);
    }
    return sentences;
}

/// changedSettings(). If the template of a profile does not work (it does not fetch the required source, torch comes
/// from elsewhere, or it was learned from other recipes), the profile gets the family's first template that works,
/// unless the change names one.
Result<ChangedSettings> settingsAfter(const RecipeCache &recipes, const Settings &source,
                                      const std::optional<QByteArray> &file, const QString &branch,
                                      const SettingsChange &change)
{
    const Catalog &catalog = *recipes.catalog();
    Result<ChangedSettings> changed = changedSettings(catalog, source, file, branch, change);
    if (!changed)
        return changed;
    if (std::optional<Error> useless = uselessTemplate(recipes, source, changed->settings))
        return *std::move(useless);
    Settings settings = changed->settings;
    QMap<ProfileKey, QString> reasons;
    for (auto it = changed->settings.profiles.cbegin(); it != changed->settings.profiles.cend(); ++it) {
        const QString &family = it.key().family;
        const bool named = it.key().isCuda()            ? change.gpuTemplates.contains(family)
                           : it.key().build == "cpu"_L1 ? change.cpuTemplates.contains(family)
                                                        : false;
        if (it->cells.isEmpty() || named)
            continue;
        const QString why = whyNotServed(recipes, source, changed->settings, it.key(), false);
        if (why.isEmpty())
            continue;
        reasons.insert(it.key(), why);
        bool served = false;
        QString whyOwnNot;
        Settings trial = changed->settings;
        trial.profiles[it.key()].templateName.clear();
        QStringList candidates{templateOf(catalog, trial, it.key())}; // The family's default comes before the others.
        candidates += catalog.templatesOf(family);
        for (const QString &name : std::as_const(candidates)) {
            trial.profiles[it.key()].templateName = name;
            if (const QString whyNot = whyNotServed(recipes, source, trial, it.key(), true); !whyNot.isEmpty()) {
                whyOwnNot = whyOwnNot.isEmpty() ? whyNot : whyOwnNot;
                continue;
            }
            settings.profiles[it.key()].templateName = name;
            served = true;
            break;
        }
        if (!served && !it->sourceHash.isEmpty() && it->sourceHash != source.profiles.value(it.key()).sourceHash)
            return Error{
                Tr::tr("build"), recipesOf(it.key()),
                Tr::tr("the settings name a source of their own, and no template of %1 builds it. Template %2: %3")
                    .arg(family, candidates.constFirst(), whyOwnNot),
                Tr::tr("Fix that, or choose a nixpkgs that has version %1 and remove hashes.%2.")
                    .arg(it->version, family)};
    }
    changed->warnings += changedTemplates(catalog, source, settings, change, reasons);
    if (settings == changed->settings)
        return changed;
    changed->file = withLine(changed->file, catalog, settings);
    changed->settings = settings;
    return changed;
}

/// Removes variants from the coverage that were possible and no longer are (a GPU that another PyTorch does not
/// support), unless the change itself lists them.
void dropImpossible(const Catalog &catalog, const Settings &source, const SettingsChange &change,
                    ChangedSettings &changed)
{
    Settings settings = changed.settings;
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        it->cells.removeIf([&](const GridCell &cell) {
            const Variant variant = it.key().variant(cell);
            const bool asked = std::ranges::any_of(
                change.keys, [&cell](const auto &one) { return one.first == "coverage."_L1 + cell.row; });
            return !asked && catalog.validity(variant, source).valid && !catalog.validity(variant, settings).valid;
        });
    }
    if (settings == changed.settings)
        return;
    changed.file = withLine(changed.file, catalog, settings);
    changed.settings = settings;
}

/// Why a recipe cannot be carried over, as a sentence without its name, because many recipes have the same reason.
QString reasonOf(const Error &error)
{
    QString sentence = withFullStop(error.why);
    sentence[0] = sentence.at(0).toUpper();
    return joinedSentences({sentence, error.remedy});
}

/// The variants under `settings` for a variant of another branch: same family, row and ISA; its Python and toolkit if
/// the settings have them, else each one that they have.
QList<Variant> placesOn(const Settings &settings, const Variant &variant)
{
    const ProfileKey own = ProfileKey::of(variant);
    QStringList pythons;
    QStringList builds;
    for (auto it = settings.profiles.keyBegin(); it != settings.profiles.keyEnd(); ++it) {
        if (it->family != own.family)
            continue;
        pythons.append(it->python);
        if (it->isCuda() == own.isCuda() && (own.isCuda() || it->build == own.build))
            builds.append(it->build);
    }
    QList<Variant> places;
    for (auto it = settings.profiles.keyBegin(); it != settings.profiles.keyEnd(); ++it) {
        const bool python = pythons.contains(own.python) ? it->python == own.python : true;
        const bool build = builds.contains(own.build) ? it->build == own.build : builds.contains(it->build);
        if (it->family == own.family && python && build)
            places.append(it->variant({variant.row, variant.isa, variant.rest}));
    }
    return places;
}

/// Whether a recipe of `a` is a better model for `wanted`: same Python first, then the newest toolkit that is not
/// newer.
bool isNearer(const Variant &wanted, const Variant &a, const Variant &b)
{
    const auto distance = [&wanted](const Variant &variant) {
        const bool newer = compareVersions(variant.cuda, wanted.cuda) > 0;
        return std::tuple(variant.python != wanted.python, variant.cuda != wanted.cuda, newer);
    };
    if (distance(a) != distance(b))
        return distance(a) < distance(b);
    const int newer = compareVersions(a.cuda, b.cuda);
    return compareVersions(a.cuda, wanted.cuda) > 0 ? newer < 0 : newer > 0;
}

/// An existing recipe, and the variants that it becomes.
struct Source {
    const NamedRecipe *named = nullptr;
    QByteArray text;
    QList<Variant> places;
    QString whyNone; ///< why there are no places, one sentence
};

/// The path of a recipe for another variant. Keeps a suffix of the name, and a folder with default.nix.
QString pathFor(const NamedRecipe &named, const Variant &variant)
{
    if (named.name.variant == variant)
        return named.file->path;
    const QString path = variant.file();
    const QString stem = path.chopped(4) + named.name.suffix;
    return named.file->path.endsWith("/default.nix"_L1) ? stem + u"/default.nix"_s : stem + u".nix"_s;
}

/// The refusal if cells of the grid would be lost without permission. `beside`: separate packages next to a cell's
/// recipe, which are named but do not prevent the change.
std::optional<Error> refusalToDrop(const ChangeSet &changes, const QStringList &beside)
{
    const qsizetype lost = changes.dropped.size() - beside.size();
    if (lost == 0)
        return std::nullopt;
    return Error{
        Tr::tr("carry every recipe over to"), changes.title(),
        Tr::tr("%n recipes cannot be carried over. %1", nullptr, int(lost))
            .arg(droppedByReason(changes, beside).join(u' ')),
        Tr::tr("Change what the reasons name, choose other toolkits or Pythons, or leave out these recipes (--drop).")};
}

/// Whether two recipes build different things.
bool isOther(const RecipeCache &recipes, const QByteArray &text, const QByteArray &other)
{
    return text != other &&
           samenessOf(text, *recipes.meaning(text), other, *recipes.meaning(other)) == Sameness::Different;
}

/// A sentence for `count` recipes that a migration leaves; `edits` and `renders`: how some of them can be changed.
QString wordsOfStaying(int count, bool edits, bool renders)
{
    QStringList sentences{
        Tr::tr("%n recipes are not changed and no longer match the settings, unless you choose them.", nullptr, count)};
    if (!edits)
        sentences.append(Tr::tr("--all shows the reasons.", nullptr, count));
    if (edits || renders)
        sentences.append(!renders ? Tr::tr("--in-place changes what can be changed in place.")
                         : edits  ? Tr::tr("--in-place changes what can be changed in place; --also NAME... renders "
                                            "recipes from the template.")
                                  : Tr::tr("--also NAME... renders recipes from the template."));
    return joinedSentences(sentences);
}

} // namespace

Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const QString &name,
                          const SettingsChange &change, bool drop, const WorkHooks &hooks)
{
    const Catalog &catalog = *recipes.catalog();
    std::optional<Error> problem;
    const Settings source = settingsFor(recipes, content, &problem);
    if (problem)
        return unreadSettings(Tr::tr("derive from"), content.branch, *problem);
    TM_TRY(changed, settingsAfter(recipes, source, content.lineFile, name, change));
    dropImpossible(catalog, source, change, *changed);
    const Settings &settings = changed->settings;

    const QList<NamedRecipe> there = recipesOf(catalog, source, content);
    QList<Variant> old;
    for (const NamedRecipe &named : there) {
        if (!named.file->committed)
            return Error{Tr::tr("derive from"), named.file->path, Tr::tr("it is not a text file"),
                         Tr::tr("Fix or remove it on %1 first.").arg(content.title())};
        old.append(named.name.variant);
    }

    // Each recipe goes to all its places; each place gets the nearest of its candidates.
    QList<Source> sources;
    QMap<QString, std::pair<qsizetype, Variant>> taken; // source by path
    for (const NamedRecipe &named : there) {
        Source one{.named = &named, .text = *named.file->committed};
        const Variant &variant = named.name.variant;
        one.places = placesOn(settings, variant);
        if (one.places.isEmpty())
            one.whyNone = Tr::tr("It is impossible with the new settings.");
        one.places.removeIf([&](const Variant &place) {
            const Validity validity = catalog.validity(place, settings);
            if (validity.valid || !catalog.validity(variant, source).valid || settings.covers(place))
                return false;
            one.whyNone = validity.reason;
            return true;
        });
        for (const Variant &place : std::as_const(one.places)) {
            const QString path = pathFor(named, place);
            const auto other = taken.constFind(path);
            if (other == taken.cend() || isNearer(place, variant, sources.at(other->first).named->name.variant))
                taken.insert(path, {sources.size(), place});
        }
        sources.append(std::move(one));
    }
    // A new Python or toolkit gets the cells that the settings list, each made from the nearest recipe.
    QList<Variant> created;
    std::set<ProfileKey> filled;
    for (const auto &[at, place] : std::as_const(taken))
        filled.insert(ProfileKey::of(place));
    // A new profile that replaces an old one has the same missing cells.
    std::set<ProfileKey> bare;
    for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it) {
        if (it->cells.isEmpty())
            continue;
        for (const Variant &place : placesOn(settings, it.key().variant(it->cells.constFirst())))
            bare.insert(ProfileKey::of(place));
    }
    int unfilled = 0;
    for (const Variant &variant : settings.promised()) {
        const ProfileKey key = ProfileKey::of(variant);
        if (filled.contains(key) || !catalog.validity(variant, settings).valid)
            continue;
        if (bare.contains(key))
            ++unfilled;
        else
            created.append(variant);
    }

    QList<Variant> wanted;
    QStringList unlisted;
    for (const auto &[at, place] : std::as_const(taken)) {
        wanted.append(place);
        if (source.covers(sources.at(at).named->name.variant) && !settings.covers(place))
            unlisted.append(place.name());
    }
    unlisted.removeDuplicates();
    // To know which recipes equal their template's text, the old recipes are rendered too, in parallel.
    std::future<QList<Result<QByteArray>>> rendering =
        std::async(std::launch::async, [&] { return recipes.rendered(source, old, WorkHooks{{}, hooks.stop}); });
    const QList<Result<QByteArray>> texts = recipes.rendered(settings, wanted + created, hooks);
    const QList<Result<QByteArray>> oldTexts = rendering.get();
    if (hooks.stopped())
        return stoppedError();

    Library library(recipes, content, content.committedFiles);
    const RecipeConverter carry(recipes, source, settings, &library.files());
    std::set<ProfileKey> askedFor;
    // What is written for a recipe must be what its new name promises, by the files that it imports too.
    const auto whyNotBuilt = [&](const Source &one, const Variant &place, const QString &path,
                                 const QByteArray &text) -> QString {
        const RecipeSource before =
            content.committedFiles ? content.committedFiles->source(one.named->file->path, one.text) : one.text;
        const Result<QVariantHash> from = carry.contextBefore(one.named->name.variant);
        const Result<QVariantHash> wanted = carry.contextAfter(place);
        // Of a whole recipe that keeps its name, the change itself has looked after its values.
        if (!from || !wanted || *from == *wanted || (!before.imports && path == one.named->file->path))
            return {};
        const auto whyNot = [&]() -> QString {
            const RecipeSource after = library.source(path, text);
            const std::shared_ptr<const RecipeFacts> facts = recipes.facts(after);
            const QString broken =
                brokenPromise(one.named->file->path, recipes.facts(before).get(), *facts, *from, *wanted);
            return broken.isEmpty() && path == one.named->file->path ? notFollowed(*facts, *from, *wanted) : broken;
        };
        QString why = whyNot();
        QMap<QString, QByteArray> tables;
        if (!why.isEmpty() && before.imports && withTableEntries(catalog, library.files(), path, text, &tables)) {
            for (const auto &[table, completed] : tables.asKeyValueRange()) {
                if (const auto error = library.rewrite(table, completed, newEntriesReason()))
                    return reasonOf(*error);
            }
            why = tables.isEmpty() ? why : whyNot();
        }
        // Recipes of one profile nearly always take their values from one place.
        if (before.imports && (askedFor.insert(ProfileKey::of(place)).second || !why.isEmpty())) {
            const Result<QStringList> found = library.follow(path, text, *from, *wanted);
            why = found ? whyNot() : reasonOf(found.error());
        }
        return why.isEmpty() ? why : withFullStop(why.at(0).toUpper() + why.mid(1));
    };
    Files files;
    QSet<qsizetype> used; // sources that have a file on the new branch
    QStringList dropped;
    const auto remove = [&](qsizetype at, const QString &reason) {
        const NamedRecipe &named = *sources.at(at).named;
        dropped.append(packageOf(named.file->path));
        files.append(named.name.variant, {.action = Action::Delete,
                                          .name = packageOf(named.file->path),
                                          .path = named.file->path,
                                          .before = sources.at(at).text,
                                          .reason = reason,
                                          .chosen = true,
                                          .possible = false});
    };
    QHash<qsizetype, QString> whyNot;
    QMap<QString, QStringList> lost; // names by reason
    qsizetype next = 0;
    for (auto it = taken.cbegin(); it != taken.cend(); ++it) {
        const auto &[at, place] = *it;
        const Source &one = sources.at(at);
        const Result<QByteArray> &rendered = texts.at(next++);
        const bool suffixed = !one.named->name.suffix.isEmpty();
        const Result<Carried> text = carry(
            one.text, one.named->name.variant, place, suffixed ? Result<QByteArray>(QByteArray()) : oldTexts.at(at),
            suffixed ? Result<QByteArray>(Error{{}, {}, Tr::tr("no template renders it"), {}}) : rendered);
        if (!text) {
            if (oldTexts.at(at) && *oldTexts.at(at) == one.text)
                return text.error(); // A value is missing in the settings.
            whyNot.insert(at, reasonOf(text.error()));
            continue;
        }
        if (const QString why = whyNotBuilt(one, place, it.key(), text->text); !why.isEmpty()) {
            whyNot.insert(at, why);
            continue;
        }
        // The template of a whole recipe is none of a recipe that imports one.
        const bool imports = !pathsNamedIn(one.named->file->path, one.text).isEmpty();
        if (imports && !text->inPlace && !text->lost.isEmpty()) {
            whyNot.insert(at, withFullStop(text->lost.at(0).toUpper() + text->lost.mid(1)));
            continue;
        }
        ChangedFile file{.name = suffixed ? packageOf(it.key()) : place.name(),
                         .path = one.named->file->path,
                         .before = one.text,
                         .after = text->text};
        const bool moves = it.key() != file.path;
        // One recipe may become several: the first takes over its file.
        if (moves && (used.contains(at) || taken.contains(file.path))) {
            file.action = Action::Create;
            file.path = it.key();
            file.before.reset();
        } else if (moves) {
            file.action = Action::Rename;
            file.newPath = it.key();
        } else {
            file.action = file.before == file.after ? Action::Keep : Action::Rewrite;
        }
        used.insert(at);
        file.chosen = file.action != Action::Keep;
        file.possible = !file.chosen;
        const QString from = packageOf(one.named->file->path);
        file.reason = file.action == Action::Keep ? Tr::tr("It is the same on both branches.")
                      : !moves                    ? Tr::tr("The new settings change it.")
                                                  : Tr::tr("It replaces %1.").arg(from);
        if (!text->lost.isEmpty() && file.action != Action::Keep)
            lost[text->lost].append(file.name);
        if (!text->remark.isEmpty()) {
            file.reason = joinedSentences({file.reason, text->remark});
            if (!text->inPlace)
                file.group = Tr::tr("Customised on %1").arg(content.title());
        }
        files.append(place, file);
    }
    QStringList beside, left; // names and sentences of recipes with a suffix
    for (qsizetype at = 0; at < sources.size(); ++at) {
        if (used.contains(at))
            continue;
        const Source &one = sources.at(at);
        QString reason = whyNot.value(at, one.whyNone);
        for (const Variant &place : one.places) {
            if (const auto other = taken.constFind(pathFor(*one.named, place));
                other != taken.cend() && other->first != at && reason.isEmpty())
                reason = Tr::tr("%1 replaces it.").arg(packageOf(sources.at(other->first).named->file->path));
        }
        remove(at, reason);
        if (!one.named->name.suffix.isEmpty()) {
            beside.append(packageOf(one.named->file->path));
            left.append(Tr::tr("%1 is left out: %2").arg(beside.constLast(), reason));
        }
    }
    for (const Variant &variant : std::as_const(created)) {
        const Result<QByteArray> &rendered = texts.at(next++);
        const Source *model = nullptr;
        for (const Source &one : std::as_const(sources)) {
            const Variant &other = one.named->name.variant;
            const bool fits = other.family == variant.family && other.row == variant.row &&
                              other.column() == variant.column() && one.named->name.suffix.isEmpty();
            if (fits && (!model || isNearer(variant, other, model->named->name.variant)))
                model = &one;
        }
        Result<Carried> text = rendered ? Result<Carried>(Carried{*rendered, {}, false}) : rendered.error();
        if (model)
            text = carry(model->text, model->named->name.variant, variant, oldTexts.at(model - sources.constData()),
                         rendered);
        if (!text)
            return text.error();
        if (const QString why = model ? whyNotBuilt(*model, variant, variant.file(), text->text) : QString();
            !why.isEmpty())
            return Error{Tr::tr("derive"), variant.name(), why.chopped(1), Tr::tr("Change that first.")};
        files.append(variant, {.action = Action::Create,
                               .name = variant.name(),
                               .path = variant.file(),
                               .after = text->text,
                               .reason = joinedSentences({Tr::tr("The new settings list it."), text->remark}),
                               .chosen = true});
    }

    ChangeSet changes = changeOf(content, *changed, true);
    changes.newBranch = true;
    changes.from = content.branch;
    changes.files = files.sorted() + library.changedFiles() + changes.files;
    changes.dropped = dropped;
    changes.warnings += left;
    if (const QString sentence = noLongerListed(unlisted); !sentence.isEmpty())
        changes.warnings.append(sentence);
    for (auto it = lost.cbegin(); it != lost.cend(); ++it)
        changes.warnings.append(
            Tr::tr("%n recipes are rendered from the template, and their own comments and changes are lost, because "
                   "they cannot be changed in place: %1 (%2).",
                   nullptr, int(it->size()))
                .arg(it.key(), someOf(*it)));
    if (unfilled > 0)
        changes.warnings.append(
            Tr::tr("%n cells of the coverage have no recipe on %1 and get none here; \"plan\" creates them.", nullptr,
                   unfilled)
                .arg(content.title()));
    const QString keys = keysOf(change);
    changes.message =
        u"Derive %1 from %2: %3\n\nFrom commit %4.\n"_s.arg(name, content.title(), wordsOf(settings), content.commit) +
        (keys.isEmpty() ? QString() : u"Changed:\n"_s + keys + u'\n');
    if (!drop)
        changes.refusal = refusalToDrop(changes, beside);
    if (!changes.refusal && changes.isEmpty())
        changes.refusal =
            Error{Tr::tr("derive"), name, Tr::tr("nothing would differ from branch %1").arg(content.title()),
                  Tr::tr("\"git branch\" creates a branch at the same commit.")};
    return changes;
}

void findOutdated(const QString &path, const Settings &former, ChangeSet &changes)
{
    const Settings &settings = *changes.settings;
    QStringList words;
    for (const QString &python : former.pythons()) {
        if (!settings.pythons().contains(python))
            words += {python, u"Python "_s + pythonVersion(python)};
    }
    for (const QString &toolkit : former.toolkits()) {
        if (!settings.toolkits().contains(toolkit))
            words += {u"cuda"_s + QString(toolkit).replace(u'.', u'_'), u"CUDA "_s + toolkit};
    }
    const QString version = former.versionOf(u"pytorch"_s);
    if (!version.isEmpty() && version != settings.versionOf(u"pytorch"_s))
        words.append(version);
    const Result<CommitReader> reader = CommitReader::open(path);
    if (words.isEmpty() || !reader)
        return;
    const auto found = reader->filesNaming(changes.parentCommit, words);
    if (!found)
        return;
    QStringList named;
    for (auto it = found->cbegin(); it != found->cend(); ++it) {
        if (changes.find(it.key()))
            continue;
        changes.outdated.append(it.key());
        named += *it;
    }
    words.removeIf([&named](const QString &word) { return !named.contains(word); });
    if (!changes.outdated.isEmpty())
        changes.warnings.append(
            Tr::tr("%n other files mention %1 and are not changed: %2.", nullptr, int(changes.outdated.size()))
                .arg(words.join(u", "_s), someOf(changes.outdated)));
}

Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, bool inPlace, const WorkHooks &hooks)
{
    const Catalog &catalog = *recipes.catalog();
    TM_TRY(changed, settingsAfter(recipes, snapshot.line, content.lineFile, snapshot.branch, change));
    QList<const VariantEntry *> entries;
    QList<Variant> variants;
    QStringList dropped; // variants that the settings no longer list
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        if (snapshot.line.covers(entry.variant) && !changed->settings.covers(entry.variant))
            dropped.append(entry.variant.name());
        entries.append(&entry);
        variants.append(entry.variant);
    }
    if (!dropped.isEmpty())
        return Error{
            Tr::tr("migrate"), snapshot.branch,
            Tr::tr("%n recipes would no longer be listed: %1", nullptr, int(dropped.size())).arg(someOf(dropped)),
            Tr::tr("\"derive\" creates a branch with other Pythons or toolkits; \"settings set\" changes what is "
                   "listed.")};
    const QList<Result<QByteArray>> texts = recipes.rendered(changed->settings, variants, hooks);
    if (hooks.stopped())
        return stoppedError();
    // Recipes that have not followed an earlier change of the settings are changed too.
    const Settings stated = statedSettings(recipes, content, snapshot.line);
    Library library(recipes, content, content.shownFiles);
    const RecipeConverter carry(recipes, stated, changed->settings, &library.files());
    // By variant: why the files that it imports cannot be changed.
    TM_TRY(followed, library.followAll(entries, carry, hooks));
    const QHash<QString, QString> &whyNotThere = *followed;
    Files files;
    QStringList following; // recipes that change although the new settings do not concern them
    bool anyChosen = !library.changedPaths().isEmpty();
    int left = 0;             // affected recipes that stay unchanged
    bool rendersLeft = false; // some can be rendered from the template if the user chooses them
    bool editsLeft = false;   // some can be changed in place
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const VariantEntry &entry = *entries.at(i);
        if (!texts.at(i) && entry.state == RecipeState::Current)
            return texts.at(i).error();
        const Result<QByteArray> rendered = carry.following(texts.at(i), entry.variant, entry.variant);
        const bool plain = entry.state == RecipeState::Current && rendered;
        const Result<Carried> edited = carry.inPlace(entry.text, entry.variant, entry.variant);
        ChangedFile &file = files.append(entry.variant, {.name = entry.variant.name(),
                                                         .path = entry.file,
                                                         .before = entry.text,
                                                         .after = rendered ? *rendered : entry.text});
        const bool otherTemplate = templateOf(catalog, snapshot.line, ProfileKey::of(entry.variant)) !=
                                   templateOf(catalog, changed->settings, ProfileKey::of(entry.variant));
        if (edited && edited->text == entry.text && library.reaches(entry.file, entry.text)) {
            file.after = file.before;
            file.reason = Tr::tr("It follows the files that it imports.");
            if (!carry.concerns(entry.variant))
                following.append(entry.package());
            continue;
        }
        const bool touches = !edited || edited->text != entry.text || whyNotThere.contains(entry.variant.name()) ||
                             (otherTemplate && rendered && isOther(recipes, entry.text, *rendered));
        const bool ofUse =
            plain || entry.state == RecipeState::Broken || carry.concerns(entry.variant) || otherTemplate;
        if (!touches && (file.before == file.after || !ofUse)) {
            file.after = file.before;
            file.reason = Tr::tr("The change does not affect it.");
            continue;
        }
        file.action = Action::Rewrite;
        // What its files in lib/ cannot follow is not done by writing it as it is.
        if (plain && (file.before != file.after || !whyNotThere.contains(entry.variant.name()))) {
            file.chosen = true;
            file.reason = Tr::tr("It has its template's text.");
        } else if (inPlace && edited && edited->text != entry.text) {
            file.after = edited->text;
            file.group = Tr::tr("Changed in place");
            file.reason = joinedSentences({Tr::tr("Only the affected values change."), edited->remark});
            file.chosen = entry.fileStatus == FileStatus::Clean;
            if (!file.chosen)
                file.reason = joinedSentences({Tr::tr("It has uncommitted changes."), file.reason});
        } else if (const QString why = whyNotThere.value(entry.variant.name()); !rendered || !why.isEmpty()) {
            file.action = Action::Keep;
            file.reason = !why.isEmpty()       ? why
                          : inPlace && !edited ? edited.error().sentence()
                                               : rendered.error().sentence();
            left += touches;
            editsLeft = editsLeft || (edited && edited->text != entry.text);
            continue;
        } else {
            file.group = Tr::tr("Customised");
            file.reason = entry.fileStatus == FileStatus::Clean
                              ? Tr::tr("It has its own text, which rendering from the template would lose.")
                              : Tr::tr("It has uncommitted changes.");
            if (inPlace && !edited)
                file.reason = joinedSentences(
                    {file.reason, Tr::tr("It cannot be changed in place: %1.").arg(edited.error().why)});
            file.possible = entry.state != RecipeState::Broken || !entry.text.isEmpty();
        }
        anyChosen = anyChosen || file.chosen;
        if (file.chosen || !touches)
            continue;
        ++left;
        rendersLeft = rendersLeft || file.possible;
        editsLeft = editsLeft || (edited && edited->text != entry.text);
    }
    Settings before = snapshot.line;
    before.source = changed->settings.source;
    ChangeSet changes = changeOf(content, *changed, before != changed->settings);
    changes.files = files.sorted() + library.changedFiles() + changes.files;
    changes.subjectForm = u"Migrate %1 to "_s + wordsOf(changed->settings);
    if (const QString keys = keysOf(change); !keys.isEmpty())
        changes.subjectForm += u"\n\nChanged:\n"_s + keys;
    if (!following.isEmpty())
        changes.warnings.append(
            Tr::tr("%n recipes follow although the new settings are not for them, because they take the value from the "
                   "same place: %1.",
                   nullptr, int(following.size()))
                .arg(someOf(following)));
    if (left > 0)
        changes.warnings.append(wordsOfStaying(left, editsLeft && !inPlace, rendersLeft));
    // With only the settings changed, no recipe would match them.
    if (left > 0 && !anyChosen) {
        for (ChangedFile &file : changes.files) {
            if (file.path == settingsFileName)
                file.chosen = false;
        }
    }
    return changes;
}

namespace {

/// Copies recipes of one branch to another: takes along the files that they import and that the other branch lacks.
class Copying
{
public:
    Copying(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target)
        : m_recipes(recipes)
        , m_source(source)
        , m_target(target)
        , m_carry(recipes, source.line, target.line, &source.files)
        , m_files(target.files)
    {
    }

    Result<Carried> operator()(const VariantEntry &entry, const Variant &to)
    {
        TM_TRY(carried, m_carry(entry.text, entry.variant, to, entry.rendered,
                                m_recipes.rendered(m_target.line, {to}).constFirst()));
        TM_CHECK(takeAlong(entry, carried->text));
        const Result<QVariantHash> from = m_carry.contextBefore(entry.variant);
        const Result<QVariantHash> wanted = m_carry.contextAfter(to);
        if (!from || !wanted)
            return carried;
        const auto before = m_recipes.facts(sourceIn(m_source.files, entry.file, entry.text));
        const auto after = m_recipes.facts(sourceIn(m_files, to.file(), carried->text));
        if (const QString broken = brokenPromise(to.file(), before.get(), *after, *from, *wanted); !broken.isEmpty())
            return Error{Tr::tr("copy"), entry.variant.name(), Tr::tr("on %1, %2").arg(m_target.branch, broken), {}};
        return carried;
    }

    /// The files that were taken along.
    [[nodiscard]] const QMap<QString, QByteArray> &taken() const { return m_taken; }

private:
    static RecipeSource sourceIn(const std::shared_ptr<const RecipeFiles> &files, const QString &path,
                                 const QByteArray &text)
    {
        return files ? files->source(path, text) : RecipeSource(text);
    }

    /// Error: the target has an imported file with another text, with which the recipe is another one.
    Result<void> takeAlong(const VariantEntry &entry, const QByteArray &text)
    {
        const RecipeSource here = sourceIn(m_source.files, entry.file, text);
        QMap<QString, QByteArray> lacking;
        QString other; // the first file with another text
        for (const QString &path : here.imports ? here.imports->paths : QStringList()) {
            // A recipe of its own is copied if it is asked for; the audit names it if it is missing.
            if (path == entry.file || VariantName::parse(packageOf(path), m_recipes.catalog()->isaIds()))
                continue;
            const std::optional<QByteArray> own = m_source.files->text(path);
            const std::optional<QByteArray> there = m_files ? m_files->text(path) : std::nullopt;
            if (own && !there)
                lacking.insert(path, *own);
            else if (own != there && other.isEmpty())
                other = path;
        }
        const auto files = lacking.isEmpty() ? m_files
                           : m_files         ? m_files->with(lacking)
                                             : RecipeFiles({}).with(lacking);
        if (!other.isEmpty() && isOther(here, sourceIn(files, entry.file, text))) {
            const QByteArray own = *m_source.files->text(other);
            const QByteArray there = *files->text(other);
            const auto offset = quint32(std::ranges::mismatch(own, there).in1 - own.begin());
            return Error{
                Tr::tr("copy"), entry.variant.name(),
                Tr::tr(
                    "it imports %1, which differs on %2 and %3 from line %4 on, so that it would build something else")
                    .arg(shownPath(other), m_source.branch, m_target.branch)
                    .arg(lineAt(own, offset)),
                Tr::tr("\"git diff %1 %2 -- %3\" shows the difference.").arg(m_target.branch, m_source.branch, other)};
        }
        m_files = files;
        m_taken.insert(lacking);
        return {};
    }

    [[nodiscard]] bool isOther(const RecipeSource &a, const RecipeSource &b) const
    {
        const auto meaning = m_recipes.meaning(a);
        const auto other = m_recipes.meaning(b);
        return !meaning->isKnown() || !other->isKnown() || meaning->exact != other->exact;
    }

    const RecipeCache &m_recipes;
    const BranchSnapshot &m_source;
    const BranchSnapshot &m_target;
    const RecipeConverter m_carry;
    std::shared_ptr<const RecipeFiles> m_files; ///< of the target, with what was taken along
    QMap<QString, QByteArray> m_taken;
};

} // namespace

Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target,
                         const QStringList &names)
{
    Copying copy(recipes, source, target);
    const auto failed = [](const QString &name, const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("copy"), name, why, remedy};
    };
    Files files;
    QStringList wanted = names;
    wanted.removeDuplicates();
    for (const QString &name : std::as_const(wanted)) {
        const VariantEntry *there = source.find(name);
        if (!there || !there->present)
            return noRecipe(*recipes.catalog(), Tr::tr("copy"), name, source.branch);
        // Its content cannot be carried over, and the request was not for another text.
        if (const std::optional<RecipeError> error = recipes.facts(there->text)->error)
            return failed(name,
                          Tr::tr("its text on %1 is not valid Nix, line %2: %3")
                              .arg(source.branch)
                              .arg(error->spot.line)
                              .arg(error->message),
                          Tr::tr("Fix it there first."));
        TM_TRY(variant, variantOn(target.line, there->variant));
        if (const Validity validity = recipes.catalog()->validity(*variant, target.line);
            !validity.valid && !target.line.covers(*variant))
            return failed(name, validity.reason);
        TM_TRY(carried, copy(*there, *variant));
        const QByteArray *text = &carried->text;
        const VariantEntry *entry = target.find(variant->name());
        ChangedFile file{.name = variant->name(), .path = entry ? entry->file : variant->file(), .after = *text};
        QStringList reasons;
        if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted) {
            file.action = Action::Create;
            file.chosen = true;
            reasons.append(Tr::tr("%1 has no recipe for that cell.").arg(target.branch));
        } else {
            file.before = entry->text;
            file.action = file.before == file.after ? Action::Keep : Action::Rewrite;
            reasons.append((file.action == Action::Keep ? Tr::tr("%1 has it already.")
                                                        : Tr::tr("%1 has another recipe for that cell."))
                               .arg(target.branch));
            if (file.action == Action::Rewrite)
                file.group = Tr::tr("Another recipe exists");
        }
        if (!target.line.covers(*variant))
            reasons.append(Tr::tr("The settings of %1 do not list it.").arg(target.branch));
        if (!carried->remark.isEmpty())
            reasons.append(carried->remark);
        file.reason = reasons.join(u' ');
        files.append(*variant, file);
    }
    ChangeSet changes = changeOf(target, ChangeSet::Until::Commit);
    changes.from = source.branch;
    changes.files = files.sorted();
    for (auto it = copy.taken().cbegin(); it != copy.taken().cend(); ++it)
        changes.files.append({.action = Action::Create,
                              .path = it.key(),
                              .after = *it,
                              .reason = Tr::tr("Recipes that are copied import it."),
                              .chosen = true,
                              .possible = false});
    changes.subjectForm = u"Copy %1 from %2"_s.arg(u"%1"_s, source.branch);
    return changes;
}

} // namespace tmx
