// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"
#include "model/base/NearestNames.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/NixHash.h"

#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isPinned(const Subject &subject)
{
    return subject.package.source == "pin"_L1 && subject.pin();
}

void pinMissing(const Subject &subject, Report &report)
{
    if (!subject.understood() || subject.base.pin.revision.isEmpty() || isPinned(subject) ||
        !subject.wasRead(subject.package, Subject::Origin))
        return;
    report.add(subject.packageSpot(), Tr::tr("It uses the caller's nixpkgs, but the branch settings have a pin."),
               Tr::tr("Import nixpkgs %1 with fetchTarball.").arg(subject.base.pin.revision));
}

void pinOther(const Subject &subject, Report &report)
{
    const NixpkgsPin &wanted = subject.base.pin;
    for (const PinFacts &pin : subject.facts.pins) {
        if (wanted.revision.isEmpty() || !pin.revision.known || pin.revision.value == wanted.revision)
            continue;
        Edits edits = subject.replaced(pin.revision.spot, pin.revision.value, wanted.revision);
        // The new tarball would not match the old one's hash.
        if (pin.sha256 && pin.sha256.spot.file != pin.revision.spot.file) {
            edits.clear(); // Two files would have to change.
        } else if (!edits.isEmpty() && pin.sha256) {
            const Edits hash =
                wanted.sha256.isEmpty() ? Edits() : subject.replaced(pin.sha256.spot, pin.sha256.value, wanted.sha256);
            edits = hash.isEmpty() ? Edits() : edits + hash;
        }
        const qsizetype shown = pin.revision.value.left(12) == wanted.revision.left(12) ? -1 : 12;
        report.add(pin.revision.spot,
                   Tr::tr("It is pinned to nixpkgs %1, but the branch settings say %2.")
                       .arg(pin.revision.value.left(shown), wanted.revision.left(shown)),
                   Tr::tr("Pin it to %1.").arg(wanted.revision), edits);
    }
}

void pinHashMissing(const Subject &subject, Report &report)
{
    for (const PinFacts &pin : subject.facts.pins) {
        if (pin.url && !pin.sha256 && !pin.byCommit)
            report.add(pin.url.spot,
                       Tr::tr("The pinned tarball has no sha256, so Nix asks the server for it again "
                              "every hour."),
                       subject.base.pin.sha256.isEmpty()
                           ? forSurface(Tr::tr("\"nix-prefetch-url --unpack %1\" prints it.").arg(pin.url.value),
                                        Tr::tr("Fetch the hash in Settings, then add it."))
                           : Tr::tr("Add sha256 = \"%1\".").arg(subject.base.pin.sha256));
    }
}

void pinHashOther(const Subject &subject, Report &report)
{
    const NixpkgsPin &wanted = subject.base.pin;
    for (const PinFacts &pin : subject.facts.pins) {
        if (!wanted.sha256.isEmpty() && pin.revision.value == wanted.revision && pin.sha256 &&
            !sameHash(pin.sha256.value, wanted.sha256))
            report.add(
                pin.sha256.spot,
                Tr::tr(
                    "The pinned tarball's sha256 is not the one of the branch settings, and Nix refuses a mismatch."),
                Tr::tr("Write %1.").arg(wanted.sha256),
                subject.replaced(pin.sha256.spot, pin.sha256.value, wanted.sha256));
    }
}

void toolkitUnsure(const Subject &subject, Report &report)
{
    if (!subject.cuda || !subject.understood() || subject.toolkit() ||
        !subject.wasRead(subject.package, Subject::Everything) ||
        !subject.wasRead(subject.facts.compiled(), Subject::Everything))
        return;
    const auto isGiven = [](const PackageFacts &other) { return other.argument(u"cudaPackages") != nullptr; };
    if (!subject.family && std::ranges::any_of(subject.facts.others, isGiven)) // what is built may be that package
        return;
    if (isPinned(subject))
        report.add(subject.pin()->spot,
                   Tr::tr("It does not select CUDA %1, so it is built with the default toolkit of its nixpkgs.")
                       .arg(subject.input.variant.cuda),
                   Tr::tr("Add the overlay (final: prev: { cudaPackages = final.%1; }).").arg(subject.wantedToolkit()));
    else
        report.add(subject.packageSpot(),
                   Tr::tr("It does not select CUDA %1, so it is built with the toolkit of the caller's nixpkgs.")
                       .arg(subject.input.variant.cuda),
                   Tr::tr("Take the package from nixpkgs with cudaPackages = %1.").arg(subject.wantedToolkit()));
}

void callersPackages(const Subject &subject, Report &report)
{
    if (!isPinned(subject))
        return;
    QSet<QString> told;
    for (const StatedText &package : subject.facts.callersPackages) {
        if (told.contains(package.value))
            continue;
        told.insert(package.value);
        report.add(
            package.spot,
            Tr::tr("%1 comes from the caller's nixpkgs, the rest from a pinned one: two package sets in one build.")
                .arg(package.value),
            Tr::tr("Take it from the pinned nixpkgs."));
    }
}

/// Whether it is a possible commit id: forty digits, not all of them 0.
bool isCommit(const QString &revision)
{
    static const QRegularExpression id(u"^[0-9a-f]{40}\\z"_s);
    return id.match(revision).hasMatch() && revision.count(u'0') < revision.size();
}

void revisionUnknown(const Subject &subject, Report &report)
{
    static const QRegularExpression digits(u"^[0-9a-fA-F]{7,}\\z"_s);
    QSet<quint64> told;
    const auto check = [&](const StatedText &revision) {
        if (!revision || !revision.known || !digits.match(revision.value).hasMatch() || isCommit(revision.value) ||
            told.contains(revision.spot.key()))
            return;
        told.insert(revision.spot.key());
        report.add(revision.spot,
                   Tr::tr("%1 is not a commit id of 40 digits, so it cannot be fetched.").arg(revision.value),
                   Tr::tr("Write the full id."));
    };
    for (const PinFacts &pin : subject.facts.pins)
        check(pin.revision);
    for (const StatedText &revision : subject.facts.revisions)
        check(revision);
    for (const TorchSource &torch : {subject.facts.torch, subject.facts.torchInPassthru})
        check(torch.revision);
    for (const PackageFacts *package : subject.packages())
        check(package->src.revision);
}

void pinAddress(const Subject &subject, Report &report)
{
    static const QRegularExpression github(u"^https?://(?:www\\.)?github\\.com/([^/]+)/([^/]+)/([^/]+)/"_s);
    static const QStringList kinds{u"archive"_s, u"tarball"_s, u"zipball"_s, u"releases"_s, u"raw"_s};
    const QString name = u"nixpkgs"_s;
    constexpr int fewLetters = 2;
    for (const PinFacts &pin : subject.facts.pins) {
        const QRegularExpressionMatch match = github.match(pin.url.value);
        if (!match.hasMatch())
            continue;
        const QString repository = match.captured(2).toLower();
        if (!kinds.contains(match.captured(3)))
            report.add(pin.url.spot, Tr::tr("GitHub has no address with /%1/.").arg(match.captured(3)),
                       Tr::tr("Write /archive/."));
        else if (repository != name && repository.size() == name.size() &&
                 lettersBetween(repository, name, fewLetters) <= fewLetters)
            report.add(pin.url.spot,
                       Tr::tr("It fetches %1, but the repository is called %2.").arg(match.captured(2), name),
                       Tr::tr("Write %1.").arg(name));
    }
}

void pinMoves(const Subject &subject, Report &report)
{
    static const QRegularExpression digits(u"^[0-9a-fA-F]{7,}\\z"_s);
    for (const PinFacts &pin : subject.facts.pins) {
        if (pin.revision && pin.revision.known && !digits.match(pin.revision.value).hasMatch())
            report.add(pin.revision.spot,
                       Tr::tr("%1 is a branch or a tag, so the nixpkgs of the recipe changes over time.")
                           .arg(pin.revision.value),
                       Tr::tr("Fetch a commit by its id."));
    }
}

/// "13.0" for cudaPackages_13_0, "13" for cudaPackages_13.
QString versionOf(const QString &packageSet)
{
    return packageSet.section(u'_', 1).replace(u'_', u'.');
}

bool saysNoMinor(const Subject &subject, const QString &packageSet)
{
    const QString version = versionOf(packageSet);
    return !version.contains(u'.') && version == subject.input.variant.cuda.section(u'.', 0, 0);
}

void toolkitOther(const Subject &subject, Report &report)
{
    const StatedText set = subject.toolkit();
    const QString wanted = subject.wantedToolkit();
    const bool isName = !set.value.contains(u'.');
    if (!subject.cuda || !set || !set.known || set.value == wanted ||
        (isName && (versionOf(set.value) == subject.input.variant.cuda || saysNoMinor(subject, set.value))))
        return;
    report.add(set.spot,
               isName ? Tr::tr("It selects %1, but its name says CUDA %2.").arg(set.value, subject.input.variant.cuda)
                      : Tr::tr("It selects %1, but nixpkgs has no name with a dot.").arg(set.value),
               Tr::tr("Select %1.").arg(wanted), subject.replaced(set.spot, set.value, wanted));
}

/// Whether the catalog knows that the recipe's nixpkgs calls its toolkit so.
bool isKnownName(const Subject &subject, const QString &packageSet)
{
    const PinFacts *pin = subject.pin();
    return pin && std::ranges::any_of(subject.input.catalog->builtIn, [&](const Settings &settings) {
               return std::any_of(settings.profiles.cbegin(), settings.profiles.cend(), [&](const Profile &known) {
                   return known.cudaAttribute == packageSet && known.pin.revision == pin->revision.value;
               });
           });
}

void toolkitNamedOtherwise(const Subject &subject, Report &report)
{
    const StatedText set = subject.toolkit();
    const QString wanted = subject.wantedToolkit();
    if (!subject.cuda || !set || !set.known || set.value.contains(u'.') ||
        (versionOf(set.value) != subject.input.variant.cuda && !saysNoMinor(subject, set.value)))
        return;
    if (set.value == wanted) {
        if (saysNoMinor(subject, set.value) && !isKnownName(subject, set.value))
            report.addNote(
                set.spot,
                Tr::tr("It selects %1, which is CUDA %2 in some nixpkgs and another minor version in others.")
                    .arg(set.value, subject.input.variant.cuda),
                Tr::tr("Select cudaPackages_%1, if this nixpkgs has it.")
                    .arg(QString(subject.input.variant.cuda).replace(u'.', u'_')));
        return;
    }
    report.add(set.spot, Tr::tr("It selects the toolkit as %1, but this nixpkgs has it as %2.").arg(set.value, wanted),
               Tr::tr("Select %1.").arg(wanted), subject.replaced(set.spot, set.value, wanted));
}

/// CUDA's parts are unfree, and config of an imported nixpkgs is not that of the user (nixpkgs manual: Installing
/// unfree packages).
void unfreeRefused(const Subject &subject, Report &report)
{
    const PinFacts *pin = isPinned(subject) ? subject.pin() : nullptr;
    if (!pin || !subject.cuda || subject.facts.pins.size() != 1 || !pin->settings ||
        (pin->allowUnfree && (!pin->allowUnfree.known || pin->allowUnfree.value)) ||
        std::ranges::any_of(pin->otherConfig,
                            [](const NamedText &entry) {
                                return entry.name.startsWith("allowUnfree"_L1) ||
                                       entry.name.startsWith("allowlisted"_L1) ||
                                       entry.name.startsWith("whitelisted"_L1);
                            }) ||
        !subject.wasRead(subject.package, Subject::Origin))
        return;
    report.add(
        pin->allowUnfree ? pin->allowUnfree.spot : pin->settings,
        Tr::tr("Its nixpkgs refuses CUDA, which is unfree, unless NIXPKGS_ALLOW_UNFREE is set where it is built."),
        Tr::tr("Write config.allowUnfree = true."),
        pin->allowUnfree ? subject.replaced(pin->allowUnfree.spot, u"false"_s, u"true"_s) : Edits());
}

void overlayRecursion(const Subject &subject, Report &report)
{
    for (const StatedText &attribute : subject.facts.selfDefined)
        report.add(attribute.spot,
                   Tr::tr("The overlay defines %1 by the final %1, which is the same package.").arg(attribute.value),
                   Tr::tr("Take it from the second argument: prev, or super."));
}

/// For packages that are no torch; its rule knows overlays.
void packageVersionOther(const Subject &subject, Report &report)
{
    const StatedText version = subject.facts.version();
    const QString &wanted = subject.base.version;
    if (subject.torch != &subject.package && version.known && !wanted.isEmpty() && version.value != wanted)
        report.add(version.spot,
                   Tr::tr("It builds %1 %2, but the branch settings say %3.")
                       .arg(subject.familyName().word, version.value, wanted),
                   Tr::tr("Regenerate it: another version needs another source."));
}

void versionNotOfName(const Subject &subject, Report &report)
{
    const FamilyName name = subject.familyName();
    const StatedText version = subject.facts.version();
    // "ctranslate2" and "x264" are words; "20260101" is a date.
    const bool word = name.version.size() == 1 || name.version.size() > 7 ||
                      subject.package.attribute.value == subject.input.variant.family;
    if (version.known && !word && !name.fits(version.value))
        report.add(version.spot,
                   Tr::tr("It builds %1 %2, but its name says %3.").arg(name.word, version.value, name.version),
                   Tr::tr("Build the version of the name, or rename the file."));
    const FamilyName torch = FamilyName::of(torchFamilyOf(subject.input.variant.family));
    const PackageFacts *its = subject.companion ? subject.torch : name.pairing.isEmpty() ? nullptr : subject.inner;
    const StatedText built = its ? its->builtVersion() : StatedText();
    if (built.known && !torch.fits(built.value))
        report.add(built.spot, Tr::tr("Its torch is %1, but its name says %2.").arg(built.value, name.pairing),
                   Tr::tr("Build the version of the name, or rename the file."));
    const FamilyName &ofTorch = subject.companion ? torch : name;
    if (const QString has = word && !subject.companion ? QString() : subject.torchFromNixpkgs();
        !has.isEmpty() && !ofTorch.fits(has))
        report.add(subject.pin()->revision.spot,
                   Tr::tr("Its nixpkgs has torch %1, but its name says %2.")
                       .arg(has, subject.companion ? name.pairing : name.version),
                   Tr::tr("Fetch the nixpkgs of that version, or rename the file."));
}

constexpr RuleEntry rulesOfSources[] = {
    {"version-not-of-name", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe builds another version than its name says."), false, versionNotOfName,
     QT_TRANSLATE_NOOP("tmx::Tr", "Whoever installs it gets another version than they asked for."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Wrappers of one builder with several versions side by side; in tests only so far.")},
    {"version-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The version of a package differs from the branch settings."), false,
     packageVersionOther, QT_TRANSLATE_NOOP("tmx::Tr", "It says one version and builds another."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe that was left out when the others moved to another version.")},
    {"pin-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The branch settings pin nixpkgs, but the recipe does not."), false, pinMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It can be a different package on every machine and every day."),
     QT_TRANSLATE_NOOP("tmx::Tr", "The first recipes of a branch, which take the caller's nixpkgs.")},
    {"pin-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The nixpkgs pin differs from the branch settings."),
     true, pinOther, QT_TRANSLATE_NOOP("tmx::Tr", "It is built from another nixpkgs than its neighbours."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Branches where some recipes were moved to a new nixpkgs.")},
    {"pin-sha256-missing", Severity::Note, QT_TRANSLATE_NOOP("tmx::Tr", "The pinned tarball has no sha256."), false,
     pinHashMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "Nix asks for the tarball again every hour, and cannot check that it is unchanged."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Every hand-written recipe.")},
    {"pin-sha256-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The sha256 of the pinned tarball differs from the branch settings."), true,
     pinHashOther, QT_TRANSLATE_NOOP("tmx::Tr", "Nix refuses the tarball, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"revision-unknown", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A fetched revision is not a commit id."), false,
     revisionUnknown, QT_TRANSLATE_NOOP("tmx::Tr", "Nothing is fetched, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"pin-address", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The address of the pinned nixpkgs is misspelt."),
     false, pinAddress, QT_TRANSLATE_NOOP("tmx::Tr", "Nothing is fetched, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"pin-moves", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "The pinned nixpkgs is a branch or a tag."), false,
     pinMoves, QT_TRANSLATE_NOOP("tmx::Tr", "It can be a different package every day."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"callers-nixpkgs", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A package of the caller's nixpkgs is used beside a pin."), false, callersPackages,
     QT_TRANSLATE_NOOP("tmx::Tr", "Two versions of a library meet in one program."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Hand-written torchvision recipes for the CPU, which take OpenBLAS from it.")},
    {"toolkit-not-selected", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe does not select the toolkit of its name."), false, toolkitUnsure,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is built with a different toolkit when nixpkgs changes its default."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Hand-written torchvision recipes, and recipes without a pin.")},
    {"unfree-refused", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "The pinned nixpkgs does not allow CUDA."), true,
     unfreeRefused, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"overlay-recursion", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "An overlay defines a package by itself."),
     false, overlayRecursion, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate: infinite recursion."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cuda-overlay-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe selects a different toolkit than its name says."), true, toolkitOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is built with a different toolkit than it says."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied from another toolkit; in tests only so far.")},
    {"cuda-overlay-name", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe selects the toolkit by a different name than the branch "
                                  "settings."),
     true, toolkitNamedOtherwise, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate if nixpkgs has no such name."),
     QT_TRANSLATE_NOOP("tmx::Tr", "CUDA 13.0, which older nixpkgs call cudaPackages_13.")},
};

} // namespace

std::span<const RuleEntry> sourceRules()
{
    return rulesOfSources;
}

} // namespace tmx
