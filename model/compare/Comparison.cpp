// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Comparison.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(tmx::Comparison)
};

bool isThere(const VariantEntry &entry)
{
    return entry.present && entry.fileStatus != FileStatus::Deleted;
}

/// The one value that all recipes of a side share in a part of their name; empty when there are several, or none.
template <class Part>
QString theOnly(const BranchSnapshot &snapshot, Part part)
{
    QString only;
    for (const VariantEntry &entry : snapshot.entries) {
        const QString value = part(entry.variant);
        if (!isThere(entry) || value.isEmpty())
            continue;
        if (!only.isEmpty() && only != value)
            return {};
        only = value;
    }
    return only;
}

template <class Part>
bool belongsToCell(const QList<ComparedSide> &sides, Part part)
{
    QSet<QString> values;
    for (const ComparedSide &side : sides) {
        const QString only = theOnly(*side.snapshot, part);
        if (only.isEmpty())
            return true;
        values.insert(only);
    }
    return values.size() < 2;
}

Variant keyOf(Variant variant, const CellMatch &match)
{
    if (!match.family)
        variant.family.clear();
    if (!match.python)
        variant.python.clear();
    if (!match.cuda)
        variant.cuda.clear();
    return variant;
}

/// What a recipe means: its facts without the lines that they stand on. Two of which nothing is known are not alike for
/// that.
bool sameFacts(const VariantEntry &a, const VariantEntry &b)
{
    if (!a.facts || !b.facts || a.facts->error || b.facts->error || a.text.isEmpty() || b.text.isEmpty())
        return false;
    const QList<Fact> left = a.facts->rows();
    const QList<Fact> right = b.facts->rows();
    return !left.isEmpty() && std::ranges::equal(left, right, [](const Fact &x, const Fact &y) {
        return x.id == y.id && x.value == y.value;
    });
}

/// A file that cannot be read (a link, a folder) says nothing, so it is like no other.
bool sameText(const VariantEntry &a, const VariantEntry &b)
{
    return !a.text.isEmpty() && a.text == b.text;
}

void judge(ComparedCell &cell)
{
    bool oneText = true;
    QList<const VariantEntry *> leaders; ///< of the groups
    const VariantEntry *first = nullptr;
    for (const VariantEntry *entry : std::as_const(cell.entries)) {
        if (!entry) {
            cell.groups.append(-1);
            continue;
        }
        if (!first)
            first = entry;
        oneText = oneText && (entry == first || sameText(*entry, *first));
        const auto leader = std::ranges::find_if(leaders, [entry](const VariantEntry *known) {
            return sameText(*known, *entry) || sameFacts(*known, *entry);
        });
        cell.groups.append(int(leader - leaders.begin()));
        if (leader == leaders.end())
            leaders.append(entry);
    }
    if (cell.held() == 1)
        cell.likeness = Likeness::Alone;
    else if (oneText)
        cell.likeness = Likeness::Identical;
    else
        cell.likeness = leaders.size() == 1 ? Likeness::SameFacts : Likeness::Differ;
}

} // namespace

QString toString(Likeness likeness)
{
    switch (likeness) {
    case Likeness::Identical: return u"identical"_s;
    case Likeness::SameFacts: return u"same-facts"_s;
    case Likeness::Differ: return u"differ"_s;
    case Likeness::Alone: return u"alone"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

int ComparedCell::held() const
{
    return int(std::ranges::count_if(entries, [](const VariantEntry *entry) { return entry != nullptr; }));
}

int ComparedCell::firstHolder() const
{
    return int(std::ranges::find_if(entries, [](const VariantEntry *entry) { return entry != nullptr; }) -
               entries.begin());
}

QString ComparedCell::title() const
{
    QString name;
    for (const VariantEntry *entry : entries) {
        if (!entry)
            continue;
        if (!name.isEmpty() && name != entry->variant.name()) {
            QStringList parts{variant.family, variant.python, variant.cuda, variant.row, variant.isa};
            parts.removeAll(QString());
            return parts.join(u' ');
        }
        name = entry->variant.name();
    }
    return name;
}

const ComparedCell *Comparison::find(const Variant &variant) const
{
    const auto it = std::ranges::find(cells, keyOf(variant, match), &ComparedCell::variant);
    return it == cells.end() ? nullptr : &*it;
}

CellMatch automaticMatch(const QList<ComparedSide> &sides)
{
    CellMatch match;
    match.family = belongsToCell(sides, [](const Variant &variant) { return variant.family; });
    match.python = belongsToCell(sides, [](const Variant &variant) { return variant.python; });
    match.cuda = belongsToCell(sides, [](const Variant &variant) { return variant.cuda; });
    return match;
}

Comparison compareSides(const QList<ComparedSide> &sides, const std::optional<CellMatch> &match)
{
    Comparison comparison{sides, match.value_or(automaticMatch(sides)), {}};
    std::map<Variant, QList<const VariantEntry *>> cells;
    for (qsizetype i = 0; i < sides.size(); ++i) {
        for (const VariantEntry &entry : sides.at(i).snapshot->entries) {
            if (!isThere(entry))
                continue;
            QList<const VariantEntry *> &entries = cells[keyOf(entry.variant, comparison.match)];
            entries.resize(sides.size(), nullptr);
            if (!entries.at(i)) // where a match leaves out what a side has several of, the first stands for them
                entries[i] = &entry;
        }
    }
    for (const auto &[variant, entries] : cells) {
        ComparedCell cell{variant, entries, {}, Likeness::Alone};
        judge(cell);
        comparison.cells.append(std::move(cell));
    }
    return comparison;
}

ComparisonTotals Comparison::totals() const
{
    ComparisonTotals totals;
    totals.only.resize(sides.size());
    totals.held.resize(sides.size());
    totals.cells = int(cells.size());
    for (const ComparedCell &cell : cells) {
        totals.everywhere += cell.isEverywhere();
        for (qsizetype i = 0; i < cell.entries.size(); ++i)
            totals.held[i] += cell.entries.at(i) != nullptr;
        switch (cell.likeness) {
        case Likeness::Identical: ++totals.identical; break;
        case Likeness::SameFacts: ++totals.sameFacts; break;
        case Likeness::Differ: ++totals.differ; break;
        case Likeness::Alone: ++totals.only[cell.firstHolder()]; break;
        }
    }
    return totals;
}

QString Comparison::summary() const
{
    const ComparisonTotals sum = totals();
    if (sum.cells == 0)
        return Words::tr("None of them holds a recipe.");
    QStringList parts;
    const int shared = sum.identical + sum.sameFacts + sum.differ;
    if (shared > 0) {
        QStringList kinds;
        if (sum.identical > 0)
            kinds.append(Words::tr("%1 identical").arg(sum.identical));
        if (sum.sameFacts > 0)
            kinds.append(Words::tr("%1 in other words").arg(sum.sameFacts));
        if (sum.differ > 0)
            kinds.append(Words::tr("%1 differ").arg(sum.differ));
        const QString list = kinds.join(u", "_s);
        if (sides.size() == 2)
            parts.append(Words::tr("%1 in both: %2.").arg(shared).arg(list));
        else if (sum.everywhere == shared)
            parts.append(Words::tr("%1 in all %2: %3.").arg(shared).arg(sides.size()).arg(list));
        else
            parts.append(Words::tr("%1 in all %2, %3 in some: %4.")
                             .arg(sum.everywhere)
                             .arg(sides.size())
                             .arg(shared - sum.everywhere)
                             .arg(list));
    }
    QStringList alone;
    for (qsizetype i = 0; i < sides.size(); ++i) {
        if (sum.only.at(i) > 0 && !match.family && sides.size() == 2)
            alone.append(Words::tr("%1 of %2 without a companion in %3")
                             .arg(QString::number(sum.only.at(i)), sides.at(i).label, sides.at(1 - i).label));
        else if (sum.only.at(i) > 0)
            alone.append(Words::tr("%1 only in %2").arg(sum.only.at(i)).arg(sides.at(i).label));
    }
    if (!alone.isEmpty())
        parts.append(alone.join(u", "_s) + u'.');
    return parts.join(u' ');
}

QList<FactDifference> factDifferences(const ComparedCell &cell)
{
    QList<FactDifference> facts;
    const qsizetype sides = cell.entries.size();
    for (qsizetype i = 0; i < sides; ++i) {
        const VariantEntry *entry = cell.entries.at(i);
        if (!entry || !entry->facts)
            continue;
        qsizetype at = 0; // a fact that is new stands behind the one that it follows here
        for (const Fact &fact : entry->facts->rows()) {
            const auto known = std::ranges::find(facts, fact.id, &FactDifference::id);
            if (known == facts.end()) {
                facts.insert(at, {fact.id, fact.label, QStringList(sides), false});
            } else {
                at = known - facts.begin();
            }
            facts[at].values[i] = fact.value;
            ++at;
        }
    }
    for (FactDifference &fact : facts) {
        std::optional<QString> first;
        for (qsizetype i = 0; i < sides; ++i) {
            if (!cell.entries.at(i))
                continue;
            fact.differs = fact.differs || (first && *first != fact.values.at(i));
            first = first.value_or(fact.values.at(i));
        }
    }
    return facts;
}

} // namespace tmx
