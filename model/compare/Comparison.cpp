// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Comparison.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Tr.h"
#include "model/catalog/GroupedVariants.h"
#include "model/snapshot/PinUses.h"

#include <QSet>

#include <algorithm>
#include <map>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isThere(const VariantEntry &entry)
{
    return entry.present && entry.fileStatus != FileStatus::Deleted;
}

bool isCompared(const VariantEntry &entry, const QStringList &families)
{
    return isThere(entry) && !(entry.unread && entry.text.isEmpty()) &&
           (families.isEmpty() || families.contains(entry.variant.family));
}

Likeness likenessOf(Sameness sameness)
{
    switch (sameness) {
    case Sameness::Identical: return Likeness::Identical;
    case Sameness::Equal: return Likeness::Equal;
    case Sameness::SameBuild: return Likeness::SameBuild;
    case Sameness::Different: return Likeness::Different;
    }
    Q_UNREACHABLE_RETURN({});
}

/// The packages of all sides that are no variants.
QList<ComparedPackage> comparedPackages(const QList<ComparedSide> &sides)
{
    QMap<QString, QList<const VariantEntry *>> there;
    for (const ComparedSide &side : sides) {
        for (auto it = side.snapshot->packages.cbegin(); it != side.snapshot->packages.cend(); ++it) {
            if (isCompared(*it, {}))
                there[it.key()].append(&*it);
        }
    }
    QList<ComparedPackage> packages;
    for (const auto &[name, entries] : there.asKeyValueRange()) {
        ComparedPackage package{name, entries.size() < sides.size() ? Likeness::Alone : Likeness::Identical};
        for (const VariantEntry *entry : entries.sliced(1)) {
            if (package.likeness != Likeness::Alone)
                package.likeness =
                    std::max(package.likeness, likenessOf(samenessOf(entries.constFirst()->text,
                                                                     readMeaning(entries.constFirst()->source()),
                                                                     entry->text, readMeaning(entry->source()))));
        }
        packages.append(package);
    }
    return packages;
}

/// "2 packages that are no variants differ: hello, world."
QStringList packageSentences(const QList<ComparedPackage> &packages)
{
    QStringList different;
    QStringList alone;
    for (const ComparedPackage &package : packages) {
        if (package.likeness == Likeness::Different)
            different.append(package.name);
        else if (package.likeness == Likeness::Alone)
            alone.append(package.name);
    }
    QStringList sentences;
    if (!different.isEmpty())
        sentences.append(Tr::tr("%n packages that are no variants differ: %1.", nullptr, int(different.size()))
                             .arg(shortList(different)));
    if (!alone.isEmpty())
        sentences.append(
            Tr::tr("%n packages that are no variants are not on every side: %1.", nullptr, int(alone.size()))
                .arg(shortList(alone)));
    return sentences;
}

/// The value of a part of the name that all recipes of a side share; empty if there are several, or no recipes.
template <class Part>
QString theOnly(const BranchSnapshot &snapshot, const QStringList &families, Part part)
{
    QString only;
    for (const VariantEntry &entry : snapshot.entries) {
        const QString value = part(entry.variant);
        if (!isCompared(entry, families) || value.isEmpty())
            continue;
        if (!only.isEmpty() && only != value)
            return {};
        only = value;
    }
    return only;
}

template <class Part>
bool belongsToCell(const QList<ComparedSide> &sides, const QList<QStringList> &families, Part part)
{
    QSet<QString> values;
    for (qsizetype i = 0; i < sides.size(); ++i) {
        const QString only = theOnly(*sides.at(i).snapshot, families.at(i), part);
        if (only.isEmpty())
            return true;
        values.insert(only);
    }
    return values.size() < 2;
}

/// Whether every side has recipes that state a part of the name.
bool statedEverywhere(const QList<ComparedSide> &sides, const QList<QStringList> &families, QString Variant::*part)
{
    for (qsizetype i = 0; i < sides.size(); ++i) {
        if (std::ranges::none_of(sides.at(i).snapshot->entries, [&](const VariantEntry &entry) {
                return isCompared(entry, families.at(i)) && !(entry.variant.*part).isEmpty();
            }))
            return false;
    }
    return true;
}

/// Of two sides, the one with recipes of PyTorch, if the other has none; else -1.
int torchSide(const QList<ComparedSide> &sides, const QList<QStringList> &families)
{
    const auto isTorch = [](const QStringList &list) {
        return !list.isEmpty() && std::ranges::all_of(list, [](const QString &family) {
            return FamilyName::of(family).word == "pytorch"_L1;
        });
    };
    if (sides.size() != 2 || families.constFirst().isEmpty() || families.constLast().isEmpty() ||
        isTorch(families.constFirst()) == isTorch(families.constLast()))
        return -1;
    return isTorch(families.constFirst()) ? 0 : 1;
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

Sameness sameness(const VariantEntry &a, const VariantEntry &b)
{
    static const Meaning unknown;
    return samenessOf(a.text, a.meaning ? *a.meaning : unknown, b.text, b.meaning ? *b.meaning : unknown);
}

void judge(ComparedCell &cell)
{
    cell.likeness = Likeness::Identical;
    QList<const VariantEntry *> leaders; ///< one entry of each group
    for (const VariantEntry *entry : std::as_const(cell.entries)) {
        if (!entry) {
            cell.groups.append(-1);
            continue;
        }
        qsizetype group = 0;
        for (; group < leaders.size(); ++group) {
            const Sameness same = sameness(*leaders.at(group), *entry);
            cell.likeness = std::max(cell.likeness, likenessOf(same));
            if (same != Sameness::Different)
                break;
        }
        cell.groups.append(int(group));
        if (group == leaders.size())
            leaders.append(entry);
    }
    if (cell.held() == 1)
        cell.likeness = Likeness::Alone;
}

/// Number of recipes of each family on a side.
QMap<QString, int> familiesOf(const BranchSnapshot &snapshot)
{
    QMap<QString, int> families;
    for (const VariantEntry &entry : snapshot.entries) {
        if (isThere(entry))
            ++families[entry.variant.family];
    }
    return families;
}

QString mostly(const QMap<QString, int> &families)
{
    const auto most = std::ranges::max_element(families);
    return most == families.end() ? QString() : most.key();
}

/// The families to compare, by side; empty lists: all.
QList<QStringList> comparedFamilies(const QList<ComparedSide> &sides)
{
    QList<QStringList> compared(sides.size());
    if (std::ranges::all_of(sides, [&sides](const ComparedSide &side) {
            return side.snapshot->repository == sides.constFirst().snapshot->repository;
        }))
        return compared;
    QList<QMap<QString, int>> families;
    for (const ComparedSide &side : sides)
        families.append(familiesOf(*side.snapshot));
    const auto everywhere = [&families](const QString &family) {
        return std::ranges::all_of(families, [&family](const auto &one) { return one.contains(family); });
    };
    const bool alike = std::ranges::all_of(families, [&](const auto &one) { return everywhere(mostly(one)); });
    for (qsizetype i = 0; i < sides.size(); ++i) {
        for (const QString &family : families.at(i).keys()) {
            if (alike ? everywhere(family) : FamilyName::of(family).word == FamilyName::of(mostly(families.at(i))).word)
                compared[i].append(family);
        }
    }
    return compared;
}

/// `value` with placeholders for the name of the recipe's variant, and for that of another family's variant.
QString generalised(QString value, const VariantEntry *entry)
{
    if (!entry)
        return value;
    const QString name = entry->variant.name();
    value.replace(name, u"\u2039name\u203a"_s);
    return value.replace(name.sliced(entry->variant.family.size() + 1), u"\u2039variant\u203a"_s);
}

bool isSame(const FactDifference &fact, const ComparedCell &cell)
{
    QSet<QString> values;
    for (qsizetype i = 0; i < fact.values.size(); ++i) {
        if (cell.entries.at(i))
            values.insert(fact.values.at(i));
    }
    return values.size() < 2;
}

/// Of values that are lists of options ("-mavx2 -DUSE=1"), replaces those that all sides have by "…": the same change
/// of a list is the same difference in all cells, whatever else their lists have.
void leaveOutShared(FactDifference &fact, const ComparedCell &cell)
{
    std::optional<QSet<QString>> shared;
    for (qsizetype i = 0; i < fact.values.size(); ++i) {
        const QStringList words = fact.values.at(i).split(u' ', Qt::SkipEmptyParts);
        if (!cell.entries.at(i))
            continue;
        if (words.isEmpty() || !std::ranges::all_of(words, [](const QString &word) { return word.startsWith(u'-'); }))
            return;
        const QSet<QString> own(words.begin(), words.end());
        shared = shared ? *shared & own : own;
    }
    if (!shared || shared->isEmpty())
        return;
    FactDifference shorter = fact;
    for (QString &value : shorter.values) {
        QStringList words = value.split(u' ', Qt::SkipEmptyParts);
        if (words.isEmpty())
            continue;
        words.removeIf([&shared](const QString &word) { return shared->contains(word); });
        value = (words << u"\u2026"_s).join(u' ');
    }
    if (!isSame(shorter, cell)) // else they differ in the order alone
        fact = shorter;
}

/// The torches of the recipes on all sides, with the versions that they show nixpkgs revisions to have.
QHash<const VariantEntry *, StatedTorch> statedTorches(const Comparison &comparison, VersionsOfPins versions)
{
    QHash<const VariantEntry *, StatedTorch> torches;
    for (const ComparedSide &side : comparison.sides) {
        for (const VariantEntry &entry : side.snapshot->entries) {
            if (!isThere(entry))
                continue;
            const StatedTorch torch = statedTorch(*side.snapshot, entry);
            versions.add(torch);
            torches.insert(&entry, torch);
        }
    }
    for (StatedTorch &torch : torches) {
        if (const QString version = versions.lackedBy(torch); !version.isEmpty())
            torch.version = version;
    }
    return torches;
}

/// The cells of a package's variants, each with its torch: the recipe of the side `torch` that fits best.
void pairCompanions(Comparison &comparison, int torch, const QHash<const VariantEntry *, StatedTorch> &stated)
{
    const int own = 1 - torch;
    const bool many = comparison.families.at(own).size() > 1 || comparison.families.at(torch).size() > 1;
    const auto cellWith = [&](const VariantEntry *package, const VariantEntry *its) {
        const Variant &variant = (package ? package : its)->variant;
        ComparedCell cell{many ? variant : keyOf(variant, comparison.match), {nullptr, nullptr}, {}, Likeness::Alone};
        cell.entries[own] = package;
        cell.entries[torch] = its;
        judge(cell);
        comparison.cells.append(std::move(cell));
    };
    struct Torch {
        const VariantEntry *entry;
        StatedTorch stated;
    };
    std::map<Variant, QList<Torch>> torches;
    const BranchSnapshot &torchSnapshot = *comparison.sides.at(torch).snapshot;
    for (const VariantEntry &entry : torchSnapshot.entries) {
        if (isCompared(entry, comparison.families.at(torch)))
            torches[keyOf(entry.variant, comparison.match)].append({&entry, stated.value(&entry)});
    }
    QSet<const VariantEntry *> used;
    const BranchSnapshot &snapshot = *comparison.sides.at(own).snapshot;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!isCompared(entry, comparison.families.at(own)))
            continue;
        const VariantEntry *best = nullptr;
        bool samePin = false;
        bool otherPin = false;
        bool unknown = false;
        const StatedTorch needed = stated.value(&entry);
        const auto there = torches.find(keyOf(entry.variant, comparison.match));
        for (const Torch &one : there == torches.end() ? QList<Torch>() : there->second) {
            const TorchFit fit = fitOf(needed, one.stated);
            unknown |= fit == TorchFit::Unknown;
            if (isCompanion(fit) && (!best || (fit == TorchFit::Same && !samePin))) {
                best = one.entry;
                samePin = fit == TorchFit::Same;
                otherPin = !samePin && !needed.pin.isEmpty() && !one.stated.pin.isEmpty();
            }
        }
        used.insert(best);
        comparison.otherPins += otherPin;
        comparison.unknownFits[own] += !best && unknown;
        cellWith(&entry, best);
    }
    for (const auto &[key, list] : torches) {
        for (const Torch &one : list) {
            if (!used.contains(one.entry))
                cellWith(nullptr, one.entry);
        }
    }
    std::ranges::stable_sort(comparison.cells, {}, &ComparedCell::variant);
}

} // namespace

QString toString(Likeness likeness)
{
    switch (likeness) {
    case Likeness::Identical: return u"identical"_s;
    case Likeness::Equal: return u"equal"_s;
    case Likeness::SameBuild: return u"same-build"_s;
    case Likeness::Alike: return u"alike"_s;
    case Likeness::Different: return u"different"_s;
    case Likeness::Alone: return u"alone"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QString likenessWord(Likeness likeness)
{
    switch (likeness) {
    case Likeness::Identical: return Tr::tr("identical");
    case Likeness::Equal: return Tr::tr("equal");
    case Likeness::SameBuild: return Tr::tr("same build");
    case Likeness::Alike: return Tr::tr("alike");
    case Likeness::Different: return Tr::tr("different");
    case Likeness::Alone: return Tr::tr("only one");
    }
    Q_UNREACHABLE_RETURN({});
}

int ComparedCell::held() const
{
    return int(std::ranges::count_if(entries, [](const VariantEntry *entry) { return entry != nullptr; }));
}

QList<int> oddSides(const QList<int> &groups)
{
    const qsizetype held = groups.size() - groups.count(-1);
    const auto isOfMost = [&](int group) { return 2 * groups.count(group) > held; };
    if (std::ranges::none_of(groups, [&](int group) { return group >= 0 && isOfMost(group); }))
        return {};
    QList<int> odd;
    for (int side = 0; side < groups.size(); ++side) {
        if (groups.at(side) >= 0 && !isOfMost(groups.at(side)))
            odd.append(side);
    }
    return odd;
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
            QStringList parts{variant.family, variant.python, variant.cuda, variant.row, variant.isa, variant.rest};
            parts.removeAll(QString());
            return parts.join(u' ');
        }
        name = entry->variant.name();
    }
    return name;
}

const ComparedCell *Comparison::find(const Variant &variant) const
{
    auto it = std::ranges::find(cells, keyOf(variant, match), &ComparedCell::variant);
    if (it == cells.end()) // of several families of a side
        it = std::ranges::find(cells, variant, &ComparedCell::variant);
    return it == cells.end() ? nullptr : &*it;
}

CellMatch automaticMatch(const QList<ComparedSide> &sides)
{
    const QList<QStringList> families = comparedFamilies(sides);
    CellMatch match;
    match.family = belongsToCell(sides, families, [](const Variant &variant) { return variant.family; });
    match.python = belongsToCell(sides, families, [](const Variant &variant) { return variant.python; });
    match.cuda = belongsToCell(sides, families, [](const Variant &variant) { return variant.cuda; });
    if (torchSide(sides, families) >= 0) { // A package runs with the torch of its own Python and toolkit only.
        match.family = false;
        match.python = statedEverywhere(sides, families, &Variant::python);
        match.cuda = statedEverywhere(sides, families, &Variant::cuda);
    }
    return match;
}

namespace {

/// The versions of the compared recipes of a side, by the family's word, as in the overview.
QMap<QString, QStringList> versionsOn(const ComparedSide &side, const QStringList &families,
                                      const QHash<const VariantEntry *, StatedTorch> &torches)
{
    QMap<QString, QStringList> versions;
    for (const VariantEntry &entry : side.snapshot->entries) {
        if (!isCompared(entry, families))
            continue;
        const FamilyName family = FamilyName::of(entry.variant.family);
        const bool isRead = entry.facts && !entry.facts->error;
        const QString own = isRead ? ownVersion(*side.snapshot, entry) : QString();
        const StatedTorch torch = torches.value(&entry);
        QStringList &known = versions[family.word];
        if (const QString version = !own.isEmpty()  ? own
                                    : torch.isTorch ? torch.version
                                                    : family.version;
            !version.isEmpty() && !known.contains(version))
            known.append(version);
    }
    for (QStringList &known : versions)
        known.sort();
    return versions;
}

void addVersions(Comparison &comparison, const QHash<const VariantEntry *, StatedTorch> &torches)
{
    const QList<ComparedSide> &sides = comparison.sides;
    QList<QMap<QString, QStringList>> bySide;
    QMap<QString, QStringList> texts; // by family, for each side
    for (qsizetype i = 0; i < sides.size(); ++i) {
        bySide.append(versionsOn(sides.at(i), comparison.families.at(i), torches));
        for (const auto &[family, known] : bySide.constLast().asKeyValueRange()) {
            texts[family].resize(sides.size());
            texts[family][i] = known.isEmpty() ? family : family + u' ' + shortVersions(known);
        }
    }
    comparison.sideVersions.resize(sides.size());
    for (const QStringList &family : std::as_const(texts)) {
        for (qsizetype i = 0; i < sides.size(); ++i)
            comparison.sideVersions[i].append(family.at(i));
    }
    for (const auto &[family, known] : bySide.constFirst().asKeyValueRange()) {
        QStringList versions;
        for (const QMap<QString, QStringList> &side : std::as_const(bySide))
            versions.append(side.value(family).size() == 1 ? side.value(family).constFirst() : QString());
        const QSet<QString> distinct(versions.cbegin(), versions.cend());
        if (distinct.size() > 1 && !distinct.contains(QString()))
            comparison.versions.append(family + u' ' + versions.join(u" \u2192 "_s));
    }
}

} // namespace

Comparison compareSides(const QList<ComparedSide> &sides, const std::optional<CellMatch> &match,
                        const VersionsOfPins &known)
{
    Comparison comparison{sides, match.value_or(automaticMatch(sides)), {}, comparedFamilies(sides)};
    for (qsizetype i = 0; i < sides.size() && !comparison.match.family; ++i) {
        if (comparison.families.at(i).isEmpty())
            comparison.families[i] = familiesOf(*sides.at(i).snapshot).keys();
    }
    const QHash<const VariantEntry *, StatedTorch> torches = statedTorches(comparison, known);
    addVersions(comparison, torches);
    if (const int torch = torchSide(sides, comparison.families); torch >= 0 && !comparison.match.family) {
        pairCompanions(comparison, torch, torches);
        return comparison;
    }
    std::map<Variant, QList<const VariantEntry *>> cells;
    for (qsizetype i = 0; i < sides.size(); ++i) {
        for (const VariantEntry &entry : sides.at(i).snapshot->entries) {
            if (!isCompared(entry, comparison.families.at(i)))
                continue;
            QList<const VariantEntry *> &entries = cells[keyOf(entry.variant, comparison.match)];
            entries.resize(sides.size(), nullptr);
            if (!entries.at(i)) // of several recipes of a side for the cell, use the first
                entries[i] = &entry;
        }
    }
    const QString &repository = sides.constFirst().snapshot->repository;
    if (std::ranges::all_of(sides, [&](const ComparedSide &one) { return one.snapshot->repository == repository; }))
        comparison.packages = comparedPackages(sides);
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
        case Likeness::Equal: ++totals.equal; break;
        case Likeness::SameBuild: ++totals.sameBuild; break;
        case Likeness::Alike: ++totals.alike; break;
        case Likeness::Different: ++totals.different; break;
        case Likeness::Alone: ++totals.only[cell.firstHolder()]; break;
        }
    }
    return totals;
}

namespace {

constexpr qsizetype wordy = 80; ///< letters of the cells that a side alone has or lacks

/// The cells that only this side has, and those that it has with others.
std::pair<QList<Variant>, QList<Variant>> onlyIn(const QList<ComparedCell> &cells, qsizetype side)
{
    QList<Variant> only, others;
    for (const ComparedCell &cell : cells)
        (cell.held() == 1 && cell.entries.at(side) ? only : others).append(cell.variant);
    return {only, others};
}

/// Of two sides, one of which has the companions of the other.
QString summaryOfCompanions(const Comparison &comparison, const ComparisonTotals &sum, int shared)
{
    const auto word = [&](qsizetype side) { // "torchvision" of torchvision025 and torchvision026
        QStringList words;
        for (const QString &family : comparison.families.at(side))
            words.append(comparison.families.at(side).size() > 1 ? FamilyName::of(family).word : family);
        words.removeDuplicates();
        return words.join(u", "_s);
    };
    const auto &unknownFits = comparison.unknownFits;
    QStringList parts{Tr::tr("%1 of %n %2 variants have their %3.", nullptr, int(sum.held.at(0)))
                          .arg(QString::number(shared), word(0), word(1))};
    if (comparison.otherPins > 0)
        parts.append(Tr::tr("%n of them have another nixpkgs revision.", nullptr, comparison.otherPins));
    if (const int unknown = unknownFits.at(0) + unknownFits.at(1); unknown > 0)
        parts.append(Tr::tr("Of %n, it is not known which torch version they need or get.", nullptr, unknown));
    if (const int none = sum.only.at(1) - unknownFits.at(1); none > 0)
        parts.append(Tr::tr("%n %1 variants have no %2.", nullptr, none).arg(word(1), word(0)));
    QList<Variant> variants[2];
    for (const ComparedCell &cell : comparison.cells) {
        for (const qsizetype side : {0, 1}) {
            if (cell.entries.at(side))
                variants[side].append(cell.entries.at(side)->variant);
        }
    }
    if (const QStringList apart = partsApart(variants[0], variants[1]); !apart.isEmpty())
        parts.append(withFullStop(
            Tr::tr("%1 has %2", "branch, what differs").arg(comparison.sides.at(1).label, apart.join(u", "_s))));
    return joinedSentences(parts);
}

/// The cells that others share and this side lacks, and those that it has.
std::pair<QList<Variant>, QList<Variant>> lackingIn(const QList<ComparedCell> &cells, qsizetype side)
{
    QList<Variant> lacking, there;
    for (const ComparedCell &cell : cells) {
        if (cell.entries.at(side))
            there.append(cell.variant);
        else if (cell.held() > 1)
            lacking.append(cell.variant);
    }
    return {lacking, there};
}

/// What a side has alone and what it alone lacks, a sentence each; of many sides a sentence for all.
QStringList aloneAndLacking(const Comparison &comparison, const ComparisonTotals &sum)
{
    constexpr qsizetype few = 3;
    QStringList alone, lacks;
    for (qsizetype i = 0; i < comparison.sides.size(); ++i) {
        const QString &label = comparison.sides.at(i).label;
        if (sum.only.at(i) > 0) {
            const QString only = Tr::tr("%1 only in %2").arg(sum.only.at(i)).arg(label);
            const auto [cells, others] = onlyIn(comparison.cells, i);
            alone.append(Tr::tr("%1: %2", "count, where").arg(only, groupedText(cells, others, wordy)));
        }
        const auto [lacking, there] = lackingIn(comparison.cells, i);
        if (!lacking.isEmpty() && comparison.sides.size() <= few)
            lacks.append(Tr::tr("%1 lacks %2: %3", "branch, count, recipes")
                             .arg(label, QString::number(lacking.size()), groupedText(lacking, there, wordy)));
    }
    if (comparison.sides.size() > few && !alone.isEmpty())
        alone = {alone.join(u"; "_s)};
    QStringList sentences;
    for (const QString &text : alone + lacks)
        sentences.append(withFullStop(text));
    return sentences;
}

/// How many cells the sides share, and how. `changes`: what differs in them.
QStringList sharedCells(const Comparison &comparison, const ComparisonTotals &sum, const QStringList &changes)
{
    const int shared = sum.identical + sum.equal + sum.sameBuild + sum.alike + sum.different;
    const qsizetype sides = comparison.sides.size();
    if (comparison.isOfCompanions() && sides == 2)
        return {summaryOfCompanions(comparison, sum, shared)};
    if (shared == 0)
        return {};
    QStringList kinds;
    if (sum.identical > 0)
        kinds.append(Tr::tr("%1 identical").arg(sum.identical));
    if (sum.equal > 0)
        kinds.append(Tr::tr("%1 equal").arg(sum.equal));
    if (sum.sameBuild > 0)
        kinds.append(Tr::tr("%1 with the same build").arg(sum.sameBuild));
    if (sum.alike > 0)
        kinds.append(Tr::tr("%1 alike but for what is ignored").arg(sum.alike));
    if (sum.different > 0)
        kinds.append(Tr::tr("%1 different").arg(sum.different));
    const QString list = changes.isEmpty()
                             ? kinds.join(u", "_s)
                             : Tr::tr("%1: %2", "kinds, change").arg(kinds.join(u", "_s), changes.join(u", "_s));
    if (sides == 2)
        return {Tr::tr("%n cells in both: %1.", nullptr, shared).arg(list)};
    if (sum.everywhere == shared)
        return {Tr::tr("%n cells in all %1: %2.", nullptr, shared).arg(sides).arg(list)};
    return {Tr::tr("%n cells, %1 of them in all %2: %3.", nullptr, shared).arg(sum.everywhere).arg(sides).arg(list)};
}

} // namespace

QString Comparison::summary() const
{
    return joinedSentences(sentences());
}

QStringList Comparison::sentences() const
{
    const ComparisonTotals sum = totals();
    if (sum.cells == 0)
        return QStringList{Tr::tr("None of them has a variant.")} + packageSentences(packages);
    if (isOfCompanions() && sides.size() == 2)
        return sharedCells(*this, sum, {});
    return sharedCells(*this, sum, versions) + aloneAndLacking(*this, sum) + packageSentences(packages);
}

bool ComparedPart::differs() const
{
    return std::ranges::any_of(values, [this](const QString &value) { return value != values.constFirst(); });
}

bool ComparedPart::standsOut(qsizetype side) const
{
    return differs() && 2 * values.count(values.at(side)) <= values.size();
}

namespace {

/// What the sides build: versions by family, Python, CUDA, nixpkgs.
QList<ComparedPart> builtParts(const Comparison &comparison)
{
    QList<ComparedPart> parts;
    QList<QStringList> others(comparison.sides.size()); // of families that not all have
    for (qsizetype family = 0; family < comparison.sideVersions.value(0).size(); ++family) {
        ComparedPart part;
        for (const QStringList &side : comparison.sideVersions)
            part.values.append(side.at(family)); // "pytorch 2.8.0"
        if (part.values.contains(QString())) {
            for (qsizetype i = 0; i < others.size(); ++i)
                others[i].append(part.values.at(i));
            continue;
        }
        part.label = part.values.constFirst().section(u' ', 0, 0);
        for (QString &value : part.values)
            value = value.section(u' ', 1);
        parts.append(part);
    }
    ComparedPart other{parts.isEmpty() ? Tr::tr("builds", "packages") : Tr::tr("other packages"), {}};
    for (QStringList &side : others) {
        side.removeAll(QString());
        other.values.append(side.isEmpty() ? u"\u2013"_s : side.join(u", "_s)); // none, which is known
    }
    if (other.differs())
        parts.append(other);
    ComparedPart python{Tr::tr("Python"), {}}, cuda{Tr::tr("CUDA"), {}}, nixpkgs{u"nixpkgs"_s, {}};
    for (const ComparedSide &side : comparison.sides) {
        QStringList pythons;
        for (const QString &one : side.snapshot->settings.pythons())
            pythons.append(pythonVersion(one));
        python.values.append(pythons.join(u", "_s));
        cuda.values.append(shortVersions(side.snapshot->settings.toolkits()));
        nixpkgs.values.append(shortPins(revisionsOf(pinsOf(*side.snapshot))));
    }
    parts << python << cuda << nixpkgs;
    return parts;
}

/// "8: all of sm103; sm90 avx512", then shorter.
QStringList countedForms(const QList<Variant> &cells, const QList<Variant> &others)
{
    QStringList forms;
    for (const QString &form : groupedForms(cells, others))
        forms.append(Tr::tr("%1: %2", "count, which").arg(QString::number(cells.size()), form));
    if (!cells.isEmpty())
        forms.append(QString::number(cells.size()));
    return forms;
}

/// What a side alone lacks, and what it alone has.
QList<ComparedPart> recipeParts(const Comparison &comparison)
{
    ComparedPart lacks{Tr::tr("missing only here", "of recipes"), {}, {}, false};
    ComparedPart only{Tr::tr("only here", "of recipes"), {}, {}, false};
    for (qsizetype i = 0; i < comparison.sides.size(); ++i) {
        const auto [lacking, there] = lackingIn(comparison.cells, i);
        const auto [alone, others] = onlyIn(comparison.cells, i);
        lacks.forms.append(countedForms(lacking, there));
        only.forms.append(countedForms(alone, others));
        lacks.values.append(lacks.forms.constLast().value(0));
        only.values.append(only.forms.constLast().value(0));
    }
    return {lacks, only};
}

/// "all 58 recipes in both differ"; of more than two sides those that all have.
QString differingRecipes(const Comparison &comparison, const ComparisonTotals &sum)
{
    const qsizetype sides = comparison.sides.size();
    const int shared = sum.everywhere;
    const auto different = int(std::ranges::count_if(comparison.cells, [](const ComparedCell &cell) {
        return cell.isEverywhere() && cell.likeness == Likeness::Different;
    }));
    if (shared == 0)
        return sides == 2 ? Tr::tr("no recipe is in both") : Tr::tr("no recipe is in all");
    if (different == 0)
        return sides == 2 ? Tr::tr("the recipes in both do not") : Tr::tr("their common recipes do not");
    if (different == shared)
        return sides == 2 ? Tr::tr("all %Ln recipes in both differ", nullptr, shared)
                          : Tr::tr("all %Ln common recipes differ", nullptr, shared);
    return (sides == 2 ? Tr::tr("%L1 of %Ln recipes in both differ", nullptr, shared)
                       : Tr::tr("%L1 of %Ln common recipes differ", nullptr, shared))
        .arg(different);
}

/// Of two sides the values, of more which of them has another one than the others.
QStringList headlineForms(const Comparison &comparison, const QList<ComparedPart> &parts, const ComparisonTotals &sum)
{
    const qsizetype sides = comparison.sides.size();
    QStringList clauses, names;
    if (sides == 2) {
        QStringList values;
        for (const ComparedPart &part : parts) {
            names.append(part.label);
            const bool isLong = std::ranges::any_of( // a list, which the table has
                part.values, [](const QString &value) { return value.isEmpty() || value.contains(u", "_s); });
            values.append(isLong ? part.label
                                 : Tr::tr("%1 %2 \u2192 %3", "CUDA, versions")
                                       .arg(part.label, part.values.constFirst(), part.values.constLast()));
        }
        clauses.append(values.join(u", "_s));
    } else {
        QList<QStringList> odd(sides);
        QStringList all;
        for (const ComparedPart &part : parts) {
            names.append(part.label);
            const bool hasMost = std::ranges::any_of(part.values, [&part](const QString &value) {
                return 2 * part.values.count(value) > part.values.size();
            });
            if (!hasMost)
                all.append(part.label);
            for (qsizetype side = 0; side < sides && hasMost; ++side) {
                if (part.standsOut(side))
                    odd[side].append(part.label);
            }
        }
        if (!all.isEmpty())
            clauses.append(Tr::tr("They differ in %1", "branches, in versions").arg(all.join(u", "_s)));
        for (qsizetype side = 0; side < sides; ++side) {
            if (!odd.at(side).isEmpty())
                clauses.append((clauses.isEmpty() ? Tr::tr("%1 differs in %2", "branch, versions")
                                : all.isEmpty()   ? Tr::tr("%1 in %2", "branch differs in, versions")
                                                  : Tr::tr("%1 alone in %2", "branch differs in, versions"))
                                   .arg(comparison.sides.at(side).label, odd.at(side).join(u", "_s)));
        }
    }
    const QString recipes = differingRecipes(comparison, sum);
    QStringList forms;
    for (const QStringList &form : {clauses, QStringList{Tr::tr("%1 differ", "versions").arg(names.join(u", "_s))}})
        forms.append(withFullStop((form + QStringList{recipes}).join(u"; "_s)));
    return forms;
}

} // namespace

ComparisonHead Comparison::head(const QStringList &changes, bool names) const
{
    const ComparisonTotals sum = totals();
    ComparisonHead head;
    QStringList common;
    const bool ofCompanions = isOfCompanions() && sides.size() == 2; // the sentence has counted them
    for (const ComparedPart &part : builtParts(*this) + (ofCompanions ? QList<ComparedPart>() : recipeParts(*this))) {
        if (part.differs())
            head.parts.append(part);
        else if (part.isBuilt && !part.values.value(0).isEmpty())
            common.append(Tr::tr("%1 %2", "CUDA, its version").arg(part.label, part.values.constFirst()));
    }
    QList<ComparedPart> built = head.parts;
    built.removeIf([](const ComparedPart &part) { return !part.isBuilt; });
    if (!built.isEmpty() && !ofCompanions)
        head.headline = headlineForms(*this, built, sum);
    QStringList sentences;
    if (!common.isEmpty())
        sentences.append((sides.size() == 2 ? Tr::tr("The same in both: %1.") : Tr::tr("The same in all: %1."))
                             .arg(common.join(u", "_s)));
    head.common = joinedSentences(sentences + packageSentences(packages));
    if (sum.cells == 0)
        head.shared.append(Tr::tr("None of them has a variant."));
    for (const QString &change : changes + QStringList{QString()}) {
        const QString text =
            joinedSentences(sharedCells(*this, sum, change.isEmpty() ? QStringList() : QStringList{change}));
        if (!text.isEmpty() && !head.shared.contains(text))
            head.shared.append(text);
    }
    for (qsizetype i = 0; i < sides.size(); ++i) {
        QStringList builds, texts;
        for (const ComparedPart &part : std::as_const(head.parts)) {
            const QString value =
                names || part.forms.isEmpty() ? part.values.at(i) : part.forms.at(i).value(part.forms.at(i).size() - 1);
            if (!value.isEmpty() && (part.isBuilt || !part.forms.isEmpty()))
                (part.isBuilt ? builds : texts).append(Tr::tr("%1 %2", "CUDA, its version").arg(part.label, value));
        }
        texts.prepend(builds.join(u", "_s));
        texts.removeAll(QString());
        const QString numbered = Tr::tr("%1. %2", "number, branch").arg(i + 1).arg(sides.at(i).label);
        if (!texts.isEmpty())
            head.sides.append(Tr::tr("%1: %2", "branch, what it builds").arg(numbered, texts.join(u"; "_s)));
    }
    return head;
}

namespace {

/// Adds the differences of `entry` from the first side's recipe that are in no fact; marks which facts have an effect.
void addMeaning(QList<FactDifference> &facts, const ComparedCell &cell, qsizetype first, qsizetype side)
{
    const VariantEntry &from = *cell.entries.at(first);
    const VariantEntry &to = *cell.entries.at(side);
    static const RecipeFacts none;
    for (const MeaningDifference &difference :
         meaningDifferences(from.source(), from.facts ? *from.facts : none, to.source(), to.facts ? *to.facts : none)) {
        // A statement without effect may already be reported as a variable.
        auto known = std::ranges::find_if(facts, [&difference](const FactDifference &fact) {
            return fact.id == difference.path ||
                   (!difference.isFact && fact.id == "environment."_L1 + difference.label);
        });
        if (known != facts.end() && known->id != difference.path)
            continue;
        if (known == facts.end()) {
            FactDifference added{difference.path, difference.label, QStringList(cell.entries.size()), true, false};
            // Sides without a value of their own have the first side's.
            for (qsizetype i = 0; i < cell.entries.size(); ++i) {
                if (cell.entries.at(i))
                    added.values[i] = difference.before;
            }
            facts.append(added);
            known = facts.end() - 1;
        }
        if (!difference.isFact)
            known->values[side] = difference.after;
        known->builds = known->builds || difference.builds;
    }
}

} // namespace

QList<FactDifference> factDifferences(const ComparedCell &cell)
{
    QList<FactDifference> facts;
    const qsizetype sides = cell.entries.size();
    for (qsizetype i = 0; i < sides; ++i) {
        const VariantEntry *entry = cell.entries.at(i);
        if (!entry || !entry->facts)
            continue;
        qsizetype at = 0; // Insert a new fact after the one that it follows here.
        for (const Fact &fact : entry->facts->rows(FactDetail::Apart)) {
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
        fact.builds = false;
        std::optional<QString> first;
        for (qsizetype i = 0; i < sides; ++i) {
            if (!cell.entries.at(i))
                continue;
            fact.differs = fact.differs || (first && *first != fact.values.at(i));
            first = first.value_or(fact.values.at(i));
        }
    }
    const qsizetype leader = cell.firstHolder();
    for (qsizetype i = leader + 1; i < sides; ++i) {
        if (cell.entries.at(i))
            addMeaning(facts, cell, leader, i);
    }
    return facts;
}

QList<FactDifference> ownDifferences(const ComparedCell &cell)
{
    return cell.differences ? *cell.differences : ownDifferences(cell, factDifferences(cell));
}

QList<FactDifference> ownDifferences(const ComparedCell &cell, QList<FactDifference> facts)
{
    QList<FactDifference> own;
    for (FactDifference &fact : facts) {
        if (!fact.differs)
            continue;
        const bool told = !isSame(fact, cell); // false for long texts, whose values are left out
        for (qsizetype i = 0; i < fact.values.size(); ++i)
            fact.values[i] = generalised(fact.values.at(i), cell.entries.at(i));
        leaveOutShared(fact, cell);
        if (!told || !isSame(fact, cell))
            own.append(std::move(fact));
    }
    return own;
}

QList<DifferenceGroup> differenceGroups(const QList<const ComparedCell *> &cells)
{
    QList<DifferenceGroup> groups;
    for (const ComparedCell *cell : cells) {
        if (cell->likeness != Likeness::Different && cell->likeness != Likeness::SameBuild)
            continue;
        const bool sameBuild = cell->likeness == Likeness::SameBuild;
        QList<FactDifference> differing = ownDifferences(*cell);
        differing.removeIf([](const FactDifference &fact) { return !fact.builds; });
        const auto known = std::ranges::find_if(groups, [&](const DifferenceGroup &group) {
            return group.sameBuild == sameBuild && group.facts == differing &&
                   std::ranges::equal(
                       group.cells.constFirst()->entries, cell->entries, {},
                       [](const VariantEntry *entry) { return entry != nullptr; },
                       [](const VariantEntry *entry) { return entry != nullptr; });
        });
        if (known != groups.end())
            known->cells.append(cell);
        else
            groups.append({differing, {cell}, sameBuild});
    }
    std::ranges::stable_sort(groups, std::ranges::greater(),
                             [](const DifferenceGroup &group) { return group.cells.size(); });
    return groups;
}

} // namespace tmx
