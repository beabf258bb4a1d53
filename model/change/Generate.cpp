// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Generate.h"
#include "model/base/ShortList.h"
#include "model/change/Library.h"
#include "model/change/Preparation.h"

#include "model/audit/Audit.h"
#include "model/base/NamesBySentence.h"
#include "model/base/NearestNames.h"
#include "model/base/RepositoryPaths.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Check.h"
#include "model/change/Findings.h"
#include "model/snapshot/RecipeLike.h"
#include "model/snapshot/SiblingWords.h"
#include "model/snapshot/TrueWords.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// A cell with its template's recipe.
struct RenderedCell {
    VariantEntry entry; ///< with its origin
    QByteArray text;

    [[nodiscard]] bool isThere() const { return entry.present && entry.fileStatus != FileStatus::Deleted; }
    /// Whether the present recipe has this text and its canonical name.
    [[nodiscard]] bool isWritten() const
    {
        return isThere() && entry.text == text && entry.package() == entry.variant.name();
    }
};

/// Why some of several cells cannot be made, by name; null: the first such error is that of all.
using FailedCells = QMap<QString, Error>;

/// The error about a cell that the branch does not have, with the names of its recipes that may have been meant. Not
/// for one that is known and cannot exist: its name is as it was meant.
Error withMeant(const Catalog &catalog, Error error, const BranchSnapshot &snapshot, const QString &name)
{
    const auto parsed = VariantName::parse(name, catalog.isaIds());
    if (const Validity validity = parsed ? catalog.validity(parsed->variant) : Validity();
        !validity.valid && !validity.unknown)
        return error;
    const QString meant = meantSentence(name, snapshot.entries.keys());
    if (!meant.isEmpty())
        error.remedy = joinedSentences({error.remedy, meant});
    return error;
}

/// The entry of a name; for a valid variant that the settings do not cover, a new one.
Result<VariantEntry> entryFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &name)
{
    if (const VariantEntry *entry = snapshot.find(name)) {
        if (entry->state == RecipeState::Unsupported)
            return Error{Tr::tr("generate"), name, entry->reason, {}};
        return *entry;
    }
    const Result<Variant> variant = variantNamed(catalog, name);
    if (!variant)
        return withMeant(catalog, variant.error(), snapshot, name);
    if (const Validity validity = catalog.validity(*variant, snapshot.settings); !validity.valid)
        return withMeant(catalog, {Tr::tr("generate"), name, validity.reason, {}}, snapshot, name);
    if (const std::optional<Error> unknown = unknownWord(catalog, Tr::tr("generate"), *variant, snapshot))
        return *unknown;
    VariantEntry entry;
    entry.variant = *variant;
    entry.file = snapshot.fileFor(*variant);
    entry.state = RecipeState::NotCovered;
    return entry;
}

/// The first error, with what the others say after it.
Error allOf(const FailedCells &failed)
{
    constexpr qsizetype most = 5;
    Error error = failed.first();
    QStringList sentences{error.remedy};
    for (const Error &other : failed.values().sliced(1).first(std::min(most, failed.size() - 1)))
        sentences.append(other.sentence());
    error.remedy = joinedSentences(sentences);
    return error;
}

/// How the branch gets the toolkit of a variant; empty if it has it.
QString wayToToolkit(const Catalog &catalog, const Settings &settings, const Variant &variant)
{
    const QStringList toolkits = settings.toolkits();
    if (!catalog.toolkit(variant.cuda) || toolkits.isEmpty() || toolkits.contains(variant.cuda))
        return {};
    return forSurface(Tr::tr("\"settings set cudas %1\" adds it, and lists its variants.")
                          .arg((toolkits + QStringList{variant.cuda}).join(u',')),
                      Tr::tr("Add it in Settings."));
}

/// The cells of `names` with recipes made like the reference's. Adds what the user must check to `warnings`.
Result<QList<RenderedCell>> cellsLike(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                      const QStringList &names, const QString &like, QStringList &warnings,
                                      FailedCells *failed)
{
    const Catalog &catalog = *recipes.catalog();
    const VariantEntry *reference = presentEntry(snapshot, like);
    if (!reference || reference->text.isEmpty())
        return Error{
            Tr::tr("use as reference"), like, Tr::tr("branch %1 has no such recipe").arg(snapshot.title()), {}};
    const AuditInput from = auditInputOf(catalog, snapshot, *reference);
    QList<RenderedCell> cells;
    QSet<QString> seen;
    for (const QString &name : names) {
        if (seen.contains(name))
            continue;
        seen.insert(name);
        TM_TRY(entry, entryFor(catalog, snapshot, name));
        AuditInput wanted = from;
        wanted.variant = entry->variant;
        wanted.file = entry->file;
        wanted.duplicates.clear();
        const Result<Exchanged> made = recipeLike(from, wanted);
        if (!made) {
            Error error = made.error();
            if (error.remedy.isEmpty())
                error.remedy = wayToToolkit(catalog, snapshot.settings, entry->variant);
            if (!failed)
                return error;
            failed->insert(name, error);
            continue;
        }
        cells.append({*entry, withTrueWords(recipes, snapshot, entry->variant, made->text)});
        warnings += made->remarks;
        if (const QString doubt = linesInDoubt(catalog, snapshot, entry->variant, cells.constLast().text);
            !doubt.isEmpty())
            warnings.append(u"%1: %2"_s.arg(name, doubt));
    }
    return cells;
}

/// The cell of an entry, from its template or its neighbours.
Result<RenderedCell> renderedCell(const RecipeCache &recipes, const BranchSnapshot &snapshot, const QString &name)
{
    TM_TRY(entry, entryFor(*recipes.catalog(), snapshot, name));
    if (!entry->rendered.isEmpty())
        return RenderedCell{*entry, entry->rendered};
    const auto likeNeighbours = [&](bool always) -> std::optional<RenderedCell> {
        const auto own = recipeLikeItsNeighbours(*recipes.catalog(), snapshot, entry->variant, always);
        if (!own)
            return std::nullopt;
        const QByteArray text = inWordsOfSiblings(recipes, snapshot, entry->variant, own->text);
        entry->origin = joinedSentences({originOfNew(recipes, snapshot, entry->variant, own->text, own),
                                         linesInDoubt(*recipes.catalog(), snapshot, entry->variant, text)});
        return RenderedCell{*entry, text};
    };
    if (auto own = likeNeighbours(false))
        return *own;
    const Result<QByteArray> text = recipes.rendered(snapshot.settings, {entry->variant}).constFirst();
    if (!text) {
        if (auto own = likeNeighbours(true))
            return *own;
        Error error = text.error();
        const bool isNew = std::ranges::none_of(snapshot.entries, [&entry](const VariantEntry &other) {
            return other.present && other.variant.family == entry->variant.family;
        });
        if (isNew)
            error.remedy = Tr::tr("Branch %1 has no recipes of %2.").arg(snapshot.title(), entry->variant.family);
        else if (error.remedy.isEmpty())
            error.remedy = wayToToolkit(*recipes.catalog(), snapshot.settings, entry->variant);
        return withMeant(*recipes.catalog(), error, snapshot, name);
    }
    if (const auto builtIn = builtInInstead(recipes, snapshot, entry->variant, *text)) {
        entry->origin = builtIn->origin;
        return RenderedCell{*entry, builtIn->text};
    }
    entry->origin = originOfNew(recipes, snapshot, entry->variant, *text, std::nullopt);
    const QByteArray whole = completedNew(*recipes.catalog(), snapshot, entry->variant, *text);
    return RenderedCell{*entry, inWordsOfSiblings(recipes, snapshot, entry->variant, whole)};
}

Result<QList<RenderedCell>> renderedCells(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                          const QStringList &names, FailedCells *failed)
{
    // Without its file the branch has other settings, whose recipes are not wanted.
    if (snapshot.settingsError)
        return unreadSettings(Tr::tr("generate on"), snapshot.branch, *snapshot.settingsError);
    QList<RenderedCell> cells;
    QSet<QString> seen;
    for (const QString &name : names) {
        if (seen.contains(name))
            continue;
        seen.insert(name);
        const Result<RenderedCell> cell = renderedCell(recipes, snapshot, name);
        if (cell)
            cells.append(*cell);
        else if (!failed || cell.error().usage)
            return cell.error();
        else
            failed->insert(name, cell.error());
    }
    return cells;
}

/// From what recipes of the branch the texts are made, if they are not like its template.
QStringList originsOf(const QList<RenderedCell> &cells)
{
    constexpr qsizetype most = 4;     // lines
    QMap<QString, QStringList> names; // by origin
    int count = 0;
    for (const RenderedCell &cell : cells) {
        if (cell.isThere() || cell.entry.origin.isEmpty())
            continue;
        names[cell.entry.origin].append(cell.entry.variant.name());
        ++count;
    }
    if (names.size() > most)
        return {Tr::tr("%n recipes are made from the nearest recipes of the branch or from built-in templates: check "
                       "their comments.",
                       nullptr, count)};
    QStringList sentences;
    for (const auto &[origin, some] : names.asKeyValueRange())
        sentences.append(u"%1: %2"_s.arg(shortList(some), origin));
    return sentences;
}

Result<QList<RenderedCell>> cellsFor(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                     const QStringList &names, const QString &like, QStringList &warnings,
                                     FailedCells *failed = nullptr)
{
    if (!like.isEmpty())
        return cellsLike(recipes, snapshot, names, like, warnings, failed);
    TM_TRY(cells, renderedCells(recipes, snapshot, names, failed));
    warnings += originsOf(*cells);
    return cells;
}

/// The error for an existing file: its text differs from the template's, so somebody wrote it.
Error alreadyThere(const RenderedCell &cell)
{
    const QString name = cell.entry.variant.name();
    if (cell.entry.text == cell.text) // The text is equal, so the name must differ.
        return Error{Tr::tr("generate"), name,
                     Tr::tr("%1 already contains that recipe, under an old form of its name").arg(cell.entry.file),
                     Tr::tr("It was not written; rename that file to %1.").arg(cell.entry.variant.file())};
    return Error{Tr::tr("generate"), name, Tr::tr("%1 already exists with a different text").arg(cell.entry.file),
                 Tr::tr("It was not written. To replace that file, remove or rename it first.")};
}

/// The error for a Python that the branch does not build. With a reference such a recipe is allowed, as it was
/// requested explicitly.
std::optional<Error> ofOtherPython(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                   const QString &like)
{
    const QStringList pythons = snapshot.settings.pythons();
    const QString &python = entry.variant.python;
    if (entry.covered || entry.present || pythons.contains(python))
        return std::nullopt;
    if (const std::optional<Error> unknown = catalog.unknownPython(Tr::tr("generate for"), python))
        return unknown;
    if (!like.isEmpty() || pythons.isEmpty())
        return std::nullopt;
    return Error{
        Tr::tr("generate"), entry.variant.name(),
        Tr::tr("branch %1 builds for %2, not for %3").arg(snapshot.title(), pythons.join(u", "_s), python),
        forSurface(Tr::tr("\"settings set pythons %1\" adds it; --like NAME makes it from a recipe of the branch.")
                       .arg((pythons + QStringList{python}).join(u',')),
                   Tr::tr("Add it in Settings, or make the recipe with Generate like."))};
}

/// The key and value of the settings that list a variant, in addition to what they list and to the other recipes of its
/// row: those that are there, and `added`.
QString listingOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<RenderedCell> &added,
                  const Variant &variant)
{
    const Settings &settings = snapshot.settings;
    if (const QStringList pythons = settings.pythons(); !pythons.contains(variant.python) && !pythons.isEmpty())
        return u"pythons "_s + (pythons + QStringList{variant.python}).join(u',');
    if (QStringList toolkits = settings.toolkits(); !variant.cuda.isEmpty() && !toolkits.contains(variant.cuda)) {
        toolkits.append(variant.cuda);
        std::ranges::sort(toolkits, buildLess);
        return u"cudas "_s + toolkits.join(u',');
    }
    QStringList isas = catalog.isaIds();
    isas.removeIf([&](const QString &isa) {
        const auto isOf = [&](const VariantEntry &entry) {
            return entry.variant.row == variant.row && entry.variant.isa == isa;
        };
        return std::ranges::none_of(
                   snapshot.entries,
                   [&](const VariantEntry &entry) { return (entry.present || entry.covered) && isOf(entry); }) &&
               std::ranges::none_of(added, isOf, &RenderedCell::entry);
    });
    return u"coverage.%1 %2"_s.arg(variant.row, isas.join(u','));
}

/// Says which of the recipes the branch's settings file does not list: they would stay out of "plan".
void tellUnlisted(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<RenderedCell> &cells,
                  const FailedCells &failed, ChangeSet &changes)
{
    const Settings &settings = snapshot.settings;
    NamesBySentence unlisted;
    for (const RenderedCell &cell : cells) {
        const QString name = cell.entry.variant.name();
        if (settings.source == Settings::Source::File && !settings.covers(cell.entry.variant) && !failed.contains(name))
            unlisted.add(forSurface(Tr::tr("%1 does not list it. \"settings set %2\" does.")
                                        .arg(settingsFileName, listingOf(catalog, snapshot, cells, cell.entry.variant)),
                                    Tr::tr("%1 does not list it. Settings does.").arg(settingsFileName)),
                         name);
    }
    for (const auto &[sentence, names] : unlisted.groups())
        changes.warnings.append(u"%1: %2"_s.arg(shortList(names), sentence));
}

/// Covered cells that the branch lacks. A recipe that has the template's text counts as lacking until it is written,
/// staged or committed as `until` requires, so that an interrupted run can be completed.
QStringList lackingNames(const BranchSnapshot &snapshot, ChangeSet::Until until)
{
    QStringList names;
    for (const VariantEntry &entry : snapshot.entries) {
        const bool brought =
            until == ChangeSet::Until::Commit ? !entry.committed.isEmpty() : entry.fileStatus != FileStatus::Untracked;
        const bool pending = !brought && !entry.rendered.isEmpty() && RenderedCell{entry, entry.rendered}.isWritten();
        if (entry.covered && (entry.state == RecipeState::Missing || pending))
            names.append(entry.variant.name());
    }
    return names;
}

ChangedFile fileOf(const RenderedCell &cell, ChangeSet::Until until)
{
    ChangedFile file;
    file.name = cell.entry.variant.name();
    file.after = cell.text;
    if (!cell.isThere()) {
        file.path = cell.entry.file;
        file.action = ChangeAction::Create;
        file.reason = joinedSentences({Tr::tr("There is no recipe."), cell.entry.origin});
        file.chosen = true;
        return file;
    }
    file.path = cell.entry.file;
    file.before = cell.text;
    file.chosen = cell.entry.fileStatus != FileStatus::Clean &&
                  (until == ChangeSet::Until::Commit || cell.entry.fileStatus == FileStatus::Untracked);
    if (file.chosen)
        file.action = cell.entry.committed.isEmpty() ? ChangeAction::Create : ChangeAction::Rewrite;
    file.reason = cell.entry.fileStatus == FileStatus::Clean ? Tr::tr("It is committed.")
                                                             : Tr::tr("It is written but not committed.");
    return file;
}

} // namespace

Result<Variant> variantNamed(const Catalog &catalog, const QString &name)
{
    const auto parsed = VariantName::parse(name, catalog.isaIds());
    static const QRegularExpression pattern(u"[*?]"_s);
    if (!parsed || !parsed->canonical)
        return Error{Tr::tr("find the variant"), name, Tr::tr("that is not a variant's name"),
                     name == "all"_L1 || name.contains(pattern)
                         ? Tr::tr("A name is one variant; options such as \"--all\" choose many.")
                         : Tr::tr("Names look like pytorch-python313-cuda12_8-sm90-avx512 or "
                                  "pytorch-python313-cpu-avx2; \"list\" shows them.")}
            .ofUsage();
    if (const Validity validity = catalog.validity(parsed->variant); !validity.valid)
        return Error{Tr::tr("find the variant"), name,
                     validity.unknown ? Tr::tr("it is not known") : Tr::tr("it cannot exist"), validity.reason};
    return parsed->variant;
}

Error noRecipe(const Catalog &catalog, const QString &action, const QString &name, const BranchSnapshot &snapshot)
{
    const Result<Variant> variant = variantNamed(catalog, name);
    return withMeant(catalog,
                     {action, name, Tr::tr("branch %1 has no such recipe").arg(snapshot.title()),
                      Tr::tr("\"list\" shows its variants."), !variant && variant.error().usage},
                     snapshot, name);
}

std::optional<Error> unknownWord(const Catalog &catalog, const QString &action, const Variant &variant,
                                 const BranchSnapshot &snapshot)
{
    if (variant.rest.isEmpty())
        return std::nullopt;
    bool haveIsa = false;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.variant.rest == variant.rest)
            return std::nullopt;
        haveIsa = haveIsa || (entry.variant.family == variant.family && !entry.variant.isa.isEmpty());
    }
    if (!variant.isa.isEmpty())
        return withMeant(catalog,
                         {action,
                          variant.name(),
                          Tr::tr("no recipe of branch %1 has %2 in its name, so nothing says what that changes")
                              .arg(snapshot.title(), variant.rest),
                          {}},
                         snapshot, variant.name());
    if (!haveIsa)
        return std::nullopt;
    return withMeant(catalog,
                     {action, variant.name(),
                      Tr::tr("the catalog has no instruction set %1, and no recipe of branch %2 has that word")
                          .arg(variant.rest, snapshot.title()),
                      Tr::tr("A catalog of your own can add it.")},
                     snapshot, variant.name());
}

QStringList referencesFor(const Catalog &catalog, const BranchSnapshot &snapshot, const QString &name)
{
    const auto parsed = VariantName::parse(name, catalog.isaIds());
    if (!parsed)
        return {};
    const Variant &wanted = parsed->variant;
    const auto lacksAvx2 = [&catalog](const Variant &variant) {
        const Isa *isa = catalog.isa(variant.isa);
        return isa && isa->lacksAvx2;
    };
    const auto lacksCudnn = [&catalog](const Variant &variant) {
        const GpuRow *row = catalog.row(variant.row);
        return row && !row->cudnn;
    };
    // Parts that only one form of recipe has cannot be exchanged, so the form counts most.
    const auto distance = [&](const Variant &variant) {
        return 16 * (lacksAvx2(variant) != lacksAvx2(wanted)) + 16 * (lacksCudnn(variant) != lacksCudnn(wanted)) +
               8 * (variant.cuda != wanted.cuda) + 4 * (variant.python != wanted.python) +
               2 * (variant.isa != wanted.isa) + (variant.row != wanted.row);
    };
    QList<std::pair<int, QString>> found;
    for (const VariantEntry &entry : snapshot.entries) {
        const Variant &variant = entry.variant;
        const bool kind = variant.family == wanted.family && variant.cuda.isEmpty() == wanted.cuda.isEmpty() &&
                          variant.isa.isEmpty() == wanted.isa.isEmpty();
        if (entry.present && kind && variant != wanted && !entry.text.isEmpty())
            found.append({distance(variant), entry.package()});
    }
    std::ranges::stable_sort(found, {}, &std::pair<int, QString>::first);
    QStringList names;
    for (const auto &[far, package] : std::as_const(found))
        names.append(package);
    return names;
}

Result<QList<std::pair<QString, QByteArray>>> renderRecipes(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                                            const QStringList &names, const QString &like,
                                                            QStringList *warnings, QStringList *errors)
{
    QStringList remarks;
    TM_TRY(cells, cellsFor(recipes, snapshot, names, like, remarks));
    if (warnings)
        *warnings = remarks;
    QList<std::pair<QString, QByteArray>> texts;
    QList<Variant> created;
    for (const RenderedCell &cell : *cells)
        created.append(cell.entry.variant);
    QList<Finding> kept; // errors
    QStringList keeping;
    for (const RenderedCell &cell : *cells) {
        QMap<QString, QByteArray> tables;
        TM_TRY(files, filesOfNew(recipes, snapshot, snapshot.files, cell.entry.variant, cell.text, &tables, created,
                                 warnings));
        AuditInput input = auditInputOf(*recipes.catalog(), snapshot, cell.entry);
        input.text = cell.text;
        input.files = *files;
        const QList<Finding> standing = standingErrors(snapshot, cell.entry.variant);
        for (const Finding &finding : errors ? audit(input).findings : QList<Finding>()) {
            if (finding.severity == Severity::Warning && warnings)
                warnings->append(finding.line > 0 && finding.file.isEmpty()
                                     ? Tr::tr("%1, line %2: %3")
                                           .arg(cell.entry.variant.name())
                                           .arg(finding.line)
                                           .arg(finding.sentence)
                                     : Tr::tr("%1: %2").arg(cell.entry.variant.name(), placedSentence(finding)));
            if (finding.severity != Severity::Error)
                continue;
            const bool stands =
                std::ranges::any_of(standing, [&](const Finding &one) { return isSamePlace(one, finding); });
            if (stands)
                kept.append(finding);
            if (stands && !keeping.contains(cell.entry.variant.name()))
                keeping.append(cell.entry.variant.name());
            if (!stands)
                errors->append(u"%1: %2 %3"_s.arg(cell.entry.variant.name(), placedSentence(finding), finding.advice));
        }
        for (const QString &path : tables.keys()) {
            if (warnings)
                warnings->append(Tr::tr("%1 needs a new entry in %2, which is written with the recipe.")
                                     .arg(cell.entry.variant.name(), shownPath(path)));
        }
        texts.append({cell.entry.variant.name(), cell.text});
    }
    if (warnings && !kept.isEmpty())
        warnings->append(standingText(keeping, kept));
    return texts;
}

namespace {

Result<ChangeSet> generated(const RecipeCache &recipes, const BranchSnapshot &snapshot, const GenerateRequest &request)
{
    if (!snapshot.checkedOut && request.until != ChangeSet::Until::Commit)
        return Error{Tr::tr("generate on branch"), snapshot.title(),
                     Tr::tr("it is not checked out, so there is no working tree to write to"),
                     Tr::tr("Add --commit to commit the recipes directly to that branch, or --stdout to see them.")};
    if (!snapshot.hasMatrix())
        return noMatrix(Tr::tr("generate on"), snapshot.branch);
    const QStringList names = request.all ? request.names + lackingNames(snapshot, request.until) : request.names;
    ChangeSet changes = changeOf(snapshot, request.until);
    // One of several that cannot be made does not stop the others.
    FailedCells failed;
    TM_TRY(cells, cellsFor(recipes, snapshot, names, request.like, changes.warnings,
                           request.leaves && names.size() > 1 ? &failed : nullptr));
    for (const RenderedCell &cell : *cells) {
        if (const auto other = ofOtherPython(*recipes.catalog(), snapshot, cell.entry, request.like); other)
            failed.insert(cell.entry.variant.name(), *other);
        else if (cell.isThere() && !cell.isWritten())
            failed.insert(cell.entry.variant.name(), alreadyThere(cell));
    }
    if (!failed.isEmpty() && (!request.leaves || failed.size() >= QSet<QString>(names.cbegin(), names.cend()).size()))
        return allOf(failed);
    for (const auto &[name, error] : std::as_const(failed).asKeyValueRange()) {
        changes.warnings.append(error.sentence());
        changes.files.append({.action = ChangeAction::Create,
                              .name = name,
                              .path = recipeFolder + u'/' + name + ".nix"_L1,
                              .after = QByteArray(),
                              .reason = error.sentence(),
                              .possible = false});
    }
    QStringList chosen;
    for (const RenderedCell &cell : *cells) {
        if (failed.contains(cell.entry.variant.name()))
            continue;
        changes.files.append(fileOf(cell, request.until));
        if (changes.files.constLast().chosen)
            chosen.append(changes.files.constLast().name);
    }
    tellUnlisted(*recipes.catalog(), snapshot, *cells, failed, changes);
    QStringList holes;
    for (const VariantEntry &entry : snapshot.entries) {
        if (request.all && entry.hole && !entry.present)
            holes.append(entry.variant.name());
    }
    if (!holes.isEmpty())
        changes.warnings.append(Tr::tr("%n recipes may be missing, but the settings do not list them: %1. \"plan\" "
                                       "says why; \"generate NAME\" "
                                       "writes one.",
                                       nullptr, int(holes.size()))
                                    .arg(shortList(holes)));
    // Somebody removed these and has not committed that; whether it was meant is not for `all` to say.
    for (const VariantEntry &entry : snapshot.entries) {
        if (request.all && entry.covered && entry.fileStatus == FileStatus::Deleted)
            changes.files.append({.name = entry.variant.name(),
                                  .path = entry.file,
                                  .reason = Tr::tr("It was deleted in the working tree and stays deleted.")});
    }
    changes.message = request.message.isEmpty() ? commitMessageFor(chosen) : request.message;
    return changes;
}

/// Leaves out new recipes with errors, if others have none.
void leaveWithErrors(const GenerateRequest &request, ChangeSet &changes)
{
    const auto isNew = [](const ChangedFile &file) {
        return file.chosen && !file.before && !file.name.isEmpty() && file.action == ChangeAction::Create;
    };
    QStringList whole;
    for (const ChangedFile &file : std::as_const(changes.files)) {
        if (isNew(file) && file.errors.isEmpty())
            whole.append(file.name);
    }
    if (whole.isEmpty())
        return;
    for (ChangedFile &file : changes.files) {
        if (!isNew(file) || file.errors.isEmpty())
            continue;
        changes.warnings.append(Tr::tr("%1 is not written: %2").arg(file.name, file.errors.constFirst()));
        file.chosen = file.possible = false;
        file.reason = joinedSentences({file.reason, file.errors.constFirst()});
        if (request.message.isEmpty())
            changes.message = commitMessageFor(whole);
    }
}

} // namespace

QString commitMessageFor(const QStringList &names, const QString &verb)
{
    if (names.size() == 1)
        return u"%1 %2\n"_s.arg(verb, names.first());
    QStringList sorted = names;
    sorted.sort();
    return u"%1 %2 recipes\n\n%3\n"_s.arg(verb).arg(names.size()).arg(sorted.join(u'\n'));
}

QString commitMessageFor(const BranchSnapshot &snapshot, const QStringList &names)
{
    const bool allNew = std::ranges::all_of(names, [&snapshot](const QString &name) {
        const VariantEntry *entry = snapshot.find(name);
        return !entry || entry->committed.isEmpty();
    });
    return commitMessageFor(names, allNew ? u"Add"_s : u"Update"_s);
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const GenerateRequest &request)
{
    TM_TRY(read, request.all ? preparation.readWhole(request.branch, Tr::tr("generate on"), preparation.hooks)
                             : preparation.read(request.branch, preparation.hooks));
    Result<ChangeSet> changes = generated(preparation.recipes(), *read->snapshot, request);
    if (changes) {
        // A commit has the tables as they are committed, even if the recipe is written already.
        const bool commits = request.until == ChangeSet::Until::Commit;
        Library library(preparation.recipes(), *read->content,
                        commits ? read->content->committedFiles : read->content->shownFiles, request.until);
        auto error = preparation.completeTables(*read, library, changes.value());
        if (error && !request.all &&
            (!request.leaves ||
             std::ranges::none_of(changes->files, [](const ChangedFile &file) { return file.chosen; })))
            return *std::move(error);
        if (error)
            changes->warnings.append(error->sentence());
    }
    if (changes && request.until == ChangeSet::Until::Commit)
        preparation.nameSettings(changes.value(), *read);
    Result<QList<ChangeSet>> sets = preparation.checked(std::move(changes), *read);
    if (!sets)
        return sets;
    if (request.leaves)
        leaveWithErrors(request, sets->first());
    const QString others = sets->first().linesOfOthers().join(u'\n');
    if (request.message.isEmpty() && !others.isEmpty()) {
        QString &message = sets->first().message;
        message += (message.count(u'\n') == 1 ? u"\n"_s : QString()) + others + u'\n';
    }
    return sets;
}

} // namespace tmx
