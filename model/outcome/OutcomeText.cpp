// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/outcome/OutcomeText.h"

#include "model/base/Sentences.h"
#include "model/base/ShortList.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"
#include "model/catalog/Catalog.h"
#include "model/catalog/VariantName.h"
#include "model/outcome/FailureLine.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Kind = BuildOutcome::Kind;
using Cause = BuildOutcome::Cause;
using Certainty = BuildOutcome::Certainty;

/// "in buildPhase, at step 7 of 12"
QString placeOf(const BuildStep &at)
{
    const QLocale locale;
    const QString steps = Tr::tr("at step %1 of %2").arg(locale.toString(at.step), locale.toString(at.total));
    if (at.phase.isEmpty())
        return at.total > 0 ? steps : QString();
    const QString phase = Tr::tr("in %1").arg(at.phase);
    return at.total > 0 && at.phase == "buildPhase"_L1 ? Tr::tr("%1, %2", "phase, step of a build").arg(phase, steps)
                                                       : phase;
}

/// "9.0a" for "compute_90a" and "sm_90a"; empty for anything else.
QString capabilityOf(const QString &architecture)
{
    static const QRegularExpression form(u"^(?:compute|sm|lto)_(\\d+)(\\d)([af]?)$"_s);
    const QRegularExpressionMatch match = form.match(architecture);
    return match.hasMatch() ? match.captured(1) + u'.' + match.captured(2) + match.captured(3) : QString();
}

const std::shared_ptr<const Catalog> &catalog()
{
    static const std::shared_ptr<const Catalog> loaded = [] {
        const Result<std::shared_ptr<const Catalog>> result = Catalog::loadForUser();
        return result ? *result : nullptr;
    }();
    return loaded;
}

/// The capability of the GPU that a package is for; empty if its name has none.
QString capabilityOfRow(const QString &package)
{
    const auto name = catalog() ? VariantName::parse(package, catalog()->isaIds()) : std::nullopt;
    const GpuRow *row = name ? catalog()->row(name->variant.row) : nullptr;
    return row ? row->capability : QString();
}

/// Toolkits whose nvcc compiles for a capability: the catalog's, and those of GPUs that no recipe is for any more (CUDA
/// release notes). Both empty: unknown.
struct Toolkits {
    QString first;
    QString last;
};

Toolkits toolkitsOf(QString capability)
{
    const bool specific = capability.endsWith(u'a') || capability.endsWith(u'f');
    if (specific)
        capability.chop(1);
    if (const GpuRow *row = catalog() ? catalog()->rowOfCapability(capability) : nullptr)
        return {row->firstCuda, row->lastCuda};
    const QStringList parts = capability.split(u'.');
    const int number = parts.value(0).toInt() * 10 + parts.value(1).toInt();
    if (number <= 0 || number >= 75)
        return {};
    return {{}, number >= 50 ? u"12.9"_s : number >= 35 ? u"11.8"_s : number >= 30 ? u"10.2"_s : u"8.0"_s};
}

QString architectureRemedy(const BuildOutcome &outcome)
{
    const QString capability = capabilityOf(outcome.about.value(0));
    const auto [first, last] = toolkitsOf(capability);
    const QString toolkit = outcome.about.value(1);
    if (!last.isEmpty() && (toolkit.isEmpty() || compareVersions(toolkit, last) > 0))
        return Tr::tr("CUDA %1 is the last with it: build that row with CUDA %1, or remove %2 from gpuTargets or "
                      "TORCH_CUDA_ARCH_LIST.")
            .arg(last, capability);
    if (!first.isEmpty() && (toolkit.isEmpty() || compareVersions(toolkit, first) < 0))
        return Tr::tr("CUDA %1 is the first with it: build that row with CUDA %1 or later, or remove %2 from "
                      "gpuTargets or TORCH_CUDA_ARCH_LIST.")
            .arg(first, capability);
    return Tr::tr("Build that row with a toolkit that knows it, or remove it from gpuTargets or TORCH_CUDA_ARCH_LIST.");
}

/// "1 h 30 min", for a limit
QString limitText(const QString &seconds)
{
    const qint64 value = seconds.toLongLong();
    const QString minutes =
        value >= 60 && value % 60 == 0 ? Tr::tr("%1 min").arg(QLocale().toString(value / 60)) : QString();
    return minutes.isEmpty() ? Tr::tr("%1 s").arg(seconds) : Tr::tr("%1 s (%2)").arg(seconds, minutes);
}

/// What a compiler, linker, CMake or Python says.
QString toolText(const BuildOutcome &outcome)
{
    const QString first = outcome.about.value(0);
    const QString second = outcome.about.value(1);
    switch (outcome.cause) {
    case Cause::HostCompiler:
        return second.isEmpty() ? Tr::tr("the host compiler is too new for the toolkit: %1").arg(outcome.text)
                                : Tr::tr("the host compiler is too new for the toolkit, which takes %1 up to %2")
                                      .arg(first == "GNU"_L1 ? u"gcc"_s : first, second);
    case Cause::HostLibrary: return Tr::tr("glibc is too new for the toolkit: %1").arg(outcome.text);
    case Cause::MissingHeader: return Tr::tr("the header %1 was not found").arg(first);
    case Cause::MissingLibrary: return Tr::tr("the linker does not find the library %1").arg(first);
    case Cause::DriverLibrary:
        return Tr::tr("the linker does not find lib%1.so, which belongs to the driver").arg(first);
    case Cause::DriverAtRun: return Tr::tr("%1 belongs to the driver, which a build does not have").arg(first);
    case Cause::Relocation: return Tr::tr("the library is too large for the linker (%1)").arg(outcome.text);
    case Cause::UndefinedReference: return Tr::tr("the linker does not find the symbol %1").arg(first);
    case Cause::Abi: return Tr::tr("a library lacks the symbol %1, so it was built against another version").arg(first);
    case Cause::CompilerCrash: return Tr::tr("the compiler crashed: %1").arg(outcome.text);
    case Cause::CompilerOption:
        return second.isEmpty() ? Tr::tr("the compiler does not know the option %1").arg(first)
                                : Tr::tr("the compiler does not know %1 for %2").arg(first, second);
    case Cause::Reference: return Tr::tr("the output %1 refers to %2, which it may not").arg(first, second);
    case Cause::RateLimit: return Tr::tr("the host refuses more requests for a while: %1").arg(outcome.text);
    case Cause::NotLoaded: return Tr::tr("the shared library %1 was not found").arg(first);
    case Cause::CMakePackage: return Tr::tr("CMake does not find %1").arg(first);
    case Cause::CMakePolicy:
        return Tr::tr("this CMake dropped compatibility with CMake older than %1, which the source asks for")
            .arg(first);
    case Cause::CudaMismatch: return Tr::tr("CUDA is %1, but torch was built with CUDA %2").arg(first, second);
    case Cause::NoCudaHome: return Tr::tr("the build does not find the CUDA toolkit: %1").arg(outcome.text);
    case Cause::Patch:
        return first.isEmpty()    ? Tr::tr("a patch does not apply: %1").arg(outcome.text)
               : second.isEmpty() ? Tr::tr("the patch %1 does not apply").arg(first)
                                  : Tr::tr("the patch %1 does not apply to %2").arg(first, second);
    case Cause::PythonModule: return Tr::tr("the Python module %1 was not found").arg(first);
    case Cause::PythonPackage: return Tr::tr("the Python package %1 is missing or has another version").arg(first);
    default: return outcome.text;
    }
}

/// What the log says, in words; without a full stop. Empty: nothing.
QString causeText(const BuildOutcome &outcome)
{
    const QStringList &about = outcome.about;
    const QString first = about.value(0);
    const QString second = about.value(1);
    switch (outcome.cause) {
    case Cause::Unfree: return Tr::tr("%1 has an unfree license (%2)").arg(first, second);
    case Cause::Broken:
        return about.size() > 1 ? Tr::tr("%1 is marked as broken: %2").arg(first, about.sliced(1).join(u"; "_s))
                                : Tr::tr("%1 is marked as broken").arg(first);
    case Cause::Insecure:
        return about.size() > 1 ? Tr::tr("%1 is marked as insecure: %2").arg(first, about.sliced(1).join(u"; "_s))
                                : Tr::tr("%1 is marked as insecure").arg(first);
    case Cause::UnsupportedSystem: return Tr::tr("%1 is not available for this system").arg(first);
    case Cause::Problems:
        return about.size() > 1 ? Tr::tr("%1 has problems: %2").arg(first, about.sliced(1).join(u"; "_s))
                                : Tr::tr("%1 has problems").arg(first);
    case Cause::Dependency:
        return about.value(2).isEmpty()
                   ? Tr::tr("the header %1 of %2 does not compile: %3").arg(first, second, outcome.text)
                   : Tr::tr("the header %1 of %2 does not compile for %3: %4")
                         .arg(first, second, about.value(2), outcome.text);
    case Cause::GpuArchitecture:
        return second.isEmpty() ? Tr::tr("nvcc does not know %1").arg(first)
                                : Tr::tr("nvcc of CUDA %1 does not know %2").arg(second, first);
    case Cause::PtxasArchitecture: return Tr::tr("ptxas does not know %1").arg(first);
    case Cause::TritonPtxas: return Tr::tr("Triton's own ptxas does not know %1").arg(first);
    case Cause::PtxVersion:
        return Tr::tr("ptxas reads PTX up to version %2, and the code is version %1").arg(first, second);
    case Cause::NoArchitecture: return Tr::tr("nothing says which GPU to build for (%1)").arg(outcome.text);
    case Cause::BadArchitecture: return Tr::tr("PyTorch does not understand the GPU architecture %1").arg(first);
    case Cause::NoCommand: return Tr::tr("the command %1 was not found").arg(first);
    case Cause::NoRule: return Tr::tr("the file %1 is missing, and nothing makes it").arg(first);
    case Cause::Tests: return Tr::tr("tests failed: %1").arg(outcome.text);
    case Cause::Sandbox: return Tr::tr("the build wants to download something: %1").arg(outcome.text);
    case Cause::Collision:
        return about.size() == 1 ? Tr::tr("%1 is in it twice, in two versions or builds").arg(first)
               : about.isEmpty() ? Tr::tr("two packages bring the same file")
                                 : Tr::tr("%1 and %2 both bring %3").arg(first, second, about.value(2));
    case Cause::Processes: return Tr::tr("no further process or thread could be started: %1").arg(outcome.text);
    case Cause::Silence: return Tr::tr("the build printed nothing for %1, the limit of Nix").arg(limitText(first));
    case Cause::Timeout: return Tr::tr("the build took longer than %1, the limit of Nix").arg(limitText(first));
    case Cause::IllegalInstruction:
        return first.isEmpty() ? Tr::tr("a program that was built has an instruction that this CPU lacks")
                               : Tr::tr("a program that was built has an instruction that this CPU lacks (%1)")
                                     .arg(about.join(u", "_s));
    case Cause::EnvironmentUntracked:
        return Tr::tr("git does not track %1").arg(about.isEmpty() ? u".flox/env.json"_s : shortList(about));
    default: return toolText(outcome);
    }
}

/// What to do about an error of a compiler, linker, CMake or Python.
QString toolRemedy(const BuildOutcome &outcome)
{
    const QString first = outcome.about.value(0);
    switch (outcome.cause) {
    case Cause::HostCompiler:
        return Tr::tr("Use the stdenv of the toolkit (cudaPackages.backendStdenv), or a newer toolkit.");
    case Cause::HostLibrary: return Tr::tr("Take an older nixpkgs pin or a newer toolkit.");
    case Cause::MissingHeader:
    case Cause::MissingLibrary:
    case Cause::NotLoaded:
    case Cause::CMakePackage: return Tr::tr("Add the package that has it to buildInputs.");
    case Cause::DriverLibrary:
        return Tr::tr("Link against the stub of the toolkit: add lib/stubs of cuda_cudart to LIBRARY_PATH. A driver of "
                      "the host does not belong into a build.");
    case Cause::DriverAtRun:
        return Tr::tr("Leave the import check and tests that need a GPU out of the build, and verify the result on a "
                      "machine with a GPU.");
    case Cause::Relocation:
        return Tr::tr("It has code for too many GPUs: set fewer capabilities for the whole package set "
                      "(config.cudaCapabilities). gpuTargets of torch does not make MAGMA smaller.");
    case Cause::UndefinedReference:
        return Tr::tr("A library is missing, or was built without that part or against another version.");
    case Cause::Abi: return Tr::tr("Build both against the same torch and toolkit.");
    case Cause::CompilerCrash:
        return Tr::tr("Try again with fewer cores; if it crashes at the same file, take another version of the "
                      "compiler.");
    case Cause::CompilerOption:
        return Tr::tr("Take a newer compiler (a newer pin or stdenv), or an option that it knows.");
    case Cause::Reference:
        return Tr::tr("Remove the reference in postFixup (remove-references-to), or allow it (disallowedReferences).");
    case Cause::RateLimit:
        return Tr::tr("Wait an hour, or give Nix a token (access-tokens in nix.conf), then build again.");
    case Cause::CMakePolicy:
        return Tr::tr("Add -DCMAKE_POLICY_VERSION_MINIMUM=%1 to cmakeFlags, or take a newer source.")
            .arg(first.isEmpty() ? u"3.5"_s : first);
    case Cause::CudaMismatch: return Tr::tr("Take both from the same cudaPackages.");
    case Cause::NoCudaHome: return Tr::tr("Add cuda_nvcc to nativeBuildInputs, and set CUDA_HOME.");
    case Cause::Patch:
        return Tr::tr("The source is another version than the patch is for: remove the patch, or take the one for "
                      "this version.");
    case Cause::Substitute:
        return Tr::tr("The source is another version than the substitution is for: correct it in postPatch.");
    case Cause::PythonModule: return Tr::tr("Add the package that has it to the build's or the recipe's dependencies.");
    case Cause::PythonPackage: return Tr::tr("Add it to the dependencies, or relax the requirement (pythonRelaxDeps).");
    default: return {};
    }
}

/// What to do about limits of the machine, and about sources.
QString limitRemedy(const BuildOutcome &outcome)
{
    switch (outcome.cause) {
    case Cause::Processes: return Tr::tr("Build with fewer cores, or raise the limit of processes.");
    case Cause::BuildDisk:
        return Tr::tr(
            "The build directory is full, not the store: set build-dir in nix.conf (before Nix 2.22 TMPDIR of "
            "the daemon) to a larger disk, or enlarge the tmpfs. A PyTorch build needs about 20 GB.");
    case Cause::StoreDisk:
        return forSurface(Tr::tr("Free space in /nix/store: nix-collect-garbage. A PyTorch build needs about 20 GB."),
                          Tr::tr("Free space in /nix/store. A PyTorch build needs about 20 GB."));
    case Cause::Disk:
        return Tr::tr("Free space in /nix/store and in the temporary folder; a PyTorch build needs about 20 GB.");
    case Cause::Silence:
        return Tr::tr("Set max-silent-time in nix.conf higher (0: no limit), or build with more cores.");
    case Cause::Timeout: return Tr::tr("Set timeout in nix.conf higher (0: no limit), or build with more cores.");
    case Cause::Hash:
        return Tr::tr("Correct it where it is stated, if this is the source that you want; if that is nixpkgs, take "
                      "another pin, or replace the source or patch with overrideAttrs.");
    case Cause::HashElsewhere:
        return Tr::tr("nixpkgs or another file states it, not the recipe: take another pin, or replace the source or "
                      "patch with overrideAttrs.");
    case Cause::HashMissing: return Tr::tr("Write it into the recipe if this is the source that you want.");
    case Cause::NotFound: return Tr::tr("Correct the address, or take another pin.");
    default: return toolRemedy(outcome);
    }
}

/// What to do about a cause; empty: its kind says it.
QString causeRemedy(const BuildOutcome &outcome)
{
    const QStringList &about = outcome.about;
    const QString first = about.value(0);
    switch (outcome.cause) {
    case Cause::Unfree: return Tr::tr("Set config.allowUnfree = true where the recipe imports nixpkgs.");
    case Cause::Broken: return Tr::tr("Take another nixpkgs pin. config.allowBroken = true tries the build anyway.");
    case Cause::Insecure: return Tr::tr("Take another nixpkgs pin, or add it to config.permittedInsecurePackages.");
    case Cause::UnsupportedSystem: return Tr::tr("Build this variant for a system that the package supports.");
    case Cause::Problems:
        return about.join(u' ').contains("cuda"_L1, Qt::CaseInsensitive)
                   ? Tr::tr("Set cudaPackages for the whole package set in an overlay, not in the override of one "
                            "package. allowBroken does not help.")
                   : Tr::tr("Take another nixpkgs pin, or correct what the package complains about.");
    case Cause::UntrackedFile: return Tr::tr("Add it to git's index: a build sees tracked files only.");
    case Cause::AbsolutePath: return Tr::tr("Use a path inside of the repository.");
    case Cause::Dependency:
        return Tr::tr("The recipe is not at fault: take another version of that package or another pin, or switch it "
                      "off. Recipes of other GPUs may build.");
    case Cause::GpuFeature:
        return Tr::tr("This GPU cannot run that code: leave the part out, or drop the row. Recipes of other GPUs may "
                      "build.");
    case Cause::GpuArchitecture: return architectureRemedy(outcome);
    case Cause::PtxasArchitecture:
        return Tr::tr("The ptxas that was called is older than the GPU: use the one of a toolkit that knows it.");
    case Cause::TritonPtxas:
        return Tr::tr("The recipe's architecture is right: set TRITON_PTXAS_PATH to the ptxas of the toolkit.");
    case Cause::PtxVersion:
        return Tr::tr("Compiler and ptxas are of different toolkits: use one toolkit for both (for Triton: "
                      "TRITON_PTXAS_PATH).");
    case Cause::NoArchitecture: {
        const QString capability = capabilityOfRow(outcome.package);
        return capability.isEmpty() ? Tr::tr("A build has no GPU to ask: set gpuTargets, TORCH_CUDA_ARCH_LIST or "
                                             "CMAKE_CUDA_ARCHITECTURES.")
                                    : Tr::tr("A build has no GPU to ask: set gpuTargets, TORCH_CUDA_ARCH_LIST or "
                                             "CMAKE_CUDA_ARCHITECTURES to %1, the capability of this row.")
                                          .arg(capability);
    }
    case Cause::BadArchitecture: return Tr::tr("Write the capability with a dot: 9.0, not sm_90.");
    case Cause::NoCommand: return Tr::tr("Add the package that has it to nativeBuildInputs.");
    case Cause::NoRule: return Tr::tr("Submodules may be missing from the source (fetchSubmodules).");
    case Cause::Tests: return Tr::tr("Read the log at the first failure. doCheck = false leaves the tests out.");
    case Cause::Sandbox:
        return Tr::tr("A build has no network: give it the source as a fixed-output derivation and switch the download "
                      "off.");
    case Cause::Collision:
        return Tr::tr("Keep one of the two, or give one a priority (lib.hiPrio) or set ignoreCollisions where they are "
                      "put together.");
    case Cause::IllegalInstruction:
        return Tr::tr("Build it on a machine that has the instruction set of the variant, or leave out the step that "
                      "runs it.");
    case Cause::EnvironmentUntracked:
        return forSurface(Tr::tr("Add the files with git add -f, commit and push them."),
                          Tr::tr("Add the files to git, commit and push them."));
    default: return limitRemedy(outcome);
    }
}

QString floxRefusal(const BuildOutcome &outcome)
{
    switch (outcome.kind) {
    case Kind::Untracked:
        return outcome.cause == Cause::EnvironmentUntracked
                   ? Tr::tr("flox publishes tracked files only, and %1.").arg(causeText(outcome))
                   : Tr::tr("git does not track the recipe of %1, and flox builds tracked files only.")
                         .arg(outcome.package);
    case Kind::UnknownPackage: return Tr::tr("flox finds no recipe for %1.").arg(outcome.package);
    case Kind::NotGit: return Tr::tr("The folder is not in a git repository, and flox builds recipes only from one.");
    case Kind::NoEnvironment: return Tr::tr("The folder has no Flox environment.");
    default: return {};
    }
}

QString builtText(const BuildOutcome &outcome)
{
    const QString result = outcome.result.isEmpty() ? outcome.resultLinks.value(0) : outcome.result;
    if (outcome.machine.isEmpty())
        return result.isEmpty() ? (outcome.alreadyBuilt ? Tr::tr("%1 was built already.") : Tr::tr("%1 is built."))
                                      .arg(outcome.package)
                                : (outcome.alreadyBuilt ? Tr::tr("%1 was built already; the result is %2.")
                                                        : Tr::tr("%1 is built; the result is %2."))
                                      .arg(outcome.package, result);
    return (outcome.alreadyBuilt ? Tr::tr("%1 was built already on %2; the result is %3.")
                                 : Tr::tr("%1 is built on %2; the result is %3."))
        .arg(outcome.package, outcome.machine, result);
}

QString builderText(const BuildOutcome &outcome)
{
    const QStringList &about = outcome.about;
    switch (outcome.cause) {
    case Cause::BuilderUnfit: {
        const QString why = about.value(2).isEmpty()
                                ? Tr::tr("%1 is required, and it is %2").arg(about.value(1), about.value(3))
                                : Tr::tr("%1 with the features %2 is required, and it is %3 with %4")
                                      .arg(about.value(1), about.value(2), about.value(3), about.value(4));
        return about.value(0).isEmpty()
                   ? Tr::tr("This machine does not accept the build: %1.").arg(why)
                   : Tr::tr("The remote builder %1 does not accept the build: %2.").arg(about.value(0), why);
    }
    case Cause::Restricted: return Tr::tr("Nix's daemon ignores your builders, and its own do not accept the build.");
    case Cause::NixDaemon: return Tr::tr("Nix's daemon does not answer: %1.").arg(outcome.text);
    case Cause::BuilderLost:
        return Tr::tr("The remote builder %1 was lost during the build: %2.").arg(about.value(0), about.value(1));
    case Cause::BuilderUnreachable:
        return Tr::tr("The remote builder %1 cannot be used: %2.").arg(about.value(0), about.value(1));
    case Cause::NoMachine: return Tr::tr("No remote builder has the system and the features that the build requires.");
    default: return {};
    }
}

/// What kept the build from running, or from being followed; empty: nothing of the kind.
QString runText(const BuildOutcome &outcome)
{
    const QString first = outcome.about.value(0);
    const QString second = outcome.about.value(1);
    const QString &why = outcome.text;
    switch (outcome.cause) {
    case Cause::LeftOver:
        return Tr::tr("The build was lost. Some of its processes still run and cannot be stopped: %1.")
            .arg(outcome.about.join(u", "_s));
    case Cause::NotStarted:
        return why.isEmpty() ? Tr::tr("Could not start %1 for the build.").arg(first)
                             : Tr::tr("Could not start %1: %2.").arg(first, why);
    case Cause::BeforeStart: return Tr::tr("The build was stopped before it started.");
    case Cause::ProgramMissing:
        return second.isEmpty() ? Tr::tr("No program named %1 is on PATH.").arg(first)
                                : Tr::tr("No program named %1 is on the PATH of %2.").arg(first, second);
    case Cause::Unwritable:
        return why.isEmpty() ? Tr::tr("Could not write %1.").arg(first)
                             : Tr::tr("Could not write %1: %2.").arg(first, why);
    case Cause::Checkout:
        return outcome.kind == Kind::OutOfDisk
                   ? Tr::tr("The disk of %1 is full: git could not check out commit %2.").arg(second, first)
                   : Tr::tr("git could not check out commit %1 (%2): %3.").arg(first, second, why);
    case Cause::Copy: return Tr::tr("git could not copy the commit to %1: %2.").arg(first, why);
    case Cause::RecipeGone: return Tr::tr("The repository %1 no longer has the recipe that was queued.").arg(first);
    case Cause::Refused: return Tr::tr("%1 does not accept the build: %2.").arg(first, why);
    case Cause::Greeting: return Tr::tr("The shell of %1 prints text before each answer (\"%2\").").arg(first, second);
    case Cause::HostUnreachable:
        return outcome.kind == Kind::Network
                   ? Tr::tr("%1 cannot be reached: %2.").arg(first, why)
                   : Tr::tr("%1 cannot be reached: the build may still run there.").arg(first);
    case Cause::HostLost:
        return Tr::tr("The build on %1 was lost: the machine was restarted, or its runner was killed.").arg(first);
    case Cause::JobGone: return Tr::tr("%1 no longer has the build.").arg(first);
    case Cause::SlurmLimit:
        return outcome.kind == Kind::OutOfMemory ? Tr::tr("The build needed more memory than its Slurm job has.")
                                                 : Tr::tr("The build reached the time limit of its Slurm job.");
    case Cause::SlurmCancelled: return Tr::tr("The build was cancelled in Slurm.");
    case Cause::SlurmSilent: return Tr::tr("Slurm no longer runs the build, and its node did not say how it ended.");
    case Cause::Damaged: return Tr::tr("The build ended; its outcome.json is damaged.");
    default: return {};
    }
}

QString hashText(const BuildOutcome &outcome)
{
    const QString &right = outcome.about.value(2);
    const QString &stated = outcome.about.value(1);
    const QString of = outcome.about.value(0);
    if (outcome.cause == Cause::HashMissing)
        return Tr::tr("The recipe states no hash of a source; it is %1.").arg(right);
    if (of.isEmpty())
        return stated.isEmpty() ? Tr::tr("The hash of a source differs; it is %1.").arg(right)
                                : Tr::tr("The hash of a source differs: it is %1, not %2.").arg(right, stated);
    return stated.isEmpty() ? Tr::tr("The hash of %1 differs; it is %2.").arg(of, right)
                            : Tr::tr("The hash of %1 differs: it is %2, not %3.").arg(of, right, stated);
}

QString diskText(const BuildOutcome &outcome, const QString &cause)
{
    if (!outcome.fullDisk.isEmpty() && outcome.text.isEmpty())
        return Tr::tr("The disk of %1 is full, so the end of the log is missing.").arg(outcome.fullDisk);
    const QString what = outcome.cause == Cause::BuildDisk   ? Tr::tr("The disk of the build directory is full")
                         : outcome.cause == Cause::StoreDisk ? Tr::tr("The disk of /nix/store is full")
                                                             : Tr::tr("The disk is full");
    return outcome.certainty == Certainty::Likely
               ? Tr::tr("%1, most likely: %2").arg(what, cause)
               : Tr::tr("%1: %2", "what is full: the words of the log").arg(what, cause);
}

/// A failure without a known cause. `where`: of placeOf()
QString unknownText(const BuildOutcome &outcome, const QString &where)
{
    const QString &of = outcome.derivation;
    const QString failed =
        of.isEmpty()      ? where.isEmpty() ? Tr::tr("The build failed.") : Tr::tr("The build failed %1.").arg(where)
             : where.isEmpty() ? Tr::tr("The build of %1 failed.").arg(of)
                          : Tr::tr("The build of %1 failed %2.").arg(of, where);
    const QString reason = outcome.about.value(0);
    const QString said =
        !outcome.text.isEmpty() ? Tr::tr("The log does not say why. Its last output is: \"%1\".").arg(outcome.text)
        : !reason.isEmpty()     ? Tr::tr("The log says only: %1.").arg(reason)
        : outcome.exitCode > 1  ? Tr::tr("flox ended with exit code %1 and gave no reason.").arg(outcome.exitCode)
                                : Tr::tr("flox gave no reason.");
    return joinedSentences({failed, said});
}

/// What happened.
QString event(const BuildOutcome &outcome)
{
    const QString where = placeOf(outcome.at);
    QString refusal = floxRefusal(outcome);
    if (!refusal.isEmpty())
        return refusal;
    if (outcome.kind == Kind::Built)
        return joinedSentences({builtText(outcome), builderText(outcome)});
    for (const QString &text : {builderText(outcome), runText(outcome)}) {
        if (!text.isEmpty())
            return text;
    }
    const QString cause = withFullStop(causeText(outcome));
    switch (outcome.kind) {
    case Kind::Built: break;
    case Kind::NoResult: return Tr::tr("The build ended without an error, but left no result-%1.").arg(outcome.package);
    case Kind::Stopped:
        return outcome.cause == Cause::Message ? Tr::tr("The build was interrupted from outside this program.")
               : where.isEmpty()               ? Tr::tr("The build was stopped.")
                                               : Tr::tr("The build was stopped %1.").arg(where);
    case Kind::Lost:
        return outcome.cause == Cause::Restarted ? Tr::tr("The machine restarted during the build.")
               : where.isEmpty()
                   ? Tr::tr("The build was lost: its process was killed, or the machine restarted.")
                   : Tr::tr("The build was lost %1: its process was killed, or the machine restarted.").arg(where);
    case Kind::NodeFailed: return Tr::tr("The node of the build failed.");
    case Kind::Preempted: return Tr::tr("Slurm gave the node of the build to another job.");
    case Kind::Crashed: return Tr::tr("flox itself crashed (%1).").arg(outcome.text);
    case Kind::OutOfMemory:
        return outcome.certainty == Certainty::Likely
                   ? Tr::tr("The build was killed (%1), most likely because memory ran out.").arg(outcome.text)
               : where.isEmpty() ? Tr::tr("Out of memory: %1.").arg(outcome.text)
                                 : Tr::tr("Out of memory %1: %2.").arg(where, outcome.text);
    case Kind::OutOfDisk: return diskText(outcome, cause);
    case Kind::HashMismatch: return hashText(outcome);
    case Kind::Network: return Tr::tr("A download failed: %1").arg(cause);
    case Kind::EvaluationError: return Tr::tr("Nix cannot evaluate the recipe: %1").arg(cause);
    default: break;
    }
    if (outcome.cause == Cause::Collision)
        return Tr::tr("An environment cannot be put together: %1").arg(cause);
    if (outcome.certainty == Certainty::None)
        return unknownText(outcome, where);
    const QString lead = where.isEmpty() ? Tr::tr("The build failed: %1") : Tr::tr("The build failed %2: %1");
    const QString likely = where.isEmpty() ? Tr::tr("The build failed. Likely cause: %1")
                                           : Tr::tr("The build failed %2. Likely cause: %1");
    const QString &form = outcome.certainty == Certainty::Likely ? likely : lead;
    return where.isEmpty() ? form.arg(cause) : form.arg(cause, where);
}

/// What to do if the build could not run, or could not be followed; nullopt: its kind says it.
std::optional<QString> runRemedy(const BuildOutcome &outcome)
{
    switch (outcome.cause) {
    case Cause::BuilderUnfit:
        return outcome.about.value(0).isEmpty() && outcome.about.value(1) != outcome.about.value(3)
                   ? Tr::tr("Add a remote builder of that system, or let this machine emulate it (extra-platforms).")
               : outcome.about.value(0).isEmpty()
                   ? Tr::tr("Correct system-features in nix.conf, or add a remote builder.")
                   : Tr::tr("Correct its line in Nix's builders, or system-features in its own nix.conf.");
    case Cause::NixDaemon:
        return forSurface(
            Tr::tr("\"systemctl status nix-daemon\" shows whether it runs, \"journalctl -u nix-daemon\" why it ended. "
                   "A build that takes all memory can end it."),
            Tr::tr("Start the service nix-daemon again. A build that takes all memory can end it."));
    case Cause::Restricted:
        return Tr::tr("Add yourself to trusted-users in its nix.conf, or add the builder to its builders.");
    case Cause::BuilderUnreachable:
        return outcome.kind == Kind::Built
                   ? QString()
                   : forSurface(Tr::tr("Log in to it with ssh to see why, or build without it: --builders \"\"."),
                                Tr::tr("Check that you can log in to it, or build without remote builders."));
    case Cause::NoMachine: return Tr::tr("Add one, or let this machine build (max-jobs in nix.conf).");
    case Cause::NotStarted: return Tr::tr("Check the installation.");
    case Cause::ProgramMissing: {
        const QString program = outcome.about.value(0);
        return !outcome.about.value(1).isEmpty() ? Tr::tr("Install it there, then build again.")
               : program == "flox"_L1
                   ? Tr::tr("Install it as https://flox.dev/docs/install-flox describes, then build again.")
               : program == "nix-build"_L1
                   ? Tr::tr("Install Nix as https://nixos.org/download describes, then build again.")
                   : Tr::tr("Install it, then build again.");
    }
    case Cause::Unwritable: return Tr::tr("Check its permissions, then build again.");
    case Cause::Checkout:
    case Cause::Copy:
    case Cause::Refused:
    case Cause::RecipeGone:
    case Cause::SlurmCancelled:
        return outcome.kind == Kind::OutOfDisk ? Tr::tr("Free space, then build again.") : QString();
    case Cause::Greeting: return Tr::tr("Let it print that in interactive shells only.");
    case Cause::HostUnreachable:
        return outcome.kind == Kind::Network
                   ? forSurface(
                         Tr::tr("Try \"ssh %1\" in a terminal.").arg(outcome.about.value(0)),
                         Tr::tr("Check that you can log in to %1 without a password.").arg(outcome.about.value(0)))
                   : QString();
    case Cause::SlurmLimit:
        return outcome.kind == Kind::OutOfMemory ? Tr::tr("Give it more, or fewer cores.")
                                                 : Tr::tr("Give it more time.");
    default: return {};
    }
}

} // namespace

QString remedyOf(const BuildOutcome &outcome)
{
    if (const QString remedy = causeRemedy(outcome); !remedy.isEmpty())
        return remedy;
    if (const std::optional<QString> remedy = runRemedy(outcome))
        return *remedy;
    switch (outcome.kind) {
    case Kind::Built:
    case Kind::Stopped:
    case Kind::FloxMissing: return {};
    case Kind::Untracked: return Tr::tr("Add it to the index and build again.");
    case Kind::UnknownPackage: return Tr::tr("Generate .flox/pkgs/%1.nix and build again.").arg(outcome.package);
    case Kind::NotGit:
        return forSurface(Tr::tr("Run git init and add the files."),
                          Tr::tr("Make it a Git repository and add the files."));
    case Kind::NoEnvironment: return forSurface(Tr::tr("Run flox init in it."), Tr::tr("Initialise it with flox."));
    case Kind::NoResult: return Tr::tr("Check that its folder can be written to, then build again.");
    case Kind::OutOfMemory:
        return outcome.fewerCores > 0
                   ? forSurface(Tr::tr("Build with fewer cores: --cores %1.").arg(outcome.fewerCores),
                                Tr::tr("Build with fewer cores: %1.").arg(outcome.fewerCores))
               : outcome.fewerCores == 0 ? Tr::tr("Add memory or swap, or build on another machine.")
                                         : Tr::tr("Try fewer cores.");
    case Kind::OutOfDisk: return Tr::tr("Free space, then build again.");
    case Kind::Network: return Tr::tr("Check the network and the address, then build again.");
    case Kind::EvaluationError:
        return outcome.recipeLine > 0 ? Tr::tr("Correct line %1 of the recipe.").arg(outcome.recipeLine)
                                      : Tr::tr("Correct the recipe.");
    case Kind::CompileError: return Tr::tr("Read the log at the first error. Without a change the recipe fails again.");
    case Kind::Lost:
    case Kind::NodeFailed:
    case Kind::Preempted:
    case Kind::TimeLimit: return Tr::tr("Build again.");
    case Kind::Crashed: return Tr::tr("Build again; if it crashes again, report it to Flox.");
    case Kind::Failed:
    case Kind::HashMismatch:
    case Kind::NoBuilder: break;
    }
    return outcome.certainty == Certainty::None ? Tr::tr("Read the whole log.") : Tr::tr("Read the end of the log.");
}

QString sentenceOf(const BuildOutcome &outcome)
{
    const bool cut = !outcome.fullDisk.isEmpty() && !(outcome.kind == Kind::OutOfDisk && outcome.text.isEmpty());
    return joinedSentences(
        {outcome.sentence.isEmpty() ? joinedSentences({event(outcome), remedyOf(outcome)}) : outcome.sentence,
         cut ? Tr::tr("The disk of %1 is full: the end of the log may be missing.").arg(outcome.fullDisk) : QString()});
}

QString shortCauseOf(const BuildOutcome &outcome)
{
    constexpr qsizetype most = 60;
    const std::array ofTheLog{Kind::Failed, Kind::CompileError, Kind::EvaluationError, Kind::Network};
    if (std::ranges::find(ofTheLog, outcome.kind) == ofTheLog.end() || outcome.certainty != Certainty::Certain)
        return plainWordOf(outcome.kind);
    // Without the words of the log where they are long; the sentence has them.
    BuildOutcome bare = outcome;
    bare.text.clear();
    for (const BuildOutcome &one : {outcome, bare}) {
        QString cause = causeText(one).simplified();
        for (const QString &end : {u":"_s, u" ()"_s}) {
            if (cause.endsWith(end))
                cause.chop(end.size());
        }
        if (!cause.isEmpty() && cause.size() <= most)
            return cause;
    }
    return plainWordOf(outcome.kind);
}

QString firstErrorOf(const BuildOutcome &outcome)
{
    return isFailure(outcome.kind) ? bareError(outcome.text.isEmpty() ? outcome.lastErrors.value(0) : outcome.text)
                                   : QString();
}

QString remarkOf(const BuildOutcome &outcome)
{
    if (outcome.kind != Kind::Built) // Its sentence only repeats the name, the word and the result.
        return sentenceOf(outcome);
    QStringList remarks;
    if (outcome.alreadyBuilt)
        remarks.append(Tr::tr("built already"));
    if (outcome.cause == Cause::BuilderUnreachable)
        remarks.append(Tr::tr("the builder %1 did not answer").arg(outcome.about.value(0)));
    return remarks.join(u", "_s);
}

QString retryText(const BuildOutcome &outcome)
{
    if (outcome.kind == Kind::Built)
        return {};
    switch (retryOf(outcome)) {
    case Retry::Useless: return {};
    case Retry::Useful: return Tr::tr("Retry");
    case Retry::FewerCores: return Tr::tr("Retry with %n cores", nullptr, outcome.fewerCores);
    }
    Q_UNREACHABLE_RETURN({});
}

} // namespace tmx
