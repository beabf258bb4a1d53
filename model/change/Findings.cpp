// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/Findings.h"
#include "model/base/ShortList.h"
#include "model/change/Preparation.h"

#include "model/audit/Audit.h"
#include "model/audit/Fix.h"
#include "model/base/NamesBySentence.h"
#include "model/base/NearestNames.h"
#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/TextForm.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/RightHash.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The parts of "NAME:RULE:LINE".
struct Named {
    QString recipe;
    QString rule;      ///< empty: not given
    int line = -1;     ///< -1: any
    QString file = {}; ///< the file that recipes import and that has it; empty: any
};

/// NAME:RULE, also with the line after the rule, or with line and column before it, as the audit prints places.
Result<Named> namedFinding(const QString &text, FixWay way)
{
    QStringList parts = text.split(u':');
    Named named;
    named.recipe = parts.takeFirst();
    QList<int> numbers;
    bool isWhole = !named.recipe.isEmpty();
    for (const QString &part : std::as_const(parts)) {
        bool isNumber = false;
        const int number = part.toInt(&isNumber);
        if (isNumber)
            numbers.append(number);
        else
            isWhole &= std::exchange(named.rule, part).isEmpty();
    }
    named.line = numbers.value(0, -1);
    const bool onlyName = way == FixWay::Regenerate && parts.isEmpty();
    if (!isWhole || numbers.size() > 2 || (named.rule.isEmpty() && !onlyName))
        return Error{Tr::tr("fix"), text, Tr::tr("it is not the name of a finding"),
                     Tr::tr("\"audit\" prints their names: NAME:RULE, or NAME:RULE:LINE.")}
            .ofUsage();
    return named;
}

Error notOfText(const VariantEntry &entry, const Finding &finding)
{
    QString why = finding.sentence;
    why[0] = why.at(0).toLower();
    QString remedy = finding.advice;
    if (finding.rule.startsWith("name-"_L1) || finding.rule == "duplicate"_L1)
        remedy = joinedSentences({remedy, forSurface(Tr::tr("\"plan --apply\" does it."), Tr::tr("Plan does it."))});
    return {Tr::tr("fix %1 in").arg(finding.rule), entry.file, why, remedy};
}

Error notOfRecipe(const Finding &finding)
{
    return {Tr::tr("fix %1 in").arg(finding.rule), finding.file, Tr::tr("it is in a file that the recipe imports"),
            Tr::tr("\"fix --rule %1\" changes it for all recipes.").arg(finding.rule)};
}

/// Whether it is one of the named findings.
WantedFinding wantedBy(const Named &named)
{
    return [named](const Finding &finding) {
        return finding.rule == named.rule && (named.line < 0 || finding.line == named.line) &&
               (named.file.isEmpty() || finding.file == named.file);
    };
}

QList<Finding> chosen(const QList<Finding> &findings, const WantedFinding &isWanted)
{
    QList<Finding> list;
    for (const Finding &finding : findings) {
        if (isWanted(finding))
            list.append(finding);
    }
    return list;
}

/// The recipe's text with the named findings fixed in place.
Result<QByteArray> fixedInPlace(const Catalog &catalog, const BranchSnapshot &snapshot, const VariantEntry &entry,
                                const Named &named)
{
    AuditInput input = auditInputOf(catalog, snapshot, entry);
    // Each fix moves the other findings, so they are looked up again; each round has one finding less.
    for (QList<Finding> left = chosen(entry.findings, wantedBy(named)); !left.isEmpty();
         left = named.line < 0 ? chosen(audit(input).findings, wantedBy(named)) : QList<Finding>()) {
        TM_TRY(text, fixedText(input, left.constFirst()));
        input.text = *text;
    }
    return input.text;
}

/// The present recipes of `names`, or all present recipes. Error: a name without a recipe.
Result<QList<const VariantEntry *>> entriesOf(const BranchSnapshot &snapshot, const QStringList &names)
{
    QList<const VariantEntry *> entries;
    for (const QString &name : names) {
        const VariantEntry *entry = presentEntry(snapshot, name);
        if (!entry)
            return Error{Tr::tr("fix"), name, Tr::tr("branch %1 has no such recipe").arg(snapshot.title()), {}};
        if (!entries.contains(entry))
            entries.append(entry);
    }
    if (names.isEmpty()) {
        for (const VariantEntry &entry : snapshot.entries) {
            if (entry.present)
                entries.append(&entry);
        }
    }
    return entries;
}

/// Whether all facts have the same values, wherever they are.
bool sameValues(const RecipeFacts &a, const RecipeFacts &b)
{
    return std::ranges::equal(a.rows(FactDetail::Apart), b.rows(FactDetail::Apart), [](const Fact &x, const Fact &y) {
        return x.id == y.id && x.value == y.value && x.known == y.known;
    });
}

/// An imported file, and what the recipes that import it say of it while its findings are fixed.
class ImportFix
{
public:
    ImportFix(const RecipeCache &recipes, const BranchSnapshot &snapshot, QString path, WantedFinding isWanted)
        : m_recipes(recipes)
        , m_snapshot(snapshot)
        , m_path(std::move(path))
        , m_isWanted(std::move(isWanted))
        , m_files(snapshot.files)
        , m_before(snapshot.files->text(m_path))
    {
        const AuditInputs every(*recipes.catalog(), snapshot);
        for (const VariantEntry &entry : snapshot.entries) {
            if (entry.imports && entry.imports->paths.contains(m_path))
                m_inputs.append(every.of(entry));
        }
        m_judged = m_first = recipes.audited(snapshot.settings, m_inputs);
    }

    /// Fixes what `recipe` finds there, one place after the other: each fix moves the other findings.
    void fixAllOf(const VariantEntry &recipe)
    {
        AuditInput input = auditInputOf(*m_recipes.catalog(), m_snapshot, recipe);
        input.files = m_files;
        for (bool again = true; again;) {
            again = false;
            for (const Finding &finding : chosen(audit(input).findings, m_isWanted)) {
                if (finding.file != m_path || !fix(input, finding))
                    continue;
                input.files = m_files;
                again = true;
                break;
            }
        }
    }

    [[nodiscard]] ChangedFile result(Leaves leaves)
    {
        ChangedFile file{.action = ChangeAction::Rewrite, .path = m_path};
        file.before = m_before;
        file.after = m_files->text(m_path);
        qsizetype left = 0;
        for (qsizetype i = 0; i < m_inputs.size() && file.after != file.before; ++i) {
            left += std::ranges::count_if(m_judged.at(i).findings,
                                          [this](const Finding &finding) { return isHere(finding); });
            if (const Finding *error = newError(m_first.at(i).findings, m_judged.at(i).findings)) {
                m_why =
                    Tr::tr("%1 would have an error: %2").arg(packageOf(m_inputs.at(i).file), placedSentence(*error));
                file.after = file.before;
            }
        }
        if (left > 0 && leaves == Leaves::Nothing) {
            m_why = Tr::tr("recipes that share a place there need different values");
            file.after = file.before;
        }
        file.chosen = file.after != file.before;
        const QString reach = Tr::tr("%n recipes import it.", nullptr, int(m_inputs.size()));
        const QString notFixed = m_why.isEmpty() ? QString() : Tr::tr("Not fixed: %1.").arg(withoutStop(m_why));
        if (!file.chosen) {
            file.action = ChangeAction::Keep;
            file.possible = false;
            file.reason = notFixed;
        } else {
            m_rules.removeDuplicates();
            file.reason = joinedSentences({Tr::tr("Fixes %1.").arg(enumerated(m_rules)), reach});
            if (left > 0)
                file.reason = joinedSentences({file.reason, notFixed});
        }
        return file;
    }

private:
    [[nodiscard]] bool isHere(const Finding &finding) const { return finding.file == m_path && m_isWanted(finding); }

    bool fix(const AuditInput &input, const Finding &finding)
    {
        const Result<QByteArray> text = fixedText(input, finding);
        if (!text) {
            m_why = text.error().why;
            return false;
        }
        const std::shared_ptr<const RecipeFiles> files = m_files->with({{m_path, *text}});
        QList<AuditInput> inputs = m_inputs;
        for (AuditInput &one : inputs)
            one.files = files;
        const QList<Judgement> judged = m_recipes.audited(m_snapshot.settings, inputs);
        int others = 0; // for which the value is right as it is
        for (qsizetype i = 0; i < inputs.size(); ++i) {
            const bool hasIt = std::ranges::any_of(m_judged.at(i).findings, [&](const Finding &other) {
                return isHere(other) && other.line == finding.line;
            });
            others += !hasIt && !sameValues(*m_judged.at(i).facts, *judged.at(i).facts) ? 1 : 0;
        }
        if (others > 0) {
            m_why = Tr::tr("line %1 is right for %n other recipes that read it", nullptr, others).arg(finding.line);
            return false;
        }
        m_rules.append(finding.rule);
        m_files = files;
        m_judged = judged;
        return true;
    }

    const RecipeCache &m_recipes;
    const BranchSnapshot &m_snapshot;
    QString m_path;
    WantedFinding m_isWanted;
    std::shared_ptr<const RecipeFiles> m_files;
    std::optional<QByteArray> m_before;
    QList<AuditInput> m_inputs;         ///< of the recipes that import it
    QList<Judgement> m_first, m_judged; ///< of these, before and after the fixes so far
    QStringList m_rules;                ///< fixed
    QString m_why;                      ///< the last reason why a finding is not fixed
};

/// Adds the imported files that have such findings.
void fixImports(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                const QList<const VariantEntry *> &entries, const Named &which, ChangeSet &changes)
{
    for (ChangedFile &file : fixedImports(recipes, snapshot, entries, wantedBy(which))) {
        const QString &path = file.path;
        const auto known = std::ranges::find(content.imported, path, &VersionedFile::path);
        if (file.chosen && changes.until == ChangeSet::Until::Commit && known != content.imported.end() &&
            known->status != FileStatus::Clean) {
            file.chosen = false;
            file.reason = Tr::tr("It has uncommitted changes. %1").arg(file.reason);
        }
        if (!file.chosen)
            changes.warnings.append(u"%1: %2"_s.arg(path, file.reason));
        changes.files.append(file);
    }
}

/// Whether the recipe's imported files keep findings of the rule: its own comments would contradict them.
bool staysInImports(const RecipeCache &recipes, const BranchSnapshot &snapshot, AuditInput input, const QString &rule,
                    const ChangeSet &changes)
{
    QMap<QString, QByteArray> fixed;
    for (const ChangedFile &file : changes.files) {
        if (file.isImported() && file.chosen && file.after)
            fixed.insert(file.path, *file.after);
    }
    if (!fixed.isEmpty())
        input.files = snapshot.files->with(fixed);
    const QList<Judgement> judged = recipes.audited(snapshot.settings, {input});
    return std::ranges::any_of(judged.constFirst().findings, [&rule](const Finding &finding) {
        return finding.rule == rule && !finding.file.isEmpty() && finding.severity != Severity::Note;
    });
}

/// Whether the audit cannot say what a recipe has: it, or what it imports, is not Nix or is not there.
bool isOfReading(const Finding &finding)
{
    return finding.severity == Severity::Error &&
           (finding.rule == "syntax"_L1 || finding.rule == "import-invalid"_L1 || finding.rule == "import-missing"_L1 ||
            finding.rule.startsWith("file-"_L1));
}

QStringList ruleIds()
{
    QStringList ids;
    for (const Rule &rule : auditRules())
        ids.append(rule.id);
    return ids;
}

/// Fixes all findings of a rule in place.
Result<ChangeSet> fixedByRule(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                              const FixRequest &request)
{
    if (std::ranges::none_of(auditRules(), [&request](const Rule &rule) { return rule.id == request.rule; }))
        return Error{
            Tr::tr("fix"), request.rule, Tr::tr("the audit has no such rule"),
            joinedSentences({meantSentence(request.rule, ruleIds()),
                             forSurface(Tr::tr("\"audit --rules\" lists them."), Tr::tr("The manual lists them."))})}
            .ofUsage();
    TM_TRY(entries, entriesOf(snapshot, request.names));
    ChangeSet changes = changeOf(snapshot, ChangeSet::Until::Commit);
    QList<const VariantEntry *> unread;
    for (const VariantEntry *entry : *entries) {
        if (isUnread(*entry))
            unread.append(entry);
    }
    // What they say about themselves may be as it has to be.
    entries->removeIf([&unread](const VariantEntry *entry) { return unread.contains(entry); });
    // A note without a fix is what the branch ignores, or left to the user.
    const auto ofRecipe = [&request](const Finding &finding) {
        return finding.rule == request.rule && finding.file.isEmpty() &&
               (finding.fixable || finding.severity != Severity::Note);
    };
    fixImports(recipes, snapshot, content, *entries, {.recipe = {}, .rule = request.rule}, changes);
    const qsizetype imports = changes.files.size();
    const AuditInputs inputs(*recipes.catalog(), snapshot);
    QStringList kept; // comments
    NamesBySentence left;
    for (const VariantEntry *entry : *entries) {
        if (std::ranges::none_of(entry->findings, ofRecipe))
            continue;
        const bool isImporting = std::ranges::any_of(entry->findings, [&request](const Finding &finding) {
            return finding.rule == request.rule && !finding.file.isEmpty();
        });
        if (isImporting &&
            std::ranges::all_of(
                entry->findings,
                [&](const Finding &finding) { return !ofRecipe(finding) || finding.severity == Severity::Note; }) &&
            staysInImports(recipes, snapshot, inputs.of(*entry), request.rule, changes)) {
            kept.append(entry->variant.name());
            continue;
        }
        ChangedFile file{.action = ChangeAction::Rewrite,
                         .name = entry->variant.name(),
                         .path = entry->file,
                         .before = entry->text,
                         .after = entry->text,
                         .reason = Tr::tr("Fixes %1.").arg(request.rule),
                         .chosen = true};
        const PartlyFixed fixed = fixedAsFarAsPossible(inputs, *entry, entry->text, ofRecipe);
        if (!fixed.left.isEmpty())
            left.add(wordsOfLeft(fixed), entry->file);
        if (fixed.text == entry->text) {
            file.action = ChangeAction::Keep;
            file.chosen = file.possible = false;
            file.reason = wordsOfLeft(fixed);
            if (fixed.left.isEmpty()) { // What it passes to a file that it imports is not changed by the rule.
                const Finding &finding = *std::ranges::find_if(entry->findings, ofRecipe);
                file.reason = Tr::tr("Not fixed: line %1. %2").arg(finding.line).arg(finding.advice);
                left.add(file.reason, entry->file);
            }
        } else {
            file.after = fixed.text;
            if (!fixed.left.isEmpty())
                file.reason = joinedSentences({file.reason, wordsOfLeft(fixed)});
            if (snapshot.uncommitted.contains(entry->file)) {
                file.chosen = false;
                file.reason = Tr::tr("It has uncommitted changes. %1").arg(file.reason);
                left.add(Tr::tr("Not fixed: it has uncommitted changes. Commit or discard them first."), entry->file);
            }
        }
        changes.files.append(file);
    }
    for (const NamesBySentence::Group &group : left.groups()) {
        const auto add = [&](const QString &what) { changes.warnings.append(u"%1: %2"_s.arg(what, group.sentence)); };
        if (group.isLarge())
            add(Tr::tr("%1 and %n more", nullptr, int(group.names.size() - 1)).arg(group.names.constFirst()));
        else
            std::ranges::for_each(group.names, add);
    }
    if (!kept.isEmpty())
        changes.warnings.append(Tr::tr("The comments of %n recipes stay, because what they import is not fixed: %1.",
                                       nullptr, int(kept.size()))
                                    .arg(shortList(kept)));
    changes.warnings += unreadSentences(unread);
    const bool isInOthers = std::ranges::any_of(snapshot.otherFindings, [&request](const QList<Finding> &findings) {
        return std::ranges::find(findings, request.rule, &Finding::rule) != findings.end();
    });
    const auto noted = std::ranges::count_if(*entries, [&request](const VariantEntry *entry) {
        return std::ranges::find(entry->findings, request.rule, &Finding::rule) != entry->findings.end();
    });
    if (changes.files.isEmpty() && unread.isEmpty() && !request.several)
        return Error{Tr::tr("fix"), request.rule,
                     !request.names.isEmpty() ? Tr::tr("none of the named recipes has such a finding")
                     : isInOthers             ? Tr::tr("only files that are not a cell's recipe have such a finding")
                     : noted > 0 ? Tr::tr("%n recipes have it as a note, which has no fix", nullptr, int(noted))
                                 : Tr::tr("no recipe has such a finding"),
                     Tr::tr("\"audit\" lists the findings of branch %1.").arg(snapshot.title())};
    changes.subjectForm = u"Fix %1 in %2"_s.arg(request.rule, u"%1"_s);
    if (imports > 0 && imports == changes.files.size()) {
        QStringList names;
        for (const ChangedFile &file : std::as_const(changes.files))
            names.append(shownPath(file.path));
        changes.message = u"Fix %1 in %2\n"_s.arg(request.rule, names.join(u", "_s));
    }
    return changes;
}

/// The recipe's text rendered from its template.
Result<QByteArray> renderedAnew(const RecipeCache &recipes, const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    // A file that cannot be read cannot be saved, so it is not overwritten.
    for (const Finding &finding : entry.findings) {
        if (finding.rule.startsWith("file-"_L1) && finding.rule != "file-empty"_L1)
            return Error{Tr::tr("regenerate"), entry.file, finding.sentence.chopped(1), finding.advice};
    }
    return entry.rendered.isEmpty() ? recipes.rendered(snapshot.settings, {entry.variant}).constFirst()
                                    : Result<QByteArray>(entry.rendered);
}

} // namespace

bool isUnread(const VariantEntry &entry)
{
    return std::ranges::any_of(entry.findings, isOfReading);
}

QStringList unreadSentences(const QList<const VariantEntry *> &entries)
{
    QStringList sentences;
    for (const SharedFinding &one : findingsOf(entries)) {
        const Finding &finding = one.finding;
        if (!isOfReading(finding))
            continue;
        const QString place = finding.file.isEmpty() ? one.recipes.constFirst()->file : finding.file;
        const QString sentence =
            u"%1: %2"_s.arg(finding.line > 0 ? u"%1:%2"_s.arg(place).arg(finding.line) : place,
                            joinedSentences({Tr::tr("Not read: %1").arg(finding.sentence), finding.advice}));
        sentences.append(finding.file.isEmpty()
                             ? sentence
                             : u"%1 (%2)"_s.arg(sentence, Tr::tr("%n recipes", nullptr, int(one.recipes.size()))));
    }
    return sentences;
}

QList<ChangedFile> fixedImports(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const QList<const VariantEntry *> &entries, const WantedFinding &isWanted,
                                Leaves leaves)
{
    QMap<QString, QList<SharedFinding>> files;
    for (const SharedFinding &one : findingsOf(entries)) {
        if (!one.finding.file.isEmpty() && isWanted(one.finding))
            files[one.finding.file].append(one);
    }
    QList<ChangedFile> fixed;
    for (const auto &[path, findings] : files.asKeyValueRange()) {
        ImportFix fix(recipes, snapshot, path, isWanted);
        for (const SharedFinding &one : findings)
            fix.fixAllOf(*one.recipes.constFirst());
        fixed.append(fix.result(leaves));
    }
    return fixed;
}

const VariantEntry *presentEntry(const BranchSnapshot &snapshot, const QString &name)
{
    const auto matches = [&name](const VariantEntry &entry) {
        return entry.present && (entry.variant.name() == name || entry.package() == name || entry.file == name ||
                                 entry.package() + ".nix"_L1 == name);
    };
    const auto found = std::ranges::find_if(snapshot.entries, matches);
    return found == snapshot.entries.cend() ? nullptr : &*found;
}

QString furtherFile(const BranchSnapshot &snapshot, const QString &name)
{
    for (auto it = snapshot.otherFindings.begin(); it != snapshot.otherFindings.end(); ++it) {
        if (packageOf(it.key()) == name || it.key() == name)
            return it.key();
    }
    return {};
}

bool isOfText(const Finding &finding)
{
    const bool unreadable = finding.rule.startsWith("file-"_L1) && finding.rule != "file-empty"_L1;
    return !unreadable && !finding.rule.startsWith("name-"_L1) && finding.rule != "duplicate"_L1 &&
           finding.rule != "cell-invalid"_L1 && finding.rule != "toolkit-lacks-gpu"_L1;
}

QString findingName(const VariantEntry &entry, const Finding &finding)
{
    const QString name = entry.package() + u':' + finding.rule;
    const auto count = std::ranges::count(entry.findings, finding.rule, &Finding::rule);
    return count > 1 && finding.line > 0 ? name + u':' + QString::number(finding.line) : name;
}

PartlyFixed fixedAsFarAsPossible(const AuditInputs &inputs, const VariantEntry &entry, const QByteArray &text,
                                 const std::function<bool(const Finding &)> &which)
{
    AuditInput input = inputs.of(entry);
    input.text = text;
    const auto wanted = [&input, &which] {
        QList<Finding> findings = audit(input).findings;
        findings.removeIf([&which](const Finding &finding) { return !which(finding); });
        return findings;
    };
    PartlyFixed fixed{.text = text, .left = wanted(), .first = {}};
    for (bool again = true; again;) {
        again = false;
        fixed.first.reset();
        for (const Finding &finding : std::as_const(fixed.left)) {
            const Result<QByteArray> mended = !isOfText(finding)       ? Result<QByteArray>(notOfText(entry, finding))
                                              : finding.file.isEmpty() ? fixedText(input, finding)
                                                                       : Result<QByteArray>(notOfRecipe(finding));
            if (!mended) {
                fixed.first = fixed.first ? fixed.first : mended.error();
                continue;
            }
            // Each fix moves the other findings, so they are looked up again; each round has one finding less.
            input.text = fixed.text = *mended;
            fixed.left = wanted();
            again = true;
            break;
        }
    }
    return fixed;
}

QString wordsOfLeft(const PartlyFixed &fixed)
{
    QStringList places;
    for (const Finding &finding : fixed.left) {
        if (finding.line > 0)
            places.append(Tr::tr("line %1").arg(finding.line));
    }
    const QString why = fixed.first ? fixed.first->why : QString();
    return places.isEmpty() ? Tr::tr("Not fixed: %1.").arg(withoutStop(why))
                            : Tr::tr("Not fixed: %1: %2.", "lines, why").arg(places.join(u", "_s), withoutStop(why));
}

namespace {

/// A finding of recipes that is in a file which they import.
Result<ChangeSet> fixedInImport(const RecipeCache &recipes, const BranchSnapshot &snapshot,
                                const BranchContent &content, const QList<const VariantEntry *> &entries,
                                const Named &named)
{
    ChangeSet changes = changeOf(snapshot, snapshot.checkedOut ? ChangeSet::Until::WorkTree : ChangeSet::Until::Commit);
    fixImports(recipes, snapshot, content, entries, named, changes);
    const ChangedFile &file = changes.files.constFirst();
    if (file.after == file.before)
        return Error{Tr::tr("fix %1 in").arg(named.rule), file.path, file.reason, {}};
    changes.warnings.clear();
    changes.message = u"Fix %1 in %2\n"_s.arg(named.rule, shownPath(file.path));
    return changes;
}

Result<ChangeSet> fixed(const RecipeCache &recipes, const BranchSnapshot &snapshot, const BranchContent &content,
                        const FixRequest &request)
{
    if (!request.rule.isEmpty())
        return fixedByRule(recipes, snapshot, content, request);
    TM_TRY(named, namedFinding(request.finding, request.way));
    const VariantEntry *entry = presentEntry(snapshot, named->recipe);
    if (const QString path = furtherFile(snapshot, named->recipe); !entry && !path.isEmpty())
        return Error{Tr::tr("fix"), path, Tr::tr("it is not the recipe of its cell"),
                     Tr::tr("Rename or delete it; \"plan\" shows how.")};
    const auto imported = std::ranges::find_if(content.imported, [&](const VersionedFile &file) {
        return file.path == named->recipe || shownPath(file.path) == named->recipe;
    });
    if (!entry && imported != content.imported.cend() && request.way == FixWay::InPlace) {
        named->file = imported->path;
        TM_TRY(entries, entriesOf(snapshot, {}));
        entries->removeIf([&](const VariantEntry *one) { return chosen(one->findings, wantedBy(*named)).isEmpty(); });
        return entries->isEmpty()
                   ? Error{Tr::tr("fix"), request.finding, Tr::tr("%1 has no such finding").arg(imported->path), {}}
                   : fixedInImport(recipes, snapshot, content, *entries, *named);
    }
    if (!entry)
        return Error{Tr::tr("fix"), named->recipe, Tr::tr("branch %1 has no such recipe").arg(snapshot.title()), {}};
    const bool ofBuild = !request.rightHash.isEmpty();
    if (!named->rule.isEmpty() && !ofBuild) {
        const QList<Finding> findings = chosen(entry->findings, wantedBy(*named));
        if (findings.isEmpty())
            return Error{Tr::tr("fix"), request.finding, Tr::tr("%1 has no such finding").arg(entry->file),
                         Tr::tr("\"audit %1\" prints those that it has.").arg(entry->package())};
        if (!isOfText(findings.constFirst()))
            return notOfText(*entry, findings.constFirst());
        if (request.way == FixWay::InPlace && !findings.constFirst().file.isEmpty())
            return fixedInImport(recipes, snapshot, content, {entry}, *named);
    }
    if (ofBuild)
        return withRightHash(recipes, snapshot, content, *entry, request);
    TM_TRY(text, request.way == FixWay::Regenerate ? renderedAnew(recipes, snapshot, *entry)
                                                   : fixedInPlace(*recipes.catalog(), snapshot, *entry, *named));
    ChangeSet changes = changeOf(snapshot, snapshot.checkedOut ? ChangeSet::Until::WorkTree : ChangeSet::Until::Commit);
    const QString name = entry->variant.name();
    changes.message =
        request.way == FixWay::Regenerate ? u"Regenerate %1\n"_s.arg(name) : u"Fix %1 in %2\n"_s.arg(named->rule, name);
    const bool same = *text == entry->text;
    changes.files.append({.action = same ? ChangeAction::Keep : ChangeAction::Rewrite,
                          .name = name,
                          .path = entry->file,
                          .before = entry->text,
                          .after = *text,
                          .reason = request.way == FixWay::Regenerate ? Tr::tr("Regenerated from its template.")
                                                                      : Tr::tr("Fixes %1.").arg(named->rule),
                          .chosen = !same});
    return changes;
}

} // namespace

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const FixRequest &request)
{
    TM_TRY(read, request.rule.isEmpty() ? preparation.read(request.branch, preparation.hooks)
                                        : preparation.readWhole(request.branch, Tr::tr("fix"), preparation.hooks));
    auto changes = preparation.checked(fixed(preparation.recipes(), *read->snapshot, *read->content, request), *read);
    // A change in place leaves what the recipe says about its settings.
    if (changes && request.way == FixWay::InPlace)
        changes.value().first().errors.clear();
    return changes;
}

} // namespace tmx
