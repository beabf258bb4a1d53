// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/change/CopyCoverage.h"

#include "model/base/Tr.h"
#include "model/change/Preparation.h"
#include "model/change/SaveSettings.h"
#include "model/settings/SettingsFile.h"

#include <QDir>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// The family of `source` whose coverage a family gets: its own, or PyTorch's if that is larger, because companions
/// match PyTorch. A repository of PyTorch may have only a few companions at first.
QString familyFor(const Settings &source, const QString &family)
{
    QHash<QString, qsizetype> cells;
    for (auto it = source.profiles.cbegin(); it != source.profiles.cend(); ++it)
        cells[it.key().family] += it->cells.size();
    const QString other = cells.value(u"pytorch"_s) > 0 ? u"pytorch"_s : source.families().value(0);
    const bool own = cells.value(family) > 0 && (family == "pytorch"_L1 || cells.value(family) >= cells.value(other));
    return own ? family : other;
}

/// The counterpart of `wanted` on the other branch: the same if it exists there; if they have nothing in common, its
/// only one. Empty if there is none.
QString partnerOf(const QString &wanted, const QStringList &own, const QStringList &theirs)
{
    if (theirs.contains(wanted))
        return wanted;
    const bool common = std::ranges::any_of(own, [&theirs](const QString &each) { return theirs.contains(each); });
    return !common && theirs.size() == 1 ? theirs.constFirst() : QString();
}

/// What the other branch has and this one has no counterpart of.
QStringList withoutPartner(const QStringList &own, const QStringList &theirs)
{
    QStringList left = theirs;
    for (const QString &each : own)
        left.removeAll(partnerOf(each, own, theirs));
    return left;
}

/// Of cells that the other branch lists, those that can exist here. `impossible` gets the names of the others.
QSet<GridCell> possibleCells(const Catalog &catalog, const Settings &settings, const ProfileKey &key,
                             const QList<GridCell> &cells, QStringList &impossible)
{
    QSet<GridCell> possible;
    for (const GridCell &cell : cells) {
        const Variant variant = key.variant(cell);
        if (const Validity validity = catalog.validity(variant, settings); !validity.valid)
            impossible.append(u"%1 (%2)"_s.arg(variant.name(), validity.reason.chopped(1)));
        else
            possible.insert(cell);
    }
    return possible;
}

QString reasonText(const QString &source, int promised, int added, int gone)
{
    QStringList changed;
    if (added > 0)
        changed.append(Tr::tr("%n new", nullptr, added));
    if (gone > 0)
        changed.append(Tr::tr("%n no longer listed", nullptr, gone));
    return changed.isEmpty() ? Tr::tr("It has the coverage of %1 and lists %n variants.", nullptr, promised).arg(source)
                             : Tr::tr("It has the coverage of %1 and lists %n variants: %2.", nullptr, promised)
                                   .arg(source, changed.join(u", "_s));
}

QString listed(QStringList names)
{
    constexpr qsizetype most = 5;
    const qsizetype all = names.size();
    if (all > most)
        names = names.first(most) + QStringList{Tr::tr("and %1 more").arg(all - most)};
    return names.join(u", "_s);
}

} // namespace

Result<ChangeSet> coverageCopied(const RecipeCache &recipes, const Settings &source, const BranchContent &content)
{
    const Catalog &catalog = *recipes.catalog();
    std::optional<Error> problem;
    const Settings before = settingsFor(recipes, content, &problem);
    if (problem)
        return unreadSettings(Tr::tr("copy coverage to"), content.branch, *problem);
    if (source.promisedCount() == 0)
        return Error{Tr::tr("copy the coverage of"), source.branch, Tr::tr("it covers nothing"), {}};
    Settings settings = before;
    QStringList impossible;
    QStringList kept; // toolkits and Pythons that only this branch has
    const QStringList pythons = before.pythons();
    const QStringList toolkits = before.toolkits();
    for (auto it = settings.profiles.begin(); it != settings.profiles.end(); ++it) {
        const ProfileKey &key = it.key();
        if (!before.families().contains(key.family))
            continue;
        const QString python = partnerOf(key.python, pythons, source.pythons());
        const QString build = key.isCuda() ? partnerOf(key.build, toolkits, source.toolkits()) : key.build;
        const bool noPython = python.isEmpty() && (!key.python.isEmpty() || !source.pythons().contains(QString()));
        if (noPython || build.isEmpty()) {
            const QString what = noPython ? key.python : u"CUDA "_s + key.build;
            if (!kept.contains(what) && !it->cells.isEmpty())
                kept.append(what);
            continue;
        }
        const QList<GridCell> cells = source.profiles.value({familyFor(source, key.family), python, build}).cells;
        it->cells = catalog.inGridOrder(possibleCells(catalog, before, key, cells, impossible));
    }
    TM_TRY(changes,
           savedSettings(recipes, content, {.branch = content.branch, .settings = settings, .key = {}, .value = {}}));
    const auto notIn = [](const Settings &other) {
        return [&other](const Variant &variant) { return !other.covers(variant); };
    };
    const int added = int(std::ranges::count_if(settings.promised(), notIn(before)));
    const int gone = int(std::ranges::count_if(before.promised(), notIn(settings)));
    const int promised = int(settings.promisedCount());
    changes->files.first().reason = reasonText(source.branch, promised, added, gone);
    // A commit is in English, whatever the window speaks.
    changes->message = u"List the coverage of %1\n\nVariants: %2. New: %3. No longer listed: %4.\n"_s.arg(
        source.branch, QString::number(promised), QString::number(added), QString::number(gone));
    if (!impossible.isEmpty())
        changes->warnings.append(
            Tr::tr("%n cells are impossible here and are left out: %1.", nullptr, int(impossible.size()))
                .arg(listed(impossible)));
    QStringList unknown; // toolkits and Pythons of the other branch that this one has not
    for (const QString &toolkit : withoutPartner(toolkits, source.toolkits()))
        unknown.append(u"CUDA "_s + toolkit);
    unknown += withoutPartner(pythons, source.pythons());
    if (!unknown.isEmpty())
        changes->warnings.append(
            Tr::tr("%1 has no %2; their coverage is left out.").arg(content.title(), unknown.join(u", "_s)));
    if (!kept.isEmpty())
        changes->warnings.append(
            Tr::tr("%1 has no %2; the cells listed for them stay.").arg(source.branch, kept.join(u", "_s)));
    return changes;
}

Result<QList<ChangeSet>> prepared(const Preparation &preparation, const CoverageRequest &request)
{
    TM_TRY(from, sideNamed(preparation.path, request.from, QDir::currentPath()));
    TM_TRY(source, preparation.reader.read(*from, preparation.hooks.part(0, 70)));
    TM_TRY(to, branchNamed(preparation.opened, preparation.path, request.to));
    TM_TRY(content, preparation.reader.content(*to, preparation.hooks.part(70, 100), &preparation.opened.repository));
    Settings settings = source->snapshot->settings;
    settings.branch = request.from;
    Result<ChangeSet> changes = coverageCopied(preparation.recipes(), settings, **content);
    if (changes)
        changes->from = request.from;
    return alone(std::move(changes));
}

} // namespace tmx
