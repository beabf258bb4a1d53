// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/ComparisonText.h"

#include "model/base/Tr.h"
#include "model/compare/Markdown.h"

#include <QJsonArray>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

QList<const ComparedCell *> accepted(const Comparison &comparison, const ComparisonFilter &filter)
{
    QList<const ComparedCell *> cells;
    for (const ComparedCell &cell : comparison.cells) {
        if (filter.accepts(cell))
            cells.append(&cell);
    }
    return cells;
}

QStringList labels(const Comparison &comparison)
{
    QStringList labels;
    for (const ComparedSide &side : comparison.sides)
        labels.append(side.label);
    return labels;
}

QJsonObject totalsJson(const Comparison &comparison)
{
    const ComparisonTotals totals = comparison.totals();
    QJsonObject only;
    QJsonObject held;
    for (qsizetype i = 0; i < comparison.sides.size(); ++i) {
        only.insert(comparison.sides.at(i).label, totals.only.at(i));
        held.insert(comparison.sides.at(i).label, totals.held.at(i));
    }
    return {{u"cells"_s, totals.cells},
            {u"everywhere"_s, totals.everywhere},
            {u"identical"_s, totals.identical},
            {u"equal"_s, totals.equal},
            {u"same_build"_s, totals.sameBuild},
            {u"alike"_s, totals.alike},
            {u"different"_s, totals.different},
            {u"only"_s, only},
            {u"held"_s, held}};
}

QJsonObject cellJson(const Comparison &comparison, const ComparedCell &cell)
{
    QJsonObject recipes;
    QJsonArray missing;
    for (qsizetype i = 0; i < cell.entries.size(); ++i) {
        const QString &label = comparison.sides.at(i).label;
        if (const VariantEntry *entry = cell.entries.at(i))
            recipes.insert(label, QJsonObject{{u"name"_s, entry->variant.name()},
                                              {u"file"_s, entry->file},
                                              {u"recipe"_s, toString(entry->state)},
                                              {u"group"_s, cell.groups.at(i)}});
        else
            missing.append(label);
    }
    QJsonArray differences;
    for (const FactDifference &fact : factDifferences(cell)) {
        if (!fact.differs)
            continue;
        QJsonObject values;
        for (qsizetype i = 0; i < cell.entries.size(); ++i) {
            if (cell.entries.at(i))
                values.insert(comparison.sides.at(i).label, fact.values.at(i));
        }
        differences.append(QJsonObject{
            {u"fact"_s, fact.id}, {u"label"_s, fact.label}, {u"builds"_s, fact.builds}, {u"values"_s, values}});
    }
    QJsonObject object = partsJson(cell.variant);
    object.insert(u"title"_s, cell.title());
    object.insert(u"likeness"_s, toString(cell.likeness));
    object.insert(u"recipes"_s, recipes);
    object.insert(u"missing"_s, missing);
    object.insert(u"differences"_s, differences);
    return object;
}

QJsonArray groupsJson(const Comparison &comparison, const QList<const ComparedCell *> &cells)
{
    QJsonArray groups;
    for (const DifferenceGroup &group : differenceGroups(cells)) {
        QJsonArray titles;
        for (const ComparedCell *cell : group.cells)
            titles.append(cell->title());
        QJsonArray differences;
        for (const FactDifference &fact : group.facts) {
            QJsonObject values;
            for (qsizetype i = 0; i < fact.values.size(); ++i)
                values.insert(comparison.sides.at(i).label, fact.values.at(i));
            differences.append(QJsonObject{{u"fact"_s, fact.id}, {u"label"_s, fact.label}, {u"values"_s, values}});
        }
        groups.append(QJsonObject{{u"cells"_s, titles}, {u"differences"_s, differences}});
    }
    return groups;
}

/// Cells in the same grid.
struct Sheet {
    QString title;
    QList<const ComparedCell *> cells;
};

QList<Sheet> sheetsOf(const QList<const ComparedCell *> &cells)
{
    QList<Sheet> sheets;
    for (const ComparedCell *cell : cells) {
        const Variant &v = cell->variant;
        QStringList parts{v.family, v.python, v.cuda.isEmpty() ? QString() : Tr::tr("CUDA %1").arg(v.cuda)};
        parts.removeAll(QString());
        const QString title = parts.join(u' ');
        auto it = std::ranges::find(sheets, title, &Sheet::title);
        if (it == sheets.end()) {
            sheets.append({title, {}});
            it = sheets.end() - 1;
        }
        it->cells.append(cell);
    }
    return sheets;
}

QString sheetMarkdown(const Comparison &comparison, const Sheet &sheet, const QStringList &isaOrder)
{
    QStringList rows;
    QStringList isas;
    for (const ComparedCell *cell : sheet.cells) {
        if (!rows.contains(cell->variant.row))
            rows.append(cell->variant.row);
        if (!isas.contains(cell->variant.column()))
            isas.append(cell->variant.column());
    }
    std::ranges::stable_sort(isas, {}, [&isaOrder](const QString &isa) {
        const qsizetype place = isaOrder.indexOf(isa);
        return place < 0 ? isaOrder.size() : place;
    });
    QStringList head{QString()};
    for (const QString &isa : std::as_const(isas))
        head.append(isa.isEmpty() ? u"–"_s : inMarkdownCell(isa));
    QList<QStringList> lines;
    for (const QString &row : std::as_const(rows)) {
        QStringList line{inMarkdownCell(row)};
        for (const QString &isa : std::as_const(isas)) {
            const auto cell = std::ranges::find_if(sheet.cells, [&](const ComparedCell *one) {
                return one->variant.row == row && one->variant.column() == isa;
            });
            line.append(cell == sheet.cells.end() ? QString() : inMarkdownCell(cellWords(comparison, **cell)));
        }
        lines.append(line);
    }
    const QString heading = sheet.title.isEmpty() ? QString() : u"## %1\n\n"_s.arg(inMarkdownCell(sheet.title));
    return heading + markdownTable(head, lines) + u'\n';
}

QString countOf(qsizetype cells)
{
    return Tr::tr("%n cells", nullptr, int(cells));
}

/// "2 facts differ"
QString wordsOf(const DifferenceGroup &group)
{
    if (group.sameBuild)
        return Tr::tr("same build; what differs has no effect");
    if (group.facts.isEmpty())
        return Tr::tr("only names differ");
    return group.facts.size() == 1 ? Tr::tr("only %1", "a fact").arg(group.facts.constFirst().label)
                                   : Tr::tr("%n facts differ", nullptr, int(group.facts.size()));
}

QString groupMarkdown(const Comparison &comparison, const DifferenceGroup &group)
{
    QString text = u"### %1\n\n"_s.arg(inMarkdownCell(countOf(group.cells.size()) + u": "_s + wordsOf(group)));
    QStringList head{Tr::tr("Fact")};
    for (const QString &label : labels(comparison))
        head.append(inMarkdownCell(label));
    QList<QStringList> rows;
    for (const FactDifference &fact : group.facts) {
        QStringList row{inMarkdownCell(fact.label)};
        for (const QString &value : fact.values)
            row.append(codeInMarkdownCell(value));
        rows.append(row);
    }
    if (!rows.isEmpty() && !group.sameBuild)
        text += markdownTable(head, rows) + u'\n';
    for (const ComparedCell *cell : group.cells)
        text += u"- %1\n"_s.arg(inMarkdownCell(cell->title()));
    return text + u'\n';
}

} // namespace

bool ComparisonFilter::accepts(const ComparedCell &cell) const
{
    if (!row.isEmpty() && cell.variant.row != row)
        return false;
    if (!isa.isEmpty() && cell.variant.isa != isa && cell.variant.column() != isa)
        return false;
    if (onlyMissing && cell.isEverywhere())
        return false;
    return !onlyDifferences || cell.likeness == Likeness::Different || !cell.isEverywhere();
}

/// Of more than two sides: "only next differs", "all differ"
static QString whoDiffers(const Comparison &comparison, const ComparedCell &cell)
{
    QStringList odd;
    for (const int side : cell.odd())
        odd.append(comparison.sides.at(side).label);
    if (odd.isEmpty())
        return cell.isEverywhere() && *std::ranges::max_element(cell.groups) + 1 == cell.groups.size()
                   ? Tr::tr("all differ", "branches")
                   : likenessWord(cell.likeness);
    return odd.size() == 1 ? Tr::tr("only %1 differs", "branch").arg(odd.constFirst())
                           : Tr::tr("%1 differ", "branches").arg(odd.join(u", "_s));
}

QString cellWords(const Comparison &comparison, const ComparedCell &cell)
{
    if (cell.likeness == Likeness::Alone)
        return Tr::tr("only %1", "branch").arg(comparison.sides.at(cell.firstHolder()).label);
    const bool ofTwo = comparison.sides.size() < 3;
    const QString like =
        ofTwo || cell.likeness != Likeness::Different ? likenessWord(cell.likeness) : whoDiffers(comparison, cell);
    const QString word = comparison.isOfCompanions() ? Tr::tr("both")
                         : cell.asMost && ofTwo      ? Tr::tr("differs like most cells")
                         : cell.unlike.isEmpty()
                             ? like
                             : Tr::tr("%1: %2", "different, facts").arg(like, cell.unlike.join(u", "_s));
    if (cell.isEverywhere())
        return word;
    return Tr::tr("in %1 of %2, %3", "3 of 5, different").arg(cell.held()).arg(cell.entries.size()).arg(word);
}

QJsonObject comparisonJson(const Comparison &comparison, const ComparisonFilter &filter)
{
    QJsonArray sides;
    for (const ComparedSide &side : comparison.sides)
        sides.append(QJsonObject{{u"name"_s, side.label},
                                 {u"repository"_s, side.snapshot->repository},
                                 {u"commit"_s, side.snapshot->commit}});
    QJsonArray match;
    for (const auto &[on, word] :
         {std::pair(comparison.match.family, u"family"_s), std::pair(comparison.match.python, u"python"_s),
          std::pair(comparison.match.cuda, u"cuda"_s)}) {
        if (on)
            match.append(word);
    }
    match.append(u"gpu"_s);
    match.append(u"isa"_s);
    const QList<const ComparedCell *> shown = accepted(comparison, filter);
    QJsonArray cells;
    for (const ComparedCell *cell : shown)
        cells.append(cellJson(comparison, *cell));
    QJsonArray packages;
    for (const ComparedPackage &package : comparison.packages)
        packages.append(QJsonObject{{u"name"_s, package.name}, {u"likeness"_s, toString(package.likeness)}});
    return {{u"sides"_s, sides},
            {u"match"_s, match},
            {u"totals"_s, totalsJson(comparison)},
            {u"summary"_s, comparison.summary()},
            {u"groups"_s, comparison.isOfCompanions() ? QJsonArray() : groupsJson(comparison, shown)},
            {u"cells"_s, cells},
            {u"packages"_s, packages}};
}

QString comparisonMarkdown(const Comparison &comparison, const ComparisonFilter &filter, const QStringList &isas)
{
    QStringList names;
    for (const QString &label : labels(comparison))
        names.append(inMarkdownCell(label));
    QString text = u"# %1\n\n%2\n\n"_s.arg(names.join(u" · "_s), inMarkdownCell(comparison.summary()));
    const QList<const ComparedCell *> cells = accepted(comparison, filter);
    for (const Sheet &sheet : sheetsOf(cells))
        text += sheetMarkdown(comparison, sheet, isas);
    QString differences;
    for (const DifferenceGroup &group :
         comparison.isOfCompanions() ? QList<DifferenceGroup>() : differenceGroups(cells))
        differences += groupMarkdown(comparison, group);
    if (!differences.isEmpty())
        text += u"## %1\n\n"_s.arg(Tr::tr("Differences")) + differences;
    while (text.endsWith("\n\n"_L1))
        text.chop(1);
    return text;
}

namespace {

/// ": fe5e41d -> 0182a36" for two sides; for more sides or long values, one line each.
QString valuesAsText(const Comparison &comparison, const FactDifference &fact, const ComparedCell &cell,
                     const QString &indentation)
{
    const auto shown = [](const QString &value) { return value.isEmpty() ? Tr::tr("not stated") : value.simplified(); };
    if (fact.values.size() == 2 && fact.values.constFirst().isEmpty() && fact.values.constLast().isEmpty())
        return {};
    if (!fact.values.value(0).isEmpty() && fact.values.count(fact.values.value(0)) == fact.values.size())
        return u": "_s + shown(fact.values.constFirst()); // what the difference is, like another order of lines
    const QString inLine = fact.values.size() == 2
                               ? u"%1 \u2192 %2"_s.arg(shown(fact.values.constFirst()), shown(fact.values.constLast()))
                               : QString();
    if (!inLine.isEmpty() && inLine.size() <= 110)
        return u": "_s + inLine;
    qsizetype width = 0;
    for (const ComparedSide &side : comparison.sides)
        width = std::max(width, side.label.size());
    QString text = u":"_s;
    for (qsizetype i = 0; i < fact.values.size(); ++i) {
        if (cell.entries.at(i))
            text += u"\n%1    %2  %3"_s.arg(indentation, comparison.sides.at(i).label.leftJustified(width),
                                            shown(fact.values.at(i)));
    }
    return text;
}

/// One line per cell; without `all`, only the first few of many and the number of the rest.
QString namesAsText(const QList<const ComparedCell *> &cells, bool all)
{
    constexpr qsizetype few = 3;
    QString text;
    const qsizetype shown = all || cells.size() <= few + 1 ? cells.size() : few;
    for (qsizetype i = 0; i < shown; ++i)
        text += u"      "_s + cells.at(i)->title() + u'\n';
    if (shown < cells.size())
        text += u"      %1\n"_s.arg(Tr::tr("and %n more", nullptr, int(cells.size() - shown)));
    return text;
}

QString groupAsText(const Comparison &comparison, const DifferenceGroup &group, bool all)
{
    const ComparedCell &cell = *group.cells.constFirst();
    QString text = Tr::tr("%1: %2", "cells, how they differ").arg(countOf(group.cells.size()), wordsOf(group));
    const QList<FactDifference> facts = group.sameBuild ? QList<FactDifference>() : group.facts;
    if (facts.size() == 1)
        text += valuesAsText(comparison, facts.constFirst(), cell, {});
    text += u'\n';
    if (facts.size() > 1) {
        for (const FactDifference &fact : facts)
            text += u"    %1%2\n"_s.arg(fact.label, valuesAsText(comparison, fact, cell, u"    "_s));
    }
    return text + namesAsText(group.cells, all);
}

} // namespace

QString comparisonAsText(const Comparison &comparison, const ComparisonFilter &filter, bool eachCell)
{
    const QList<const ComparedCell *> cells = accepted(comparison, filter);
    QString text;
    if (!comparison.isOfCompanions()) {
        for (const DifferenceGroup &group : differenceGroups(cells))
            text += groupAsText(comparison, group, eachCell);
    }
    for (const Likeness likeness : {Likeness::Identical, Likeness::Equal, Likeness::Alike}) {
        QList<const ComparedCell *> same;
        std::ranges::copy_if(cells, std::back_inserter(same),
                             [likeness](const ComparedCell *cell) { return cell->likeness == likeness; });
        if (!same.isEmpty() && !comparison.isOfCompanions())
            text += u"%1: %2\n"_s.arg(countOf(same.size()), likenessWord(likeness)) +
                    (eachCell ? namesAsText(same, true) : QString());
    }
    for (qsizetype i = 0; i < comparison.sides.size(); ++i) {
        QList<const ComparedCell *> lacking;
        std::ranges::copy_if(cells, std::back_inserter(lacking),
                             [i](const ComparedCell *cell) { return !cell->entries.at(i); });
        // What only one side has is missing on the others: with two sides each is reported once.
        if (!lacking.isEmpty())
            text += (comparison.isOfCompanions()
                         ? Tr::tr("%1 without %2 in %3:")
                               .arg(countOf(lacking.size()), comparison.families.at(i).join(u", "_s),
                                    comparison.sides.at(i).label)
                         : Tr::tr("%1 not in %2:").arg(countOf(lacking.size()), comparison.sides.at(i).label)) +
                    u'\n' + namesAsText(lacking, eachCell || comparison.isOfCompanions());
    }
    return text + comparison.summary() + u'\n';
}

} // namespace tmx
