// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/CountedFacts.h"

#include "model/base/Parallel.h"
#include "model/base/Tr.h"

#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isName(const QString &id)
{
    return id == "pname"_L1 || id == "name"_L1;
}

/// The place among the facts that the versions above the grid name, too; 0: they do not.
int stated(const QString &id)
{
    return id == "pin"_L1 ? 2 : id == "toolkit"_L1 ? 1 : 0;
}

/// Revisions as Git shortens them, package sets as the version; empty if a side does not state a value, or if one is
/// long. Of more than two sides none becomes the next one, so they are listed.
QString shortValues(const QStringList &sides)
{
    static const QRegularExpression revision(u"^[0-9a-f]{40}$"_s);
    constexpr qsizetype longest = 24;
    QStringList values;
    for (const QString &side : sides) {
        constexpr QLatin1String packageSet("cudaPackages_");
        const QString value = revision.match(side).hasMatch() ? side.left(7)
                              : side.startsWith(packageSet)   ? side.sliced(packageSet.size()).replace(u'_', u'.')
                                                              : side;
        if (value.isEmpty() || value.size() > longest || value.contains(u'\n'))
            return {};
        values.append(value);
    }
    if (values.count(values.value(0)) == values.size()) // what the difference is, like another order of lines
        return values.value(0);
    return values.join(values.size() > 2 ? u" \u00b7 "_s : u" \u2192 "_s);
}

} // namespace

CountedFacts::CountedFacts(std::shared_ptr<const Comparison> comparison)
    : m_comparison(std::move(comparison))
{
    if (m_comparison->isOfCompanions())
        return;
    // Parses the recipes of each cell, the slowest part of a comparison.
    const QList<ComparedCell> &cells = m_comparison->cells;
    std::vector<std::shared_ptr<const QList<FactDifference>>> own(size_t(cells.size()));
    inParallel(cells.size(), [&](qsizetype i) {
        const ComparedCell &cell = cells.at(i);
        if (cell.likeness != Likeness::SameBuild && cell.likeness != Likeness::Different)
            return;
        QList<FactDifference> facts = factDifferences(cell);
        // Recipes that cannot be read may differ in unknown ways: they stay different.
        if (cell.likeness == Likeness::Different &&
            std::ranges::none_of(facts, [](const FactDifference &fact) { return fact.differs && fact.builds; }))
            return;
        own[size_t(i)] = std::make_shared<const QList<FactDifference>>(ownDifferences(cell, std::move(facts)));
    });
    QHash<QString, QHash<QStringList, int>> values; ///< number of cells by fact and values
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (!own[size_t(i)])
            continue;
        m_cells.append({i, own[size_t(i)]});
        for (const FactDifference &fact : *own[size_t(i)]) {
            auto known = std::ranges::find(m_facts, fact.id, &FactCount::id);
            if (known == m_facts.end()) {
                m_facts.append({fact.id, fact.label});
                known = m_facts.end() - 1;
            }
            ++known->cells;
            known->builds = known->builds || fact.builds;
            ++values[fact.id][fact.values];
        }
    }
    for (FactCount &fact : m_facts) {
        for (const auto &[sides, count] : values[fact.id].asKeyValueRange()) {
            if (2 * count <= fact.cells)
                continue;
            fact.alike = count;
            fact.values = shortValues(sides);
        }
    }
    for (FactCount &fact : m_facts)
        fact.counts = fact.builds && !isName(fact.id);
    // What the versions name comes first, so that a reader finds it again.
    const auto statedInMost = [this](const FactCount &fact) {
        return 2 * fact.cells > m_cells.size() ? stated(fact.id) : 0;
    };
    std::ranges::stable_sort(m_facts, [&](const FactCount &a, const FactCount &b) {
        return std::tuple(a.counts, statedInMost(a), a.cells) > std::tuple(b.counts, statedInMost(b), b.cells);
    });
}

QList<FactCount> CountedFacts::facts(const Choices &choices) const
{
    QList<FactCount> facts = m_facts;
    for (FactCount &fact : facts)
        fact.counts = choices.value(fact.id, fact.counts);
    return facts;
}

bool CountedFacts::counts(const FactDifference &fact, const Choices &choices) const
{
    const auto known = std::ranges::find(m_facts, fact.id, &FactCount::id);
    if (known == m_facts.end())
        return fact.differs && fact.builds && !isName(fact.id);
    // If a fact affects the build in some cells only, a difference without effect in this cell does not count.
    return choices.value(fact.id, known->counts) && (fact.builds || !known->builds);
}

std::shared_ptr<const Comparison> CountedFacts::counted(const Choices &choices) const
{
    auto counted = std::make_shared<Comparison>(*m_comparison);
    QHash<qsizetype, QList<FactDifference>> different; ///< what counts, by index of a different cell
    for (const Cell &cell : m_cells) {
        counted->cells[cell.place].differences = cell.differences;
        QList<FactDifference> counting = *cell.differences;
        counting.removeIf([&](const FactDifference &fact) { return !counts(fact, choices); });
        judge(counted->cells[cell.place], counting);
        if (counted->cells.at(cell.place).likeness == Likeness::Different)
            different.insert(cell.place, counting);
    }
    findExceptions(counted->cells, different);
    return counted;
}

/// Tells cells with the change that most have from those with another one.
void CountedFacts::findExceptions(QList<ComparedCell> &cells, const QHash<qsizetype, QList<FactDifference>> &counting)
{
    const auto changeOf = [](const FactDifference &fact) { return fact.id + u'\n' + fact.values.join(u'\n'); };
    const auto isTold = [&](const ComparedCell &cell, const FactDifference &fact) {
        QSet<QString> values;
        for (qsizetype i = 0; i < cell.entries.size(); ++i) {
            if (cell.entries.at(i))
                values.insert(fact.values.at(i));
        }
        return values.size() > 1; // else they differ in a long text that has no value here
    };
    QHash<QStringList, int> numbers;
    QHash<qsizetype, QStringList> changes;
    for (const auto &[place, facts] : counting.asKeyValueRange()) {
        if (!std::ranges::all_of(facts, [&](const FactDifference &fact) { return isTold(cells.at(place), fact); }))
            continue;
        std::ranges::transform(facts, std::back_inserter(changes[place]), changeOf);
        ++numbers[changes.value(place)];
    }
    const auto most = std::ranges::find_if(numbers.keyValueBegin(), numbers.keyValueEnd(),
                                           [&](const auto &one) { return 2 * one.second > counting.size(); });
    if (most == numbers.keyValueEnd() || counting.size() < 2)
        return;
    for (const auto &[place, facts] : counting.asKeyValueRange()) {
        ComparedCell &cell = cells[place];
        cell.asMost = changes.value(place) == most->first;
        for (const FactDifference &fact : facts) {
            if (!cell.asMost && !most->first.contains(changeOf(fact)))
                cell.unlike.append(fact.label);
        }
    }
}

/// Puts sides that state the same values for all counting facts in one group.
void CountedFacts::judge(ComparedCell &cell, const QList<FactDifference> &counting) const
{
    const QList<int> before = cell.groups;
    QList<QStringList> stated; ///< by group
    for (qsizetype i = 0; i < cell.entries.size(); ++i) {
        if (!cell.entries.at(i))
            continue;
        QStringList states;
        for (const FactDifference &fact : counting) {
            const QString &value = fact.values.at(i);
            const qsizetype leader = before.indexOf(before.at(i)); // It has the same build, whatever it states.
            bool told = false;
            for (qsizetype j = 0; j < cell.entries.size(); ++j)
                told = told || (cell.entries.at(j) && fact.values.at(j) != value);
            if (!told) // They differ in a long text, or cannot be read.
                states.append(QString::number(fact.builds ? leader : i));
            else
                states.append(fact.builds ? fact.values.at(leader) : value);
        }
        if (!stated.contains(states))
            stated.append(states);
        cell.groups[i] = int(stated.indexOf(states));
    }
    if (stated.size() > 1)
        cell.likeness = Likeness::Different;
    else if (cell.likeness == Likeness::Different)
        cell.likeness = Likeness::Alike;
}

QString factsAsText(const QList<FactCount> &facts)
{
    QStringList counted;
    QStringList others;
    for (const FactCount &fact : facts)
        (fact.counts ? counted : others).append(Tr::tr("%1 %2", "fact, cells").arg(fact.label).arg(fact.cells));
    QStringList sentences;
    if (!counted.isEmpty())
        sentences.append(Tr::tr("What differs, in how many cells: %1.").arg(counted.join(u", "_s)));
    if (!others.isEmpty())
        sentences.append(Tr::tr("Not counted: %1.").arg(others.join(u", "_s)));
    // All but the texts in meta are in the derivation.
    if (std::ranges::any_of(facts, [](const FactCount &fact) {
            return !fact.counts && !fact.builds && fact.id.startsWith("environment."_L1);
        }))
        sentences.append(Tr::tr("Where only these differ, Nix builds again, with the same result."));
    return sentences.join(u' ');
}

QStringList changeForms(const QList<FactCount> &facts, int different)
{
    constexpr qsizetype few = 3;
    QStringList whole, counted, named;
    for (const FactCount &fact : facts) {
        if (!fact.counts)
            continue;
        const auto inCells = [different](const QString &text, int cells) {
            return different < 2        ? text
                   : cells == different ? Tr::tr("%1 in all %2", "fact, count of cells").arg(text).arg(cells)
                                        : Tr::tr("%1 in %2", "fact, count of cells").arg(text).arg(cells);
        };
        whole.append(fact.values.isEmpty()
                         ? inCells(fact.label, fact.cells)
                         : inCells(Tr::tr("%1 %2", "fact, its values").arg(fact.label, fact.values), fact.alike));
        counted.append(inCells(fact.label, fact.cells));
        named.append(fact.label);
    }
    QStringList forms;
    for (QStringList texts : {whole, counted, named}) {
        if (texts.size() > few)
            texts = texts.first(few) << Tr::tr("and others", "facts that differ"); // The chips count them all.
        if (const QString form = texts.join(u", "_s); !form.isEmpty() && !forms.contains(form))
            forms.append(form);
    }
    return forms;
}

QJsonArray factsJson(const QList<FactCount> &facts)
{
    QJsonArray json;
    for (const FactCount &fact : facts)
        json.append(QJsonObject{{u"fact"_s, fact.id},
                                {u"label"_s, fact.label},
                                {u"cells"_s, fact.cells},
                                {u"builds"_s, fact.builds},
                                {u"counts"_s, fact.counts}});
    return json;
}

} // namespace tmx
