// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/VariantName.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = TorchSource::Kind;

bool isReadCompanion(const Subject &subject)
{
    return subject.companion && subject.package.attribute;
}

/// Whether the package is one of nixpkgs' that are linked against torch; a companion, or one that no family is declared
/// for.
bool usesTorch(const Subject &subject)
{
    return isReadCompanion(subject) || (takesTorch(subject.package.attribute.value) && !subject.inner);
}

/// Whether the package has CUDA, but nixpkgs' own torch beside it does not.
bool hasTorchWithoutCuda(const Subject &subject)
{
    if (!usesTorch(subject) || !subject.cuda || subject.facts.torch.kind != Kind::NotStated ||
        subject.package.source != "pin"_L1 || !subject.pin())
        return false;
    const StatedFlag &config = subject.pin()->cudaSupport;
    return config ? config.known && !config.value
                  : subject.wasRead(subject.package, Subject::Origin | Subject::Arguments);
}

/// Whether an overlay changes the Python packages in a way that is not understood: torch may come from there.
bool mayHaveTorchFromOverlay(const Subject &subject)
{
    for (const OverlayFacts &overlay : subject.facts.overlays) {
        if (overlay.mayHaveTorch()) {
            subject.stopAt(
                {Tr::tr("it is unknown which torch the overlay of %1 gives").arg(overlay.name), overlay.spot, false});
            return true;
        }
    }
    return false;
}

void torchWithoutCuda(const Subject &subject, Report &report)
{
    if (hasTorchWithoutCuda(subject) && (subject.companion || !mayHaveTorchFromOverlay(subject)))
        report.add(subject.package.cudaSupport ? subject.package.cudaSupport.spot : subject.packageSpot(),
                   Tr::tr("Its torch is nixpkgs' own, which has no CUDA here: its nixpkgs does not set cudaSupport."),
                   Tr::tr("Pass a torch with CUDA to .override, or set config.cudaSupport = true."));
}

void toolkitOfTorch(const Subject &subject, Report &report)
{
    if (!isReadCompanion(subject) || !subject.torch || subject.overlay(OverlayFacts::Kind::CudaSelection) ||
        subject.package.argument(u"cudaPackages"))
        return;
    if (const NamedText *set = subject.torch->argument(u"cudaPackages");
        set && subject.wasRead(subject.package, Subject::Origin | Subject::Arguments))
        report.add(set->spot,
                   Tr::tr("%1 is given to its torch alone; the package itself is built with nixpkgs' default toolkit.")
                       .arg(set->value),
                   Tr::tr("Select the toolkit for both: overlays = [ (final: prev: { cudaPackages = final.%1; }) ].")
                       .arg(subject.wantedToolkit()));
}

void torchMissing(const Subject &subject, Report &report)
{
    if (isReadCompanion(subject) && !subject.wasTorchRead())
        return;
    if (isReadCompanion(subject) && subject.facts.torch.kind == Kind::NotStated && mayHaveTorchFromOverlay(subject))
        return;
    if (isReadCompanion(subject) && subject.facts.torch.kind == Kind::NotStated && !hasTorchWithoutCuda(subject) &&
        subject.wasRead(subject.package, Subject::Origin | Subject::Arguments)) {
        const auto oldName = std::ranges::find_if(subject.facts.overlays, &OverlayFacts::replacesOldName);
        if (oldName != subject.facts.overlays.cend())
            report.add(oldName->spot,
                       Tr::tr("Its overlay replaces pytorch, an old name: the package takes nixpkgs' own torch."),
                       Tr::tr("Replace torch in it."));
        else
            report.add(subject.packageSpot(), Tr::tr("It uses nixpkgs' own torch instead of its variant's."),
                       Tr::tr("Pass the torch of %1 to .override.").arg(torchVariantOf(subject.input.variant).name()));
    }
}

/// Whether the name of a file or of a published package is this variant's; adds the toolkit if the name lacks it.
bool isOfVariant(const Subject &subject, const QString &package)
{
    const Variant wanted = torchVariantOf(subject.input.variant);
    auto name = VariantName::parse(package, subject.input.catalog->isaIds());
    if (!name)
        return false;
    // Without a pairing in the companion's name any version of torch is right, and without another part any other.
    if (FamilyName::of(name->variant.family).word == wanted.family)
        name->variant.family = wanted.family;
    if (wanted.isa.isEmpty())
        name->variant.isa.clear();
    if (wanted.python.isEmpty())
        name->variant.python.clear();
    if (subject.gpu && name->variant.cuda.isEmpty())
        name->variant.cuda = wanted.cuda;
    return name->variant == wanted;
}

bool isVariant(const Subject &subject, const QString &package)
{
    const auto name = VariantName::parse(package, subject.input.catalog->isaIds());
    return name && !name->uncertain;
}

/// The key in siblings for the recipe that a companion imports.
QString siblingKey(const TorchSource &torch)
{
    return torch.kind == Kind::Fetched
               ? TorchRepository::ofArchive(torch.archive.value, torch.revision.value).commitKey() + u'/' + torch.path
               : torch.file;
}

void torchOther(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    const bool isFile = torch.kind == Kind::Sibling || torch.kind == Kind::Fetched;
    const QString published =
        torch.kind == Kind::Published ? torch.file.section(u'.', 1).section(u'.', 0, 0) : QString();
    if (!isReadCompanion(subject) && (subject.family || !(isFile || isVariant(subject, published))))
        return;
    const QString wanted = torchVariantOf(subject.input.variant).name();
    const auto other = [&](const QString &name, const Edits &edits) {
        report.add(torch.spot, Tr::tr("Its torch is %1, another variant.").arg(name), Tr::tr("Use %1.").arg(wanted),
                   edits);
    };
    if (isFile && torch.file.endsWith(".nix"_L1)) {
        const QString name = torch.file.chopped(4);
        if (!isVariant(subject, name))
            return; // Some other file, which may build the right one.
        if (!isOfVariant(subject, name))
            other(name, {});
        else if (const auto sibling = subject.input.siblings.constFind(siblingKey(torch));
                 sibling != subject.input.siblings.cend()) {
            const RecipeFacts facts = readFacts(*sibling);
            const QString theirs = facts.pins.isEmpty() ? QString() : facts.pins.constFirst().revision.value;
            const QString ours = subject.pin() ? subject.pin()->revision.value : QString();
            if (!theirs.isEmpty() && !ours.isEmpty() && theirs != ours)
                report.add(torch.spot,
                           Tr::tr("%1 is pinned to nixpkgs %2, and this recipe to %3.")
                               .arg(torch.file, theirs.left(12), ours.left(12)),
                           Tr::tr("Pin both to the nixpkgs of the branch settings."));
        }
    } else if (torch.kind == Kind::Published) {
        if (!isOfVariant(subject, published))
            other(published, {});
    } else if (torch.kind == Kind::Built && torch.package->source != subject.package.source) {
        report.add(torch.spot, Tr::tr("Its torch is built from a different nixpkgs than the recipe."),
                   Tr::tr("Use one nixpkgs for both."));
    }
}

void siblingMissing(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    if (subject.companion && torch.kind == Kind::Sibling && isVariant(subject, packageOf(torch.file)) &&
        !subject.input.siblings.contains(torch.file))
        report.add(torch.spot, Tr::tr("%1 is not in .flox/pkgs of this branch.").arg(torch.file),
                   Tr::tr("Generate it, or take torch from the published package."));
}

/// For a fetched repository, only the contents of an available clone are known.
void fetchedMissing(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    if (!subject.companion || torch.kind != Kind::Fetched || !torch.revision.known)
        return;
    const TorchRepository from = TorchRepository::ofArchive(torch.archive.value, torch.revision.value);
    const QHash<QString, QByteArray> &known = subject.input.siblings;
    if (known.contains(from.name()) && !known.contains(from.commitKey()))
        report.add(
            torch.revision.spot,
            Tr::tr("The clone of %1 beside this repository has no commit %2.").arg(from.name(), from.revision.left(12)),
            forSurface(Tr::tr("Run \"git fetch\" there. If it is still missing, write a commit that exists."),
                       Tr::tr("Fetch in that repository. If it is still missing, write a commit that exists.")));
}

void fetchedRecipeMissing(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    if (!subject.companion || torch.kind != Kind::Fetched)
        return;
    const TorchRepository from = TorchRepository::ofArchive(torch.archive.value, torch.revision.value);
    if (subject.input.siblings.contains(from.commitKey()) && !subject.input.siblings.contains(siblingKey(torch)))
        report.add(torch.spot,
                   Tr::tr("%1 at commit %2 has no %3.").arg(from.name(), from.revision.left(12), torch.path),
                   Tr::tr("Fetch a commit that has it."));
}

void fetchedHashMissing(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    if (torch.kind == Kind::Fetched && torch.archive && !torch.sha256)
        report.add(
            torch.archive.spot,
            Tr::tr("The tarball of PyTorch recipes has no sha256, so Nix asks the server for it again every hour."),
            forSurface(Tr::tr("\"nix-prefetch-url --unpack %1\" prints it.").arg(torch.archive.value),
                       Tr::tr("Add the hash of the unpacked tarball.")));
}

/// Whether config.cudaCapabilities limits the GPUs of all packages of its nixpkgs.
bool hasCapabilities(const Subject &subject)
{
    return subject.package.source == "pin"_L1 && subject.pin() && subject.pin()->cudaCapabilities;
}

void archListMissing(const Subject &subject, Report &report)
{
    if (!isReadCompanion(subject) || !subject.gpu || subject.package.variable(u"TORCH_CUDA_ARCH_LIST") ||
        hasCapabilities(subject) || !subject.wasRead(subject.package, Subject::Origin | Subject::Attributes))
        return;
    report.add(subject.packageSpot(),
               Tr::tr("It does not export TORCH_CUDA_ARCH_LIST, so it compiles for every GPU of the toolkit."),
               Tr::tr("Export TORCH_CUDA_ARCH_LIST=\"%1\" in preConfigure.").arg(subject.row->capability));
}

void torchOutput(const Subject &subject, Report &report)
{
    // A torch among the Python packages of nixpkgs is propagated as nixpkgs' own is.
    if (!isReadCompanion(subject) || subject.facts.torch.kind == Kind::NotStated || subject.facts.torch.inSet ||
        !(subject.package.argument(u"torch") || subject.package.argument(u"pytorch")))
        return;
    const bool given = std::ranges::any_of(subject.package.inputs, [](const StatedText &input) {
        return input.value == "out"_L1 || input.value.endsWith(".out"_L1);
    });
    if (!given && subject.wasRead(subject.package, Subject::Attributes))
        report.add(subject.packageSpot(),
                   Tr::tr("propagatedBuildInputs does not name torch's .out, so \"import torch\" fails beside it."),
                   Tr::tr("Append torch.out to propagatedBuildInputs."));
}

/// nixpkgs' own torch among the inputs, beside the one that the file builds.
void torchTwice(const Subject &subject, Report &report)
{
    static const QRegularExpression plain(u"(^|\\.)python3\\d*(Packages|\\.pkgs)\\.(torch|pytorch)(\\.\\w+)?$"_s);
    if (!subject.companion || subject.facts.torch.kind != Kind::Built || subject.facts.torch.inSet ||
        !(subject.package.argument(u"torch") || subject.package.argument(u"pytorch")))
        return;
    for (const StatedText &input : subject.package.inputs) {
        if (input.known && plain.match(input.value).hasMatch())
            report.add(input.spot,
                       Tr::tr("%1 is nixpkgs' own torch, beside the one that the recipe builds.").arg(input.value),
                       Tr::tr("Name the torch that .override gets."));
    }
}

/// "2.10" of 2.10.0.
QString minorOf(const QString &version)
{
    return version.section(u'.', 0, 1);
}

/// Versions that do not go together, by the catalog's table: its own against that of its torch.
void torchPairing(const Subject &subject, Report &report)
{
    const TorchSource &torch = subject.facts.torch;
    const StatedText own = subject.facts.version();
    if (!isReadCompanion(subject) || !subject.family || !own.known || !subject.familyName().pairing.isEmpty())
        return;
    const bool isFile = torch.kind == Kind::Sibling || torch.kind == Kind::Fetched;
    const StatedText built = subject.torch ? subject.torch->builtVersion() : StatedText();
    const QString theirs = isFile ? FamilyName::releaseOf(torch.file) : built.known ? minorOf(built.value) : QString();
    if (theirs.isEmpty())
        return;
    const QString wanted = minorOf(subject.family->versionFor(theirs));
    QStringList partners; // of its own version
    for (auto it = subject.family->versions.cbegin(); it != subject.family->versions.cend(); ++it) {
        if (minorOf(*it) == minorOf(own.value))
            partners.append(minorOf(it.key()));
    }
    if (wanted == minorOf(own.value) || partners.contains(theirs) || (wanted.isEmpty() && partners.isEmpty()))
        return;
    report.add(torch.spot,
               wanted.isEmpty() ? Tr::tr("It builds %1 %2 against PyTorch %3, but that goes with PyTorch %4.")
                                      .arg(subject.family->title, own.value, theirs, partners.constFirst())
                                : Tr::tr("It builds %1 %2 against PyTorch %3, which goes with %4.")
                                      .arg(subject.family->title, own.value, theirs, wanted),
               Tr::tr("Use the versions that the projects release together."));
}

constexpr RuleEntry rulesOfCompanions[] = {
    {"companion-torch-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion is built against nixpkgs' own torch."), false, torchMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is linked against a torch that is not shipped with it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"companion-torch-without-cuda", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion has CUDA, but its torch does not."), false, torchWithoutCuda,
     QT_TRANSLATE_NOOP("tmx::Tr", "The build fails, or the result has no code for the GPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "vLLM with cudaSupport over nixpkgs' own torch (nixpkgs issue 413831).")},
    {"torch-twice", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "nixpkgs' own torch stands beside the one that the recipe builds."), false,
     torchTwice, QT_TRANSLATE_NOOP("tmx::Tr", "It is built as well, for every GPU, and two torches collide."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"toolkit-of-torch-alone", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion's torch has another toolkit than the companion."), false, toolkitOfTorch,
     QT_TRANSLATE_NOOP("tmx::Tr", "Two CUDA runtimes meet in one program."),
     QT_TRANSLATE_NOOP("tmx::Tr", "torch.override { cudaPackages = ...; } (nixpkgs issues 564686 and 553299).")},
    {"companion-torch-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "A companion's torch is another variant."),
     false, torchOther, QT_TRANSLATE_NOOP("tmx::Tr", "It is linked against a torch for another GPU, CPU or nixpkgs."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"companion-torch-version", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion is built against a PyTorch of another release."), false, torchPairing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It fails to build, or \"import\" fails with an undefined symbol."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Tables of versions in lib/; in tests only so far.")},
    {"companion-sibling-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe that a companion imports does not exist."), false, siblingMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to a branch without their PyTorch; in tests only so far.")},
    // The commit can be replaced once the other repository has the recipe: a branch is derived before that.
    {"torch-recipe-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The commit that a companion fetches has no recipe of its PyTorch."), false,
     fetchedRecipeMissing, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"torch-commit-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The clone beside the repository lacks the commit that a companion fetches."), false,
     fetchedMissing, QT_TRANSLATE_NOOP("tmx::Tr", "If the commit does not exist, nothing is fetched or built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"torch-sha256-missing", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "The fetched PyTorch recipes have no sha256."), false, fetchedHashMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "Nix asks for the tarball again every hour, and cannot check that it is unchanged."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"companion-arch-list-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion compiles for every GPU."), false, archListMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It compiles for every GPU of the toolkit: several times the time and the size."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Every hand-written torchvision recipe with CUDA.")},
    {"companion-torch-output", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A companion does not propagate torch's .out."), false, torchOutput,
     QT_TRANSLATE_NOOP("tmx::Tr", "\"import torch\" fails where it is installed."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Hand-written torchvision recipes for Turing, and torchaudio recipes.")},
};

} // namespace

std::span<const RuleEntry> companionRules()
{
    return rulesOfCompanions;
}

} // namespace tmx
