// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/compare/Companions.h"

#include "model/base/Tr.h"
#include "model/catalog/Versions.h"
#include "model/recipe/JobSettings.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

const QString torchWord = u"pytorch"_s;

void readFetched(StatedTorch &torch, const RecipeFacts &facts)
{
    const bool passed = facts.torch.kind == TorchSource::Kind::Fetched;
    // What passthru names is not the torch that it takes.
    if (!passed && facts.torch.kind == TorchSource::Kind::NotStated &&
        std::ranges::any_of(facts.overlays, &OverlayFacts::replacesOldName))
        return;
    const TorchSource &source = passed ? facts.torch : facts.torchInPassthru;
    if (source.kind == TorchSource::Kind::Fetched && source.revision.known)
        torch = {torch.isTorch,        torch.needed,          torch.version, torch.pin,
                 source.archive.value, source.revision.value, source.path,   torch.fromPin};
}

/// A torch that Python packages of the recipe have: of an overlay, or built in the file.
QString builtVersion(const RecipeFacts &facts)
{
    for (const OverlayFacts &overlay : facts.overlays) {
        if (overlay.kind == OverlayFacts::Kind::Torch && overlay.version.known)
            return overlay.version.value;
    }
    if (facts.torch.package && facts.torch.package->version.known)
        return facts.torch.package->version.value;
    return {};
}

} // namespace

bool hasOwnSource(const PackageFacts &package)
{
    return !package.src.fetcher.isEmpty() || package.version || package.variable(u"BUILD_VERSION") ||
           package.variable(u"PYTORCH_BUILD_VERSION");
}

QString proseOf(const VariantEntry &entry)
{
    QString prose = entry.facts ? entry.facts->compiled().description.value : QString();
    if (entry.facts && entry.facts->package.description.known)
        prose += u'\n' + entry.facts->package.description.value;
    return prose + u'\n' + headOf(entry.text);
}

QString ownVersion(const BranchSnapshot &snapshot, const VariantEntry &entry, const QString &title)
{
    const PackageFacts &package = entry.facts->compiled();
    if (package.version.known)
        return package.version.value;
    QString settings = snapshot.settings.profileOf(entry.variant).version;
    if (!settings.isEmpty())
        return settings;
    const QString prose = proseOf(entry);
    const QString named = versionNamedIn(prose, FamilyName::of(entry.variant.family).word);
    return named.isEmpty() && !title.isEmpty() ? versionNamedIn(prose, title) : named;
}

StatedTorch statedTorch(const BranchSnapshot &snapshot, const VariantEntry &entry)
{
    StatedTorch torch;
    const FamilyName family = FamilyName::of(entry.variant.family);
    torch.isTorch = family.word == torchWord;
    if (!entry.facts || entry.facts->error)
        return torch;
    const RecipeFacts &facts = *entry.facts;
    for (const PinFacts &pin : facts.pins) {
        if (pin.revision.known && torch.pin.isEmpty())
            torch.pin = pin.revision.value;
    }
    const bool overlaid = std::ranges::any_of(
        facts.overlays, [](const OverlayFacts &overlay) { return overlay.kind == OverlayFacts::Kind::Torch; });
    const PackageFacts *built = torch.isTorch ? &facts.package : facts.torch.package.get();
    const ProfileKey key = ProfileKey::of(torchVariantOf(entry.variant));
    const auto settings = snapshot.settings.profiles.constFind(key);
    torch.fromPin = facts.pins.size() == 1 && !torch.pin.isEmpty() && !overlaid && !(built && hasOwnSource(*built)) &&
                    (built || facts.torch.kind == TorchSource::Kind::NotStated) &&
                    facts.torchInPassthru.kind == TorchSource::Kind::NotStated &&
                    !(settings != snapshot.settings.profiles.cend() && !settings->sourceHash.isEmpty());
    if (torch.isTorch) {
        const Profile profile = snapshot.settings.profileOf(entry.variant);
        torch.version = facts.package.version.known ? facts.package.version.value : builtVersion(facts);
        if (torch.version.isEmpty() && (profile.pin.revision == torch.pin || torch.pin.isEmpty()))
            torch.version = profile.version;
        if (torch.version.isEmpty())
            torch.version = versionNamedIn(proseOf(entry), torchWord);
        if (torch.version.isEmpty())
            torch.version = family.version;
        return torch;
    }
    const auto takesTorch = [](const PackageFacts &package) {
        return package.passthruOf(u"torch") || package.argument(u"torch") || package.argument(u"pytorch");
    };
    torch.needed = family.pairing.startsWith("pt"_L1) || facts.torch.kind != TorchSource::Kind::NotStated ||
                   takesTorch(facts.package) || isTorchExtension(family.word);
    readFetched(torch, facts);
    torch.version = builtVersion(facts);
    if (torch.version.isEmpty())
        torch.version = versionNamedIn(proseOf(entry), torchWord);
    if (torch.version.isEmpty() && settings != snapshot.settings.profiles.cend() && settings->pin.revision == torch.pin)
        torch.version = settings->version;
    if (torch.version.isEmpty() && !torch.path.isEmpty())
        torch.version = FamilyName::of(torch.path.section(u'/', -1).section(u'-', 0, 0)).version;
    if (torch.version.isEmpty() && family.pairing.startsWith("pt"_L1))
        torch.version = family.pairing.sliced(2);
    return torch;
}

void VersionsOfPins::add(const QString &revision, const QString &version)
{
    const auto known = m_versions.find(revision);
    if (known == m_versions.end())
        m_versions.insert(revision, version);
    else if (!sameVersion(*known, version))
        known->clear();
    else if (version.size() > known->size())
        *known = version;
}

void VersionsOfPins::add(const StatedTorch &torch)
{
    if (torch.fromPin && (torch.isTorch || torch.needed) && torch.version.contains(u'.'))
        add(torch.pin, torch.version);
}

QString VersionsOfPins::lackedBy(const StatedTorch &torch) const
{
    return torch.fromPin && torch.version.isEmpty() ? m_versions.value(torch.pin) : QString();
}

TorchFit fitOf(const StatedTorch &needed, const StatedTorch &torch)
{
    const bool samePin = !needed.pin.isEmpty() && needed.pin == torch.pin;
    const auto hasTorch = [](const StatedTorch &one) { return one.isTorch || one.needed; };
    if (!hasTorch(needed) || !hasTorch(torch)) // There is no version to agree on.
        return samePin ? TorchFit::Same : TorchFit::OtherPin;
    if (needed.version.isEmpty() || torch.version.isEmpty())
        return samePin && needed.fromPin && torch.fromPin ? TorchFit::Same : TorchFit::Unknown;
    if (!sameVersion(needed.version, torch.version))
        return TorchFit::Other;
    return samePin ? TorchFit::Same : TorchFit::OtherPin;
}

QStringList partsApart(const QList<Variant> &variants, const QList<Variant> &others)
{
    const auto apart = [&](QString Variant::*part, const auto &word) {
        const auto valuesOf = [&](const QList<Variant> &list) {
            QStringList values;
            for (const Variant &variant : list) {
                if (const QString value = word(variant.*part); !value.isEmpty() && !values.contains(value))
                    values.append(value);
            }
            values.sort();
            return values;
        };
        const QStringList ours = valuesOf(variants);
        const QStringList theirs = valuesOf(others);
        const bool shared =
            std::ranges::any_of(ours, [&theirs](const QString &value) { return theirs.contains(value); });
        return ours.isEmpty() || theirs.isEmpty() || shared
                   ? QString()
                   : Tr::tr("%1 instead of %2", "values").arg(theirs.join(u", "_s), ours.join(u", "_s));
    };
    QStringList parts;
    if (const QString pythons = apart(&Variant::python, pythonVersion); !pythons.isEmpty())
        parts.append(Tr::tr("Python %1", "versions").arg(pythons));
    if (const QString toolkits = apart(&Variant::cuda, [](const QString &toolkit) { return toolkit; });
        !toolkits.isEmpty())
        parts.append(Tr::tr("CUDA %1", "versions").arg(toolkits));
    return parts;
}

Variant torchCellOf(Variant variant)
{
    variant.family.clear();
    return variant;
}

} // namespace tmx
