// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/PinUses.h"

#include "model/base/Tr.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

void addPins(QMap<QString, PinUse> &pins, const RecipeFacts &facts)
{
    QStringList counted;
    for (const PinFacts &pin : facts.pins) {
        const QString &revision = pin.revision.value;
        if (!pin.revision.known || revision.isEmpty() || counted.contains(revision))
            continue;
        counted.append(revision);
        PinUse &use = pins[revision];
        use.revision = revision;
        ++use.recipes;
        const QString file = pin.revision.spot.file > 0 ? facts.files.value(pin.revision.spot.file - 1) : QString();
        if (!file.isEmpty() && !use.files.contains(file))
            use.files.append(file);
    }
}

} // namespace

QList<PinUse> pinsOf(const BranchSnapshot &snapshot)
{
    QMap<QString, PinUse> pins;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.present && entry.fileStatus != FileStatus::Deleted && entry.facts && !entry.facts->error)
            addPins(pins, *entry.facts);
    }
    QList<PinUse> used = pins.values();
    for (PinUse &use : used)
        use.files.sort();
    std::ranges::stable_sort(used, std::ranges::greater(), &PinUse::recipes);
    return used;
}

QStringList revisionsOf(const QList<PinUse> &pins)
{
    QStringList revisions;
    for (const PinUse &pin : pins)
        revisions.append(pin.revision);
    return revisions;
}

QString shortPins(const QStringList &revisions, const QString &oldest, qsizetype most, const QString &age)
{
    QStringList named = revisions.first(std::min(revisions.size(), most));
    if (revisions.contains(oldest) && !named.contains(oldest))
        named.last() = oldest;
    for (QString &revision : named)
        revision = revision != oldest ? revision.left(7)
                   : age.isEmpty()    ? Tr::tr("%1 (oldest)", "pin").arg(revision.left(7))
                                      : Tr::tr("%1 (%2, oldest)", "pin, date").arg(revision.left(7), age);
    const QString text = named.join(u", "_s);
    return revisions.size() > most
               ? Tr::tr("%1 and %n more", "first of several", int(revisions.size() - most)).arg(text)
               : text;
}

QString shortVersions(const QStringList &versions)
{
    return versions.size() < 3 ? versions.join(u", "_s)
                               : Tr::tr("%1–%2", "first and last of more than two toolkits")
                                     .arg(versions.constFirst(), versions.constLast());
}

} // namespace tmx
