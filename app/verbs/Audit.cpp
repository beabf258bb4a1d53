// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "app/verbs/Verb.h"

#include "model/audit/Audit.h"
#include "model/audit/BranchRules.h"
#include "model/base/ShortList.h"
#include "model/base/TerminalText.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"
#include "model/change/Findings.h"
#include "model/change/Generate.h"
#include "model/change/Readme.h"
#include "model/settings/SettingsFile.h"
#include "model/workspace/BranchListing.h"

#include <CLI/CLI.hpp>

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct AuditOptions {
    std::vector<std::string> names;
    std::string branch;
    bool notes = false;
    bool rules = false;
    bool all = false;
    std::shared_ptr<VariantFilter> filter;
};

/// How many places of each rule are shown by default.
constexpr qsizetype examples = 3;

struct Counts {
    int errors = 0;
    int warnings = 0;
    int notes = 0;

    void add(Severity severity)
    {
        switch (severity) {
        case Severity::Error: ++errors; break;
        case Severity::Warning: ++warnings; break;
        case Severity::Note: ++notes; break;
        }
    }
    [[nodiscard]] int exitCode() const { return errors + warnings > 0 ? DoneWithFindings : Done; }
};

/// `id`: what fix takes; empty for what it cannot fix.
QJsonObject findingJson(const QString &id, const Finding &finding)
{
    QJsonObject object = toJson(finding);
    object.insert(u"id"_s, id);
    object.insert(u"column"_s, finding.column);
    object.insert(u"length"_s, finding.length);
    return object;
}

/// A finding with its file.
struct Placed {
    QString file;
    QString id; ///< the argument of fix; empty if fix cannot correct it
    Finding finding;
    int recipes = 1; ///< that have it

    /// In the format of compilers, so that editors can jump to the place.
    [[nodiscard]] QString line() const
    {
        QString place = finding.file.isEmpty() ? file : finding.file;
        if (finding.line > 0)
            place += u":%1:%2"_s.arg(finding.line).arg(finding.column);
        const QString text =
            u"%1: %2: %3 [%4]"_s.arg(place, toString(finding.severity), finding.sentence, finding.rule);
        return finding.file.isEmpty() ? text : u"%1 (%2)"_s.arg(text, Tr::tr("%n recipes", nullptr, recipes));
    }
    [[nodiscard]] QString advice() const
    {
        return finding.advice + (finding.fixable && !id.isEmpty() ? u" (torch-matrix fix %1)"_s.arg(id) : QString());
    }
};

/// Grouped by rule: errors first, then the rules with the most findings.
QList<QList<Placed>> grouped(const QList<Placed> &findings)
{
    QList<QList<Placed>> groups;
    QHash<QString, qsizetype> places;
    for (const Placed &placed : findings) {
        if (!places.contains(placed.finding.rule)) {
            places.insert(placed.finding.rule, groups.size());
            groups.append(QList<Placed>());
        }
        groups[places.value(placed.finding.rule)].append(placed);
    }
    std::ranges::stable_sort(groups, [](const QList<Placed> &a, const QList<Placed> &b) {
        const Severity first = a.constFirst().finding.severity;
        const Severity second = b.constFirst().finding.severity;
        return first != second ? first > second : a.size() > b.size();
    });
    return groups;
}

void printFindings(const QList<Placed> &findings, bool all)
{
    const QList<Rule> &rules = auditRules();
    for (const QList<Placed> &group : grouped(findings)) {
        const Finding &first = group.constFirst().finding;
        const auto rule = std::ranges::find(rules, first.rule, &Rule::id);
        print(u"%1 %2 %3: %4"_s.arg(QString::number(group.size()).rightJustified(4),
                                    toString(first.severity).leftJustified(8), first.rule, rule->title));
        if (first.severity != Severity::Note)
            print(u"     If ignored: %1"_s.arg(rule->consequence));
        const auto fixable = [](const Placed &placed) { return placed.finding.fixable && !placed.id.isEmpty(); };
        if (std::ranges::count_if(group, fixable) > 1 || (fixable(group.constFirst()) && !first.file.isEmpty()))
            print(u"     Fix all: torch-matrix fix --rule %1"_s.arg(first.rule));
        const qsizetype shown = all ? group.size() : std::min(group.size(), examples);
        for (const Placed &placed : group.first(shown)) {
            print(inOneLine(placed.line()));
            if (!placed.finding.advice.isEmpty())
                print(u"    "_s + placed.advice());
        }
        if (shown < group.size())
            print(u"and %1 more; --all lists them"_s.arg(group.size() - shown));
    }
}

int printRules(const VerbContext &context)
{
    QJsonArray list;
    for (const Rule &rule : auditRules()) {
        list.append(QJsonObject{{u"rule"_s, rule.id},
                                {u"severity"_s, toString(rule.severity)},
                                {u"title"_s, rule.title},
                                {u"ignored"_s, rule.consequence},
                                {u"seen"_s, rule.seen},
                                {u"fixable"_s, rule.fixable}});
        if (!context.json)
            print(u"%1 %2 %3%4\n    If ignored: %5\n    Seen: %6"_s.arg(
                rule.id.leftJustified(28), toString(rule.severity).leftJustified(8), rule.title,
                rule.fixable ? u" (can be fixed)"_s : QString(), rule.consequence, rule.seen));
    }
    if (context.json)
        print(QJsonObject{{u"rules"_s, list}});
    return Done;
}

/// The entries to report: the named recipes, else all existing ones.
Result<QList<const VariantEntry *>> chosenEntries(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                  const QStringList &names, const VariantFilter &filter)
{
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.facts && filter.accepts(entry.variant, snapshot.settings) &&
            (names.isEmpty() || names.contains(entry.variant.name()) || names.contains(entry.package())))
            entries.append(&entry);
    }
    const QStringList others = snapshot.otherFindings.keys();
    for (const QString &name : names) {
        if (std::ranges::none_of(
                entries,
                [&name](const VariantEntry *e) { return e->variant.name() == name || e->package() == name; }) &&
            std::ranges::none_of(others, [&name](const QString &path) { return packageOf(path) == name; }))
            return noRecipe(catalog, u"audit"_s, name, snapshot);
    }
    return entries;
}

bool isNotUnderstood(const VariantEntry &entry)
{
    return std::ranges::any_of(entry.findings, [](const Finding &one) { return one.rule == notUnderstoodRule; });
}

/// What the audit cannot judge: it says so, because the absence of findings means nothing there.
struct Unjudged {
    QStringList unread;   ///< names of recipes whose package is unknown
    QStringList unplaced; ///< files that are no variant's: their syntax is all that was checked
    bool recipes =
        true; ///< some of them should have been judged: the branch has no matrix, or a name lacks its toolkit

    [[nodiscard]] bool isFinding() const { return !unread.isEmpty() || (!unplaced.isEmpty() && recipes); }
    void print() const
    {
        if (!unread.isEmpty())
            tell(Tr::tr("%n recipes were not read: it is unclear which package they build (%1).", nullptr,
                        int(unread.size()))
                     .arg(shortList(unread)));
        if (!unplaced.isEmpty())
            tell(Tr::tr("%n packages are no variants, so only their syntax was checked (%1).", nullptr,
                        int(unplaced.size()))
                     .arg(shortList(unplaced)));
    }
};

Unjudged unjudgedOf(const Catalog &catalog, const BranchSnapshot &snapshot, const QList<const VariantEntry *> &entries,
                    bool whole)
{
    Unjudged unjudged;
    for (const VariantEntry *entry : entries) {
        const RecipeFacts &facts = *entry->facts;
        if (!entry->text.isEmpty() && !facts.error && !facts.noDerivation && !facts.package.attribute &&
            !facts.package.builder && !isNotUnderstood(*entry))
            unjudged.unread.append(entry->package());
    }
    if (!whole)
        return unjudged;
    unjudged.unplaced = snapshot.packages.keys();
    unjudged.recipes = entries.isEmpty() || std::ranges::any_of(unjudged.unplaced, [&catalog](const QString &package) {
                           const auto name = VariantName::parse(package, catalog.isaIds());
                           return name && !name->uncertain;
                       });
    return unjudged;
}

/// Findings as they are counted, told and printed as JSON.
class Findings
{
public:
    explicit Findings(bool notes)
        : m_notes(notes)
    {
    }

    Counts counts;
    QList<Placed> told;

    void add(const QString &file, const QString &id, const Finding &finding, qsizetype reach)
    {
        counts.add(finding.severity);
        if (finding.severity != Severity::Note || m_notes)
            told.append({file, id, finding, int(reach)});
    }
    QJsonArray add(const QString &file, const QList<Finding> &list)
    {
        QJsonArray findings;
        for (const Finding &finding : list) {
            add(file, {}, finding, 1);
            findings.append(findingJson({}, finding));
        }
        return findings;
    }
    /// Those of recipes and of what they import, each counted once. Returns the imported files' ones.
    QJsonArray addRecipes(const QList<const VariantEntry *> &entries)
    {
        QJsonArray imported;
        for (const SharedFinding &one : findingsOf(entries)) {
            const VariantEntry &first = *one.recipes.constFirst();
            const QString id = findingName(first, one.finding);
            add(first.file, id, one.finding, one.recipes.size());
            if (one.finding.file.isEmpty())
                continue;
            QJsonArray names;
            for (const VariantEntry *entry : one.recipes)
                names.append(entry->variant.name());
            QJsonObject object = findingJson(id, one.finding);
            object.insert(u"recipes"_s, names);
            imported.append(object);
        }
        return imported;
    }

private:
    bool m_notes;
};

QJsonArray recipesJson(const QList<const VariantEntry *> &entries)
{
    QJsonArray recipes;
    for (const VariantEntry *entry : entries) {
        QJsonArray findings;
        for (const Finding &finding : entry->findings)
            findings.append(findingJson(findingName(*entry, finding), finding));
        recipes.append(
            QJsonObject{{u"name"_s, entry->variant.name()}, {u"file"_s, entry->file}, {u"findings"_s, findings}});
    }
    return recipes;
}

/// Files that are no variants, and documents, of the whole branch or as named.
Result<QJsonArray> addOthers(Findings &findings, const Catalog &catalog, const ReadBranch &read,
                             const QStringList &names, bool whole)
{
    QJsonArray others;
    const auto add = [&](const QString &file, const QList<Finding> &list) {
        others.append(QJsonObject{{u"file"_s, file}, {u"findings"_s, findings.add(file, list)}});
    };
    for (const auto &[file, list] : read.snapshot->otherFindings.asKeyValueRange()) {
        if (whole || names.contains(packageOf(file)))
            add(file, list);
    }
    if (!whole)
        return others;
    TM_TRY(opened, openWithInfo(read.source.repository));
    TM_TRY(documents, outdatedDocuments(*opened, read.source, documentedBy(catalog, *read.snapshot)));
    for (const OutdatedDocument &document : *documents) {
        QList<Finding> ofDocument;
        for (const OutdatedLine &line : document.lines)
            ofDocument.append(line.finding);
        add(document.path, ofDocument);
    }
    return others;
}

Result<int> auditBranch(const VerbContext &context, const std::shared_ptr<const Catalog> &catalog,
                        const AuditOptions &options)
{
    // The audit does not need the templates' texts.
    const SnapshotReader reader(catalog);
    TM_TRY(read, reader.read(context.repoPath(), QString::fromStdString(options.branch), {}, Templates::LeftOut));
    const BranchSnapshot &snapshot = *read->snapshot;
    TM_TRY(entries, chosenEntries(*catalog, snapshot, toStringList(options.names), *options.filter));

    if (entries->isEmpty() && !options.filter->isEmpty() && !snapshot.entries.isEmpty())
        return complain({Tr::tr("audit"), snapshot.title(), Tr::tr("no recipe matches"),
                         Tr::tr("\"list\" shows what the branch has.")});
    if (entries->isEmpty() && snapshot.otherFindings.isEmpty())
        return complain(
            {Tr::tr("audit"), snapshot.title(), Tr::tr("it has no recipes"), Tr::tr("Recipes are in .flox/pkgs.")});

    // Their findings are true, but they have not passed: an exit status of 0 would say that.
    const auto unread =
        std::ranges::count_if(*entries, [](const VariantEntry *entry) { return isNotUnderstood(*entry); });
    Findings findings(options.notes);
    if (snapshot.settingsError) {
        ++findings.counts.errors;
        tell(Tr::tr("error: %1").arg(snapshot.settingsError->sentence()));
    }
    // Without named recipes, also report findings about the whole branch.
    const bool whole = options.names.empty() && options.filter->isEmpty();
    const QJsonArray ofLine =
        whole ? findings.add(settingsFileName, auditSettings(*catalog, snapshot.settings)) : QJsonArray();
    const QJsonArray imported = findings.addRecipes(*entries);
    TM_TRY(others, addOthers(findings, *catalog, *read, toStringList(options.names), whole));
    const Counts &counts = findings.counts;
    const Unjudged unjudged = unjudgedOf(*catalog, snapshot, *entries, whole);
    const int exitCode = unread > 0 || unjudged.isFinding() ? DoneWithFindings : counts.exitCode();
    if (context.json) {
        print(QJsonObject{{u"repository"_s, snapshot.repository},
                          {u"branch"_s, snapshot.branch},
                          {u"commit"_s, snapshot.commit},
                          {u"line_error"_s, snapshot.settingsError ? snapshot.settingsError->sentence() : QString()},
                          {u"line_findings"_s, ofLine},
                          {u"errors"_s, counts.errors},
                          {u"warnings"_s, counts.warnings},
                          {u"notes"_s, counts.notes},
                          {u"not_understood"_s, unread},
                          {u"recipes"_s, recipesJson(*entries)},
                          {u"imported"_s, imported},
                          {u"unread"_s, QJsonArray::fromStringList(unjudged.unread)},
                          {u"unplaced"_s, QJsonArray::fromStringList(unjudged.unplaced)},
                          {u"others"_s, *others}});
        return exitCode;
    }
    printFindings(findings.told, options.all);
    tell(Tr::tr("%1 on %2: %3, %4, %5.")
             .arg(Tr::tr("%n recipes", nullptr, int(entries->size())), snapshot.title(),
                  Tr::tr("%n errors", nullptr, counts.errors), Tr::tr("%n warnings", nullptr, counts.warnings),
                  Tr::tr("%n notes", nullptr, counts.notes)));
    if (unread > 0)
        tell(Tr::tr("%1 not understood completely; --notes says where reading stopped.")
                 .arg(Tr::tr("%n recipes", nullptr, int(unread))));
    unjudged.print();
    return exitCode;
}

} // namespace

void addAudit(CLI::App &app, VerbContext &context)
{
    auto options = std::make_shared<AuditOptions>();
    CLI::App *verb = app.add_subcommand("audit", Help::tr("Check the recipes of a branch and print what is wrong, and "
                                                          "where"));
    verb->add_option("NAME", options->names, Help::tr("Recipes to check, as list prints them (default: all)"));
    verb->add_option("--branch", options->branch, Help::tr("Branch to audit (default: the checked-out one)"))
        ->type_name("B");
    verb->add_flag("--notes", options->notes, Help::tr("Print notes as well"));
    verb->add_flag("--all", options->all, Help::tr("Print every place of each rule, not the first three"));
    verb->add_flag("--rules", options->rules,
                   Help::tr("Print the rules instead: what each finds, what happens if it is ignored, and where it was "
                            "seen"));
    options->filter = addFilterOptions(*verb);
    addRepoOption(*verb, context);
    addJsonOption(*verb, context);
    verb->callback([&context, options] {
        if (options->rules)
            context.run = [&context] { return printRules(context); };
        else
            context.runWith(
                [&context, options](const auto &catalog) { return auditBranch(context, catalog, *options); });
    });
}

} // namespace tmx
