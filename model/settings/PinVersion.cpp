// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/settings/PinVersion.h"

#include "model/base/Sentences.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

/// Version, pin and source of a profile.
struct Use {
    QString version;
    QString revision;
    QString hash;
    bool operator==(const Use &) const = default;
};

/// Without duplicates, for the covered variants.
QList<Use> usesOf(const Settings &settings, const QString &family)
{
    QList<Use> uses;
    for (auto it = settings.profiles.cbegin(); it != settings.profiles.cend(); ++it) {
        if (it.key().family != family || it->cells.isEmpty())
            continue;
        if (const Use use{it->version, it->pin.revision, it->sourceHash}; !uses.contains(use))
            uses.append(use);
    }
    return uses;
}

} // namespace

QString versionOfPin(const Catalog &catalog, const QString &family, const QString &revision)
{
    QSet<QString> versions;
    const Family *known = catalog.family(family);
    for (const Settings &settings : catalog.builtIn) {
        for (const Use &use : usesOf(settings, known ? known->id : family)) {
            if (use.revision == revision && use.hash.isEmpty() && !use.version.isEmpty())
                versions.insert(use.version);
        }
    }
    return versions.size() == 1 && !revision.isEmpty() ? *versions.cbegin() : QString();
}

namespace {

QString evaluation(const QString &revision, const QString &of)
{
    return u"nix-instantiate --eval -E '(import (fetchTarball \"https://github.com/NixOS/nixpkgs/archive/%1.tar.gz\") {}).%2'"_s
        .arg(revision, of);
}

} // namespace

QString versionCommand(const QString &revision, const QString &set, const QString &attribute)
{
    return evaluation(revision, (set.isEmpty() ? QString() : set + u'.') + attribute + u".version"_s);
}

QString pythonCommand(const QString &revision)
{
    return evaluation(revision, u"python3.pythonVersion"_s);
}

QString hashCommand(const Family &family, const QString &version)
{
    if (family.repository.isEmpty())
        return {};
    // PyTorch does not build without its submodules; the hash includes them.
    return u"nix-prefetch-git --quiet --url https://github.com/%1 --rev refs/tags/v%2%3"_s.arg(
        family.repository, version, family.companion ? QString() : u" --fetch-submodules"_s);
}

QList<VersionNotOfPin> versionsNotOfPins(const Catalog &catalog, const Settings &settings, const Settings *former)
{
    QList<VersionNotOfPin> list;
    QStringList ids;
    for (auto it = settings.profiles.keyBegin(); it != settings.profiles.keyEnd(); ++it) {
        if (!ids.contains(it->family))
            ids.append(it->family);
    }
    for (const QString &id : std::as_const(ids)) {
        const Family *const known = catalog.family(id);
        Family family = known ? *known : Family();
        family.id = id;
        family.title = catalog.titleOf(id);
        const QList<Use> before = former ? usesOf(*former, family.id) : QList<Use>();
        for (const Use &use : usesOf(settings, family.id)) {
            if (!use.hash.isEmpty() || use.version.isEmpty() || use.revision.isEmpty())
                continue;
            QString held = versionOfPin(catalog, family.id, use.revision);
            if (held.isEmpty() && family.companion &&
                family.versionFor(versionOfPin(catalog, u"pytorch"_s, use.revision)) == use.version)
                held = use.version;
            if (held == use.version || (held.isEmpty() && before.contains(use)))
                continue;
            // The source branch's settings build what the same pin contains, whether the version is known or not.
            const auto same = std::ranges::find_if(
                before, [&use](const Use &other) { return other.revision == use.revision && other.hash.isEmpty(); });
            if (held.isEmpty() && same == before.end())
                continue;
            if (held.isEmpty())
                held = same->version;
            const QString sentence =
                held.isEmpty() ? Tr::tr("It is unknown whether nixpkgs %3 has %1 %2, and its source hash is not "
                                        "set: recipes would say %2 but build the version that they build now.")
                                     .arg(family.title, use.version, use.revision.left(10))
                               : Tr::tr("nixpkgs %3 has %1 %4, not %2, and the source hash of %2 is not set, so "
                                        "recipes would say %2 but build %4.")
                                     .arg(family.title, use.version, use.revision.left(10), held);
            const QString command = hashCommand(family, use.version);
            const QString known =
                held.isEmpty()
                    ? forSurface(Tr::tr("If it has %1, set that first: \"torch-matrix settings set "
                                        "versions.%2 %1 --branch %3\".")
                                     .arg(use.version, family.id,
                                          former && !former->branch.isEmpty() ? former->branch : settings.branch),
                                 Tr::tr("If it has %1, save that version in Settings first.").arg(use.version))
                    : QString();
            const QString advice =
                command.isEmpty()
                    ? Tr::tr("Set hashes.%1, or a nixpkgs that has %2.").arg(family.id, use.version)
                    : forSurface(
                          Tr::tr("Set hashes.%1 to the \"hash\" that \"%2\" prints, or nixpkgs to a revision that "
                                 "has %3.")
                              .arg(family.id, command, use.version),
                          Tr::tr("Fetch the hash beside the version, or take a nixpkgs that has %1.").arg(use.version));
            if (std::ranges::find(list, sentence, &VersionNotOfPin::sentence) == list.end())
                list.append({sentence, joinedSentences({advice, known})});
        }
    }
    return list;
}

} // namespace tmx
