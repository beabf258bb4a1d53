// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Copy.h"

#include "model/base/RepositoryPaths.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/CellFiles.h"
#include "model/change/Generate.h"
#include "model/change/Preparation.h"
#include "model/change/RecipeConverter.h"
#include "model/change/SettingsChange.h"
#include "model/settings/SettingsEdit.h"
#include "model/snapshot/RecipeLike.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// Copies recipes of one branch to another: takes along the files that they import and that the other branch lacks.
class Copying
{
public:
    Copying(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &target)
        : m_recipes(recipes)
        , m_source(source)
        , m_target(target)
        , m_carry(recipes, source.settings, target.settings, &source.files)
        , m_files(target.files)
    {
    }

    /// `file`: where it is written.
    Result<Carried> operator()(const VariantEntry &entry, const Variant &to, const QString &file)
    {
        TM_TRY(carried, m_carry(entry.text, entry.variant, to, entry.rendered,
                                m_recipes.rendered(m_target.settings, {to}).constFirst()));
        TM_CHECK(takeAlong(entry, carried->text));
        const Result<QVariantHash> from = m_carry.contextBefore(entry.variant);
        const Result<QVariantHash> wanted = m_carry.contextAfter(to);
        if (!from || !wanted)
            return carried;
        const auto before = m_recipes.facts(sourceIn(m_source.files, entry.file, entry.text));
        const auto after = m_recipes.facts(sourceIn(m_files, file, carried->text));
        if (const QString broken = brokenPromise(file, before.get(), *after, *from, *wanted); !broken.isEmpty())
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

bool knows(const Settings &settings, const QString &family)
{
    return std::ranges::any_of(settings.profiles.asKeyValueRange(), [&family](const auto &one) {
        return one.first.family == family && !one.second.version.isEmpty();
    });
}

Profile profileOf(const Settings &settings, const QString &family)
{
    for (const auto &[key, profile] : settings.profiles.asKeyValueRange()) {
        if (key.family == family && !profile.cells.isEmpty())
            return profile;
    }
    return {};
}

/// The settings with a companion that they have no recipes of, as the source builds it: in the version that they name,
/// or that goes with their PyTorch; the same settings if that is not known.
Settings withCompanion(const Family &family, const Settings &source, Settings settings)
{
    const Profile like = profileOf(source, family.id);
    const QMap<ProfileKey, Profile> former = settings.profiles;
    for (const auto &[key, torch] : former.asKeyValueRange()) {
        const ProfileKey own{family.id, key.python, key.build};
        const Profile named = former.value(own);
        const QString version = named.version.isEmpty() ? family.versionFor(torch.version) : named.version;
        if (key.family != torchFamilyOf(family.id) || version.isEmpty())
            continue;
        Profile profile = former.contains(own) ? named : torch;
        profile.cells.clear();
        if (!former.contains(own)) {
            profile.templateName.clear();
            profile.sourceHash.clear();
            profile.pnamePrefix.clear();
        }
        profile.version = version;
        profile.torchOrigin = like.torchOrigin;
        profile.torchRepository = like.torchRepository;
        profile.torchCatalog = like.torchCatalog;
        settings.profiles.insert(own, profile);
    }
    return settings;
}

/// The companions among the names of which the target has no recipes.
QList<const Family *> newCompanions(const Catalog &catalog, const BranchSnapshot &source, const BranchSnapshot &target,
                                    const QStringList &names)
{
    QList<const Family *> companions;
    for (const QString &name : names) {
        const VariantEntry *entry = source.find(name);
        const Family *family = entry ? catalog.family(entry->variant.family) : nullptr;
        const bool isThere = std::ranges::any_of(target.entries, [&family](const VariantEntry &other) {
            return family && other.present && other.variant.family == family->id;
        });
        if (family && family->companion && !isThere && !companions.contains(family))
            companions.append(family);
    }
    return companions;
}

/// Gives the settings of a branch without recipes of companions what theirs need. Error: the version of some is not
/// known; with the commands for all of them.
Result<void> addCompanions(const QList<const Family *> &companions, const Settings &source, BranchSnapshot &target)
{
    QStringList titles, commands;
    for (const Family *family : companions) {
        target.settings = withCompanion(*family, source, target.settings);
        if (knows(target.settings, family->id))
            continue;
        titles.append(family->title);
        commands.append(u"\"settings set versions.%1 VERSION --branch %2\""_s.arg(family->id, target.branch));
    }
    if (commands.isEmpty())
        return {};
    return Error{Tr::tr("copy to"), target.title(),
                 Tr::tr("its settings have no version of %1").arg(enumerated(titles)),
                 Tr::tr("First: %1.").arg(commands.join(", "_L1))};
}

/// The file of the settings with the companions, and with the cells of their recipes that are created.
ChangedFile settingsWith(const Catalog &catalog, const QByteArray &file, const QList<const Family *> &companions,
                         const QString &from, ChangeSet &changes)
{
    Settings settings = *changes.settings;
    for (const ChangedFile &made : std::as_const(changes.files)) {
        const auto named = VariantName::parse(made.name, catalog.isaIds());
        if (!named || made.action != Action::Create || std::ranges::none_of(companions, [&named](const Family *family) {
                return family->id == named->variant.family;
            }))
            continue;
        const Variant &variant = named->variant;
        QList<GridCell> &cells = settings.profiles[ProfileKey::of(variant)].cells;
        QSet<GridCell> all(cells.cbegin(), cells.cend());
        all.insert({variant.row, variant.isa, variant.rest});
        cells = catalog.inGridOrder(all);
    }
    changes.settings = settings;
    QStringList titles;
    for (const Family *family : companions)
        titles.append(family->title);
    return {.action = Action::Rewrite,
            .path = settingsFileName,
            .before = file,
            .after = withSettings(file, catalog, settings),
            .reason = Tr::tr("It gets %1, built as on %2, and lists the copies.").arg(enumerated(titles), from),
            .group = Tr::tr("Settings"),
            .chosen = true,
            .possible = false};
}

} // namespace

Result<ChangeSet> copied(const RecipeCache &recipes, const BranchSnapshot &source, const BranchSnapshot &to,
                         const QStringList &names, const std::optional<QByteArray> &file)
{
    BranchSnapshot target = to;
    const bool isFirst = !to.hasMatrix(); // it has no settings: what is copied is built as on the other branch
    if (isFirst) {
        target.settings = source.settings;
        target.settings.branch = to.branch;
    }
    const QList<const Family *> companions =
        isFirst ? QList<const Family *>() : newCompanions(*recipes.catalog(), source, to, names);
    TM_CHECK(addCompanions(companions, source.settings, target));
    Copying copy(recipes, source, target);
    const auto failed = [](const QString &name, const QString &why, const QString &remedy = {}) {
        return Error{Tr::tr("copy"), name, why, remedy};
    };
    CellFiles files;
    QStringList warnings;
    QStringList wanted = names;
    wanted.removeDuplicates();
    for (const QString &name : std::as_const(wanted)) {
        const VariantEntry *there = source.find(name);
        if (!there || !there->present)
            return noRecipe(*recipes.catalog(), Tr::tr("copy"), name, source);
        // Its content cannot be carried over, and the request was not for another text.
        if (const std::optional<RecipeError> error = recipes.facts(there->text)->error)
            return failed(name,
                          Tr::tr("its text on %1 is not valid Nix, line %2: %3")
                              .arg(source.branch)
                              .arg(error->spot.line)
                              .arg(error->message),
                          Tr::tr("Fix it there first."));
        TM_TRY(variant, variantOn(target.settings, there->variant));
        if (const Validity validity = recipes.catalog()->validity(*variant, target.settings);
            !validity.valid && !target.settings.covers(*variant))
            return failed(name, validity.reason);
        const VariantEntry *entry = target.find(variant->name());
        const QString path = entry ? entry->file : isFirst ? there->file : target.fileFor(*variant);
        TM_TRY(carried, copy(*there, *variant, path));
        const QByteArray *text = &carried->text;
        ChangedFile file{.name = variant->name(), .path = path, .after = *text};
        const bool isListed =
            std::ranges::any_of(companions, [&variant](const Family *family) { return family->id == variant->family; });
        QStringList reasons;
        if (!entry || !entry->present || entry->fileStatus == FileStatus::Deleted) {
            file.action = Action::Create;
            file.chosen = !carried->losesCode;
            reasons.append(Tr::tr("%1 has no recipe for that cell.").arg(target.branch));
            if (entry && !entry->present && !entry->reason.isEmpty()) // a commit deleted it there, perhaps on purpose
                warnings.append(u"%1: %2"_s.arg(variant->name(), entry->reason));
        } else {
            file.before = entry->text;
            file.action = file.before == file.after ? Action::Keep : Action::Rewrite;
            reasons.append((file.action == Action::Keep ? Tr::tr("%1 has it already.")
                                                        : Tr::tr("%1 has another recipe for that cell."))
                               .arg(target.branch));
            if (file.action == Action::Rewrite)
                file.group = Tr::tr("Another recipe exists");
        }
        if (!target.settings.covers(*variant) && !isListed)
            reasons.append(Tr::tr("The settings of %1 do not list it.").arg(target.branch));
        if (!carried->remark.isEmpty())
            reasons.append(carried->remark);
        file.reason = reasons.join(u' ');
        files.append(*variant, file);
    }
    ChangeSet changes = changeOf(target, ChangeSet::Until::Commit);
    changes.from = source.branch;
    changes.warnings = warnings;
    changes.files = files.sorted();
    for (auto it = copy.taken().cbegin(); it != copy.taken().cend(); ++it)
        changes.files.append({.action = Action::Create,
                              .path = it.key(),
                              .after = *it,
                              .reason = Tr::tr("Recipes that are copied import it."),
                              .chosen = true,
                              .possible = false});
    if (file && !companions.isEmpty())
        changes.files.append(settingsWith(*recipes.catalog(), *file, companions, source.branch, changes));
    changes.subjectForm = u"Copy %1 from %2"_s.arg(u"%1"_s, source.branch);
    return changes;
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CopyRequest &request)
{
    TM_TRY(source, preparation.readWhole(request.from, Tr::tr("copy from"), preparation.hooks.part(0, 50)));
    TM_TRY(target, preparation.readWhole(request.to, Tr::tr("copy to"), preparation.hooks.part(50, 100)));
    if (source->snapshot->branch == target->snapshot->branch)
        return Error{Tr::tr("copy to"), target->snapshot->title(), Tr::tr("it is also the branch to copy from"), {}}
            .ofUsage();
    Result<ChangeSet> changes = copied(preparation.recipes(), *source->snapshot, *target->snapshot, request.names,
                                       target->content->settingsFile);
    if (changes && changes->find(settingsFileName) && preparation.settingsDiffer(*target))
        return Error{Tr::tr("copy to"), target->snapshot->title(),
                     Tr::tr("%1, which gets the companions, has uncommitted changes").arg(settingsFileName),
                     Tr::tr("Commit or discard them first.")};
    return preparation.checked(std::move(changes), *target);
}

} // namespace tmx
