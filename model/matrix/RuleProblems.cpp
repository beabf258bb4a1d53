// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/RuleProblems.h"

#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/recipe/RecipeSource.h"

#include <QMap>
#include <QSet>

#include <algorithm>

namespace tmx {

QList<RuleProblems> problemsByRule(const BranchSnapshot &snapshot)
{
    QList<const VariantEntry *> entries;
    for (const VariantEntry &entry : snapshot.entries)
        entries.append(&entry);
    QMap<QString, RuleProblems> byRule;
    QList<SharedFinding> all = findingsOf(entries);
    for (const auto &[path, findings] : snapshot.otherFindings.asKeyValueRange()) {
        for (Finding finding : findings) {
            finding.sentence = Tr::tr("%1: %2", "file, sentence of a finding").arg(shownPath(path), finding.sentence);
            all.append({finding, {}});
        }
    }
    for (const SharedFinding &shared : std::as_const(all)) {
        const Finding &finding = shared.finding;
        if (finding.severity == Severity::Note)
            continue;
        RuleProblems &problems = byRule[finding.rule];
        if (problems.findings == 0) {
            const auto known = std::ranges::find(auditRules(), finding.rule, &Rule::id);
            problems.rule = known == auditRules().end() ? Rule{.id = finding.rule, .title = finding.rule} : *known;
            problems.rule.severity = finding.severity;
        }
        problems.rule.severity = std::max(problems.rule.severity, finding.severity);
        ++problems.findings;
        problems.fixable += finding.fixable;
        auto group = std::ranges::find_if(problems.groups, [&finding](const EqualFindings &one) {
            return one.sentence == finding.sentence && one.advice == finding.advice;
        });
        if (group == problems.groups.end()) {
            problems.groups.append({finding.sentence, finding.advice, {}});
            group = problems.groups.end() - 1;
        }
        for (const VariantEntry *entry : shared.recipes) {
            const QString name = entry->variant.name();
            if (!group->recipes.contains(name))
                group->recipes.append(name);
            if (!problems.recipes.contains(name))
                problems.recipes.append(name);
        }
    }
    QList<RuleProblems> sorted = byRule.values();
    for (RuleProblems &problems : sorted) {
        std::ranges::stable_sort(problems.groups, std::greater(),
                                 [](const EqualFindings &one) { return one.recipes.size(); });
    }
    std::ranges::stable_sort(sorted, std::greater(),
                             [](const RuleProblems &one) { return std::pair(one.rule.severity, one.recipes.size()); });
    return sorted;
}

namespace {

CellMap mapOf(const Catalog &catalog, const QList<Variant> &axes, const QList<Variant> &filled)
{
    QSet<QString> rows, columns;
    for (const Variant &variant : axes) {
        rows.insert(variant.row);
        columns.insert(variant.column());
    }
    CellMap map{catalog.rowsInOrder(rows), catalog.columnsInOrder(columns), {}};
    map.names.resize(map.rows.size() * map.columns.size());
    for (const Variant &variant : filled) {
        const qsizetype row = map.rows.indexOf(variant.row);
        const qsizetype column = map.columns.indexOf(variant.column());
        if (row >= 0 && column >= 0)
            map.names[row * map.columns.size() + column].append(variant.name());
    }
    return map;
}

} // namespace

CellMap cellMap(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &variants)
{
    QList<Variant> present, filled;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present)
            present.append(entry.variant);
    }
    for (const QString &name : variants) {
        if (const VariantEntry *entry = snapshot.find(name))
            filled.append(entry->variant);
    }
    return mapOf(catalog, present, filled);
}

CellMap cellMap(const Catalog &catalog, const QList<Variant> &variants)
{
    return mapOf(catalog, variants, variants);
}

} // namespace tmx
