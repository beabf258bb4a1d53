// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

/// The packages of the file that must be nixpkgs' torch: what it comes to, and a companion's.
struct Based {
    const PackageFacts *package;
    QString attribute;
};

QList<Based> basedOf(const Subject &subject)
{
    QList<Based> list;
    const auto attributeOf = [&subject](const QString &id) {
        const Family *family = subject.input.catalog->family(id);
        return family ? family->attribute : QString();
    };
    list.append({&subject.package, attributeOf(subject.input.variant.family)});
    if (subject.companion && subject.torch)
        list.append({subject.torch, attributeOf(u"pytorch"_s)});
    return list;
}

/// pytorch is nixpkgs' old name of torch.
bool isOldName(const Based &based)
{
    return based.package->attribute.value == "pytorch"_L1 && based.attribute == "torch"_L1;
}

void oldName(const Subject &subject, Report &report, const QString &why)
{
    for (const Based &based : basedOf(subject)) {
        const StatedText &attribute = based.package->attribute;
        if (isOldName(based))
            report.add(attribute.spot, why, W::tr("Write torch."),
                       replaced(subject.input.text, attribute.spot, attribute.value, u"torch"_s));
    }
}

void attributePytorch(const Subject &subject, Report &report)
{
    if (subject.upgrades)
        oldName(subject, report,
                W::tr("It takes pytorch, an old name that passes by the torch of the line's overlay."));
}

void attributeAlias(const Subject &subject, Report &report)
{
    if (!subject.upgrades)
        oldName(subject, report, W::tr("It takes pytorch, which is an old name of torch in nixpkgs."));
}

void attributeOther(const Subject &subject, Report &report)
{
    for (const Based &based : basedOf(subject)) {
        const StatedText &attribute = based.package->attribute;
        if (attribute && !based.attribute.isEmpty() && attribute.value != based.attribute && !isOldName(based) &&
            !attribute.value.startsWith("torchWith"_L1))
            report.add(attribute.spot,
                       W::tr("It builds nixpkgs' %1, and should build %2.").arg(attribute.value, based.attribute),
                       W::tr("Take %1.").arg(based.attribute),
                       replaced(subject.input.text, attribute.spot, attribute.value, based.attribute));
    }
}

void pythonOther(const Subject &subject, Report &report)
{
    const QString &python = subject.input.variant.python;
    for (const Based &based : basedOf(subject)) {
        const StatedText &set = based.package->packageSet;
        if (!set || set.value == python + "Packages"_L1)
            continue;
        const bool standard = set.value == "python3Packages"_L1;
        if (standard && (subject.base.pin.python3.isEmpty() || subject.base.pin.python3 == python ||
                         based.package->source != "pin"_L1))
            continue;
        report.add(set.spot,
                   standard ? W::tr("python3Packages of this nixpkgs is %1, and its name says %2.")
                                  .arg(subject.base.pin.python3, python)
                            : W::tr("It takes %1, and its name says %2.").arg(set.value, python),
                   W::tr("Take %1Packages.").arg(python),
                   replaced(subject.input.text, set.spot, set.value, python + "Packages"_L1));
    }
}

void fromScratch(const Subject &subject, Report &report)
{
    for (const Based &based : basedOf(subject)) {
        if (based.package->builder)
            report.add(based.package->builder.spot,
                       W::tr("It is built from scratch with %1, without what nixpkgs does for %2.")
                           .arg(based.package->builder.value, based.attribute),
                       W::tr("Render it anew from the line's template."));
    }
}

bool isEmptyHash(const StatedText &hash)
{
    return hash && ((hash.known && hash.value.isEmpty()) || hash.value.endsWith("fakeHash"_L1) ||
                    hash.value.endsWith("fakeSha256"_L1));
}

void hashEmpty(const Subject &subject, Report &report)
{
    const auto check = [&](const StatedText &hash, const QString &wanted) {
        if (!isEmptyHash(hash))
            return;
        Edits edits;
        if (hash.value.isEmpty() && !wanted.isEmpty())
            edits = replaced(subject.input.text, hash.spot, u"\"\""_s, u'"' + wanted + u'"');
        report.add(hash.spot, W::tr("A hash is left empty, so the build stops when the source is there."),
                   wanted.isEmpty() ? W::tr("Write the hash that the failing build prints.")
                                    : W::tr("Write %1.").arg(wanted),
                   edits);
    };
    check(subject.package.hash, subject.base.sourceHash);
    if (subject.companion && subject.torch)
        check(subject.torch->hash, subject.torchBase.sourceHash);
    for (const OverlayFacts &overlay : subject.facts.overlays)
        check(overlay.hash, overlay.kind == OverlayFacts::Kind::Torch ? subject.torchBase.sourceHash : QString());
    for (const PinFacts &pin : subject.facts.pins)
        check(pin.sha256, subject.base.pin.sha256);
}

void versionOther(const Subject &subject, Report &report)
{
    const QString &wanted = subject.torchBase.version;
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    const auto check = [&](const StatedText &version, const QString &what, const QString &right) {
        if (version && version.known && !right.isEmpty() && version.value != right)
            report.add(version.spot, W::tr("It builds %1 %2, and the line is for %3.").arg(what, version.value, right),
                       W::tr("Render it anew: another version needs another source."), Edits());
    };
    if (overlay)
        check(overlay->version, u"torch"_s, wanted);
    if (subject.torch)
        check(subject.torch->version, u"torch"_s, wanted);
    if (subject.companion)
        check(subject.package.version, subject.family->attribute, subject.base.version);
    const bool stated =
        (overlay && overlay->version) || (subject.torch && (subject.torch->version || subject.torch->builder));
    if (subject.upgrades && subject.torch && subject.torch->attribute && !stated)
        report.add(subject.torch->attribute.spot,
                   W::tr("It builds nixpkgs' own torch, and the line is for torch %1.").arg(wanted),
                   W::tr("Add the overlay that brings torch %1, or render it anew.").arg(wanted));
}

void hashOther(const Subject &subject, Report &report)
{
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    const StatedText hash = overlay && overlay->hash ? overlay->hash
                            : subject.torch          ? subject.torch->hash
                                                     : StatedText();
    const StatedText version = overlay && overlay->version ? overlay->version
                               : subject.torch             ? subject.torch->version
                                                           : StatedText();
    const QString &wanted = subject.torchBase.sourceHash;
    if (!hash || !hash.known || isEmptyHash(hash) || wanted.isEmpty() || hash.value == wanted ||
        version.value != subject.torchBase.version)
        return;
    report.add(hash.spot, W::tr("The hash of torch %1 is not the line's.").arg(version.value),
               W::tr("Write %1.").arg(wanted), replaced(subject.input.text, hash.spot, hash.value, wanted));
}

void overlayDead(const Subject &subject, Report &report)
{
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    if (!overlay || !subject.torch || !overlay->name.endsWith("Packages"_L1))
        return;
    const StatedText &set = subject.torch->packageSet;
    if (set && set.value != overlay->name)
        report.add(set.spot,
                   W::tr("The overlay changes torch in %1, and it is taken from %2, which still has the old one.")
                       .arg(overlay->name, set.value),
                   W::tr("Take torch from %1.").arg(overlay->name),
                   replaced(subject.input.text, set.spot, set.value, overlay->name));
}

/// Whether CUDA of the variant has no cudaDeviceProp.clockRate, and MAGMA of the line's nixpkgs still reads it.
bool needsMagmaPatch(const Subject &subject)
{
    return subject.gpu && subject.upgrades && subject.torch &&
           compareVersions(subject.input.variant.cuda, u"13.0"_s) == 0;
}

bool isMagmaOff(const Subject &subject)
{
    const OverlayFacts *magma = subject.overlay(OverlayFacts::Kind::Magma);
    if (magma && magma->value.value == "null"_L1)
        return true;
    if (!subject.torch)
        return false;
    const VariableFact *variable = subject.torch->variable(u"USE_MAGMA");
    const NamedText *argument = subject.torch->argument(u"magma");
    return subject.torch->cmakeFlags.contains(u"-DUSE_MAGMA=OFF") ||
           (variable && (variable->value == "0"_L1 || variable->value == "OFF"_L1)) ||
           (argument && argument->value == "null"_L1);
}

void magmaPatchMissing(const Subject &subject, Report &report)
{
    const OverlayFacts *magma = subject.overlay(OverlayFacts::Kind::Magma);
    if (!needsMagmaPatch(subject) || isMagmaOff(subject) || (magma && !magma->patches.isEmpty()))
        return;
    report.add(subject.packageSpot(),
               W::tr("MAGMA of this nixpkgs does not compile with CUDA 13.0 without the clockRate patch."),
               W::tr("Render it anew: the template has the patch."));
}

void magmaOff(const Subject &subject, Report &report)
{
    if (subject.gpu && isMagmaOff(subject))
        report.add(subject.packageSpot(), W::tr("MAGMA is switched off, so some of torch.linalg runs on the CPU."),
                   W::tr("Render it anew: the template patches MAGMA where that is needed."));
}

constexpr RuleEntry rules[] = {
    {"attribute-pytorch", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "pytorch is taken where the line needs torch."), true, attributePytorch},
    {"attribute-alias", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Audit", "pytorch is an old name of torch."), true,
     attributeAlias},
    {"attribute-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The recipe builds another package than its name says."), true, attributeOther},
    {"python-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The package is of another Python than the name says."), true, pythonOther},
    {"from-scratch", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "The package is built from scratch."), false,
     fromScratch},
    {"hash-empty", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "A hash is left empty."), true, hashEmpty},
    {"torch-version-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "The version is not the line's."), false,
     versionOther},
    {"torch-hash-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The hash of torch's source is not the line's."), true, hashOther},
    {"torch-overlay-dead", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "torch is taken from where the overlay does not reach."), true, overlayDead},
    {"magma-patch-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "MAGMA needs a patch with CUDA 13.0."),
     false, magmaPatchMissing},
    {"magma-off", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Audit", "MAGMA is switched off."), false, magmaOff},
};

} // namespace

std::span<const RuleEntry> torchRules()
{
    return rules;
}

} // namespace tmx
