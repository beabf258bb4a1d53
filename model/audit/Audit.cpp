// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Audit.h"

#include "model/audit/Rules.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

/// The rules of what cannot be read at all: one finding, and nothing else is asked.
struct Unreadable {
    FileTrouble trouble;
    const char *id;
    const char *title;
    const char *advice;
};

constexpr Unreadable unreadable[] = {
    {FileTrouble::Link, "file-link",
     QT_TRANSLATE_NOOP("tmx::Audit", "It is a symbolic link; a recipe must be a file of its own."),
     QT_TRANSLATE_NOOP("tmx::Audit", "Put a copy of the file in its place.")},
    {FileTrouble::Folder, "file-folder", QT_TRANSLATE_NOOP("tmx::Audit", "It is a folder; a recipe must be a file."),
     QT_TRANSLATE_NOOP("tmx::Audit", "Rename or delete the folder.")},
    {FileTrouble::TooLarge, "file-too-large", QT_TRANSLATE_NOOP("tmx::Audit", "It is too large to be a recipe."),
     QT_TRANSLATE_NOOP("tmx::Audit", "Delete it, and render the recipe anew.")},
    {FileTrouble::NotText, "file-not-text", QT_TRANSLATE_NOOP("tmx::Audit", "It is not UTF-8 text."),
     QT_TRANSLATE_NOOP("tmx::Audit", "Delete it, and render the recipe anew.")},
    {FileTrouble::Unreadable, "file-unreadable",
     QT_TRANSLATE_NOOP("tmx::Audit", "It cannot be read: its permissions forbid it, or it is no regular file."),
     QT_TRANSLATE_NOOP("tmx::Audit", "Let the user who runs this read it, or delete it.")},
};
constexpr auto emptyTitle = QT_TRANSLATE_NOOP("tmx::Audit", "The file is empty.");
constexpr auto syntaxTitle = QT_TRANSLATE_NOOP("tmx::Audit", "The file is no Nix expression.");

constexpr auto pinVersionTitle =
    QT_TRANSLATE_NOOP("tmx::Audit", "The line names a version that its pin does not hold, and no source of it.");
constexpr auto unknownTitle =
    QT_TRANSLATE_NOOP("tmx::Audit", "The file's name is no variant's, so the audit asks no more of it.");

using Table = std::vector<const RuleEntry *>;

const Table &table()
{
    static const Table entries = [] {
        Table all;
        for (const auto rules : {nameRules(), sourceRules(), torchRules(), targetRules(), flagRules(), buildRules(),
                                 metaRules(), companionRules()}) {
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
        rules.append({QString::fromLatin1(rule.id), Severity::Error, W::tr(rule.title), false});
    rules.append({u"file-empty"_s, Severity::Error, W::tr(emptyTitle), false});
    rules.append({u"syntax"_s, Severity::Error, W::tr(syntaxTitle), false});
    rules.append({u"name-unknown"_s, Severity::Note, W::tr(unknownTitle), false});
    rules.append({u"version-not-of-pin"_s, Severity::Warning, W::tr(pinVersionTitle), false});
    for (const RuleEntry *rule : table())
        rules.append({QString::fromLatin1(rule->id), rule->severity, W::tr(rule->title), rule->fixable});
    return rules;
}

} // namespace

namespace {

/// What is wrong with a file that cannot be read as Nix. Sets `facts` where it holds text, to `known` unless that is
/// null.
std::optional<Report::Found> readFile(const QByteArray &text, FileTrouble trouble,
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
            return only(QString::fromLatin1(rule.id), {}, W::tr(rule.title), W::tr(rule.advice));
    }
    if (std::ranges::all_of(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }))
        return only(u"file-empty"_s, {}, W::tr(emptyTitle), W::tr("Render the recipe anew."));
    facts = known ? known : std::make_shared<const RecipeFacts>(readFacts(text));
    if (facts->error)
        return only(u"syntax"_s, facts->error->spot, W::tr("It is not Nix: %1.").arg(facts->error->message),
                    W::tr("Mend it there."));
    return std::nullopt;
}

} // namespace

FullJudgement judgeFully(const AuditInput &input)
{
    FullJudgement judgement;
    if (auto found = readFile(input.text, input.trouble, input.facts, judgement.facts)) {
        if (!judgement.facts)
            judgement.facts = std::make_shared<const RecipeFacts>();
        judgement.found.append(*std::move(found));
        return judgement;
    }
    Report report;
    const Subject subject(input, *judgement.facts);
    for (const RuleEntry *rule : table()) {
        report.begin(QString::fromLatin1(rule->id), rule->severity);
        rule->check(subject, report);
    }
    std::ranges::stable_sort(report.found, [](const Report::Found &a, const Report::Found &b) {
        return a.finding.severity != b.finding.severity
                   ? a.finding.severity > b.finding.severity
                   : std::tie(a.finding.line, a.finding.column) < std::tie(b.finding.line, b.finding.column);
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
    report.add({}, W::tr(unknownTitle), W::tr("Name it as a variant if it is one's recipe."));
    return {report.found.constFirst().finding};
}

const QList<Rule> &auditRules()
{
    static const QList<Rule> rules = ruleList();
    return rules;
}

} // namespace tmx
