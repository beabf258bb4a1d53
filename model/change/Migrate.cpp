// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Migrate.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/CellFiles.h"
#include "model/change/Check.h"
#include "model/change/Findings.h"
#include "model/change/KeptVersions.h"
#include "model/change/Library.h"
#include "model/change/Preparation.h"
#include "model/change/RecipeConverter.h"
#include "model/change/ReplacedPins.h"
#include "model/change/SettingsAfter.h"
#include "model/change/StatedPins.h"
#include "model/change/TemplateCheck.h"
#include "model/settings/SettingsFile.h"

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// Whether two recipes build different things.
bool isOther(const RecipeCache &recipes, const QByteArray &text, const QByteArray &other)
{
    return text != other &&
           samenessOf(text, *recipes.meaning(text), other, *recipes.meaning(other)) == Sameness::Different;
}

/// A sentence for recipes that a migration leaves; `edits` and `renders`: how some of them can be changed.
QString wordsOfStaying(const QStringList &names, bool edits, bool renders)
{
    const int count = int(names.size());
    QStringList sentences{Tr::tr("%n recipes are not changed and do not match the new settings: %1.", nullptr, count)
                              .arg(shortList(names))};
    if (!edits)
        sentences.append(forSurface(Tr::tr("--all shows the reasons.", nullptr, count), {}));
    if (edits)
        sentences.append(forSurface(Tr::tr("--in-place changes what can be changed in place."),
                                    Tr::tr("\"Change customised recipes in place\" changes what can be changed.")));
    if (renders)
        sentences.append(forSurface(Tr::tr("--also NAME... renders recipes from the template."),
                                    Tr::tr("Tick recipes to render them from the template.")));
    return joinedSentences(sentences);
}

/// migrated(), recipe by recipe.
class Migration
{
public:
    /// `changed`: the new settings.
    Migration(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
              const ChangedSettings &changed, const SettingsChange &change, bool inPlace)
        : m_recipes(recipes)
        , m_snapshot(snapshot)
        , m_content(content)
        , m_changed(changed)
        , m_change(change)
        , m_inPlace(inPlace)
        , m_stated(statedSettings(recipes, content, snapshot.settings, &changed.settings))
        , m_library(recipes, content, content.shownFiles)
        , m_carry(recipes, m_stated, m_changed.settings, &m_library.files())
    {
        m_carry.replaceOnly(change.onlyPin(), change.pin.value_or(QString()), pinHashOf(change));
    }

    Result<ChangeSet> make(const QList<const VariantEntry *> &entries, const FurtherChange &further,
                           const WorkHooks &hooks)
    {
        QList<Variant> variants;
        for (const VariantEntry *entry : entries)
            variants.append(entry->variant);
        const QList<Result<QByteArray>> texts = m_recipes.rendered(m_changed.settings, variants, hooks);
        if (hooks.stopped())
            return stoppedError();
        TM_TRY(whyNotThere, m_library.followAll(entries, m_carry, hooks));
        m_whyNotThere = std::move(*whyNotThere);
        m_anyChosen = !m_library.changedPaths().isEmpty();
        for (qsizetype i = 0; i < entries.size(); ++i) {
            if (!texts.at(i) && entries.at(i)->state == RecipeState::Current)
                return texts.at(i).error();
            add(*entries.at(i), texts.at(i));
        }
        return collected(further);
    }

    /// Why files that recipes import cannot be changed, each reason once.
    [[nodiscard]] QStringList whyNotThere() const
    {
        QStringList reasons = m_whyNotThere.values();
        reasons.sort();
        reasons.removeDuplicates();
        return reasons;
    }

private:
    /// What a recipe can become.
    struct Ways {
        Result<QByteArray> rendered; ///< the template's text
        Result<Carried> edited;      ///< changed in place
        QString whyNotThere;         ///< why the files that it imports cannot be changed
        bool isPlain = false;        ///< it is its template's text
        bool hasEdit = false;
        bool otherTemplate = false;
        bool touches = false; ///< the change would make it another one
    };

    Ways waysOf(const VariantEntry &entry, const Result<QByteArray> &text) const
    {
        Ways ways{m_carry.following(text, entry.variant, entry.variant),
                  m_carry.inPlace(entry.text, entry.variant, entry.variant), m_whyNotThere.value(entry.variant.name())};
        const Catalog &catalog = *m_recipes.catalog();
        ways.isPlain = entry.state == RecipeState::Current && ways.rendered;
        ways.hasEdit = ways.edited && ways.edited->text != entry.text;
        ways.otherTemplate = templateOf(catalog, m_snapshot.settings, ProfileKey::of(entry.variant)) !=
                             templateOf(catalog, m_changed.settings, ProfileKey::of(entry.variant));
        ways.touches = !ways.edited || ways.hasEdit || !ways.whyNotThere.isEmpty() ||
                       (ways.otherTemplate && ways.rendered && isOther(m_recipes, entry.text, *ways.rendered));
        return ways;
    }

    void add(const VariantEntry &entry, const Result<QByteArray> &text)
    {
        const Ways ways = waysOf(entry, text);
        ChangedFile &file = m_files.append(entry.variant, {.name = entry.variant.name(),
                                                           .path = entry.file,
                                                           .before = entry.text,
                                                           .after = ways.rendered ? *ways.rendered : entry.text});
        const bool ofUse =
            ways.isPlain || entry.state == RecipeState::Broken || m_carry.concerns(entry.variant) || ways.otherTemplate;
        if (ways.edited && !ways.hasEdit && m_library.reaches(entry.file, entry.text)) {
            file.after = file.before;
            file.reason = Tr::tr("It follows the files that it imports.");
            file.follows = true;
            if (!m_carry.concerns(entry.variant))
                m_following.append(entry.package());
        } else if (!ways.touches && (file.before == file.after || !ofUse)) {
            file.after = file.before;
            file.reason = Tr::tr("The change does not affect it.");
        } else {
            rewrite(file, entry, ways);
        }
    }

    void rewrite(ChangedFile &file, const VariantEntry &entry, const Ways &ways)
    {
        const bool isClean = entry.fileStatus == FileStatus::Clean;
        file.action = Action::Rewrite;
        // What its files in lib/ cannot follow is not done by writing it as it is.
        if (ways.isPlain && (file.before != file.after || ways.whyNotThere.isEmpty())) {
            file.chosen = true;
            file.reason = Tr::tr("It has its template's text.");
        } else if ((m_inPlace || entry.state == RecipeState::Equivalent) && ways.hasEdit) {
            // One that builds the same as its template keeps its words, and all of it follows.
            file.after = ways.edited->text;
            file.group = isClean ? Tr::tr("Changed in place") : Tr::tr("With uncommitted changes");
            file.reason = joinedSentences({Tr::tr("Only the affected values change."), ways.edited->remark});
            file.chosen = isClean;
            if (!file.chosen)
                file.reason = joinedSentences({Tr::tr("It has uncommitted changes."), file.reason});
        } else if (!ways.rendered || !ways.whyNotThere.isEmpty()) {
            file.action = Action::Keep;
            file.reason = !ways.whyNotThere.isEmpty() ? ways.whyNotThere
                          : m_inPlace && !ways.edited ? ways.edited.error().sentence()
                                                      : ways.rendered.error().sentence();
        } else {
            file.group = isClean ? Tr::tr("Customised") : Tr::tr("With uncommitted changes");
            file.reason = isClean ? Tr::tr("It has its own text, which rendering from the template would lose.")
                                  : Tr::tr("It has uncommitted changes.");
            if (!ways.edited)
                file.reason = joinedSentences(
                    {file.reason, Tr::tr("It cannot be changed in place: %1.").arg(ways.edited.error().why)});
            file.possible = entry.state != RecipeState::Broken || !entry.text.isEmpty();
        }
        m_anyChosen = m_anyChosen || file.chosen;
        if (file.chosen || !ways.touches)
            return;
        m_left.append(entry.file);
        m_rendersLeft = m_rendersLeft || (file.possible && file.action == Action::Rewrite);
        m_editsLeft = m_editsLeft || ways.hasEdit;
    }

    ChangeSet collected(const FurtherChange &further)
    {
        Settings before = m_snapshot.settings;
        before.source = m_changed.settings.source;
        ChangeSet changes = settingsChangeSet(m_content, m_changed, before != m_changed.settings);
        changes.files = m_files.sorted() + m_library.changedFiles() + changes.files;
        if (!m_following.isEmpty())
            changes.warnings.append(
                Tr::tr("%n recipes follow although the new settings are not for them, because they take the value from "
                       "the same place: %1.",
                       nullptr, int(m_following.size()))
                    .arg(shortList(m_following)));
        changes.warnings += whyNotThere();
        further(changes);
        // Some have a pin that was replaced as a text in what they import.
        const auto after = withImported(m_content.shownFiles, changes);
        const auto follows = [&](const ChangedFile &file) {
            return m_change.versions.isEmpty() && after != m_content.shownFiles && file.before &&
                   fetchedPins(m_recipes, m_content.shownFiles, file.path, *file.before) !=
                       fetchedPins(m_recipes, after, file.path, *file.before);
        };
        m_left.removeIf([&](const QString &path) {
            const ChangedFile &file = *changes.find(path);
            return file.chosen || follows(file);
        });
        tellVersionsOfNothing(changes, m_change, !m_left.isEmpty());
        m_anyChosen = m_anyChosen || std::ranges::any_of(changes.files, [](const ChangedFile &file) {
                          return file.chosen && !file.name.isEmpty();
                      });
        QStringList names;
        for (const QString &path : std::as_const(m_left))
            names.append(changes.find(path)->name);
        if (!names.isEmpty())
            changes.warnings.append(wordsOfStaying(names, m_editsLeft && !m_inPlace, m_rendersLeft));
        // With only the settings changed, no recipe would match them.
        for (ChangedFile &file : changes.files)
            file.chosen = file.chosen && (m_left.isEmpty() || m_anyChosen || file.path != settingsFileName);
        return changes;
    }

    const RecipeCache &m_recipes;
    const BranchSnapshot &m_snapshot;
    const BranchContent &m_content;
    const ChangedSettings &m_changed;
    const SettingsChange &m_change;
    const bool m_inPlace;
    const Settings m_stated; ///< recipes that have not followed an earlier change of the settings are changed too
    Library m_library;
    RecipeConverter m_carry;
    QHash<QString, QString> m_whyNotThere; ///< by variant
    CellFiles m_files;
    QStringList m_following; ///< recipes that change although the new settings do not concern them
    bool m_anyChosen = false;
    QStringList m_left;         ///< files of affected recipes that stay unchanged
    bool m_rendersLeft = false; ///< some can be rendered from the template if the user chooses them
    bool m_editsLeft = false;   ///< some can be changed in place
};

/// A family that gets another version of which no recipe and no imported file says a word.
QString familyThatStays(const ChangeSet &changes, const BranchSnapshot &snapshot, const BranchContent &content,
                        const QList<const VariantEntry *> &entries)
{
    if (std::ranges::any_of(changes.files, [](const ChangedFile &file) {
            return file.chosen && file.before != file.after && (!file.name.isEmpty() || file.isImported());
        }))
        return {};
    QMap<QString, bool> states; // by family
    for (const VariantEntry *entry : entries) {
        const QString &family = entry->variant.family;
        const QString version = changes.settings->versionOf(family);
        if (version.isEmpty() || version == snapshot.settings.versionOf(family))
            continue;
        const QByteArray words = version.toUtf8();
        const RecipeSource source =
            content.shownFiles ? content.shownFiles->source(entry->file, entry->text) : RecipeSource(entry->text);
        states[family] |= entry->text.contains(words) ||
                          (source.imports && std::ranges::any_of(source.imports->paths, [&](const QString &path) {
                               return content.shownFiles->text(path).value_or(QByteArray()).contains(words);
                           }));
    }
    return states.key(false);
}

} // namespace

Result<ChangeSet> migrated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                           const SettingsChange &change, bool inPlace, const FurtherChange &further,
                           const WorkHooks &hooks)
{
    TM_TRY(changed, settingsAfter(recipes, snapshot.settings, content.settingsFile, snapshot.branch, change));
    QList<const VariantEntry *> entries;
    QStringList deleted;
    QStringList dropped; // variants that the settings no longer list
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present && entry.fileStatus == FileStatus::Deleted)
            deleted.append(entry.variant.name());
        if (!entry.present || entry.fileStatus == FileStatus::Deleted)
            continue;
        if (snapshot.settings.covers(entry.variant) && !changed->settings.covers(entry.variant))
            dropped.append(entry.variant.name());
        entries.append(&entry);
    }
    const QStringList unread = unreadSentences(entries);
    if (!entries.isEmpty() && std::ranges::all_of(entries, [](const VariantEntry *entry) { return isUnread(*entry); }))
        return Error{Tr::tr("migrate"), snapshot.branch, Tr::tr("no recipe can be read"), unread.constFirst()};
    if (!dropped.isEmpty())
        return Error{
            Tr::tr("migrate"), snapshot.branch,
            Tr::tr("%n recipes would no longer be listed: %1", nullptr, int(dropped.size())).arg(shortList(dropped)),
            Tr::tr("\"derive\" creates a branch with other Pythons or toolkits; \"settings set\" changes what is "
                   "listed.")};
    // What stays is not what they are migrated to.
    const Catalog &catalog = *recipes.catalog();
    QStringList words{settingsWords(catalog, changed->settings, &snapshot.settings),
                      change.pin ? u"nixpkgs "_s + change.pin->left(7) : QString()};
    words.removeAll(QString());
    if (words.isEmpty())
        words.append(settingsWords(catalog, changed->settings));
    QString subject = u"Migrate %1 to "_s + words.join(u", "_s);
    if (const QString keys = changedKeys(change, changed->settings); !keys.isEmpty())
        subject += u"\n\nChanged:\n"_s + keys;
    const auto withSubject = [&](ChangeSet &changes) {
        changes.subjectForm = subject;
        if (further)
            further(changes);
    };
    Migration migration(recipes, snapshot, content, *changed, change, inPlace);
    TM_TRY(changes, migration.make(entries, withSubject, hooks));
    changes->warnings = unread + changes->warnings;
    if (!deleted.isEmpty())
        changes->warnings.append(Tr::tr("%n recipes are deleted in the working tree and stay as committed: %1.",
                                        nullptr, int(deleted.size()))
                                     .arg(shortList(deleted)));
    const QString family =
        migration.whyNotThere().isEmpty() ? familyThatStays(*changes, snapshot, content, entries) : QString();
    QString place; // of the former version
    if (const QString former = snapshot.settings.versionOf(family); !family.isEmpty() && !former.isEmpty()) {
        for (const VariantEntry *entry : entries) {
            if (entry->variant.family == family && place.isEmpty() && content.shownFiles)
                place = placeInData(content.shownFiles->source(entry->file, entry->text), content.shownFiles, former);
        }
    }
    if (!place.isEmpty() && !changes->refusal)
        changes->refusal = Error{Tr::tr("migrate"), snapshot.branch,
                                 Tr::tr("the recipes of %1 have %2 from %3, which cannot be changed")
                                     .arg(family, snapshot.settings.versionOf(family), place),
                                 Tr::tr("Write %1 there by hand first.").arg(changed->settings.versionOf(family))};
    if (!family.isEmpty() && !changes->refusal)
        changes->refusal =
            Error{Tr::tr("migrate"), snapshot.branch,
                  Tr::tr("no recipe would change: no recipe of %1 states a version that can be replaced by %2")
                      .arg(family, changed->settings.versionOf(family)),
                  forSurface(
                      Tr::tr("Change the version in one recipe by hand; \"generate --like\" makes the others from it."),
                      Tr::tr("Change the version in one recipe by hand; Generate like makes the others from it."))};
    return changes;
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const MigrateRequest &request)
{
    TM_TRY(read, preparation.readKnown(request.branch, Tr::tr("migrate"), preparation.hooks.part(0, 70)));
    if (!read->snapshot->hasMatrix())
        return noMatrix(Tr::tr("migrate"), read->snapshot->branch);
    const auto withPins = [&](ChangeSet &changes) {
        preparation.tellPins(changes, read->snapshot->files);
        replaceStatedPins(preparation.recipes(), changes, *read->content, read->snapshot->files, request.change,
                          request.inPlace);
    };
    Result<ChangeSet> changes = migrated(preparation.recipes(), *read->snapshot, *read->content, request.change,
                                         request.inPlace, withPins, preparation.hooks.part(70, 100));
    const ChangedFile *settings = changes ? changes->find(settingsFileName) : nullptr;
    if (settings && settings->chosen && preparation.settingsDiffer(*read))
        changes.value().warnings.append(
            Tr::tr("%1 has uncommitted changes, which become part of this commit.").arg(settingsFileName));
    Result<QList<ChangeSet>> all = preparation.checked(std::move(changes), *read);
    if (all) {
        refusePins(all->first(), request.change);
        refuseKeptVersions(preparation.recipes(), all->first(), read->snapshot->settings,
                           withImported(read->snapshot->files, all->first()));
    }
    return all;
}

} // namespace tmx
