// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/NixHash.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

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

/// pytorch is nixpkgs' old name for torch.
bool isOldName(const Based &based)
{
    return based.package->attribute.value == "pytorch"_L1 && based.attribute == "torch"_L1;
}

void oldName(const Subject &subject, Report &report, const QString &why)
{
    for (const Based &based : basedOf(subject)) {
        const StatedText &attribute = based.package->attribute;
        if (isOldName(based))
            report.add(attribute.spot, why, Tr::tr("Write torch."),
                       subject.replaced(attribute.spot, attribute.value, u"torch"_s));
    }
}

void attributePytorch(const Subject &subject, Report &report)
{
    if (subject.upgrades)
        oldName(subject, report, Tr::tr("It uses pytorch, an old name that the overlay's torch does not replace."));
}

void attributeAlias(const Subject &subject, Report &report)
{
    if (!subject.upgrades)
        oldName(subject, report, Tr::tr("It uses pytorch, which is an old name of torch in nixpkgs."));
}

void attributeOther(const Subject &subject, Report &report)
{
    for (const Based &based : basedOf(subject)) {
        const StatedText &attribute = based.package->attribute;
        if (attribute && !based.attribute.isEmpty() && attribute.value != based.attribute && !isOldName(based) &&
            !attribute.value.startsWith("torchWith"_L1))
            report.add(attribute.spot,
                       Tr::tr("It builds nixpkgs' %1 but should build %2.").arg(attribute.value, based.attribute),
                       Tr::tr("Use %1.").arg(based.attribute),
                       subject.replaced(attribute.spot, attribute.value, based.attribute));
        const QString word = subject.familyName().word;
        if (based.attribute.isEmpty() && attribute.value == word + "-bin"_L1)
            report.add(attribute.spot,
                       Tr::tr("It takes nixpkgs' %1, a wheel that its publisher built: nothing is compiled.")
                           .arg(attribute.value),
                       Tr::tr("Use %1.").arg(word), subject.replaced(attribute.spot, attribute.value, word));
    }
}

/// The set of Python packages that an argument gives, as onnxruntime's library takes it.
void pythonOfArgument(const Subject &subject, Report &report)
{
    static const QRegularExpression set(u"\\b(python3\\d{1,2})(Packages|\\.pkgs)$"_s);
    for (const PackageFacts *package : subject.packages()) {
        for (const NamedText &argument : package->arguments) {
            const QRegularExpressionMatch given = set.match(argument.value);
            if (argument.name.startsWith("python"_L1) && given.hasMatch() && !subject.input.variant.python.isEmpty() &&
                given.captured(1) != subject.input.variant.python)
                report.add(
                    argument.spot,
                    Tr::tr("It uses %1, but its name says %2.").arg(given.captured(), subject.input.variant.python),
                    Tr::tr("Use %1Packages.").arg(subject.input.variant.python));
        }
    }
}

void pythonOther(const Subject &subject, Report &report)
{
    pythonOfArgument(subject, report);
    const QString &python = subject.input.variant.python;
    const auto setOf = [](const QString &name) { return name.endsWith("Packages"_L1) ? name : name + "Packages"_L1; };
    QList<const PackageFacts *> packages;
    for (const Based &based : python.isEmpty() ? QList<Based>() : basedOf(subject))
        packages.append(based.package);
    if (subject.inner && !python.isEmpty())
        packages.append(subject.inner);
    for (const PackageFacts *package : std::as_const(packages)) {
        StatedText set = package->packageSet;
        for (qsizetype i = set ? subject.facts.overlays.size() : 0; i-- > 0;) {
            const OverlayFacts &overlay = subject.facts.overlays.at(i);
            if (overlay.from && setOf(overlay.name) == setOf(set.value) &&
                setOf(overlay.from.value) != setOf(set.value))
                set = overlay.from;
        }
        if (!set || setOf(set.value) == python + "Packages"_L1)
            continue;
        const bool standard = setOf(set.value) == "python3Packages"_L1;
        if (standard &&
            (subject.base.pin.python3.isEmpty() || subject.base.pin.python3 == python || package->source != "pin"_L1))
            continue;
        const QString wanted = set.value == setOf(set.value) ? setOf(python) : python;
        report.add(set.spot,
                   standard ? Tr::tr("python3Packages of this nixpkgs is %1, but its name says %2.")
                                  .arg(subject.base.pin.python3, python)
                            : Tr::tr("It uses %1, but its name says %2.").arg(set.value, python),
                   Tr::tr("Use %1.").arg(wanted), subject.replaced(set.spot, set.value, wanted));
    }
}

/// Gives the library the set that the package is taken from, written as it is there.
Edits withPythonSet(const Subject &subject, const PackageFacts &library)
{
    static const QRegularExpression origin(u"(?:[\\w'-]+\\.)*$"_s);
    const StatedText &set = subject.package.packageSet;
    if (set.spot.file != library.attribute.spot.file || subject.textAt(set.spot) != set.value.toUtf8())
        return {};
    Spot before = set.spot;
    before.length = std::min<quint32>(before.offset, 200);
    before.offset -= before.length;
    const QString prefix = origin.match(QString::fromUtf8(subject.textAt(before))).captured();
    for (qsizetype i = library.arguments.size(); i-- > 0;) {
        const Spot &beside = library.arguments.at(i).spot;
        const Edits edits = beside.file == set.spot.file
                                ? subject.attributeBeside(beside, "python3Packages",
                                                          (prefix + subject.input.variant.python).toUtf8() + "Packages")
                                : Edits();
        if (!edits.isEmpty())
            return edits;
    }
    return {};
}

/// nixpkgs' Python package onnxruntime installs the wheel that the library of that name builds with its
/// python3Packages, if pythonSupport is on (pkgs/by-name/on/onnxruntime, development/python-modules/onnxruntime).
/// What installs it (pypa-install-hook.sh) does not look for which Python a wheel is; pybind11 does when it is
/// imported.
void wheelOther(const Subject &subject, Report &report)
{
    const QString &python = subject.input.variant.python;
    for (const PackageFacts &library : subject.facts.libraries) {
        if (library.attribute.value != "onnxruntime"_L1 || library.packageSet || python.isEmpty())
            continue;
        const NamedText *support = library.argument(u"pythonSupport");
        if (support && support->known && support->value == "false"_L1)
            report.add(support->spot, Tr::tr("Its library builds no wheel, which the Python package installs."),
                       Tr::tr("Write pythonSupport = true."), subject.replaced(support->spot, u"false"_s, u"true"_s));
        const QString theirs = library.source == "pin"_L1 && subject.pin()
                                   ? subject.input.settings->python3Of(subject.pin()->revision.value)
                                   : QString();
        if (theirs.isEmpty() || theirs == python || library.argument(u"python3Packages") ||
            !subject.wasRead(library, Subject::Arguments))
            continue;
        report.add(library.attribute.spot,
                   Tr::tr("Its library builds the wheel for %1, the python3 of its nixpkgs, but its name says %2.")
                       .arg(theirs, python),
                   Tr::tr("Pass %1Packages as python3Packages to its .override.").arg(python),
                   withPythonSet(subject, library));
    }
}

void fromScratch(const Subject &subject, Report &report)
{
    for (const Based &based : basedOf(subject)) {
        if (based.package->builder && !based.attribute.isEmpty())
            report.add(based.package->builder.spot,
                       Tr::tr("It is built from scratch with %1, without nixpkgs' patches and settings for %2.")
                           .arg(based.package->builder.value, based.attribute),
                       Tr::tr("Regenerate it from the template."));
    }
}

bool isEmptyHash(const StatedText &hash)
{
    return hash && ((hash.known && hash.value.isEmpty()) || hash.value.endsWith("fakeHash"_L1) ||
                    hash.value.endsWith("fakeSha256"_L1));
}

/// The catalog's hash of a patch that the toolkit needs.
QString hashOfPatch(const Subject &subject, const PatchFacts &patch)
{
    const Toolkit *toolkit = subject.input.catalog->toolkit(subject.input.variant.cuda);
    for (const PatchSource &known : toolkit ? toolkit->magmaPatches : QList<PatchSource>()) {
        if (known.url == patch.url.value)
            return known.hash;
    }
    return {};
}

void hashEmpty(const Subject &subject, Report &report)
{
    QSet<quint64> told;
    const auto check = [&](const StatedText &hash, const QString &wanted) {
        if (!isEmptyHash(hash) || told.contains(hash.spot.key()))
            return;
        told.insert(hash.spot.key());
        Edits edits;
        if (hash.value.isEmpty() && !wanted.isEmpty())
            edits = subject.replaced(hash.spot, u"\"\""_s, u'"' + wanted + u'"');
        report.add(hash.spot, Tr::tr("A hash is empty, so the build stops after it downloads the source."),
                   wanted.isEmpty() ? Tr::tr("Write the hash that the failing build prints.")
                                    : Tr::tr("Write %1.").arg(wanted),
                   edits);
    };
    check(subject.package.src.hash, subject.base.sourceHash);
    if (subject.companion && subject.torch)
        check(subject.torch->src.hash, subject.torchBase.sourceHash);
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        check(overlay.src.hash, overlay.kind == OverlayFacts::Kind::Torch ? subject.torchBase.sourceHash : QString());
        for (const PatchFacts &patch : overlay.patches)
            check(patch.hash, hashOfPatch(subject, patch));
    }
    for (const PinFacts &pin : subject.facts.pins)
        check(pin.sha256, subject.base.pin.sha256);
    for (const StatedText &hash : subject.facts.hashes) // Anywhere else.
        check(hash, {});
}

/// A hash that Nix does not read. What is called so may be something else, so it must look like a hash.
void hashInvalid(const Subject &subject, Report &report)
{
    static const QRegularExpression form(u"^(?:md5|sha1|sha256|sha512)[-:]"_s);
    QSet<quint64> told;
    const auto check = [&](const StatedText &hash, bool certain) {
        if (!hash.known || isEmptyHash(hash) || isHash(hash.value) || !(certain || form.match(hash.value).hasMatch()) ||
            told.contains(hash.spot.key()))
            return;
        told.insert(hash.spot.key());
        report.add(hash.spot, Tr::tr("%1 is not a hash, so Nix stops there.").arg(hash.value.left(80)),
                   Tr::tr("Write the whole hash: \"sha256-\" and 44 characters."));
    };
    for (const PackageFacts *package : subject.packages())
        check(package->src.hash, true);
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        check(overlay.src.hash, true);
        for (const PatchFacts &patch : overlay.patches)
            check(patch.hash, true);
    }
    for (const PinFacts &pin : subject.facts.pins)
        check(pin.sha256, true);
    check(subject.facts.torch.sha256, true);
    for (const StatedText &hash : subject.facts.hashes)
        check(hash, false);
}

void versionOther(const Subject &subject, Report &report)
{
    const QString &wanted = subject.torchBase.version;
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    const auto check = [&](const StatedText &version, const QString &what, const QString &right) {
        if (version && version.known && !right.isEmpty() && version.value != right)
            report.add(version.spot,
                       Tr::tr("It builds %1 %2, but the branch settings say %3.").arg(what, version.value, right),
                       Tr::tr("Regenerate it: another version needs another source."), Edits());
    };
    if (overlay)
        check(overlay->version, u"torch"_s, wanted);
    if (subject.torch)
        check(subject.torch->version, u"torch"_s, wanted);
    const bool stated =
        (overlay && overlay->version) || (subject.torch && (subject.torch->version || subject.torch->builder));
    if (subject.upgrades && subject.torch && subject.torch->attribute && !stated &&
        subject.wasRead(*subject.torch, Subject::Everything))
        report.add(subject.torch->attribute.spot,
                   Tr::tr("It builds nixpkgs' own torch, but the branch settings say torch %1.").arg(wanted),
                   Tr::tr("Add the overlay that brings torch %1, or regenerate it.").arg(wanted));
}

void hashOther(const Subject &subject, Report &report)
{
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    const StatedText hash = overlay && overlay->src.hash ? overlay->src.hash
                            : subject.torch              ? subject.torch->src.hash
                                                         : StatedText();
    const StatedText version = overlay && overlay->version ? overlay->version
                               : subject.torch             ? subject.torch->version
                                                           : StatedText();
    const QString &wanted = subject.torchBase.sourceHash;
    if (!hash || !hash.known || isEmptyHash(hash) || wanted.isEmpty() || hash.value == wanted ||
        version.value != subject.torchBase.version)
        return;
    report.add(hash.spot, Tr::tr("The source hash of torch %1 differs from the branch settings.").arg(version.value),
               Tr::tr("Write %1.").arg(wanted), subject.replaced(hash.spot, hash.value, wanted));
}

/// Overlays of other Pythons alone: nothing of them reaches the recipe, if they are not for its tools.
void tellOfOtherPythons(const Subject &subject, const StatedText &set, Report &report)
{
    static const QRegularExpression name(u"^(python3\\d+)(Packages)?$"_s);
    const QString &python = subject.input.variant.python;
    if (set.value != python + "Packages"_L1)
        return;
    QList<const OverlayFacts *> others;
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        if (!overlay.name.startsWith("python"_L1))
            continue;
        const QString changed = name.match(overlay.name).captured(1);
        if (changed.isEmpty() || changed == python)
            return; // python3 is one of them, and pythonPackagesExtensions are for all.
        others.append(&overlay);
    }
    for (const OverlayFacts *overlay : others) {
        const QString wanted = python + name.match(overlay->name).captured(2);
        report.addNote(overlay->spot,
                       Tr::tr("The overlay changes %1, but the recipe takes %2 from %3.")
                           .arg(overlay->name, subject.package.attribute.value, set.value),
                       Tr::tr("Change %1 in it, unless its tools need it so.").arg(wanted),
                       subject.replaced(overlay->spot, overlay->name, wanted));
    }
}

void overlayDead(const Subject &subject, Report &report)
{
    const StatedText &set =
        subject.torch && subject.torch->packageSet ? subject.torch->packageSet : subject.package.packageSet;
    const QString &python = subject.input.variant.python;
    const QString &taken = subject.package.attribute.value;
    const OverlayFacts *dead = nullptr;
    QString replaced;
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        if (!set || overlay.name == "pythonPackagesExtensions"_L1)
            continue;
        const auto name = std::ranges::find_if(overlay.replaced, [&taken](const QString &one) {
            return one == "torch"_L1 || one == "pytorch"_L1 || one == taken;
        });
        if (name == overlay.replaced.cend())
            continue;
        const bool isSet = overlay.name.endsWith("Packages"_L1);
        const QString changed = isSet ? overlay.name : overlay.name + "Packages"_L1;
        // python3 of nixpkgs is another name of one of them.
        const bool isUnclear = !isSet && set.value == "python3Packages"_L1 &&
                               (subject.base.pin.python3.isEmpty() || subject.base.pin.python3 == overlay.name);
        if (changed == set.value || isUnclear)
            return;
        dead = &overlay;
        replaced = *name;
    }
    if (!dead)
        return tellOfOtherPythons(subject, set, report);
    const QString other = python + (dead->name.endsWith("Packages"_L1) ? "Packages"_L1 : QLatin1StringView());
    const bool isOverlayWrong = set.value == python + "Packages"_L1 && dead->name != "python3Packages"_L1;
    report.add(isOverlayWrong ? dead->spot : set.spot,
               Tr::tr("The overlay changes %3 in %1, but the recipe takes %4 from %2, which has the old one.")
                   .arg(dead->name, set.value, replaced, subject.torch || taken.isEmpty() ? replaced : taken),
               isOverlayWrong ? Tr::tr("Change %1 in %2.").arg(replaced, other)
                              : Tr::tr("Take %1 from %2.").arg(replaced, dead->name),
               isOverlayWrong ? subject.replaced(dead->spot, dead->name, other)
                              : subject.replaced(set.spot, set.value, dead->name));
}

/// A source that the recipe fetches itself, and what it must be.
struct Fetched {
    const SourceFacts *src;
    QString version; ///< the version that the recipe states, else the settings'
    const Family *family;
};

QList<Fetched> fetchedBy(const Subject &subject)
{
    const auto stated = [](const StatedText &version, const QString &wanted) {
        return version && version.known ? version.value : wanted;
    };
    const Family *pytorch = subject.input.catalog->family(u"pytorch"_s);
    QList<Fetched> list;
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        if (overlay.kind == OverlayFacts::Kind::Torch && overlay.src.spot)
            list.append({&overlay.src, stated(overlay.version, subject.torchBase.version), pytorch});
    }
    if (subject.package.src.spot)
        list.append({&subject.package.src, stated(subject.package.version, subject.base.version), subject.family});
    for (const PackageFacts &library : subject.facts.libraries) {
        if (library.src.spot)
            list.append({&library.src, stated(library.version, subject.base.version), subject.family});
    }
    if (subject.companion && subject.torch && subject.torch->src.spot)
        list.append({&subject.torch->src, stated(subject.torch->version, subject.torchBase.version), pytorch});
    return list;
}

/// Of two versions with one hash, the newer one was most likely copied from the older.
void hashOfAnother(const Subject &subject, Report &report)
{
    for (const Fetched &fetched : fetchedBy(subject)) {
        const StatedText &hash = fetched.src->hash;
        const QString family = fetched.family ? FamilyName::of(fetched.family->id).word : subject.familyName().word;
        if (!hash.known || isEmptyHash(hash))
            continue;
        for (const auto &[key, profile] : subject.input.settings->profiles.asKeyValueRange()) {
            if (profile.version.isEmpty() || !sameHash(profile.sourceHash, hash.value) ||
                FamilyName::of(key.family).word != family || compareVersions(profile.version, fetched.version) >= 0)
                continue;
            report.add(hash.spot,
                       Tr::tr("Version %1 has the source hash of %2: Nix builds the source of %2 if it has it already.")
                           .arg(fetched.version, profile.version),
                       forSurface(Tr::tr("\"nix-prefetch-git\" or \"nix-prefetch-url --unpack\" print the right one."),
                                  Tr::tr("Fetch the right hash in Settings.")));
            break;
        }
    }
}

void revisionOther(const Subject &subject, Report &report)
{
    static const QRegularExpression tag(u"^(?:refs/tags/)?v?(\\d+(?:\\.\\d+)+)\\z"_s);
    for (const Fetched &fetched : fetchedBy(subject)) {
        const StatedText &revision = fetched.src->revision;
        const QRegularExpressionMatch match = tag.match(revision.value);
        if (!revision.known || fetched.version.isEmpty() || !match.hasMatch() || match.captured(1) == fetched.version ||
            fetched.version.startsWith(match.captured(1) + ".post"_L1))
            continue;
        const QString wanted = revision.value.first(match.capturedStart(1)) + fetched.version;
        report.add(revision.spot, Tr::tr("It fetches %1, but its version is %2.").arg(revision.value, fetched.version),
                   Tr::tr("Fetch %1, and change its hash too.").arg(wanted));
    }
}

void repositoryOther(const Subject &subject, Report &report)
{
    for (const Fetched &fetched : fetchedBy(subject)) {
        const StatedText &owner = fetched.src->owner;
        const StatedText &name = fetched.src->repository;
        if (!owner.known || !name.known || !fetched.family || fetched.family->repository.isEmpty())
            continue;
        const QString from = owner.value + u'/' + name.value;
        if (from.compare(fetched.family->repository, Qt::CaseInsensitive) == 0)
            continue;
        const bool otherOwner =
            owner.value.compare(fetched.family->repository.section(u'/', 0, 0), Qt::CaseInsensitive) != 0;
        report.add(otherOwner ? owner.spot : name.spot,
                   Tr::tr("It fetches %1, but the repository of %2 is %3.")
                       .arg(from, fetched.family->title, fetched.family->repository),
                   Tr::tr("Fetch %1, or keep it if the fork is intended.").arg(fetched.family->repository));
    }
}

void submodulesMissing(const Subject &subject, Report &report)
{
    for (const Fetched &fetched : fetchedBy(subject)) {
        const SourceFacts &src = *fetched.src;
        const bool git =
            src.fetcher == "fetchFromGitHub"_L1 || src.fetcher == "fetchgit"_L1 || src.fetcher == "fetchFromGitLab"_L1;
        if (!git || !fetched.family || fetched.family->id != "pytorch"_L1 ||
            (src.submodules && (!src.submodules.known || src.submodules.value)))
            continue;
        report.add(src.submodules ? src.submodules.spot : src.spot,
                   Tr::tr("torch's source is fetched without its submodules, which the build needs."),
                   Tr::tr("Add fetchSubmodules = true, which changes the hash."));
    }
}

/// Whether the variant's CUDA needs patches for MAGMA that its nixpkgs does not have.
bool needsMagmaPatch(const Subject &subject)
{
    const Toolkit *toolkit = subject.input.catalog->toolkit(subject.input.variant.cuda);
    return subject.nixpkgsLacksToolkit() && subject.torch && toolkit && !toolkit->magmaPatches.isEmpty();
}

const QList<PatchSource> &magmaPatches(const Subject &subject)
{
    return subject.input.catalog->toolkit(subject.input.variant.cuda)->magmaPatches;
}

/// The overlay that patches MAGMA, as templates/pytorch/parts/magma-overlay.nix has it.
QByteArray magmaOverlay(const Subject &subject)
{
    QString patches;
    for (const PatchSource &patch : magmaPatches(subject))
        patches +=
            u"      (final.fetchpatch {\n        name = \"%1\";\n        url = \"%2\";\n        hash = \"%3\";\n      })\n"_s
                .arg(patch.name, patch.url, patch.hash);
    return "(final: prev: {\n  magma = prev.magma.overrideAttrs (oldAttrs: {\n    patches = (oldAttrs.patches or [ ]) "
           "++ [\n" +
           patches.toUtf8() + "    ];\n  });\n})";
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
    if (!needsMagmaPatch(subject) || isMagmaOff(subject) || (magma && !magma->patches.isEmpty()) ||
        !subject.wasRead(*subject.torch, Subject::Everything))
        return;
    const OverlayFacts *toolkit = magma ? nullptr : subject.overlay(OverlayFacts::Kind::CudaSelection);
    const Edits edits = toolkit ? subject.itemBehind(toolkit->spot, magmaOverlay(subject)) : Edits();
    report.add(toolkit && !edits.isEmpty() ? toolkit->spot : subject.packageSpot(),
               Tr::tr("MAGMA of this nixpkgs does not compile with CUDA %1 without %2.")
                   .arg(subject.input.variant.cuda, magmaPatches(subject).constFirst().name),
               Tr::tr("Add the patch by an overlay, as the template does."), edits);
}

void magmaPatchOther(const Subject &subject, Report &report)
{
    const OverlayFacts *magma = subject.overlay(OverlayFacts::Kind::Magma);
    if (!needsMagmaPatch(subject) || isMagmaOff(subject) || !magma)
        return;
    const auto tell = [&](const StatedText &said, const QString &wanted) {
        report.add(
            said.spot,
            Tr::tr("MAGMA's patch has %1, but CUDA %2 needs %3.").arg(said.value, subject.input.variant.cuda, wanted),
            Tr::tr("Write %1.").arg(wanted), subject.replaced(said.spot, said.value, wanted));
    };
    for (const PatchSource &wanted : magmaPatches(subject)) {
        const auto sameName = std::ranges::find(magma->patches, wanted.name, &PatchFacts::name);
        const auto sameUrl = std::ranges::find_if(
            magma->patches, [&wanted](const PatchFacts &patch) { return patch.url.value == wanted.url; });
        const auto found = sameUrl != magma->patches.end() ? sameUrl : sameName;
        if (found == magma->patches.end()) {
            for (const PatchFacts &patch : magma->patches)
                report.add(patch.spot,
                           Tr::tr("MAGMA's patch is %1, but CUDA %2 needs %3.")
                               .arg(patch.name, subject.input.variant.cuda, wanted.name),
                           Tr::tr("Regenerate it: the template has the patch."));
            continue;
        }
        if (found->url && found->url.known && found->url.value != wanted.url)
            tell(found->url, wanted.url);
        else if (!found->hash)
            report.add(found->spot, Tr::tr("MAGMA's patch has no hash."),
                       Tr::tr("Add hash = \"%1\".").arg(wanted.hash));
        else if (found->hash.known && !isEmptyHash(found->hash) && found->hash.value != wanted.hash)
            tell(found->hash, wanted.hash);
    }
}

void magmaOff(const Subject &subject, Report &report)
{
    if (subject.gpu && isMagmaOff(subject))
        report.add(subject.packageSpot(), Tr::tr("MAGMA is switched off, so some of torch.linalg runs on the CPU."),
                   Tr::tr("Regenerate it: the template patches MAGMA where that is needed."));
}

constexpr RuleEntry rulesOfTorch[] = {
    {"attribute-pytorch", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "pytorch is used where torch is needed."), true,
     attributePytorch,
     QT_TRANSLATE_NOOP("tmx::Tr", "It builds nixpkgs' old torch but reports the new "
                                  "version."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes for PyTorch 2.10.0 that were copied from older ones.")},
    {"attribute-alias", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "pytorch is an old name of torch."), true,
     attributeAlias, QT_TRANSLATE_NOOP("tmx::Tr", "It stops evaluating when nixpkgs drops the old name."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older recipes.")},
    {"attribute-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe builds another package than its name says."), true, attributeOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It builds another package."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"python-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The package is for a different Python than its name says."), true, pythonOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "Users of the Python in its name cannot import it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to another Python; in tests only so far.")},
    {"wheel-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The library that a Python package wraps builds no wheel for its Python."), true,
     wheelOther, QT_TRANSLATE_NOOP("tmx::Tr", "It is built and installed, but its Python cannot import it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "ONNX Runtime for another Python than nixpkgs' python3.")},
    {"from-scratch", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The package is built from scratch."), false,
     fromScratch, QT_TRANSLATE_NOOP("tmx::Tr", "None of nixpkgs' patches and settings apply; it rarely builds."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe of a nightly version.")},
    {"hash-empty", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A hash is empty."), true, hashEmpty,
     QT_TRANSLATE_NOOP("tmx::Tr", "The build stops after it downloads the source."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A recipe of a nightly version.")},
    {"hash-invalid", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A hash is not in any of Nix's notations."), false,
     hashInvalid, QT_TRANSLATE_NOOP("tmx::Tr", "Nix refuses it, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "A hash that was cut when it was copied.")},
    {"torch-version-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The version differs from the branch settings."), false, versionOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It says one version and builds another."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"torch-hash-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The source hash of torch differs from the branch settings."), true, hashOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "Nix refuses the source, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"source-hash-of-another", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "Two versions have one source hash."),
     false, hashOfAnother,
     QT_TRANSLATE_NOOP("tmx::Tr", "It says one version and builds another, or Nix refuses the source."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"source-revision-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The fetched revision does not match the stated version."), false, revisionOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It says one version and builds another, or Nix refuses the hash."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes moved to another version; in tests only so far.")},
    {"source-repository-other", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The source comes from a different repository than the family's."), false,
     repositoryOther, QT_TRANSLATE_NOOP("tmx::Tr", "It is built from somebody else's source."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"submodules-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "torch is fetched without its submodules."),
     false, submodulesMissing, QT_TRANSLATE_NOOP("tmx::Tr", "CMake stops at third_party."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"torch-overlay-dead", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "torch comes from a package set that the overlay does not change."), true,
     overlayDead, QT_TRANSLATE_NOOP("tmx::Tr", "It builds nixpkgs' old torch but reports the new version."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes for PyTorch 2.10.0 that take python313Packages.")},
    {"magma-patch-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "MAGMA needs a patch with CUDA 13.0."), true,
     magmaPatchMissing, QT_TRANSLATE_NOOP("tmx::Tr", "MAGMA does not compile."),
     QT_TRANSLATE_NOOP("tmx::Tr", "CUDA 13.0 with an older nixpkgs.")},
    {"magma-patch-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "MAGMA's patch is not the one that CUDA needs."), true, magmaPatchOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "MAGMA does not compile, or Nix refuses the patch."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"magma-off", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "MAGMA is switched off."), false, magmaOff,
     QT_TRANSLATE_NOOP("tmx::Tr", "Some of torch.linalg runs on the CPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older recipes for CUDA 13.0.")},
};

} // namespace

std::span<const RuleEntry> torchRules()
{
    return rulesOfTorch;
}

} // namespace tmx
