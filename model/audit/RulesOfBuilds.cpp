// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"
#include "model/base/Tr.h"
#include "model/recipe/JobSettings.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

// Libraries that need AVX2, and the answers to CMake's probes without which ATen compiles AVX2 kernels all the same.
constexpr std::array needAvx2{u"USE_FBGEMM", u"USE_MKLDNN", u"USE_NNPACK"};
constexpr std::array probes{u"CXX_AVX2_FOUND", u"C_AVX2_FOUND", u"CXX_AVX512_FOUND", u"C_AVX512_FOUND",
                            u"CAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS"};

void avxSwitches(const Subject &subject, Report &report)
{
    if (!subject.isa || !subject.isa->lacksAvx2 || !subject.torch || !subject.torch->attribute)
        return;
    const StatedList &stated = subject.torch->cmakeFlags;
    QStringList variables;
    for (const char16_t *name : needAvx2) {
        if (!isSwitchedOff(*subject.torch, QString(name)))
            variables.append(QString(name) + "=0"_L1);
    }
    QStringList definitions;
    bool contradicted = false;
    for (const char16_t *name : probes) {
        const StatedText said = definitionOf(stated, name);
        contradicted = contradicted || (said && !isFalse(said.value));
        if (!isFalse(said.value))
            definitions.append("-D"_L1 + QString(name) +
                               (QStringView(name).endsWith("FOUND"_L1) ? "=FALSE"_L1 : "=OFF"_L1));
    }
    if ((variables.isEmpty() && definitions.isEmpty()) || !subject.wasRead(*subject.torch, Subject::Attributes))
        return;
    const bool inPlace = variables.isEmpty() && !contradicted;
    report.add(subject.torch->attribute.spot,
               Tr::tr("Without AVX2 it needs %1.").arg((variables + definitions).join(u' ')),
               Tr::tr("Export the variables in preConfigure and add the others to cmakeFlags, or regenerate it."),
               inPlace ? subject.listCompleted(stated.items, stated.values() + definitions, definitions) : Edits());
}

/// nixpkgs' packages that are built with CMake get their switches so: CUDA, the libraries of nixpkgs, what is not
/// built.
void flagsReplaced(const Subject &subject, Report &report)
{
    // "-DUSE_CUDA=ON", "-DCOMPUTE_BACKEND=cuda": who writes that, writes all that the package needs.
    static const QRegularExpression switchesOn(u"^-D\\w*(CUDA(?!_ARCH)\\w*(:\\w+)?=(ON|TRUE|YES|1)|(:\\w+)?=cuda)$"_s,
                                               QRegularExpression::CaseInsensitiveOption);
    for (const PackageFacts *package : subject.cuda ? subject.packages() : QList<const PackageFacts *>()) {
        const StatedList &flags = package->cmakeFlags;
        const bool isWhole = std::ranges::any_of(
            flags.items, [](const StatedText &flag) { return switchesOn.match(flag.value).hasMatch(); });
        if (package->attribute && flags && flags.known && !flags.extends && !isWhole)
            report.add(flags.spot,
                       Tr::tr("Its cmakeFlags replace those of nixpkgs' %1, which switch on CUDA.")
                           .arg(package->attribute.value),
                       Tr::tr("Begin with (oldAttrs.cmakeFlags or [ ]) ++."));
    }
}

void metalSwitches(const Subject &subject, Report &report)
{
    if (!subject.row || subject.row->id != "darwin-mps"_L1 || !subject.torch || !subject.torch->attribute)
        return;
    QStringList missing;
    for (const char16_t *name : {u"USE_CUDA", u"USE_CUDNN", u"USE_CUBLAS"}) {
        if (!isSwitchedOff(*subject.torch, QString(name)) &&
            !(QStringView(name) == u"USE_CUDA" && subject.torch->cudaSupport.known))
            missing.append(QString(name) + "=0"_L1);
    }
    for (const char16_t *name : {u"USE_MPS", u"USE_METAL"}) {
        if (!isSwitchedOn(*subject.torch, QString(name)))
            missing.append(QString(name) + "=1"_L1);
    }
    const VariableFact *blas = subject.torch->variable(u"BLAS");
    if (!blas || blas->value != "vecLib"_L1)
        missing.append(u"BLAS=vecLib"_s);
    if (!missing.isEmpty() && subject.wasRead(*subject.torch, Subject::Everything))
        report.add(subject.torch->attribute.spot, Tr::tr("A build for Metal needs %1.").arg(missing.join(u' ')),
                   Tr::tr("Export them in preConfigure, or regenerate it."));
}

/// The version of torch that a recipe of this variant must state: the one that it brings, else the settings'.
QString torchVersionOf(const Subject &subject)
{
    const OverlayFacts *overlay = subject.overlay(OverlayFacts::Kind::Torch);
    const StatedText &own = overlay && overlay->version ? overlay->version : subject.torch->version;
    return own && own.known ? own.value : subject.torchBase.version;
}

/// Whether torch is newer than its nixpkgs' and built with CUDA 13, which that nixpkgs does not support.
bool needsCuda13Work(const Subject &subject)
{
    return subject.gpu && subject.nixpkgsIsOlder() && subject.torch && subject.torch->attribute &&
           compareVersions(subject.input.variant.cuda, u"13.0"_s) >= 0;
}

void cccl(const Subject &subject, Report &report)
{
    if (!needsCuda13Work(subject))
        return;
    const PackageFacts &torch = *subject.torch;
    const bool linked = std::ranges::any_of(torch.commands, [](const CommandFact &command) {
        return command.words.constFirst() == "ln"_L1 && command.words.constLast().contains("/cccl/"_L1);
    });
    QStringList missing;
    if (!linked)
        missing.append(Tr::tr("the cccl links"));
    for (const char16_t *name : {u"CXXFLAGS", u"CFLAGS", u"CUDAFLAGS"}) {
        const bool has = std::ranges::any_of(torch.environment, [name](const VariableFact &variable) {
            return variable.name == name && variable.value.contains("-I"_L1) && variable.value.contains("cccl"_L1);
        });
        if (!has)
            missing.append(Tr::tr("their folder in %1").arg(QString(name)));
    }
    if (!missing.isEmpty() && subject.wasRead(torch, Subject::Attributes))
        report.add(torch.attribute.spot,
                   Tr::tr("torch %1 includes <cccl/cuda/...> and CUDA %2 ships <cuda/...>: missing are %3.")
                       .arg(torchVersionOf(subject), subject.input.variant.cuda, missing.join(", "_L1)),
                   Tr::tr("Regenerate it: the template does this in preConfigure."));
}

void findCudaToolkit(const Subject &subject, Report &report)
{
    if (!needsCuda13Work(subject))
        return;
    const bool written = std::ranges::any_of(subject.torch->commands, [](const CommandFact &command) {
        return command.output.endsWith("cmake/Modules/FindCUDAToolkit.cmake"_L1) ||
               command.words.constLast().endsWith("cmake/Modules/FindCUDAToolkit.cmake"_L1);
    });
    if (!written && subject.wasRead(*subject.torch, Subject::Attributes))
        report.add(
            subject.torch->attribute.spot,
            Tr::tr("nixpkgs removes cmake/Modules/FindCUDAToolkit.cmake, but the install phase of torch %1 needs "
                   "it.")
                .arg(torchVersionOf(subject)),
            Tr::tr("Regenerate it: the template writes it in postPatch."));
}

void buildVersion(const Subject &subject, Report &report)
{
    if (!subject.torch || !subject.torch->attribute)
        return;
    const PackageFacts &torch = *subject.torch;
    const QString wanted = torchVersionOf(subject);
    const VariableFact *variable = torch.variable(u"PYTORCH_BUILD_VERSION");
    if (variable && !wanted.isEmpty() && variable->value != wanted && !variable->value.contains(u'$'))
        report.add(variable->spot,
                   Tr::tr("PYTORCH_BUILD_VERSION is %1, but its torch is %2.").arg(variable->value, wanted),
                   Tr::tr("Write %1.").arg(wanted), subject.replaced(variable->spot, variable->value, wanted));
    if (!subject.nixpkgsIsOlder())
        return;
    const bool inFile = std::ranges::any_of(
        torch.commands, [](const CommandFact &command) { return command.output == "version.txt"_L1; });
    if ((!variable || !inFile) && subject.wasRead(torch, Subject::Attributes))
        report.add(
            torch.attribute.spot,
            Tr::tr("nixpkgs' torch exports its own version, and an assertion of torch %1 fails on it.").arg(wanted),
            Tr::tr("Export PYTORCH_BUILD_VERSION=%1 in preConfigure, and write it to version.txt.").arg(wanted));
}

void numbersOther(const Subject &subject, Report &report)
{
    if (!subject.torch || !subject.torch->attribute)
        return;
    const auto compare = [&](QStringView name, const QString &wanted, const QString &of, bool minorOnly) {
        const StatedText said = definitionOf(subject.torch->cmakeFlags, name);
        if (!said || !said.known || wanted.isEmpty() || said.value == wanted ||
            (minorOnly && said.value.startsWith(wanted + u'.')))
            return;
        report.add(said.spot, Tr::tr("-D%1 is %2, but %3 is %4.").arg(name, said.value, of, wanted),
                   Tr::tr("Write %1.").arg(wanted), subject.replaced(said.spot, said.value, wanted));
    };
    compare(u"TORCH_BUILD_VERSION", torchVersionOf(subject), Tr::tr("its torch"), false);
    if (subject.cuda)
        compare(u"CUDA_VERSION", subject.input.variant.cuda, Tr::tr("the CUDA of its name"), true);
}

/// Whether it needs the torch of a nixpkgs that marks it broken, changed or not.
bool takesBrokenTorch(const Subject &subject)
{
    if (!subject.nixpkgsLacksToolkit())
        return false;
    if (const PackageFacts *torch = subject.anyTorch())
        return torch->attribute && torch->source == "pin"_L1;
    return subject.companion && subject.facts.torch.kind == TorchSource::Kind::NotStated;
}

void allowBroken(const Subject &subject, Report &report)
{
    const auto *pin = subject.pin();
    if (!takesBrokenTorch(subject) || !pin || subject.package.source != "pin"_L1)
        return;
    const StatedFlag &flag = pin->allowBroken;
    const auto isPredicate = [](const NamedText &entry) { return entry.name == "allowBrokenPredicate"_L1; };
    if (flag ? !flag.known || flag.value
             : std::ranges::any_of(pin->otherConfig, isPredicate) || !subject.wasRead(subject.package, Subject::Origin))
        return;
    const Spot beside = pin->allowUnfree ? pin->allowUnfree.spot : pin->cudaSupport.spot;
    const Spot &set = pin->settings;
    const bool within = beside.file == set.file && set.offset < beside.offset && beside.end() < set.end();
    const Edits edits = flag     ? subject.replaced(flag.spot, u"false"_s, u"true"_s)
                        : within ? subject.attributeBeside(beside, "allowBroken", "true")
                                 : Edits();
    report.add(
        flag               ? flag.spot
        : !edits.isEmpty() ? beside
        : pin->settings    ? pin->settings
                           : pin->spot,
        Tr::tr("This nixpkgs marks torch broken on CUDA %1, so it does not evaluate.").arg(subject.input.variant.cuda),
        Tr::tr("Add allowBroken = true to config."), edits);
}

void parallelism(const Subject &subject, Report &report)
{
    for (const PackageFacts *package : subject.packages()) {
        const QList<JobSetting> settings = jobSettings(*package);
        if (std::ranges::any_of(settings, [](const JobSetting &setting) { return setting.jobs > 0; }))
            continue; // parallelismFixed()
        QStringList names;
        for (const JobSetting &setting : settings)
            names.append(setting.variable->name);
        names.removeDuplicates();
        const QString &name = package->attribute.value;
        const int memory =
            subject.cuda ? subject.input.catalog->jobMemory(name == "pytorch"_L1 ? u"torch"_s : name) : 0;
        const QString taken = memory > 0 ? Tr::tr("all cores, and %1 GB for each", "what a build takes").arg(memory)
                                         : Tr::tr("all cores", "what a build takes");
        if (!names.isEmpty())
            report.add(settings.constFirst().variable->spot,
                       Tr::tr("No effect: %1. preBuild sets MAX_JOBS from NIX_BUILD_CORES afterwards: the build takes "
                              "%2.")
                           .arg(names.join(u", "_s), taken),
                       Tr::tr("Remove it, and set cores in NIX_CONFIG of the build's environment."));
    }
}

void parallelismFixed(const Subject &subject, Report &report)
{
    for (const PackageFacts *package : subject.packages()) {
        for (const JobSetting &setting : jobSettings(*package)) {
            if (setting.jobs > 0)
                report.add(setting.variable->spot,
                           Tr::tr("%1 = %2 overrides --cores: the build takes %2 jobs on every machine.")
                               .arg(setting.variable->name, setting.variable->value),
                           Tr::tr("Remove it, and set cores in NIX_CONFIG of the build's environment."));
        }
    }
}

/// A toolkit given as an argument does not reach the packages that torch takes from nixpkgs.
void toolkitPartial(const Subject &subject, Report &report)
{
    if (!subject.cuda || !subject.torch || subject.companion || subject.overlay(OverlayFacts::Kind::CudaSelection))
        return;
    if (const NamedText *set = subject.torch->argument(u"cudaPackages");
        set && subject.wasRead(*subject.torch, Subject::Origin))
        report.add(set->spot,
                   Tr::tr("%1 is given to torch alone: magma, nccl and triton stay with nixpkgs' default toolkit.")
                       .arg(set->value),
                   Tr::tr("Select it for all: overlays = [ (final: prev: { cudaPackages = final.%1; }) ].")
                       .arg(subject.wantedToolkit()));
}

constexpr RuleEntry rulesOfBuilds[] = {
    {"avx-switches-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "Features that need AVX2 are not switched off in an AVX recipe."), true, avxSwitches,
     QT_TRANSLATE_NOOP("tmx::Tr", "The program crashes with SIGILL on a CPU without AVX2."),
     QT_TRANSLATE_NOOP("tmx::Tr", "One hand-written CPU recipe for AVX, which lacks one switch.")},
    {"cmake-flags-replaced", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "cmakeFlags lack those of nixpkgs."),
     false, flagsReplaced,
     QT_TRANSLATE_NOOP("tmx::Tr", "CMake does not get what nixpkgs decides, such as CUDA and the paths of libraries."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"mps-switches-missing", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "Switches of a Metal build are missing."),
     false, metalSwitches, QT_TRANSLATE_NOOP("tmx::Tr", "It is built without Metal, or looks for CUDA on a Mac."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cccl-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "The CCCL headers are not where torch looks on CUDA 13."), false, cccl,
     QT_TRANSLATE_NOOP("tmx::Tr", "The build fails at CUTLASS after an hour."),
     QT_TRANSLATE_NOOP("tmx::Tr", "PyTorch 2.10.0 on CUDA 13.0.")},
    {"find-cudatoolkit-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "FindCUDAToolkit.cmake is missing on CUDA 13."), false, findCudaToolkit,
     QT_TRANSLATE_NOOP("tmx::Tr", "The install phase fails when everything is compiled."),
     QT_TRANSLATE_NOOP("tmx::Tr", "PyTorch 2.10.0 on CUDA 13.0.")},
    {"build-version", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "torch does not get its own version."), true,
     buildVersion, QT_TRANSLATE_NOOP("tmx::Tr", "A TORCH_FEATURE_VERSION assertion fails while it compiles."),
     QT_TRANSLATE_NOOP("tmx::Tr", "PyTorch 2.10.0 on a nixpkgs with an older one.")},
    {"build-number-other", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "CMake gets a version that is not torch's or CUDA's."), true, numbersOther,
     QT_TRANSLATE_NOOP("tmx::Tr", "It reports the wrong version, or looks for the wrong toolkit."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes copied to another version or toolkit; in tests only so far.")},
    {"allow-broken-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "nixpkgs marks torch as broken for this CUDA, and broken packages are not "
                                  "allowed."),
     true, allowBroken, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "PyTorch 2.10.0 on CUDA 13.0.")},
    {"parallelism-no-effect", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "A setting for parallel jobs has no effect."), false, parallelism,
     QT_TRANSLATE_NOOP("tmx::Tr", "The build takes all cores, and may take all memory."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Every hand-written recipe.")},
    {"parallelism-fixed", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The recipe fixes the number of parallel jobs."), false, parallelismFixed,
     QT_TRANSLATE_NOOP("tmx::Tr", "It takes too much memory on a small machine, and leaves a large one idle."),
     QT_TRANSLATE_NOOP("tmx::Tr", "vLLM recipes with NIX_BUILD_CORES.")},
    {"toolkit-partial", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "Only torch gets the toolkit, not the packages that it needs."), false,
     toolkitPartial, QT_TRANSLATE_NOOP("tmx::Tr", "Two CUDA runtimes meet in one program."),
     QT_TRANSLATE_NOOP("tmx::Tr", "torch.override { cudaPackages = ...; } (nixpkgs issues 564686 and 553299).")},
};

} // namespace

std::span<const RuleEntry> buildRules()
{
    return rulesOfBuilds;
}

} // namespace tmx
