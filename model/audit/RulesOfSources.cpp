// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

bool isPinned(const Subject &subject)
{
    return subject.package.source == "pin"_L1 && subject.pin();
}

void pinMissing(const Subject &subject, Report &report)
{
    if (!subject.understood() || subject.base.pin.revision.isEmpty() || isPinned(subject))
        return;
    report.add(subject.packageSpot(), W::tr("It takes the caller's nixpkgs, and the line has a pin."),
               W::tr("Import nixpkgs %1 with fetchTarball.").arg(subject.base.pin.revision));
}

void pinOther(const Subject &subject, Report &report)
{
    const NixpkgsPin &wanted = subject.base.pin;
    for (const PinFacts &pin : subject.facts.pins) {
        if (wanted.revision.isEmpty() || !pin.revision.known || pin.revision.value == wanted.revision)
            continue;
        Edits edits = replaced(subject.input.text, pin.revision.spot, pin.revision.value, wanted.revision);
        // The old tarball's hash would refuse the new one.
        if (!edits.isEmpty() && pin.sha256) {
            const Edits hash = wanted.sha256.isEmpty()
                                   ? Edits()
                                   : replaced(subject.input.text, pin.sha256.spot, pin.sha256.value, wanted.sha256);
            edits = hash.isEmpty() ? Edits() : edits + hash;
        }
        report.add(pin.revision.spot,
                   W::tr("It is pinned to nixpkgs %1, and the line to %2.")
                       .arg(pin.revision.value.left(12), wanted.revision.left(12)),
                   W::tr("Pin it to %1.").arg(wanted.revision), edits);
    }
}

void pinHashMissing(const Subject &subject, Report &report)
{
    for (const PinFacts &pin : subject.facts.pins) {
        if (pin.url && !pin.sha256)
            report.add(pin.url.spot, W::tr("The pinned tarball has no sha256, so Nix asks for it again every hour."),
                       subject.base.pin.sha256.isEmpty()
                           ? W::tr("\"nix-prefetch-url --unpack %1\" prints it.").arg(pin.url.value)
                           : W::tr("Add sha256 = \"%1\".").arg(subject.base.pin.sha256));
    }
}

void pinHashOther(const Subject &subject, Report &report)
{
    const NixpkgsPin &wanted = subject.base.pin;
    for (const PinFacts &pin : subject.facts.pins) {
        if (!wanted.sha256.isEmpty() && pin.revision.value == wanted.revision && pin.sha256 &&
            pin.sha256.value != wanted.sha256)
            report.add(pin.sha256.spot,
                       W::tr("The pinned tarball's sha256 is not the line's, and Nix refuses what does not match."),
                       W::tr("Write %1.").arg(wanted.sha256),
                       replaced(subject.input.text, pin.sha256.spot, pin.sha256.value, wanted.sha256));
    }
}

void toolkitMissing(const Subject &subject, Report &report)
{
    if (!subject.gpu || !subject.understood() || !isPinned(subject) || subject.toolkit())
        return;
    report.add(subject.pin()->spot,
               W::tr("Nothing selects CUDA %1: it is built with this nixpkgs' default toolkit.")
                   .arg(subject.input.variant.cuda),
               W::tr("Add the overlay (final: prev: { cudaPackages = final.%1; }).").arg(subject.wantedToolkit()));
}

void toolkitUnsure(const Subject &subject, Report &report)
{
    if (!subject.gpu || !subject.understood() || isPinned(subject) || subject.toolkit())
        return;
    report.add(subject.packageSpot(),
               W::tr("Nothing selects CUDA %1: it is built with whatever toolkit the caller's nixpkgs has.")
                   .arg(subject.input.variant.cuda),
               W::tr("Take the package from nixpkgs with cudaPackages = %1.").arg(subject.wantedToolkit()));
}

/// "13.0" of cudaPackages_13_0, "13" of cudaPackages_13.
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
    if (!subject.gpu || !set || !set.known || set.value == wanted ||
        versionOf(set.value) == subject.input.variant.cuda || saysNoMinor(subject, set.value))
        return;
    report.add(set.spot, W::tr("It selects %1, and its name says CUDA %2.").arg(set.value, subject.input.variant.cuda),
               W::tr("Select %1.").arg(wanted), replaced(subject.input.text, set.spot, set.value, wanted));
}

void toolkitNamedOtherwise(const Subject &subject, Report &report)
{
    const StatedText set = subject.toolkit();
    const QString wanted = subject.wantedToolkit();
    if (!subject.gpu || !set || !set.known || set.value == wanted ||
        (versionOf(set.value) != subject.input.variant.cuda && !saysNoMinor(subject, set.value)))
        return;
    report.add(set.spot,
               W::tr("It selects the toolkit as %1, and the line's nixpkgs has it as %2.").arg(set.value, wanted),
               W::tr("Select %1.").arg(wanted), replaced(subject.input.text, set.spot, set.value, wanted));
}

constexpr RuleEntry rules[] = {
    {"pin-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "The line has a nixpkgs pin and the recipe none."), false, pinMissing},
    {"pin-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "The recipe's nixpkgs pin is not the line's."), true,
     pinOther},
    {"pin-sha256-missing", Severity::Note, QT_TRANSLATE_NOOP("tmx::Audit", "The pinned tarball has no sha256."), false,
     pinHashMissing},
    {"pin-sha256-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The pinned tarball's sha256 is not the line's."), true, pinHashOther},
    {"cuda-overlay-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "Nothing in a pinned recipe selects the toolkit of its name."), false,
     toolkitMissing},
    {"toolkit-not-selected", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "A recipe without a pin takes whatever toolkit the caller's nixpkgs has."), false,
     toolkitUnsure},
    {"cuda-overlay-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The recipe selects another toolkit than its name says."), true, toolkitOther},
    {"cuda-overlay-name", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "The toolkit is selected by another name than the line's."), true,
     toolkitNamedOtherwise},
};

} // namespace

std::span<const RuleEntry> sourceRules()
{
    return rules;
}

} // namespace tmx
