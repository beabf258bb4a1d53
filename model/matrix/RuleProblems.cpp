// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/matrix/RuleProblems.h"

#include "model/catalog/Catalog.h"

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
    for (const SharedFinding &shared : findingsOf(entries)) {
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
    QList<RuleProblems> all = byRule.values();
    for (RuleProblems &problems : all) {
        std::ranges::stable_sort(problems.groups, std::greater(),
                                 [](const EqualFindings &one) { return one.recipes.size(); });
    }
    std::ranges::stable_sort(all, std::greater(),
                             [](const RuleProblems &one) { return std::pair(one.rule.severity, one.recipes.size()); });
    return all;
}

CellMap cellMap(const Catalog &catalog, const BranchSnapshot &snapshot, const QStringList &variants)
{
    QSet<QString> rows, columns;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present) {
            rows.insert(entry.variant.row);
            columns.insert(entry.variant.column());
        }
    }
    CellMap map{catalog.rowsInOrder(rows), catalog.columnsInOrder(columns), {}};
    map.names.resize(map.rows.size() * map.columns.size());
    for (const QString &name : variants) {
        const VariantEntry *entry = snapshot.find(name);
        const qsizetype row = entry ? map.rows.indexOf(entry->variant.row) : -1;
        const qsizetype column = entry ? map.columns.indexOf(entry->variant.column()) : -1;
        if (row >= 0 && column >= 0)
            map.names[row * map.columns.size() + column].append(name);
    }
    return map;
}

} // namespace tmx
