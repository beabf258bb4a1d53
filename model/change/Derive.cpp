// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Derive.h"

#include "model/audit/Documents.h"
#include "model/audit/Fix.h"
#include "model/base/RepositoryPaths.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/CellFiles.h"
#include "model/change/Check.h"
#include "model/change/Dropped.h"
#include "model/change/KeptVersions.h"
#include "model/change/Library.h"
#include "model/change/Preparation.h"
#include "model/change/RecipeConverter.h"
#include "model/change/ReplacedPins.h"
#include "model/change/SettingsAfter.h"
#include "model/change/StatedPins.h"
#include "model/git/CommitReader.h"
#include "model/git/Repository.h"
#include "model/settings/SettingsEdit.h"
#include "model/settings/SettingsFile.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/snapshot/RecipeLike.h"
#include "model/template/FactExchange.h"
#include "model/template/TableEntry.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <future>
#include <set>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// The recipes of a branch that claim cells, in the grid's order. A recipe with an unknown toolkit is left out.
QList<NamedRecipe> recipesOf(const Catalog &catalog, const Settings &settings, const BranchContent &content)
{
    QList<NamedRecipe> recipes = placedRecipes(catalog, content, settings.toolkits());
    std::ranges::stable_sort(recipes, {}, [](const NamedRecipe &named) { return named.name.variant; });
    return recipes;
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
    changed.file = withSettings(changed.file, catalog, settings);
    changed.settings = settings;
}

/// Why a recipe cannot be carried over, as a sentence without its name, because many recipes have the same reason.
QString reasonOf(const Error &error)
{
    return joinedSentences({asSentence(error.why), error.remedy});
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

    [[nodiscard]] bool isSuffixed() const { return !named->suffix.isEmpty(); }
};

/// The path of a recipe for another variant. Keeps a suffix of the name, and a folder with default.nix.
QString pathFor(const NamedRecipe &named, const Variant &variant)
{
    if (named.name.variant == variant)
        return named.file->path;
    const QString path = variant.file();
    const QString stem = path.chopped(4) + named.suffix;
    return named.file->path.endsWith("/default.nix"_L1) ? stem + u"/default.nix"_s : stem + u".nix"_s;
}

/// The refusal if recipes, or what people changed in them, would be lost without permission. `allowed`: packages that
/// may be dropped. They are named, but do not prevent the change.
std::optional<Error> refusalToDrop(const ChangeSet &changes, const QStringList &allowed)
{
    const auto lost =
        std::ranges::count_if(changes.dropped, [&](const QString &name) { return !allowed.contains(name); });
    if (lost == 0)
        return std::nullopt;
    const auto isLost = [&](const QString &name) { return changes.dropped.contains(name) && !allowed.contains(name); };
    const auto customised = std::ranges::count_if(changes.customised, isLost);
    QStringList remedies;
    if (customised < lost)
        remedies.append(Tr::tr(
            "Change what the reasons name, choose other toolkits or Pythons, or leave out these recipes (--drop)."));
    if (customised > 0)
        remedies.append(
            forSurface(Tr::tr("--render gives customised recipes the template's text, without their own changes."),
                       Tr::tr("Customised recipes can get the template's text, without their own changes.")));
    return Error{Tr::tr("carry every recipe over to"), changes.title(),
                 Tr::tr("%n recipes cannot be carried over. %1", nullptr, int(lost))
                     .arg(droppedByReason(changes, allowed).join(u' ')),
                 joinedSentences(remedies)};
}

/// derived(), in its steps: each goes on with what those before found.
class Derivation
{
public:
    Derivation(const RecipeCache &recipes, const BranchContent &content, const DeriveRequest &request,
               const WorkHooks &hooks)
        : m_recipes(recipes)
        , m_catalog(*recipes.catalog())
        , m_content(content)
        , m_request(request)
        , m_change(request.change)
        , m_hooks(hooks)
        , m_library(recipes, content, content.committedFiles)
    {
    }

    Result<ChangeSet> make()
    {
        TM_CHECK(readSettings());
        TM_CHECK(readRecipes());
        placeSources();
        findNewCells();
        TM_CHECK(render());
        for (auto it = m_taken.cbegin(); it != m_taken.cend(); ++it)
            TM_CHECK(carryOver(it.key(), it->first, it->second));
        leaveOut();
        for (const Variant &variant : std::as_const(m_created))
            TM_CHECK(create(variant));
        return collected();
    }

private:
    Result<void> readSettings()
    {
        std::optional<Error> problem;
        m_source = settingsFor(m_recipes, m_content, &problem);
        if (problem)
            return unreadSettings(Tr::tr("derive from"), m_content.branch, *problem);
        TM_TRY(changed, settingsAfter(m_recipes, m_source, m_content.settingsFile, m_request.name, m_change));
        dropImpossible(m_catalog, m_source, m_change, *changed);
        m_changed = std::move(*changed);
        m_carry.emplace(m_recipes, m_source, settings(), &m_library.files());
        m_carry->replaceOnly(m_change.onlyPin(), m_change.pin.value_or(QString()), pinHashOf(m_change));
        return {};
    }

    Result<void> readRecipes()
    {
        m_there = recipesOf(m_catalog, m_source, m_content);
        for (const NamedRecipe &named : std::as_const(m_there)) {
            if (!named.file->committed)
                return Error{Tr::tr("derive from"), named.file->path, Tr::tr("it is not a text file"),
                             Tr::tr("Fix or remove it on %1 first.").arg(m_content.title())};
        }
        return {};
    }

    /// Each recipe goes to all its places; each place gets the nearest of its candidates.
    void placeSources()
    {
        for (const NamedRecipe &named : std::as_const(m_there)) {
            Source one{.named = &named, .text = *named.file->committed};
            const Variant &variant = named.name.variant;
            one.places = one.isSuffixed() && keepsNames() ? QList<Variant>{variant} : placesOn(settings(), variant);
            if (one.places.isEmpty())
                one.whyNone = Tr::tr("It is impossible with the new settings.");
            one.places.removeIf([&](const Variant &place) {
                const Validity validity = m_catalog.validity(place, settings());
                const bool wasPossible = m_catalog.validity(variant, m_source).valid;
                if (validity.valid || !(wasPossible || m_request.drop) || settings().covers(place))
                    return false;
                one.whyNone = validity.reason;
                return true;
            });
            for (const Variant &place : std::as_const(one.places)) {
                const QString path = pathFor(named, place);
                const auto other = m_taken.constFind(path);
                if (other == m_taken.cend() || isNearer(place, variant, m_sources.at(other->first).named->name.variant))
                    m_taken.insert(path, {m_sources.size(), place});
            }
            m_sources.append(std::move(one));
        }
    }

    /// A new Python or toolkit gets the cells that the settings list, each made from the nearest recipe.
    void findNewCells()
    {
        std::set<ProfileKey> filled;
        for (const auto &[at, place] : std::as_const(m_taken))
            filled.insert(ProfileKey::of(place));
        // A new profile that replaces an old one has the same missing cells.
        std::set<ProfileKey> bare;
        for (auto it = m_source.profiles.cbegin(); it != m_source.profiles.cend(); ++it) {
            if (it->cells.isEmpty())
                continue;
            for (const Variant &place : placesOn(settings(), it.key().variant(it->cells.constFirst())))
                bare.insert(ProfileKey::of(place));
        }
        for (const Variant &variant : settings().promised()) {
            const ProfileKey key = ProfileKey::of(variant);
            if (filled.contains(key) || !m_catalog.validity(variant, settings()).valid)
                continue;
            if (bare.contains(key))
                ++m_unfilled;
            else
                m_created.append(variant);
        }
    }

    /// To know which recipes equal their template's text, the old recipes are rendered too, in parallel.
    Result<void> render()
    {
        QList<Variant> old;
        for (const NamedRecipe &named : std::as_const(m_there))
            old.append(named.name.variant);
        QList<Variant> wanted;
        for (const auto &[at, place] : std::as_const(m_taken))
            wanted.append(place);
        std::future<QList<Result<QByteArray>>> rendering = std::async(
            std::launch::async, [&] { return m_recipes.rendered(m_source, old, WorkHooks{{}, m_hooks.stop}); });
        m_texts = m_recipes.rendered(settings(), wanted + m_created, m_hooks);
        m_oldTexts = rendering.get();
        if (m_hooks.stopped())
            return stoppedError();
        return {};
    }

    /// What is written for a recipe must be what its new name promises, by the files that it imports too. Returns why
    /// it is not, one sentence, after what could be changed in those files was.
    QString whyNotBuilt(const Source &one, const Variant &place, const QString &path, const QByteArray &text)
    {
        const RecipeSource before =
            m_content.committedFiles ? m_content.committedFiles->source(one.named->file->path, one.text) : one.text;
        const Result<QVariantHash> from = m_carry->contextBefore(one.named->name.variant);
        const Result<QVariantHash> wanted = m_carry->contextAfter(place);
        // Of a whole recipe that keeps its name, the change itself has looked after its values.
        if (!from || !wanted || *from == *wanted || (!before.imports && path == one.named->file->path))
            return {};
        QVariantHash follows = *from; // what the recipe must be seen to follow
        if (m_carry->statesUnread(before))
            follows.insert(u"nixpkgs"_s, wanted->value(u"nixpkgs"_s));
        const auto whyNot = [&]() -> QString {
            const RecipeSource after = m_library.source(path, text);
            const std::shared_ptr<const RecipeFacts> facts = m_recipes.facts(after);
            const QString broken =
                brokenPromise(one.named->file->path, m_recipes.facts(before).get(), *facts, *from, *wanted);
            return broken.isEmpty() && path == one.named->file->path ? notFollowed(*facts, follows, *wanted) : broken;
        };
        QString why = whyNot();
        QMap<QString, QByteArray> tables;
        if (!why.isEmpty() && before.imports) {
            if (const auto filled = withTableEntries(m_catalog, m_library.files(), path, text, &tables); !filled)
                return filled.error().subject + u": "_s + reasonOf(filled.error());
            for (const auto &[table, completed] : tables.asKeyValueRange()) {
                if (const auto error = m_library.rewrite(table, completed, newEntriesReason()))
                    return reasonOf(*error);
            }
            why = tables.isEmpty() ? why : whyNot();
        }
        // Recipes of one profile nearly always take their values from one place.
        if (before.imports && (m_askedFor.insert(ProfileKey::of(place)).second || !why.isEmpty())) {
            const Result<QStringList> found = m_library.follow(path, text, *from, *wanted);
            why = found ? whyNot() : reasonOf(found.error());
        }
        return why.isEmpty() ? why : asSentence(why);
    }

    /// The text of a source at a place; nullopt if that is impossible, and m_whyNot says why. Error: a value is missing
    /// in the settings.
    Result<std::optional<Carried>> textAt(const QString &path, qsizetype at, const Variant &place)
    {
        const Source &one = m_sources.at(at);
        const Result<QByteArray> &rendered = m_texts.at(m_next++);
        Result<Carried> text = one.isSuffixed()
                                   ? (*m_carry)(one.text, one.named->name.variant, place, QByteArray(),
                                                Error{{}, {}, Tr::tr("no template renders it"), {}})
                                   : (*m_carry)(one.text, one.named->name.variant, place, m_oldTexts.at(at), rendered);
        if (!text) {
            if (m_oldTexts.at(at) && *m_oldTexts.at(at) == one.text)
                return text.error();
            m_whyNot.insert(at, reasonOf(text.error()));
            return std::optional<Carried>();
        }
        QString why = whyNotBuilt(one, place, path, text->text);
        // The template of a whole recipe is none of a recipe that imports one.
        const bool imports = !pathsNamedIn(one.named->file->path, one.text).isEmpty();
        if (text->losesCode && !imports)
            m_customised.append(packageOf(one.named->file->path));
        if (why.isEmpty() && !text->lost.isEmpty() && (imports || (text->losesCode && !m_request.render)))
            why = asSentence(text->lost);
        if (why.isEmpty())
            return std::optional(std::move(*text));
        m_whyNot.insert(at, why);
        return std::optional<Carried>();
    }

    Result<void> carryOver(const QString &path, qsizetype at, const Variant &place)
    {
        TM_TRY(carried, textAt(path, at, place));
        if (!*carried)
            return {};
        const Carried &text = **carried;
        const Source &one = m_sources.at(at);
        const QString from = packageOf(one.named->file->path);
        ChangedFile file{.name = one.isSuffixed() ? packageOf(path) : place.name(),
                         .path = one.named->file->path,
                         .before = one.text,
                         .after = text.text};
        const bool moves = path != file.path;
        // One recipe may become several: the first takes over its file.
        if (moves && (m_used.contains(at) || m_taken.contains(file.path))) {
            file.action = Action::Create;
            file.path = path;
            file.before.reset();
        } else if (moves) {
            file.action = Action::Rename;
            file.newPath = path;
        } else {
            file.action = file.before == file.after ? Action::Keep : Action::Rewrite;
        }
        m_used.insert(at);
        file.chosen = file.action != Action::Keep;
        file.possible = !file.chosen;
        file.reason = file.action == Action::Keep ? Tr::tr("It is the same on both branches.")
                      : !moves                    ? Tr::tr("The new settings change it.")
                                                  : Tr::tr("It replaces %1.").arg(from);
        if (!text.lost.isEmpty() && file.action != Action::Keep)
            m_lost[text.lost].append(file.name);
        if (!text.remark.isEmpty()) {
            file.reason = joinedSentences({file.reason, text.remark});
            if (!text.inPlace)
                file.group = Tr::tr("Customised on %1").arg(m_content.title());
        }
        m_files.append(place, file);
        return {};
    }

    /// The recipe of another toolkit or Python that takes the place of one, in words that others have too.
    static QString whatReplaces(const NamedRecipe &other, const Variant &variant)
    {
        const Variant &theirs = other.name.variant;
        return theirs.cuda != variant.cuda       ? Tr::tr("The recipe for CUDA %1 replaces it.").arg(theirs.cuda)
               : theirs.python != variant.python ? Tr::tr("The recipe for %1 replaces it.").arg(theirs.python)
                                                 : Tr::tr("%1 replaces it.").arg(packageOf(other.file->path));
    }

    /// Whether no recipe becomes one of another toolkit or Python, so that none replaces another one.
    [[nodiscard]] bool keepsNames() const { return !m_change.cudas && !m_change.pythons && m_change.keys.isEmpty(); }

    /// Deletes what has no place on the new branch. What stands beside a cell's recipe stays if nothing changes.
    void leaveOut()
    {
        for (qsizetype at = 0; at < m_sources.size(); ++at) {
            if (m_used.contains(at))
                continue;
            const Source &one = m_sources.at(at);
            const QString package = packageOf(one.named->file->path);
            QString reason = m_whyNot.value(at, one.whyNone);
            for (const Variant &place : one.places) {
                if (const auto other = m_taken.constFind(pathFor(*one.named, place));
                    other != m_taken.cend() && other->first != at && reason.isEmpty())
                    reason = whatReplaces(*m_sources.at(other->first).named, one.named->name.variant);
            }
            if (one.isSuffixed() && m_change == SettingsChange() && !m_request.drop) {
                m_files.append(one.named->name.variant, {.action = Action::Keep,
                                                         .name = package,
                                                         .path = one.named->file->path,
                                                         .before = one.text,
                                                         .after = one.text,
                                                         .reason = reason,
                                                         .possible = false});
                m_left.append(Tr::tr("%1 stays as it is: %2").arg(package, reason));
                continue;
            }
            m_dropped.append(package);
            m_files.append(one.named->name.variant, {.action = Action::Delete,
                                                     .name = package,
                                                     .path = one.named->file->path,
                                                     .before = one.text,
                                                     .reason = reason,
                                                     .chosen = true,
                                                     .possible = false});
            if (one.isSuffixed()) {
                m_beside.append(package);
                m_left.append(Tr::tr("%1 is left out: %2").arg(package, reason));
            }
        }
    }

    /// The nearest recipe for a cell that the new settings list; nullptr if the source has none.
    [[nodiscard]] const Source *modelFor(const Variant &variant) const
    {
        const Source *model = nullptr;
        for (const Source &one : m_sources) {
            const Variant &other = one.named->name.variant;
            const bool fits = other.family == variant.family && other.row == variant.row &&
                              other.column() == variant.column() && !one.isSuffixed();
            if (fits && (!model || isNearer(variant, other, model->named->name.variant)))
                model = &one;
        }
        return model;
    }

    Result<void> create(const Variant &variant)
    {
        const Result<QByteArray> &rendered = m_texts.at(m_next++);
        const Source *model = modelFor(variant);
        Result<Carried> made = rendered ? Result<Carried>(Carried{*rendered, {}, false}) : rendered.error();
        if (model)
            made = (*m_carry)(model->text, model->named->name.variant, variant,
                              m_oldTexts.at(model - m_sources.constData()), rendered);
        TM_TRY(text, std::move(made));
        if (const QString why = model ? whyNotBuilt(*model, variant, variant.file(), text->text) : QString();
            !why.isEmpty())
            return Error{Tr::tr("derive"), variant.name(), why.chopped(1), Tr::tr("Change that first.")};
        m_files.append(variant, {.action = Action::Create,
                                 .name = variant.name(),
                                 .path = variant.file(),
                                 .after = text->text,
                                 .reason = joinedSentences({Tr::tr("The new settings list it."), text->remark}),
                                 .chosen = true});
        return {};
    }

    /// What is lost or incomplete on the new branch, a sentence each.
    [[nodiscard]] QStringList warnings() const
    {
        QStringList unlisted;
        QStringList impossible;
        for (const auto &[at, place] : m_taken) {
            if (m_used.contains(at) && !m_catalog.validity(place, settings()).valid)
                impossible.append(place.name());
            if (m_used.contains(at) && m_source.covers(m_sources.at(at).named->name.variant) &&
                !settings().covers(place))
                unlisted.append(place.name());
        }
        unlisted.removeDuplicates();
        QStringList warnings = m_left;
        if (!impossible.isEmpty())
            warnings.append(Tr::tr("%n recipes are impossible, as on %1: %2.", nullptr, int(impossible.size()))
                                .arg(m_content.title(), shortList(impossible)) +
                            forSurface(Tr::tr(" --drop leaves them out."), QString()));
        if (const QString sentence = noLongerListed(unlisted); !sentence.isEmpty())
            warnings.append(sentence);
        for (auto it = m_lost.cbegin(); it != m_lost.cend(); ++it)
            warnings.append(
                Tr::tr(
                    "%n recipes are rendered from the template, and their own comments and changes are lost, because "
                    "they cannot be changed in place: %1 (%2).",
                    nullptr, int(it->size()))
                    .arg(it.key(), shortList(*it)));
        if (m_unfilled > 0)
            warnings.append(
                Tr::tr("%n cells of the coverage have no recipe on %1 and get none here; \"plan\" creates them.",
                       nullptr, m_unfilled)
                    .arg(m_content.title()));
        return warnings;
    }

    /// What the source lists is listed where it is carried over to, unless the change itself says what is listed: a
    /// toolkit that takes the recipes of another may have listed fewer.
    void listCarried()
    {
        if (std::ranges::any_of(m_change.keys, [](const auto &one) { return one.first.startsWith("coverage."_L1); }))
            return;
        Settings settings = m_changed.settings;
        for (const auto &[at, place] : std::as_const(m_taken)) {
            const auto profile = settings.profiles.find(ProfileKey::of(place));
            if (m_used.contains(at) && profile != settings.profiles.end() && !settings.covers(place) &&
                m_source.covers(m_sources.at(at).named->name.variant))
                profile->cells.append({place.row, place.isa, place.rest});
        }
        setSettings(settings);
    }

    void setSettings(const Settings &settings)
    {
        if (settings == m_changed.settings)
            return;
        m_changed.file = withSettings(m_changed.file, m_catalog, settings);
        m_changed.settings = settings;
        if (const auto read = readSettingsFile(m_changed.file, m_catalog, settings.branch))
            m_changed.settings.profiles = read->profiles; // with cells in the catalog's order
    }

    /// The new settings do not list what is dropped on request, nor what a family without recipes had.
    void unlistDropped()
    {
        QSet<QString> there;
        QSet<QString> families;
        for (const ChangedFile &file : m_files.sorted()) {
            const auto name = VariantName::parse(file.name, m_catalog.isaIds());
            if (file.action == Action::Delete || !name)
                continue;
            there.insert(name->variant.name());
            families.insert(name->variant.family);
        }
        QSet<QString> gone;
        QSet<QString> before;
        for (const Source &one : std::as_const(m_sources)) {
            before.insert(one.named->name.variant.family);
            for (const Variant &place : one.places)
                gone.insert(place.name());
        }
        Settings settings = m_changed.settings;
        for (auto it = settings.profiles.begin(); it != settings.profiles.end();) {
            const bool isFamily = families.contains(it.key().family) || !before.contains(it.key().family);
            it->cells.removeIf([&](const GridCell &cell) {
                const QString name = it.key().variant(cell).name();
                return !isFamily || (gone.contains(name) && !there.contains(name));
            });
            it = isFamily ? std::next(it) : settings.profiles.erase(it);
        }
        setSettings(settings);
    }

    /// Why nothing of a toolkit that was asked for can be carried over, if a recipe of it would be possible.
    [[nodiscard]] std::optional<Error> refusalOfToolkit(const ChangeSet &changes) const
    {
        for (const QString &toolkit : m_change.cudas.value_or(QStringList())) {
            QStringList lost;
            for (qsizetype at = 0; at < m_sources.size(); ++at) {
                if (m_whyNot.contains(at) && std::ranges::find(m_sources.at(at).places, toolkit, &Variant::cuda) !=
                                                 m_sources.at(at).places.end())
                    lost.append(packageOf(m_sources.at(at).named->file->path));
            }
            const bool isThere = std::ranges::any_of(changes.files, [&](const ChangedFile &file) {
                const auto name = VariantName::parse(file.name, m_catalog.isaIds());
                return file.action != Action::Delete && name && name->variant.cuda == toolkit;
            });
            if (isThere || lost.isEmpty())
                continue;
            QStringList others = changes.dropped;
            others.removeIf([&lost](const QString &name) { return lost.contains(name); });
            return Error{Tr::tr("derive"), m_request.name,
                         Tr::tr("no recipe for CUDA %1 can be carried over").arg(toolkit),
                         droppedByReason(changes, others).join(u' ')};
        }
        return std::nullopt;
    }

    ChangeSet collected()
    {
        listCarried();
        if (m_request.drop)
            unlistDropped();
        ChangeSet changes = settingsChangeSet(m_content, m_changed, true);
        changes.newBranch = true;
        changes.from = m_content.branch;
        changes.files = m_files.sorted() + m_library.changedFiles() + changes.files;
        changes.dropped = m_dropped;
        changes.warnings += warnings();
        const QString keys = changedKeys(m_change, settings());
        changes.message = u"Derive %1 from %2: %3\n\nFrom commit %4.\n"_s.arg(m_request.name, m_content.title(),
                                                                              settingsWords(m_catalog, settings()),
                                                                              m_content.commit) +
                          (keys.isEmpty() ? QString() : u"Changed:\n"_s + keys + u'\n');
        changes.customised = m_customised;
        tellVersionsOfNothing(changes, m_change);
        QStringList allowed = m_beside;
        if (m_request.drop)
            allowed += m_dropped;
        if (!m_request.render)
            allowed.removeIf([this](const QString &name) { return m_customised.contains(name); });
        changes.refusal = refusalToDrop(changes, allowed);
        const auto stays = [](const ChangedFile &file) {
            return !file.name.isEmpty() && file.action != ChangeAction::Delete;
        };
        if (!changes.refusal && !m_dropped.isEmpty() && std::ranges::none_of(changes.files, stays))
            changes.refusal = Error{Tr::tr("derive"), m_request.name, Tr::tr("no recipe can be carried over"),
                                    droppedByReason(changes, {}).join(u' ')};
        if (!changes.refusal)
            changes.refusal = refusalOfToolkit(changes);
        if (!changes.refusal && changes.isEmpty())
            changes.refusal = Error{Tr::tr("derive"), m_request.name,
                                    Tr::tr("nothing would differ from branch %1").arg(m_content.title()),
                                    forSurface(Tr::tr("\"git branch\" creates a branch at the same commit."),
                                               Tr::tr("Change a version, a pin or a toolkit."))};
        return changes;
    }

    [[nodiscard]] const Settings &settings() const { return m_changed.settings; }

    const RecipeCache &m_recipes;
    const Catalog &m_catalog;
    const BranchContent &m_content;
    const DeriveRequest &m_request;
    const SettingsChange &m_change;
    const WorkHooks &m_hooks;
    Settings m_source;
    ChangedSettings m_changed;
    Library m_library;
    std::optional<RecipeConverter> m_carry;
    QList<NamedRecipe> m_there;
    QList<Source> m_sources;
    QMap<QString, std::pair<qsizetype, Variant>> m_taken; ///< source by path
    QList<Variant> m_created;
    int m_unfilled = 0;
    QList<Result<QByteArray>> m_texts; ///< of what is taken, then of what is created
    QList<Result<QByteArray>> m_oldTexts;
    qsizetype m_next = 0; ///< in m_texts
    std::set<ProfileKey> m_askedFor;
    CellFiles m_files;
    QSet<qsizetype> m_used; ///< sources that have a file on the new branch
    QStringList m_dropped;
    QStringList m_customised;           ///< names of recipes whose own changes the template's text does not have
    QHash<qsizetype, QString> m_whyNot; ///< by source
    QMap<QString, QStringList> m_lost;  ///< names by reason
    QStringList m_beside, m_left;       ///< names and sentences of recipes with a suffix
};

QRegularExpression wholeWord(const QString &word)
{
    return QRegularExpression(u"(?<![\\w.])%1(?![\\w]|\\.\\d)"_s.arg(QRegularExpression::escape(word)));
}

/// The text files of a commit outside .flox/pkgs that contain one of `words` as a whole word, with the words found.
Result<QMap<QString, QStringList>> filesNaming(const CommitReader &reader, const QString &commit,
                                               const QStringList &words)
{
    QList<std::pair<QString, QRegularExpression>> forms;
    for (const QString &word : words)
        forms.append({word, wholeWord(word)});
    QMap<QString, QStringList> found;
    // Lock files are written by programs, not by people.
    const auto wanted = [](const QString &path) {
        return !path.startsWith(recipeFolder + "/"_L1) && !path.endsWith(".lock"_L1);
    };
    const Result<void> read = reader.forEachText(commit, wanted, [&](const FileText &file) {
        const QString text = QString::fromUtf8(file.text);
        for (const auto &[word, form] : std::as_const(forms)) {
            if (form.match(text).hasMatch())
                found[file.path].append(word);
        }
    });
    return read ? Result<QMap<QString, QStringList>>(found) : read.error();
}

/// Versions of packages that some recipes have no more.
QStringList formerVersions(const Settings &former, const Settings &settings)
{
    const auto versionsIn = [](const Settings &of) {
        QSet<std::pair<QString, QString>> versions;
        for (const auto &[key, profile] : of.profiles.asKeyValueRange())
            versions.insert({key.family, profile.version});
        return versions;
    };
    QStringList versions;
    for (const auto &[family, version] : versionsIn(former) - versionsIn(settings))
        versions.append(version);
    versions.removeAll(QString());
    versions.removeDuplicates();
    versions.sort();
    return versions;
}

/// Warns of the recipes that still mention such a version.
void tellOfVersions(const QStringList &versions, ChangeSet &changes)
{
    for (const QString &version : versions) {
        const QRegularExpression form = wholeWord(version);
        QStringList names;
        for (const ChangedFile &file : std::as_const(changes.files)) {
            if (const auto &text = file.after; text && form.match(QString::fromUtf8(*text)).hasMatch())
                names.append(file.name.isEmpty() ? shownPath(pathAfter(file)) : file.name);
        }
        if (!names.isEmpty())
            changes.warnings.append(
                Tr::tr("%n recipes still mention %1: %2.", nullptr, int(names.size())).arg(version, shortList(names)));
    }
}

/// Adds to `outdated` the files that a derived change does not touch, although they mention a Python, a toolkit or a
/// version of a package that `former` has and the new settings do not; a warning has their number.
void findOutdated(const CommitReader &reader, const Settings &former, ChangeSet &changes)
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
    const QStringList versions = formerVersions(former, settings);
    tellOfVersions(versions, changes);
    words += versions;
    if (words.isEmpty())
        return;
    const auto found = filesNaming(reader, changes.parentCommit, words);
    if (!found)
        return;
    QStringList named;
    for (const auto &[path, all] : found->asKeyValueRange()) {
        QStringList here = all;
        // Documents follow a version line by line (Preparation::addDocuments()).
        here.removeIf([&](const QString &word) { return isDocument(path) && versions.contains(word); });
        if (changes.find(path) || here.isEmpty())
            continue;
        changes.outdated.append(path);
        named += here;
    }
    words.removeIf([&named](const QString &word) { return !named.contains(word); });
    if (!changes.outdated.isEmpty())
        changes.warnings.append(
            Tr::tr("%n other files mention %1 and are not changed: %2.", nullptr, int(changes.outdated.size()))
                .arg(words.join(u", "_s), shortList(changes.outdated)));
}

/// The committed content of a branch (or any revision), whatever is in the working tree.
Result<std::shared_ptr<const BranchContent>> committedContent(const Preparation &preparation, const QString &branch,
                                                              const WorkHooks &hooks)
{
    const Repository &repository = preparation.opened.repository;
    const QString name = branch.isEmpty() ? preparation.opened.info.headBranch : branch;
    TM_TRY(commit, repository.commitOf(name.isEmpty() ? u"HEAD"_s : name));
    return preparation.reader.content({BranchSource::Kind::Commit, name, name, *commit, preparation.path}, hooks,
                                      &repository);
}

/// Why the name is not possible for a new branch.
std::optional<Error> refusalOf(const Repository &repository, const QString &name)
{
    if (name.isEmpty())
        return Error{Tr::tr("create the branch"), {}, Tr::tr("it has no name yet"), {}};
    const Result<void> isFree = repository.checkNewBranch(name);
    return isFree ? std::nullopt : std::optional(isFree.error());
}

/// Whether both fetch PyTorch recipes from the same commit: then what was read of it is what companions would import.
bool sameTorch(const Settings &a, const Settings &b)
{
    QSet<QString> revisions[2];
    for (const Profile &profile : a.profiles)
        revisions[0].insert(profile.torchRepository.revision);
    for (const Profile &profile : b.profiles)
        revisions[1].insert(profile.torchRepository.revision);
    return revisions[0] == revisions[1];
}

/// Fixes errors that recipes bring from another branch in place, there and in what they import.
class CarriedErrors
{
public:
    CarriedErrors(const RecipeCache &recipes, ChangeSet &changes, const BranchContent &from,
                  const SettingsChange &change, const Settings &former)
        : m_recipes(recipes)
        , m_changes(changes)
        , m_from(from)
        , m_former(former)
        , m_keepPins(!change.onlyPin().isEmpty())
        , m_newDrivers(change.cudas && changes.settings->toolkits().size() == 1)
        , m_files(withImported(from.committedFiles, changes))
    {
        for (const QString &python : former.pythons()) {
            if (change.pythons && !changes.settings->pythons().contains(python))
                m_oldPythons.append(python);
        }
    }

    void fix(const QHash<QString, QByteArray> &fetched)
    {
        m_afterwards = textsAfter(m_changes, fetched);
        for (ChangedFile &file : m_changes.files) {
            const bool same = file.before && file.before == file.after;
            std::optional<AuditInput> input = (file.chosen && file.before) || file.action == Action::Keep
                                                  ? inputAfter(*m_recipes.catalog(), file, m_afterwards)
                                                  : std::nullopt;
            // What stands in imported files does so whatever changes in a recipe.
            if (input && fixAll(file, *input) && stoodBefore(file, *input, same))
                m_brought.append(file.name);
        }
        for (const auto &[path, text] : m_imported.asKeyValueRange())
            write(path, text);
        tell();
    }

private:
    /// Whether all errors of the last recipe were there already; of one that is changed, in what it imports.
    [[nodiscard]] bool stoodBefore(const ChangedFile &file, AuditInput input, bool isSame) const
    {
        if (!isSame && std::ranges::any_of(m_left, [](const Finding &error) { return error.file.isEmpty(); }))
            return false;
        const auto named = VariantName::parse(packageOf(file.path), m_recipes.catalog()->isaIds());
        input.variant = named ? named->variant : input.variant;
        input.file = file.path;
        input.text = *file.before;
        input.files = m_from.committedFiles;
        const QList<Finding> former = m_recipes.audited(m_former, {input}).constFirst().findings;
        return std::ranges::all_of(m_left, [&former, isSame](const Finding &error) {
            return std::ranges::any_of(former, [&](const Finding &one) {
                return isSamePlace(one, error) || (isSame && one.file == error.file && one.rule == error.rule);
            });
        });
    }

    /// Returns whether errors are left.
    bool fixAll(ChangedFile &file, AuditInput input)
    {
        bool left = true;
        for (bool isFixed = true; isFixed;) {
            isFixed = left = false;
            m_left.clear();
            input.files = m_files;
            const QList<Judgement> judged = m_recipes.audited(*m_changes.settings, {input});
            for (const Finding &finding : judged.constFirst().findings) {
                const bool isError = finding.severity == Severity::Error;
                if (!isError && !isOfBefore(input, finding))
                    continue;
                // Places of other findings may move.
                isFixed = isFixedIn(file, input, finding);
                left = left || (isError && !isFixed);
                if (isError)
                    m_left.append(finding);
                if (isFixed)
                    break;
            }
        }
        return left;
    }

    /// Whether what recipes import is as the old toolkit or the old Python needs it: a driver, the overlay of a set of
    /// Python packages. In recipes themselves it is exchanged with those.
    [[nodiscard]] bool isOfBefore(const AuditInput &input, const Finding &finding) const
    {
        if (finding.file.isEmpty())
            return false;
        if (finding.rule != "torch-overlay-dead"_L1)
            return m_newDrivers && finding.rule == "driver-low"_L1;
        const QByteArrayList lines = input.files->text(finding.file).value_or(QByteArray()).split('\n');
        const QByteArray name = lines.value(finding.line - 1).mid(finding.column - 1, finding.length);
        return std::ranges::any_of(m_oldPythons, [&name](const QString &python) {
            return name == python.toUtf8() || name == python.toUtf8() + "Packages";
        });
    }

    /// Whether it is a recipe of the new branch, which is fixed as one, that others import.
    [[nodiscard]] bool isRecipe(const QString &path) const
    {
        return std::ranges::any_of(m_changes.files, [&path](const ChangedFile &file) {
            return !file.isImported() && !file.name.isEmpty() && pathAfter(file) == path;
        });
    }

    /// Whether a recipe that is kept would have an error with that text of a file which it imports.
    [[nodiscard]] bool breaksKept(const QString &path, const QByteArray &text) const
    {
        QList<AuditInput> before;
        QList<AuditInput> after;
        const auto changed = m_files->with({{path, text}});
        for (const ChangedFile &file : std::as_const(m_changes.files)) {
            std::optional<AuditInput> input =
                file.action == Action::Keep ? inputAfter(*m_recipes.catalog(), file, m_afterwards) : std::nullopt;
            const RecipeSource source = input ? m_files->source(input->file, input->text) : RecipeSource();
            if (!source.imports || !source.imports->paths.contains(path))
                continue;
            input->files = m_files;
            before.append(*input);
            input->files = changed;
            after.append(*input);
        }
        const auto errors = [this](const QList<AuditInput> &inputs) {
            qsizetype count = 0;
            for (const Judgement &judgement : m_recipes.audited(*m_changes.settings, inputs))
                count += std::ranges::count(judgement.findings, Severity::Error, &Finding::severity);
            return count;
        };
        return !after.isEmpty() && errors(after) > errors(before);
    }

    bool isFixedIn(ChangedFile &file, AuditInput &input, const Finding &finding)
    {
        if (!finding.fixable || (m_keepPins && finding.rule == "pin-other"_L1))
            return false;
        AuditInput judged = input;
        judged.catalog = m_recipes.catalog().get();
        judged.settings = &*m_changes.settings;
        const Result<QByteArray> text = fixedText(judged, finding);
        if (!text)
            return false;
        if (!finding.file.isEmpty() && breaksKept(finding.file, *text))
            return false;
        if (!finding.file.isEmpty() && isRecipe(finding.file)) {
            m_files = m_files->with({{finding.file, *text}});
            return true;
        }
        if (finding.severity == Severity::Error) {
            m_rules.append(finding.rule);
            m_names.append(finding.file.isEmpty() ? file.name : shownPath(finding.file));
        }
        if (!finding.file.isEmpty()) {
            m_imported.insert(finding.file, *text);
            m_files = m_files->with({{finding.file, *text}});
            return true;
        }
        file.after = input.text = *text;
        if (file.action == Action::Keep)
            becomeFixed(file);
        return true;
    }

    static void becomeFixed(ChangedFile &file)
    {
        file.action = Action::Rewrite;
        file.chosen = true;
        file.possible = false;
        file.reason = Tr::tr("It has an error, which is fixed in place.");
    }

    void write(const QString &path, const QByteArray &text)
    {
        const auto known = std::ranges::find(m_changes.files, path, &ChangedFile::path);
        if (known == m_changes.files.end()) {
            m_changes.files.append({.path = path, .before = textIn(m_from, path), .after = text});
            becomeFixed(m_changes.files.last());
            if (!m_names.contains(shownPath(path)))
                m_changes.files.last().reason = Tr::tr("The new settings change it.");
        } else {
            known->after = text;
        }
    }

    void tell()
    {
        m_rules.removeDuplicates();
        m_names.removeDuplicates();
        if (!m_names.isEmpty())
            m_changes.warnings.append(
                Tr::tr("%n files would have an error (%1), which is fixed in place: %2.", nullptr, int(m_names.size()))
                    .arg(m_rules.join(u", "_s), shortList(m_names)));
        if (!m_brought.isEmpty())
            m_changes.warnings.append(
                Tr::tr("%n recipes keep errors that they have on %1 too: %2.", nullptr, int(m_brought.size()))
                    .arg(m_from.title(), shortList(m_brought)));
    }

    const RecipeCache &m_recipes;
    ChangeSet &m_changes;
    const BranchContent &m_from;
    const Settings &m_former;
    const bool m_keepPins;   ///< another nixpkgs than the settings' is left
    const bool m_newDrivers; ///< all recipes get one other toolkit
    std::shared_ptr<const RecipeFiles> m_files;
    QHash<QString, QByteArray> m_afterwards; ///< textsAfter()
    QMap<QString, QByteArray> m_imported;    ///< fixed texts by path
    QStringList m_oldPythons;                ///< that the new settings have no more
    QStringList m_rules;
    QStringList m_names;
    QStringList m_brought; ///< recipes whose errors are not of this change
    QList<Finding> m_left; ///< errors of the last one
};

/// The recipes of the branch that is derived from, under the new branch's name: what its documents are compared with.
BranchSnapshot recipesBefore(const RecipeCache &recipes, const Settings &former, const BranchContent &content,
                             const QString &name)
{
    BranchSnapshot snapshot;
    snapshot.branch = name;
    snapshot.settings = former;
    snapshot.files = content.committedFiles;
    for (const NamedRecipe &named : recipesOf(*recipes.catalog(), former, content)) {
        if (!named.suffix.isEmpty())
            continue;
        VariantEntry &entry = snapshot.entries[named.name.variant.name()];
        entry.variant = named.name.variant;
        entry.present = true;
        entry.file = named.file->path;
        entry.text = named.file->committed.value_or(QByteArray());
        entry.facts =
            recipes.facts(snapshot.files ? snapshot.files->source(entry.file, entry.text) : RecipeSource(entry.text));
    }
    return snapshot;
}

} // namespace

Result<ChangeSet> derived(const RecipeCache &recipes, const BranchContent &content, const DeriveRequest &request,
                          const WorkHooks &hooks)
{
    // Each recipe keeps its family, so that the key would list others than are there.
    if (std::ranges::find(request.change.keys, u"families"_s, &std::pair<QString, QString>::first) !=
        request.change.keys.end())
        return Error{Tr::tr("set families on"), request.name, Tr::tr("a new branch has the recipes of all families"),
                     Tr::tr("Derive without that key, then delete the recipes that you do not want.")};
    return Derivation(recipes, content, request, hooks).make();
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const DeriveRequest &request)
{
    TM_TRY(content, committedContent(preparation, request.from, preparation.hooks.part(0, 10)));
    TM_CHECK(checkWhole(**content, Tr::tr("derive from")));
    const QStringList isas = preparation.recipes().catalog()->isaIds();
    const auto isVariant = [&isas](const VersionedFile &file) {
        const auto name = VariantName::parse(packageOf(file.path), isas);
        return name && !name->uncertain;
    };
    if (!(*content)->settingsFile && std::ranges::none_of((*content)->files, isVariant))
        return noMatrix(Tr::tr("derive from"), (*content)->branch);
    // The changes can be shown even if the name is wrong or not known yet.
    DeriveRequest named = request;
    named.name = request.name.isEmpty() ? u"new"_s : request.name;
    Result<ChangeSet> changes = derived(preparation.recipes(), **content, named, preparation.hooks);
    if (!changes)
        return changes.error();
    if (auto refusal = refusalOf(preparation.opened.repository, request.name))
        changes->refusal = std::move(refusal);
    const Settings former = settingsFor(preparation.recipes(), **content);
    findOutdated(preparation.opened.repository, former, changes.value());
    const auto fetched =
        sameTorch(former, *changes->settings) ? (*content)->fetchedTorch : QHash<QString, QByteArray>();
    if (request.change != SettingsChange{})
        CarriedErrors(preparation.recipes(), changes.value(), **content, request.change, former).fix(fetched);
    preparation.tellPins(changes.value(), (*content)->committedFiles);
    replaceStatedPins(preparation.recipes(), changes.value(), **content, (*content)->committedFiles, request.change,
                      true);
    preparation.tellPins(changes.value(), (*content)->committedFiles);
    preparation.nameFollowing(changes.value(), **content, (*content)->committedFiles);
    refusePins(changes.value(), request.change);
    refuseKeptVersions(preparation.recipes(), changes.value(), former,
                       withImported((*content)->committedFiles, changes.value()), Kept::All);
    preparation.addDocuments(
        changes.value(), {BranchSource::Kind::Commit, named.name, named.name, (*content)->commit, preparation.path},
        recipesBefore(preparation.recipes(), former, **content, named.name), false, (*content)->branch);
    check(preparation.recipes(), changes.value(), former, fetched, (*content)->committedFiles);
    return alone(std::move(changes));
}

} // namespace tmx
