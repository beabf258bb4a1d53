// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Preparation.h"

#include "model/base/RepositoryPaths.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Check.h"
#include "model/change/Dropped.h"
#include "model/change/Library.h"
#include "model/change/Readme.h"
#include "model/change/RecipeConverter.h"
#include "model/change/RecipeWriters.h"
#include "model/change/ReplacedPins.h"
#include "model/settings/PinVersion.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/snapshot/RecipeLike.h"
#include "model/template/TableEntry.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;
using Action = tmx::ChangeAction;

namespace tmx {

namespace {

/// The recipes and pins of the branch after the change: for a commit those of the commit, which has neither the
/// recipes nor the deletions that are not committed with it.
Documented documentedAfter(const RecipeCache &recipes, const BranchSnapshot &snapshot, const ChangeSet &changes)
{
    Documented after{.branch = snapshot.title(), .recipes = {}, .pins = {}};
    after.isPart = hasRecipesInFolders(*recipes.catalog(), snapshot);
    const bool isOfCommit = changes.until == ChangeSet::Until::Commit;
    const std::shared_ptr<const RecipeFiles> imported = withImported(snapshot.files, changes);
    const auto factsOf = [&](const QString &path, const QByteArray &text) {
        return recipes.facts(imported ? imported->source(path, text) : RecipeSource(text));
    };
    const auto add = [&](const Variant &variant, const std::shared_ptr<const RecipeFacts> &facts,
                         const QByteArray &text) { addRecipe(after, *recipes.catalog(), variant, facts.get(), text); };
    QHash<QString, const ChangedFile *> files; // of thousands
    for (const ChangedFile &file : std::as_const(changes.files))
        files.insert(file.path, &file);
    for (const VariantEntry &entry : snapshot.entries) {
        const ChangedFile *file = files.value(entry.file);
        const bool isChosen = file && file->chosen;
        const bool isWritten = isChosen && file->after;
        const bool isThere = !isOfCommit ? entry.present && entry.fileStatus != FileStatus::Deleted
                                         : entry.unread || !entry.committed.isEmpty() || (entry.present && isWritten);
        if (!isThere || (isChosen && file->action == Action::Delete))
            continue;
        const QByteArray &text = isWritten ? *file->after : isOfCommit ? entry.committed : entry.text;
        const bool isSame = text == entry.text && imported == snapshot.files && entry.facts;
        const auto renamed = isChosen && !file->newPath.isEmpty()
                                 ? VariantName::parse(packageOf(file->newPath), recipes.catalog()->isaIds())
                                 : std::nullopt;
        add(renamed ? renamed->variant : entry.variant, isSame ? entry.facts : factsOf(entry.file, text), text);
    }
    for (const ChangedFile &file : std::as_const(changes.files)) {
        const VariantEntry *entry = snapshot.find(file.name);
        const auto named = VariantName::parse(file.name, recipes.catalog()->isaIds());
        if (file.chosen && file.after && file.action == Action::Create && named && !(entry && entry->present))
            add(named->variant, factsOf(file.path, *file.after), *file.after);
    }
    return after;
}

/// The versions of families of which all recipes get another one; of those whose recipes state none, and of the torch
/// inside companions, what the settings say.
QList<ReplacedVersion> replacedVersions(const Catalog &catalog, const Documented &before, const Settings &settings,
                                        const Documented &after, const Settings &newSettings)
{
    const auto versionsIn = [](const Documented &facts, const Settings &from, const QString &family) {
        QStringList versions = facts.built.value(family);
        for (const auto &[key, profile] : from.profiles.asKeyValueRange()) {
            if (facts.built.value(family).isEmpty() && FamilyName::of(key.family).word == family &&
                !profile.version.isEmpty() && !versions.contains(profile.version))
                versions.append(profile.version);
        }
        return versions;
    };
    QStringList families = before.built.keys();
    for (const ProfileKey &key : settings.profiles.keys()) {
        if (const QString word = FamilyName::of(key.family).word; !families.contains(word))
            families.append(word);
    }
    QList<ReplacedVersion> replaced;
    for (const QString &family : std::as_const(families)) {
        const QStringList now = versionsIn(after, newSettings, family);
        const QStringList former = versionsIn(before, settings, family);
        for (const QString &version : former) {
            if (now.size() == 1 && !now.contains(version))
                replaced.append({namesOfFamily(catalog, family), version, now.constFirst()});
        }
        // One of several, or of some recipes alone.
        QStringList gone = former, come = now;
        gone.removeIf([&now](const QString &version) { return now.contains(version); });
        come.removeIf([&former](const QString &version) { return former.contains(version); });
        if (come.size() != 1 || now.size() == 1)
            continue;
        if (gone.size() == 1)
            replaced.append({namesOfFamily(catalog, family), gone.constFirst(), come.constFirst()});
        else if (gone.isEmpty() && former.size() == 1)
            replaced.append({namesOfFamily(catalog, family), former.constFirst(), come.constFirst(), true});
    }
    return replaced;
}

/// What is said of `count` lines of a document that are only named, for the rules of namedRules.
QString wordsOfNamed(const QString &rule, int count)
{
    if (rule == pinUnclearRule)
        return Tr::tr("%1 names a nixpkgs that is replaced, and is not changed in %n lines that may be about something "
                      "else: %2.",
                      nullptr, count);
    if (rule == versionUnclearRule)
        return Tr::tr("%1 names a version that is replaced, and is not changed in %n lines that may be about something "
                      "else: %2.",
                      nullptr, count);
    if (rule == branchStaleRule)
        return Tr::tr("%1 says in %n lines that this is another branch: %2.", nullptr, count);
    return Tr::tr("%1 counts or lists what the branch built before in %n lines, and is not changed there: %2. Add what "
                  "is new.",
                  nullptr, count);
}

/// Adds lines of a document that will not be true: certain edits as a file of the commit, else warnings. `known`: the
/// sentences about lines that are not true already.
void addDocument(const OutdatedDocument &document, const QStringList &known, ChangeSet &changes)
{
    Edits edits;
    QStringList sentences, kept, forPlan;
    const QStringList namedRules{pinUnclearRule, versionUnclearRule, branchStaleRule, listStaleRule};
    QMap<QString, QStringList> named; // numbers of lines, by rule
    for (const OutdatedLine &line : document.lines) {
        if (namedRules.contains(line.finding.rule)) {
            named[line.finding.rule].append(QString::number(line.finding.line));
            continue;
        }
        // What no change of the recipes makes true or false is for the audit to say.
        const bool isOfTheirs = line.finding.severity == Severity::Note && line.edits.isEmpty();
        if (isOfTheirs || known.contains(line.finding.sentence))
            continue;
        const QString sentence = Tr::tr("Line %1: %2").arg(line.finding.line).arg(line.finding.sentence);
        const bool isCertain = changes.until == ChangeSet::Until::Commit && !line.edits.isEmpty();
        const bool isWritten = isCertain && document.isClean;
        edits += isWritten ? line.edits : Edits();
        if (isWritten)
            sentences.append(sentence);
        else if (isCertain)
            kept.append(sentence);
        else if (!line.edits.isEmpty())
            forPlan.append(sentence);
        else
            changes.warnings.append(u"%1: %2"_s.arg(document.path, joinedSentences({sentence, line.finding.advice})));
    }
    if (!forPlan.isEmpty()) {
        const QString plan =
            forSurface(Tr::tr("\"plan --apply\" writes the right numbers once the recipes are committed."),
                       Tr::tr("Plan writes the right numbers once the recipes are committed."));
        changes.warnings.append(u"%1: %2"_s.arg(document.path, joinedSentences(forPlan + QStringList{plan})));
    }
    if (!kept.isEmpty())
        changes.warnings.append(
            Tr::tr("%1 has uncommitted changes and is not written. %2").arg(document.path, joinedSentences(kept)));
    for (const QString &rule : namedRules) {
        if (const QStringList lines = named.value(rule); !lines.isEmpty())
            changes.warnings.append(wordsOfNamed(rule, int(lines.size())).arg(document.path, lines.join(u", "_s)));
    }
    if (!edits.isEmpty())
        changes.files.append({.action = Action::Rewrite,
                              .path = document.path,
                              .before = document.text,
                              .after = edited(document.text, edits),
                              .reason = sentences.join(u' '),
                              .group = Tr::tr("Documents"),
                              .chosen = true});
}

} // namespace

Result<QList<ChangeSet>> alone(Result<ChangeSet> changes)
{
    if (!changes)
        return changes.error();
    return QList<ChangeSet>{std::move(changes).value()};
}

ChangeSet changeOf(const BranchSnapshot &snapshot, ChangeSet::Until until)
{
    ChangeSet changes;
    changes.branch = snapshot.branch;
    changes.parentCommit = snapshot.commit;
    changes.until = until;
    changes.settings = snapshot.settings;
    return changes;
}

Result<ReadBranch> Preparation::read(const QString &branch, const WorkHooks &part) const
{
    TM_TRY(source, branchNamed(opened, path, branch));
    return reader.read(*source, part, Templates::Rendered, &opened.repository);
}

Result<ReadBranch> Preparation::readWhole(const QString &branch, const QString &what, const WorkHooks &part) const
{
    Result<ReadBranch> whole = read(branch, part);
    if (!whole)
        return whole;
    const Result<void> checked = checkWhole(*whole->content, what);
    return checked ? std::move(whole) : checked.error();
}

Result<ReadBranch> Preparation::readKnown(const QString &branch, const QString &what, const WorkHooks &part) const
{
    Result<ReadBranch> read = readWhole(branch, what, part);
    if (read && read->snapshot->settingsError)
        return unreadSettings(what, read->snapshot->branch, *read->snapshot->settingsError);
    return read;
}

bool Preparation::settingsDiffer(const ReadBranch &read) const
{
    if (!read.content->withWorkTree)
        return false;
    const auto committed = read.snapshot->commit.isEmpty()
                               ? Result<std::optional<QByteArray>>(std::optional<QByteArray>())
                               : opened.repository.fileAt(read.snapshot->commit, settingsFileName);
    return committed && *committed != read.content->settingsFile;
}

void Preparation::nameSettings(ChangeSet &changes, const ReadBranch &read) const
{
    if (!changes.isEmpty() && settingsDiffer(read))
        changes.warnings.append(
            Tr::tr("%1 has uncommitted changes, which are not part of this commit. Commit it as well.")
                .arg(settingsFileName));
}

std::optional<Error> Preparation::completeTables(const ReadBranch &read, Library &library, ChangeSet &changes) const
{
    std::optional<Error> first;
    const auto variantOf = [this](const ChangedFile &file) {
        const bool isNew = file.action == Action::Create && file.chosen && file.after;
        return isNew ? VariantName::parse(file.name, recipes().catalog()->isaIds()) : std::nullopt;
    };
    QList<Variant> created;
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (const auto named = variantOf(file))
            created.append(named->variant);
    }
    QStringList unlisted;
    for (ChangedFile &file : changes.files) {
        const auto named = variantOf(file);
        if (!named)
            continue;
        QMap<QString, QByteArray> texts;
        const auto files = filesOfNew(recipes(), *read.snapshot, library.files(), named->variant, *file.after, &texts,
                                      created, &unlisted);
        std::optional<Error> error = files ? std::nullopt : std::optional(files.error());
        for (auto it = texts.cbegin(); it != texts.cend() && !error; ++it)
            error = library.rewrite(it.key(), *it, newEntriesReason());
        if (!error)
            continue;
        file.chosen = file.possible = false;
        file.reason = joinedSentences({file.reason, error->sentenceBeside(file.name)});
        first = first ? first : error;
    }
    changes.files += library.changedFiles();
    unlisted.removeDuplicates();
    changes.warnings += unlisted;
    return first;
}

void Preparation::nameEmptyLists(ChangeSet &changes, const BranchSnapshot &snapshot) const
{
    QList<Variant> left = variantsThere(snapshot);
    QList<Variant> deleted;
    QStringList paths;
    for (const ChangedFile &file : std::as_const(changes.files)) {
        const VariantEntry *entry = snapshot.find(file.name);
        if (!file.chosen || file.action != Action::Delete || !entry || file.path != entry->file)
            continue;
        deleted.append(entry->variant);
        left.removeOne(entry->variant);
        paths += entry->imports ? entry->imports->paths : QStringList();
    }
    paths.removeDuplicates();
    if (deleted.isEmpty() || !snapshot.files)
        return;
    for (const ListOfRow &list : listsWithout(*recipes().catalog(), *snapshot.files, paths, deleted, left))
        changes.warnings.append(Tr::tr("%1:%2 still lists %3 for %4, but no such recipe is left.")
                                    .arg(shownPath(list.file))
                                    .arg(list.line)
                                    .arg(list.value, list.row));
}

void Preparation::tellPins(ChangeSet &changes, const std::shared_ptr<const RecipeFiles> &files) const
{
    changes.pins = replacedPins(recipes(), changes, files, withImported(files, changes));
}

void Preparation::nameFollowing(ChangeSet &changes, const BranchContent &content,
                                const std::shared_ptr<const RecipeFiles> &files) const
{
    const std::shared_ptr<const RecipeFiles> after = withImported(files, changes);
    if (!files || after == files)
        return;
    QStringList others, packages;
    namedRecipes(*recipes().catalog(), content, &others);
    for (const QString &path : std::as_const(others)) {
        const std::optional<QByteArray> text = textIn(content, path);
        const RecipeSource before = text ? files->source(path, *text) : RecipeSource();
        const RecipeSource now = text ? after->source(path, *text) : RecipeSource();
        if (before.codeKey() == now.codeKey())
            continue;
        const auto old = recipes().meaning(before), made = recipes().meaning(now);
        if (!old->isKnown() || !made->isKnown() || old->exact != made->exact)
            packages.append(packageOf(path));
    }
    if (!packages.isEmpty())
        changes.warnings.append(
            Tr::tr("%n packages that are no variants import what changes, keep their names and build something "
                   "else: %1.",
                   nullptr, int(packages.size()))
                .arg(shortList(packages)));
}

void Preparation::addDocuments(ChangeSet &changes, const BranchSource &source, const BranchSnapshot &snapshot,
                               bool isPlan, const QString &derivedFrom) const
{
    Documented before = documentedAfter(recipes(), snapshot, changeOf(snapshot, changes.until));
    namePackages(*recipes().catalog(), before);
    Documented after = documentedAfter(recipes(), snapshot, changes);
    after.versions = replacedVersions(*recipes().catalog(), before, snapshot.settings, after,
                                      changes.settings.value_or(snapshot.settings));
    const bool same = before.recipes == after.recipes && before.pins == after.pins && after.versions.isEmpty();
    if (same && !isPlan && derivedFrom.isEmpty())
        return;
    namePackages(*recipes().catalog(), after);
    after.formerPins = before.pins;
    after.formerPins.removeIf([&after](const QString &pin) { return pin.isEmpty() || after.pins.contains(pin); });
    for (const ReplacedPin &pin : changes.pins) {
        if (after.pins.contains(pin.from) && !after.keptPins.contains(pin.from))
            after.keptPins.append(pin.from);
    }
    if (before.recipes != after.recipes)
        after.formerRecipes = before.recipes;
    after.formerBranch = derivedFrom;
    after.newPins = after.pins;
    after.newPins.removeIf([&before](const QString &pin) { return before.pins.contains(pin); });
    const auto documents = outdatedDocuments(opened, source, after);
    if (!documents) {
        changes.refusal = changes.refusal ? changes.refusal : documents.error();
        return;
    }
    for (const OutdatedDocument &document : *documents) {
        QStringList known;
        for (const OutdatedLine &line : isPlan ? QList<OutdatedLine>() : auditDocument(document.text, before))
            known.append(line.finding.sentence);
        addDocument(document, known, changes);
    }
}

void Preparation::nameBereaved(ChangeSet &changes, const BranchSnapshot &snapshot) const
{
    QSet<QString> removed;
    QHash<QString, QByteArray> afterwards = textsByName(snapshot);
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (removes(file)) {
            removed.insert(fileNameOf(file.path));
            afterwards.remove(fileNameOf(file.path));
        }
    }
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (file.chosen && file.after)
            afterwards.insert(fileNameOf(pathAfter(file)), *file.after);
    }
    if (removed.isEmpty())
        return;
    QStringList bereaved;
    QString first; // the recipe that they miss
    for (auto it = afterwards.cbegin(); it != afterwards.cend(); ++it) {
        const std::shared_ptr<const RecipeFacts> facts = recipes().facts(*it);
        const TorchSource &torch = facts->torch;
        if (torch.kind != TorchSource::Kind::Sibling || !removed.contains(torch.file) ||
            afterwards.contains(torch.file))
            continue;
        bereaved.append(it.key());
        first = first.isEmpty() || torch.file < first ? torch.file : first;
    }
    bereaved.sort();
    if (!bereaved.isEmpty())
        changes.warnings.append(
            Tr::tr("%n recipes take torch from %1 and others that are deleted: %2.", nullptr, int(bereaved.size()))
                .arg(first, shortList(bereaved)));
}

Result<QList<ChangeSet>> Preparation::withBereaved(Result<ChangeSet> changes, const BranchSnapshot &snapshot) const
{
    if (changes)
        nameBereaved(changes.value(), snapshot);
    return alone(std::move(changes));
}

Result<QList<ChangeSet>> Preparation::checked(Result<ChangeSet> changes, const ReadBranch &read, bool isPlan) const
{
    const BranchSnapshot &snapshot = *read.snapshot;
    if (changes) {
        check(recipes(), changes.value(), snapshot.settings, textsByName(snapshot), snapshot.files, &snapshot);
        if (isPlan &&
            changes->settings) { // A file may have got a version that the pin of the recipes does not contain.
            const Settings stated = statedSettings(recipes(), *read.content, snapshot.settings);
            for (const VersionNotOfPin &found : versionsNotOfPins(*recipes().catalog(), *changes->settings, &stated)) {
                const QString sentence = joinedSentences({found.sentence, found.advice});
                if (!changes->errors.contains(sentence))
                    changes->errors.append(sentence);
            }
        }
        tellPins(changes.value(), snapshot.files);
        nameFollowing(changes.value(), *read.content, snapshot.files);
        nameEmptyLists(changes.value(), snapshot);
        addDocuments(changes.value(), read.source, snapshot, isPlan);
        nameWriters(opened.repository, changes.value());
    }
    return withBereaved(std::move(changes), snapshot);
}

} // namespace tmx
