// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/BranchSnapshot.h"

#include "model/base/Parallel.h"
#include "model/base/RepositoryPaths.h"
#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/snapshot/NamedRecipe.h"
#include "model/snapshot/RecipeLike.h"
#include "model/snapshot/SiblingWords.h"
#include "model/snapshot/TrueWords.h"
#include "model/snapshot/WrongArgument.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QString fileName(const QString &path)
{
    return path.sliced(path.lastIndexOf(u'/') + 1);
}

/// The files of a branch that claim one cell.
struct Claim {
    QList<NamedRecipe> recipes;  ///< the likeliest first
    QList<NamedRecipe> suffixed; ///< files whose names have a suffix, which are separate packages

    void order()
    {
        const auto rank = [](const NamedRecipe &named) {
            return std::make_tuple(named.gone, !named.name.canonical, named.name.oddities.size(), named.file->path);
        };
        std::ranges::sort(recipes, {}, rank);
        std::ranges::sort(suffixed, {}, rank);
        // An uncommitted rename is one recipe, not two: a deleted file counts only if no other file took its place.
        while (recipes.size() > 1 && recipes.constLast().gone)
            recipes.removeLast();
        suffixed.removeIf([](const NamedRecipe &named) { return named.gone; });
    }
};

struct Standing {
    RecipeState state;
    QString reason;
};

/// "nixpkgs, GPU targets and 2 more": the differences, the effective ones first.
QString namesOf(const QList<MeaningDifference> &differences)
{
    QStringList names;
    for (const MeaningDifference &difference : differences) {
        if (difference.builds)
            names.append(difference.label);
    }
    return shortList(names);
}

Standing judgeAgainstTemplate(const RecipeCache &recipes, VariantEntry &entry, const NamedRecipe &named,
                              const Result<QByteArray> &rendered, const RecipeFiles *files)
{
    if (!named.name.canonical)
        return {RecipeState::Customised,
                Tr::tr("The recipe is in %1 (%2).").arg(fileName(entry.file), named.name.oddities.join(", "_L1))};
    if (!rendered)
        return {RecipeState::Customised, Tr::tr("There is nothing to compare it with: %1.").arg(rendered.error().why)};
    if (entry.committed == *rendered)
        return {RecipeState::Current, {}};
    if (rendered->isEmpty())
        return {RecipeState::Customised, {}}; // With Templates::LeftOut.
    const RecipeSource generated = files ? files->source(entry.file, *rendered) : *rendered;
    const std::shared_ptr<const Meaning> meaning = recipes.meaning(entry.source());
    const std::shared_ptr<const Meaning> wanted = recipes.meaning(generated);
    switch (samenessOf(entry.committed, *meaning, *rendered, *wanted)) {
    case Sameness::Identical:
    case Sameness::Equal: return {RecipeState::Equivalent, Tr::tr("Same derivation as the template's.")};
    case Sameness::SameBuild: {
        QStringList kinds;
        for (const UnbuiltKind kind : unbuiltDifferences(*meaning, *wanted))
            kinds.append(labelOf(kind));
        return {RecipeState::Equivalent,
                kinds.isEmpty()
                    ? Tr::tr("Same build as the template's.")
                    : Tr::tr("Same build as the template's; what differs has no effect: %1.").arg(kinds.join(", "_L1))};
    }
    case Sameness::Different: break;
    }
    entry.differences = recipes.differences(generated, entry.source());
    const auto count = std::ranges::count_if(*entry.differences, &MeaningDifference::builds);
    const QString names = namesOf(*entry.differences);
    return {RecipeState::Customised, Tr::tr("%n facts differ from the template: %1.", nullptr, int(count)).arg(names)};
}

/// `entry` is complete except for state, reason and differences.
Standing judge(const RecipeCache &recipes, VariantEntry &entry, const NamedRecipe &named, const Validity &validity,
               const Result<QByteArray> &rendered, const RecipeFiles *files)
{
    const VersionedFile &file = *named.file;
    if (!entry.duplicates.isEmpty() && !named.gone) {
        QStringList names{shownPath(entry.file)};
        for (const QString &path : entry.duplicates)
            names.append(shownPath(path));
        return {RecipeState::Duplicate,
                Tr::tr("%n files are for this cell: %1.", nullptr, int(names.size())).arg(names.join(", "_L1))};
    }
    // Conflict markers are not Nix, but saying that would not help the user.
    if (file.conflict)
        return {entry.firstError() ? RecipeState::Broken : RecipeState::Modified,
                Tr::tr("It has an unresolved merge conflict; fix the file and add it to the index.")};
    if (const Finding *error = entry.firstError())
        return {RecipeState::Broken, placedSentence(*error)};
    if (!validity.valid && !entry.covered)
        return {RecipeState::Unsupported, validity.reason};
    if (named.gone)
        return {RecipeState::Modified, Tr::tr("The file is deleted in the working tree; the deletion is not "
                                              "committed.")};
    switch (file.status) {
    case FileStatus::Clean:
        if (const QStringList changed = entry.changedImports(); !changed.isEmpty())
            return {RecipeState::Modified,
                    Tr::tr("What it imports is changed and not committed: %1.").arg(shortList(changed))};
        return judgeAgainstTemplate(recipes, entry, named, rendered, files);
    case FileStatus::Staged:
        if (file.committed)
            return {RecipeState::Modified, Tr::tr("Changed and added, not committed yet.")};
        return {RecipeState::Untracked, Tr::tr("Not committed yet.")};
    case FileStatus::Untracked:
        if (file.committed)
            return {RecipeState::Modified, Tr::tr("It was removed from the index, so flox does not see it.")};
        return {RecipeState::Untracked, Tr::tr("Untracked: flox does not see it.")};
    case FileStatus::Modified:
    case FileStatus::Deleted:
        if (!file.committed)
            return {RecipeState::Untracked, Tr::tr("Changed since it was added; not committed yet.")};
        return {RecipeState::Modified, {}};
    }
    Q_UNREACHABLE_RETURN({});
}

void fillFromFile(VariantEntry &entry, const VersionedFile &file, const QByteArray &text, const BranchContent &content)
{
    entry.present = true;
    entry.unread = file.unread;
    entry.fileStatus = file.status;
    entry.text = text;
    entry.committed = file.committed.value_or(QByteArray());
    if (content.shownFiles)
        entry.imports = content.shownFiles->source(entry.file, entry.text).imports;
    if (content.committedFiles)
        entry.committedImports = content.committedFiles->source(entry.file, entry.committed).imports;
}

void fillFromFiles(VariantEntry &entry, const Claim &claim, const BranchContent &content)
{
    for (const NamedRecipe &named : claim.recipes + claim.suffixed)
        entry.duplicates.append(named.file->path);
    if (claim.recipes.isEmpty())
        return;
    const NamedRecipe &named = claim.recipes.constFirst();
    entry.file = entry.duplicates.takeFirst();
    fillFromFile(entry, *named.file, named.text(), content);
    if (named.gone)
        entry.fileStatus = FileStatus::Deleted;
}

/// textsByName(); empty on a branch without companions.
QHash<QString, QByteArray> siblingsOf(const Catalog &catalog, const BranchSnapshot &snapshot)
{
    const bool companions = std::ranges::any_of(snapshot.entries, [&catalog](const VariantEntry &entry) {
        const Family *family = catalog.family(entry.variant.family);
        return family && family->companion && entry.present;
    });
    return companions ? textsByName(snapshot) : QHash<QString, QByteArray>();
}

/// Adds notes for values that differ from most other recipes. These are no errors, because the majority only defines
/// what is usual for the branch.
void notesOfDissent(QList<Finding> &findings, const QStringList &fields)
{
    struct Dissenting {
        QString field;
        Severity severity = Severity::Note;
    };
    static const QHash<QString, Dissenting> rules{
        {u"pin-other"_s, {u"nixpkgs"_s}},
        {u"pin-missing"_s, {u"nixpkgs"_s}},
        {u"pin-sha256-other"_s, {u"nixpkgs_sha256"_s}},
        // Two versions of one package under one name: people expect the same of all.
        {u"torch-version-other"_s, {u"version"_s, Severity::Warning}},
        {u"version-other"_s, {u"version"_s, Severity::Warning}},
        {u"build-version"_s, {u"version"_s, Severity::Warning}},
        {u"torch-hash-other"_s, {u"hash"_s}},
        {u"pname-other"_s, {u"pname_prefix"_s}},
        {u"blas-other"_s, {u"blas"_s}},
    };
    for (Finding &finding : findings) {
        const auto rule = rules.constFind(finding.rule);
        if (rule != rules.cend() && fields.contains(rule->field))
            finding.severity = rule->severity;
    }
    std::ranges::stable_sort(findings, std::greater(), &Finding::severity);
}

/// Of findings in imported files: those that come from what a recipe passes are placed at the argument, because other
/// recipes that read the same line are right, and pass what their names say; those whose value is right for other
/// recipes cannot be fixed there.
void judgeAmongReaders(const QList<VariantEntry *> &entries)
{
    using Line = std::pair<QString, int>;
    const auto isInImported = [](const Finding &finding) {
        return !finding.file.isEmpty() && finding.line > 0 && finding.severity != Severity::Note;
    };
    std::map<Line, QList<const VariantEntry *>> readers;
    std::map<std::pair<const VariantEntry *, Line>, QSet<QString>> values; // that the entry reads there
    for (const VariantEntry *entry : entries) {
        for (const Finding &finding : entry->findings) {
            if (isInImported(finding))
                readers[{finding.file, finding.line}];
        }
    }
    for (const VariantEntry *entry : readers.empty() ? QList<VariantEntry *>() : entries) {
        for (const Fact &fact : entry->facts ? entry->facts->rows(FactDetail::Apart) : QList<Fact>()) {
            const auto line = readers.find({fact.file, fact.line});
            if (line == readers.end())
                continue;
            values[{entry, line->first}].insert(fact.id + u'=' + fact.value);
            if (!line->second.endsWith(entry))
                line->second.append(entry);
        }
    }
    const auto hasIt = [](const VariantEntry *entry, const Finding &finding) {
        return std::ranges::any_of(entry->findings, [&](const Finding &other) {
            return other.rule == finding.rule && other.file == finding.file && other.line == finding.line;
        });
    };
    std::map<std::pair<QString, Line>, QList<const VariantEntry *>> right; // readers without the finding
    const auto rightFor = [&](const Finding &finding) -> const QList<const VariantEntry *> & {
        const Line line{finding.file, finding.line};
        const auto [known, isNew] = right.try_emplace({finding.rule, line});
        for (const VariantEntry *other : isNew ? readers[line] : QList<const VariantEntry *>()) {
            if (!hasIt(other, finding))
                known->second.append(other);
        }
        return known->second;
    };
    QList<std::pair<Finding *, Spot>> moved; // at last: what is moved is not found any more
    for (VariantEntry *entry : entries) {
        for (Finding &finding : entry->findings) {
            if (!isInImported(finding))
                continue;
            bool isMoved = false;
            for (const VariantEntry *other : rightFor(finding)) {
                const auto argument = wrongArgument(entry->variant, entry->text, other->variant, other->text);
                isMoved = argument && *argument;
                if (isMoved)
                    moved.append({&finding, *argument});
                if (argument)
                    break;
            }
            const Line line{finding.file, finding.line};
            const auto others = isMoved || !finding.fixable
                                    ? 0
                                    : std::ranges::count_if(rightFor(finding), [&](const VariantEntry *other) {
                                          return values[{other, line}].intersects(values[{entry, line}]);
                                      });
            if (others == 0)
                continue;
            finding.fixable = false;
            finding.advice = joinedSentences(
                {finding.advice, Tr::tr("What stands there is right for %n other recipes.", nullptr, int(others))});
        }
    }
    for (const auto &[finding, argument] : moved) {
        finding->advice = Tr::tr("Pass what its name says: line %1 of %2 is right for other recipes.")
                              .arg(finding->line)
                              .arg(shownPath(finding->file));
        finding->file.clear();
        finding->fixable = false;
        std::tie(finding->line, finding->column, finding->length) =
            std::tuple(argument.line, argument.column, int(argument.length));
    }
}

/// Whether git turns the line ends of a committed text into CR LF on checkout (core.autocrlf, an attribute).
bool isConverted(const QByteArray &text, const std::optional<QByteArray> &committed, FileStatus status)
{
    return status == FileStatus::Clean && committed && text.contains("\r\n") && !committed->contains("\r\n");
}

void fillFromAudit(const RecipeCache &recipes, BranchSnapshot &snapshot, const QMap<QString, Claim> &claims,
                   const WorkHooks &hooks)
{
    const Catalog &catalog = *recipes.catalog();
    const QHash<QString, QByteArray> siblings = siblingsOf(catalog, snapshot);
    const QHash<QString, Dissent> dissent = dissentOf(snapshot.inference);
    QList<AuditInput> inputs;
    QList<VariantEntry *> entries; // nullptr: an extra file for a cell
    const auto add = [&](VariantEntry *entry, const Variant &variant, const NamedRecipe &named,
                         const QStringList &duplicates) {
        const Family *family = catalog.family(variant.family);
        entries.append(entry);
        inputs.append({nullptr, nullptr, variant, named.file->path, named.text(), named.file->trouble, duplicates,
                       family && family->companion ? siblings : QHash<QString, QByteArray>(), nullptr,
                       dissent.value(packageOf(named.file->path)).sentences, snapshot.files,
                       isConverted(named.text(), named.file->committed, named.file->status)});
    };
    for (auto it = snapshot.entries.begin(); it != snapshot.entries.end(); ++it) {
        const Claim &claim = *claims.constFind(it.key());
        for (const NamedRecipe &named : claim.recipes + claim.suffixed) {
            const bool own = it->present && named.file->path == it->file;
            if (!named.gone)
                add(own ? &*it : nullptr, it->variant, named, own ? it->duplicates : QStringList());
        }
    }
    const QList<Judgement> judgements = recipes.audited(snapshot.settings, inputs, hooks, RecipeCache::Next::Meaning);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        if (!entries.at(i)) {
            snapshot.otherFindings.insert(inputs.at(i).file, judgements.at(i).findings);
            continue;
        }
        entries.at(i)->findings = judgements.at(i).findings;
        notesOfDissent(entries.at(i)->findings, dissent.value(entries.at(i)->package()).fields);
        entries.at(i)->facts = judgements.at(i).facts;
        if (inputs.at(i).trouble == FileTrouble::None)
            entries.at(i)->meaning = recipes.meaning(sourceOf(inputs.at(i)));
    }
    entries.removeAll(nullptr);
    judgeAmongReaders(entries);
}

/// Packages in folders of folders; their names are attribute paths. In a folder with a default.nix, and in lib/, are
/// only files that others import.
QStringList deeperPackages(const BranchContent &content)
{
    const QString folder = recipeFolder + u'/';
    QSet<QString> folders; // with a default.nix
    for (const VersionedFile &file : content.files + content.imported) {
        if (file.path.endsWith("/default.nix"_L1) && !file.isGone())
            folders.insert(file.path.chopped("default.nix"_L1.size()));
    }
    QStringList paths;
    for (const VersionedFile &file : content.imported) {
        if (!file.path.startsWith(folder) || file.path.startsWith(folder + "lib/"_L1) || file.isGone() ||
            !isRecipeName(fileName(file.path)))
            continue;
        bool inPackage = false;
        for (qsizetype slash = file.path.indexOf(u'/', folder.size()); slash > 0;
             slash = file.path.indexOf(u'/', slash + 1))
            inPackage = inPackage || (folders.contains(file.path.first(slash + 1)) &&
                                      file.path.sliced(slash + 1) != "default.nix"_L1);
        if (!inPackage)
            paths.append(file.path);
    }
    if (paths.isEmpty())
        return paths;
    QSet<QString> imported;
    for (const VersionedFile &file : content.files + content.imported) {
        const QByteArray text = file.onDisk.value_or(file.committed.value_or(QByteArray()));
        if (const auto imports = content.shownFiles->source(file.path, text).imports)
            imported.unite({imports->paths.cbegin(), imports->paths.cend()});
    }
    paths.removeIf([&imported](const QString &path) { return imported.contains(path); });
    return paths;
}

/// "tools.hello" for tools/hello.nix; empty for what is no package: lib/ has what recipes import.
QString packageAt(const QString &path)
{
    const QString folder = recipeFolder + u'/';
    QString name = path.startsWith(folder) ? path.sliced(folder.size()) : path;
    if (!name.endsWith(".nix"_L1) || name.startsWith("lib/"_L1))
        return {};
    name.chop(name.endsWith("/default.nix"_L1) ? "/default.nix"_L1.size() : ".nix"_L1.size());
    return name.replace(u'/', u'.');
}

void fillFromUnrecognised(const RecipeCache &recipes, BranchSnapshot &snapshot, const BranchContent &content)
{
    for (const QString &path : std::as_const(snapshot.unrecognised)) {
        if (const QString name = packageAt(path); !name.isEmpty())
            snapshot.packages.insert(name, {.variant = {.family = name}, .file = path, .state = RecipeState::Current});
    }
    for (const VersionedFile &file : content.files + content.imported) {
        if ((content.withWorkTree && file.isGone()) || !snapshot.unrecognised.contains(file.path))
            continue;
        const QByteArray text = file.onDisk.value_or(file.committed.value_or(QByteArray()));
        snapshot.otherFindings.insert(file.path, auditOther(text, file.trouble));
        const auto package = snapshot.packages.find(packageAt(file.path));
        if (package == snapshot.packages.end())
            continue;
        fillFromFile(*package, file, text, content);
        package->findings = snapshot.otherFindings.value(file.path);
        if (!snapshot.hasMatrix())
            package->facts = recipes.facts(package->source());
    }
}

/// Adds a cell for each recipe, each covered variant and each hole. Returns the files that claim a cell, by its name.
QMap<QString, Claim> addCells(const Catalog &catalog, const BranchContent &content, BranchSnapshot &snapshot)
{
    snapshot.unrecognised = deeperPackages(content);
    QMap<QString, Claim> claims;
    const QList<Variant> promised = snapshot.settings.promised();
    for (NamedRecipe &named : namedRecipes(catalog, content, &snapshot.unrecognised)) {
        if (named.lacksCuda()) {
            const QStringList toolkits = snapshot.settings.toolkits();
            if (toolkits.size() != 1) {
                snapshot.unrecognised.append(named.file->path);
                continue;
            }
            named.name.variant.cuda = toolkits.constFirst();
        }
        // Settings that list the cell without the suffix, and not with it, wait for that recipe.
        if (named.suffix.isEmpty() && !named.name.suffix.isEmpty() && promised.contains(named.name.withoutSuffix()) &&
            !promised.contains(named.name.variant))
            named.setApart();
        const QString name = named.name.variant.name();
        snapshot.entries[name].variant = named.name.variant;
        Claim &claim = claims[name];
        (named.suffix.isEmpty() ? claim.recipes : claim.suffixed).append(std::move(named));
    }
    for (const Variant &variant : promised) {
        VariantEntry &entry = snapshot.entries[variant.name()];
        entry.variant = variant;
        entry.covered = true;
    }
    for (auto it = snapshot.inference.holes.cbegin(); it != snapshot.inference.holes.cend(); ++it) {
        if (const auto name = VariantName::parse(it.key(), catalog.isaIds());
            name && !snapshot.entries.contains(it.key())) {
            VariantEntry &entry = snapshot.entries[it.key()];
            entry.variant = name->variant;
            entry.hole = true;
        }
    }
    return claims;
}

/// Takes files with a suffix out of the claims if all with that suffix, two or more, build another version than the
/// recipe of their cell: "-nightly" beside a release. They are packages of their own, no variants.
void leaveOutChannels(const RecipeCache &recipes, const BranchContent &content, QMap<QString, Claim> &claims,
                      BranchSnapshot &snapshot)
{
    const auto versionOf = [&](const NamedRecipe &named) {
        const RecipeSource source = content.shownFiles ? content.shownFiles->source(named.file->path, named.text())
                                                       : RecipeSource(named.text());
        const StatedText version = recipes.facts(source)->version();
        return version.known ? version.value : QString();
    };
    QMap<QString, QStringList> channels; // the files of each suffix
    QSet<QString> duplicates;            // suffixes with a file that may build its cell's version
    for (const Claim &claim : std::as_const(claims)) {
        if (claim.suffixed.isEmpty())
            continue;
        const QString own = claim.recipes.isEmpty() ? QString() : versionOf(claim.recipes.constFirst());
        for (const NamedRecipe &named : claim.suffixed) {
            const QString version = own.isEmpty() ? QString() : versionOf(named);
            if (version.isEmpty() || version == own)
                duplicates.insert(named.suffix);
            else
                channels[named.suffix].append(named.file->path);
        }
    }
    channels.removeIf([&duplicates](const auto &channel) {
        return channel.value().size() < 2 || duplicates.contains(channel.key());
    });
    if (channels.isEmpty())
        return;
    for (Claim &claim : claims)
        claim.suffixed.removeIf([&channels](const NamedRecipe &named) { return channels.contains(named.suffix); });
    for (const QStringList &files : std::as_const(channels))
        snapshot.unrecognised += files;
}

/// Says of each cell how its recipe stands, or why there is none. `rendered` has the entries' order.
void judgeCells(const RecipeCache &recipes, const BranchContent &content, const QMap<QString, Claim> &claims,
                const QList<Result<QByteArray>> &rendered, BranchSnapshot &snapshot)
{
    std::vector<std::pair<const QString &, VariantEntry &>> entries;
    for (auto it = snapshot.entries.begin(); it != snapshot.entries.end(); ++it)
        entries.emplace_back(it.key(), *it);
    inParallel(snapshot.entries.size(), [&](qsizetype i) { // Comparing a recipe with its template takes long.
        const auto &[name, entry] = entries[size_t(i)];
        const Validity validity = recipes.catalog()->validity(entry.variant, snapshot.settings);
        const Claim &claim = *claims.constFind(name);
        if (entry.present) {
            const Standing standing =
                judge(recipes, entry, claim.recipes.constFirst(), validity, rendered.at(i), content.shownFiles.get());
            entry.state = standing.state;
            entry.reason = standing.reason;
            return;
        }
        entry.state = entry.covered ? RecipeState::Missing : RecipeState::NotCovered;
        if (entry.hole)
            entry.reason = snapshot.inference.holes.value(name);
        if (!claim.suffixed.isEmpty()) {
            entry.reason = Tr::tr("Only %1 exists, and its suffix makes it another package.")
                               .arg(fileName(claim.suffixed.constFirst().file->path));
        } else if (!entry.hole && !validity.valid) {
            entry.state = RecipeState::Unsupported;
            entry.reason = Tr::tr("Listed in coverage, but impossible: %1").arg(validity.reason);
        }
    });
}

} // namespace

QList<SharedFinding> findingsOf(const QList<const VariantEntry *> &entries)
{
    QList<SharedFinding> findings;
    std::map<std::tuple<QString, QString, int, int, Severity>, qsizetype> places; // of those in imported files
    for (const VariantEntry *entry : entries) {
        for (const Finding &one : entry->findings) {
            if (!one.file.isEmpty()) {
                const auto [known, isNew] =
                    places.try_emplace({one.file, one.rule, one.line, one.column, one.severity}, findings.size());
                if (SharedFinding *shared = isNew ? nullptr : &findings[known->second]) {
                    if (shared->recipes.constLast() != entry)
                        shared->recipes.append(entry);
                    continue;
                }
            }
            findings.append({one, {entry}});
        }
    }
    return findings;
}

ProblemCounts problemsOf(const QList<Finding> &findings)
{
    ProblemCounts counts;
    for (const Finding &finding : findings) {
        counts.errors += finding.severity == Severity::Error;
        counts.warnings += finding.severity == Severity::Warning;
    }
    return counts;
}

ProblemCounts problemsOf(const QList<const VariantEntry *> &entries)
{
    ProblemCounts counts;
    for (const SharedFinding &one : findingsOf(entries)) {
        counts.errors += one.finding.severity == Severity::Error;
        counts.warnings += one.finding.severity == Severity::Warning;
    }
    for (const VariantEntry *entry : entries) {
        const ProblemCounts own = problemsOf(entry->findings);
        counts.faulty += own.errors > 0;
        counts.warned += own.warnings > 0;
    }
    return counts;
}

ProblemCounts problemsOf(const BranchSnapshot &snapshot)
{
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries)
        entries.append(&entry);
    ProblemCounts counts = problemsOf(entries);
    for (const QList<Finding> &findings : snapshot.otherFindings) {
        const ProblemCounts others = problemsOf(findings);
        counts.errors += others.errors;
        counts.warnings += others.warnings;
    }
    return counts;
}

QHash<QString, QByteArray> textsByName(const BranchSnapshot &snapshot)
{
    QHash<QString, QByteArray> texts = snapshot.fetchedTorch;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present && entry.fileStatus != FileStatus::Deleted)
            texts.insert(fileName(entry.file), entry.text);
    }
    return texts;
}

QString VariantEntry::package() const
{
    return variant.row.isEmpty() && !variant.family.isEmpty() ? variant.family : packageOf(file);
}

const Finding *VariantEntry::firstError() const
{
    // Findings are sorted by severity, the gravest first.
    return findings.isEmpty() || findings.constFirst().severity != Severity::Error ? nullptr : &findings.constFirst();
}

bool VariantEntry::operator==(const VariantEntry &other) const
{
    const auto tied = [](const VariantEntry &e) {
        return std::tie(e.variant, e.file, e.state, e.reason, e.present, e.covered, e.hole, e.fileStatus, e.text,
                        e.committed, e.rendered, e.renderError, e.restoredFrom, e.origin, e.duplicates, e.findings);
    };
    return tied(*this) == tied(other) && source().digest() == other.source().digest() &&
           committedSource().digest() == other.committedSource().digest();
}

QStringList VariantEntry::systems(const Catalog &catalog) const
{
    if (const Isa *isa = catalog.isa(variant.isa))
        return {isa->platform};
    QStringList read;
    for (const PinFacts &pin : facts ? facts->pins : QList<PinFacts>()) {
        if (pin.system.known && !read.contains(pin.system.value))
            read.append(pin.system.value);
    }
    if (read.size() == 1)
        return read;
    if (facts && facts->package.platforms.known && !facts->package.platforms.items.isEmpty())
        return facts->package.platforms.values();
    const QString named = systemInName(variant);
    return named.isEmpty() ? QStringList() : QStringList{named};
}

QStringList VariantEntry::changedImports() const
{
    if (source().digest() == committedSource().digest())
        return {};
    return changedPaths(imports.get(), committedImports.get());
}

bool BranchSnapshot::operator==(const BranchSnapshot &other) const
{
    // The files follow from what the entries import.
    const auto tied = [](const BranchSnapshot &s) {
        return std::tie(s.repository, s.branch, s.commit, s.checkedOut, s.settings, s.inference, s.settingsError,
                        s.entries, s.unrecognised, s.packages, s.fetchedTorch, s.uncommitted, s.otherFindings);
    };
    return tied(*this) == tied(other);
}

const VariantEntry *BranchSnapshot::find(const QString &name) const
{
    const auto it = entries.constFind(name);
    return it == entries.constEnd() ? nullptr : &*it;
}

QString BranchSnapshot::fileFor(const Variant &variant) const
{
    constexpr QLatin1StringView inFolder{"/default.nix"};
    bool folder = false;
    for (const VariantEntry &entry : entries) {
        if (!entry.present || entry.variant.family != variant.family || entry.variant == variant)
            continue;
        if (!entry.file.endsWith(inFolder))
            return variant.file();
        folder = true;
    }
    return folder ? variant.file().chopped(4) + inFolder : variant.file();
}

bool BranchSnapshot::hasMatrix() const
{
    return !entries.isEmpty() || settings.source == Settings::Source::File || settingsError;
}

const VariantEntry *BranchSnapshot::findPackage(const QString &name) const
{
    const auto package = packages.constFind(name);
    return package == packages.constEnd() ? find(name) : &*package;
}

QMap<RecipeState, int> BranchSnapshot::counts() const
{
    QMap<RecipeState, int> counts;
    for (const VariantEntry &entry : entries)
        ++counts[entry.state];
    return counts;
}

AuditInputs::AuditInputs(const Catalog &catalog, const BranchSnapshot &snapshot)
    : m_catalog(catalog)
    , m_snapshot(snapshot)
    , m_siblings(siblingsOf(catalog, snapshot))
    , m_dissent(dissentOf(snapshot.inference))
{
}

AuditInput AuditInputs::of(const VariantEntry &entry) const
{
    const Family *family = m_catalog.family(entry.variant.family);
    return {&m_catalog,       &m_snapshot.settings,
            entry.variant,    entry.file,
            entry.text,       FileTrouble::None,
            entry.duplicates, family && family->companion ? m_siblings : QHash<QString, QByteArray>(),
            nullptr,          m_dissent.value(entry.package()).sentences,
            m_snapshot.files, isConverted(entry.text, entry.committed, entry.fileStatus)};
}

void AuditInputs::replace(const VariantEntry &entry, const QByteArray &text)
{
    if (const auto sibling = m_siblings.find(fileName(entry.file)); sibling != m_siblings.end())
        *sibling = text;
}

AuditInput auditInputOf(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    return AuditInputs(catalog, snapshot).of(entry);
}

BranchSnapshot makeSnapshot(const RecipeCache &recipes, const QString &repository, const BranchContent &content,
                            Templates templates, const WorkHooks &hooks)
{
    BranchSnapshot snapshot;
    snapshot.repository = repository;
    snapshot.branch = content.branch;
    snapshot.commit = content.commit;
    snapshot.checkedOut = content.withWorkTree;
    snapshot.fetchedTorch = content.fetchedTorch;
    snapshot.files = content.shownFiles;
    snapshot.settings = settingsFor(recipes, content, &snapshot.settingsError, &snapshot.inference, templates);

    for (const VersionedFile &file : content.files) {
        if (file.status != FileStatus::Clean)
            snapshot.uncommitted.insert(file.path, file.committed || !file.blob.isEmpty() ? Uncommitted::Changed
                                                                                          : Uncommitted::Never);
    }

    QMap<QString, Claim> claims = addCells(*recipes.catalog(), content, snapshot);
    leaveOutChannels(recipes, content, claims, snapshot);
    QList<Variant> variants;
    for (const VariantEntry &entry : std::as_const(snapshot.entries))
        variants.append(entry.variant);
    const QList<Result<QByteArray>> rendered =
        templates == Templates::Rendered ? recipes.rendered(snapshot.settings, variants, hooks.part(0, 50))
                                         : QList<Result<QByteArray>>(variants.size(), Result<QByteArray>(QByteArray()));

    qsizetype next = 0;
    for (auto it = snapshot.entries.begin(); it != snapshot.entries.end(); ++it) {
        VariantEntry &entry = *it;
        const Result<QByteArray> &text = rendered.at(next++);
        Claim &claim = claims[it.key()];
        claim.order();
        entry.file = entry.variant.file();
        entry.rendered = text ? *text : QByteArray();
        entry.renderError = text ? QString() : text.error().sentenceBeside(entry.variant.name());
        fillFromFiles(entry, claim, content);
    }
    for (VariantEntry &entry : snapshot.entries) {
        if (!entry.present)
            entry.file = snapshot.fileFor(entry.variant);
    }
    fillFromAudit(recipes, snapshot, claims, hooks.part(50, 100));
    fillFromUnrecognised(recipes, snapshot, content);
    judgeCells(recipes, content, claims, rendered, snapshot);
    // An uncommitted recipe is generated in the form of the branch's own recipes.
    for (VariantEntry &entry : snapshot.entries) {
        if (templates != Templates::Rendered || !entry.committed.isEmpty() || hooks.stopped())
            continue;
        const auto own = recipeLikeItsNeighbours(*recipes.catalog(), snapshot, entry.variant);
        const QString why = own ? QString() : whyNotAlone(*recipes.catalog(), snapshot, entry.variant, entry.rendered);
        if (!why.isEmpty()) {
            entry.rendered.clear();
            entry.renderError = asSentence(why);
        }
        if (!entry.present && entry.restoredFrom.isEmpty())
            entry.origin = originOfNew(recipes, snapshot, entry.variant, entry.rendered, own);
        const auto builtIn = own || entry.present || !entry.restoredFrom.isEmpty()
                                 ? std::nullopt
                                 : builtInInstead(recipes, snapshot, entry.variant, entry.rendered);
        if (own) {
            entry.rendered = own->text;
            entry.renderError.clear();
        } else if (builtIn) {
            entry.rendered = builtIn->text;
            entry.origin = builtIn->origin;
            continue;
        } else if (entry.restoredFrom.isEmpty()) {
            entry.rendered = completedNew(*recipes.catalog(), snapshot, entry.variant, entry.rendered);
        }
        if (entry.restoredFrom.isEmpty())
            entry.rendered = inWordsOfSiblings(recipes, snapshot, entry.variant, entry.rendered);
        if (!entry.origin.isEmpty())
            entry.origin = joinedSentences(
                {entry.origin, linesInDoubt(*recipes.catalog(), snapshot, entry.variant, entry.rendered)});
    }
    // A deleted file with a suffix leaves nothing to show.
    snapshot.entries.removeIf([](QMap<QString, VariantEntry>::iterator it) {
        return !it->covered && !it->hole && !it->present && it->duplicates.isEmpty();
    });
    snapshot.unrecognised.sort();
    return snapshot;
}

} // namespace tmx
