// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Audit.h"

#include "model/audit/Rules.h"
#include "model/base/Tr.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The rules of what cannot be read at all: one finding, and nothing else is asked.
struct Unreadable {
    FileTrouble trouble;
    const char *id;
    const char *title;
    const char *advice;
};

constexpr Unreadable unreadable[] = {
    {FileTrouble::Link, "file-link",
     QT_TRANSLATE_NOOP("tmx::Tr", "It is a symbolic link; a recipe must be a file of its own."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Put a copy of the file in its place.")},
    {FileTrouble::Folder, "file-folder", QT_TRANSLATE_NOOP("tmx::Tr", "It is a folder; a recipe must be a file."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Rename or delete the folder.")},
    {FileTrouble::TooLarge, "file-too-large", QT_TRANSLATE_NOOP("tmx::Tr", "It is too large to be a recipe."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Delete it, and regenerate the recipe.")},
    {FileTrouble::NotText, "file-not-text", QT_TRANSLATE_NOOP("tmx::Tr", "It is not UTF-8 text."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Delete it, and regenerate the recipe.")},
    {FileTrouble::Unreadable, "file-unreadable",
     QT_TRANSLATE_NOOP("tmx::Tr", "It cannot be read: its permissions forbid it, or it is not a regular file."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Make it readable, or delete it.")},
};
/// The other rules that do not look at a recipe's facts.
struct Whole {
    const char *id;
    Severity severity;
    const char *title;
    const char *consequence;
    const char *seen;
};

constexpr auto emptyTitle = QT_TRANSLATE_NOOP("tmx::Tr", "The file is empty.");
constexpr auto unknownTitle =
    QT_TRANSLATE_NOOP("tmx::Tr", "The file's name is not a variant's name, so nothing else is checked.");

constexpr Whole wholes[] = {
    {"file-empty", Severity::Error, emptyTitle, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"syntax", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The file is not a Nix expression."),
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."), QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"name-unknown", Severity::Note, unknownTitle,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is neither shown in the grid nor checked."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"version-not-of-pin", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The branch settings name a version that their nixpkgs does not have, and "
                                  "no source for it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes say one version and build another."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A branch that was derived for PyTorch 2.10.0 with the pin of 2.9.")},
    {"ignore-unknown", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "An [[ignore]] of torch-matrix.toml names a rule that does not exist."),
     QT_TRANSLATE_NOOP("tmx::Tr", "What it was written for is still reported."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"readme-count-stale", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A document states a different number of recipes than the branch has."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Readers look for variants that do not exist, or miss existing ones."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A hand-written torchvision branch: 45 in its README, 51 in the folder.")},
    {"document-pin-stale", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A document states a nixpkgs that no recipe of the branch fetches."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Readers look for versions in the wrong nixpkgs."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Branches whose recipes were moved to another nixpkgs.")},
    {"document-branch-missing", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "A document tells to check out a branch that does not exist."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Readers cannot follow it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Repositories whose branches were renamed.")},
};

using Table = std::vector<const RuleEntry *>;

const Table &table()
{
    static const Table entries = [] {
        Table all;
        for (const auto rules : {nameRules(), sourceRules(), torchRules(), targetRules(), flagRules(), buildRules(),
                                 metaRules(), blasRules(), companionRules(), importRules(), readingRules()}) {
            for (const RuleEntry &rule : rules)
                all.push_back(&rule);
        }
        return all;
    }();
    return entries;
}

QList<Rule> ruleList()
{
    QList<Rule> rules;
    for (const Unreadable &rule : unreadable)
        rules.append({QString::fromLatin1(rule.id), Severity::Error, Tr::tr(rule.title), false,
                      Tr::tr("It is shown as broken, and nothing else can be checked."),
                      Tr::tr("Seen only in tests so far.")});
    for (const Whole &rule : wholes)
        rules.append({QString::fromLatin1(rule.id), rule.severity, Tr::tr(rule.title), false, Tr::tr(rule.consequence),
                      Tr::tr(rule.seen)});
    for (const RuleEntry *rule : table())
        rules.append({QString::fromLatin1(rule->id), rule->severity, Tr::tr(rule->title), rule->fixable,
                      Tr::tr(rule->consequence), Tr::tr(rule->seen)});
    return rules;
}

/// The problem of a file that cannot be read as Nix. Sets `facts` if it has text, to `known` unless that is null.
std::optional<Report::Found> readFile(const RecipeSource &source, FileTrouble trouble,
                                      const std::shared_ptr<const RecipeFacts> &known,
                                      std::shared_ptr<const RecipeFacts> &facts)
{
    Report report;
    const auto only = [&report](const QString &id, const Spot &spot, const QString &sentence, const QString &advice) {
        report.begin(id, Severity::Error);
        report.add(spot, sentence, advice);
        return report.found.takeFirst();
    };
    for (const Unreadable &rule : unreadable) {
        if (rule.trouble == trouble)
            return only(QString::fromLatin1(rule.id), {}, Tr::tr(rule.title), Tr::tr(rule.advice));
    }
    if (std::ranges::all_of(source.text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }))
        return only(u"file-empty"_s, {}, Tr::tr(emptyTitle), Tr::tr("Regenerate the recipe."));
    facts = known ? known : std::make_shared<const RecipeFacts>(readFacts(source));
    if (facts->error)
        return only(u"syntax"_s, facts->error->spot, Tr::tr("It is not valid Nix: %1.").arg(facts->error->message),
                    Tr::tr("Fix the error in that line."));
    return std::nullopt;
}

} // namespace

RecipeSource sourceOf(const AuditInput &input)
{
    return input.files ? input.files->source(input.file, input.text) : input.text;
}

/// What the branch accepts is a note with the reason.
void ignore(Finding &finding, const AuditInput &input)
{
    if (!input.settings || finding.severity == Severity::Note)
        return;
    for (const IgnoredRule &ignored : input.settings->ignored) {
        if (ignored.rule != finding.rule ||
            !(ignored.recipes.isEmpty() || ignored.recipes.contains(input.variant.name())))
            continue;
        finding.severity = Severity::Note;
        finding.fixable = false;
        finding.advice = Tr::tr("Ignored in torch-matrix.toml: %1").arg(ignored.reason);
        return;
    }
}

FullJudgement judgeFully(const AuditInput &input)
{
    FullJudgement judgement;
    if (auto found = readFile(sourceOf(input), input.trouble, input.facts, judgement.facts)) {
        if (!judgement.facts)
            judgement.facts = std::make_shared<const RecipeFacts>();
        judgement.found.append(*std::move(found));
        return judgement;
    }
    Report report(judgement.facts->files);
    const Subject subject(input, *judgement.facts);
    for (const RuleEntry *rule : table()) {
        report.begin(QString::fromLatin1(rule->id), rule->severity);
        rule->check(subject, report);
    }
    for (Report::Found &found : report.found)
        ignore(found.finding, input);
    std::ranges::stable_sort(report.found, [](const Report::Found &a, const Report::Found &b) {
        return a.finding.severity != b.finding.severity
                   ? a.finding.severity > b.finding.severity
                   : std::tie(a.finding.file, a.finding.line, a.finding.column) <
                         std::tie(b.finding.file, b.finding.line, b.finding.column);
    });
    judgement.found = std::move(report.found);
    return judgement;
}

const Finding *Judgement::firstError() const
{
    const auto found = std::ranges::find(findings, Severity::Error, &Finding::severity);
    return found == findings.cend() ? nullptr : &*found;
}

Judgement audit(const AuditInput &input)
{
    FullJudgement full = judgeFully(input);
    Judgement judgement{std::move(full.facts), {}};
    for (Report::Found &found : full.found)
        judgement.findings.append(std::move(found.finding));
    return judgement;
}

QList<Finding> auditOther(const QByteArray &text, FileTrouble trouble)
{
    std::shared_ptr<const RecipeFacts> facts;
    if (const auto found = readFile(text, trouble, nullptr, facts))
        return {found->finding};
    Report report;
    report.begin(u"name-unknown"_s, Severity::Note);
    report.add({}, Tr::tr(unknownTitle), Tr::tr("If it is a variant's recipe, rename it to the variant's name."));
    return {report.found.constFirst().finding};
}

const QList<Rule> &auditRules()
{
    static const QList<Rule> rules = ruleList();
    return rules;
}

} // namespace tmx
