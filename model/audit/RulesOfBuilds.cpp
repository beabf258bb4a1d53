// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Rules.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using W = AuditWords;

bool isFalse(QStringView value)
{
    return value == "0"_L1 || value == "OFF"_L1 || value == "FALSE"_L1 || value == "NO"_L1;
}

/// The value of -DNAME=VALUE or -DNAME:TYPE=VALUE; the last one.
QStringView definition(const StatedList &flags, QStringView name)
{
    QStringView value;
    for (const StatedText &flag : flags.items) {
        const QStringView text = flag.value;
        if (!text.startsWith("-D"_L1) || !text.sliced(2).startsWith(name))
            continue;
        const QStringView rest = text.sliced(2 + name.size());
        const qsizetype equals = rest.indexOf(u'=');
        if (equals == 0 || (equals > 0 && rest.startsWith(u':')))
            value = rest.sliced(equals + 1);
    }
    return value;
}

bool isSwitchedOff(const PackageFacts &package, const QString &name)
{
    const VariableFact *variable = package.variable(name);
    return (variable && isFalse(variable->value)) || isFalse(definition(package.cmakeFlags, name));
}

// Libraries that need AVX2, and the answers to CMake's probes without which ATen compiles AVX2 kernels all the same.
constexpr std::array needAvx2{u"USE_FBGEMM", u"USE_MKLDNN", u"USE_NNPACK"};
constexpr std::array probes{u"CXX_AVX2_FOUND", u"C_AVX2_FOUND", u"CXX_AVX512_FOUND", u"C_AVX512_FOUND",
                            u"CAFFE2_COMPILER_SUPPORTS_AVX512_EXTENSIONS"};

void avxSwitches(const Subject &subject, Report &report)
{
    if (!subject.isa || !subject.isa->lacksAvx2 || !subject.torch || !subject.torch->attribute)
        return;
    QStringList missing;
    for (const char16_t *name : needAvx2) {
        if (!isSwitchedOff(*subject.torch, QString(name)))
            missing.append(QString(name) + "=0"_L1);
    }
    for (const char16_t *name : probes) {
        if (!isFalse(definition(subject.torch->cmakeFlags, name)))
            missing.append("-D"_L1 + QString(name) +
                           (QStringView(name).endsWith("FOUND"_L1) ? "=FALSE"_L1 : "=OFF"_L1));
    }
    if (!missing.isEmpty())
        report.add(subject.torch->attribute.spot, W::tr("Without AVX2 it needs %1.").arg(missing.join(u' ')),
                   W::tr("Export the variables in preConfigure and add the others to cmakeFlags, or render it anew."));
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
        const VariableFact *variable = subject.torch->variable(name);
        if (!variable || isFalse(variable->value))
            missing.append(QString(name) + "=1"_L1);
    }
    const VariableFact *blas = subject.torch->variable(u"BLAS");
    if (!blas || blas->value != "vecLib"_L1)
        missing.append(u"BLAS=vecLib"_s);
    if (!missing.isEmpty())
        report.add(subject.torch->attribute.spot, W::tr("A build for Metal needs %1.").arg(missing.join(u' ')),
                   W::tr("Export them in preConfigure, or render it anew."));
}

/// A newer torch on a toolkit of CUDA 13, which the line's nixpkgs was not made for.
bool needsCuda13Work(const Subject &subject)
{
    return subject.gpu && subject.upgrades && subject.torch && subject.torch->attribute &&
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
        missing.append(W::tr("the cccl links"));
    for (const char16_t *name : {u"CXXFLAGS", u"CFLAGS", u"CUDAFLAGS"}) {
        const bool has = std::ranges::any_of(torch.environment, [name](const VariableFact &variable) {
            return variable.name == name && variable.value.contains("-I"_L1) && variable.value.contains("cccl"_L1);
        });
        if (!has)
            missing.append(W::tr("their folder in %1").arg(QString(name)));
    }
    if (!missing.isEmpty())
        report.add(torch.attribute.spot,
                   W::tr("torch %1 includes <cccl/cuda/...> and CUDA %2 ships <cuda/...>: missing are %3.")
                       .arg(subject.torchBase.version, subject.input.variant.cuda, missing.join(", "_L1)),
                   W::tr("Render it anew: the template does this in preConfigure."));
}

void findCudaToolkit(const Subject &subject, Report &report)
{
    if (!needsCuda13Work(subject))
        return;
    const bool written = std::ranges::any_of(subject.torch->commands, [](const CommandFact &command) {
        return command.output.endsWith("cmake/Modules/FindCUDAToolkit.cmake"_L1) ||
               command.words.constLast().endsWith("cmake/Modules/FindCUDAToolkit.cmake"_L1);
    });
    if (!written)
        report.add(
            subject.torch->attribute.spot,
            W::tr("nixpkgs removes cmake/Modules/FindCUDAToolkit.cmake, and the install phase of torch %1 wants it.")
                .arg(subject.torchBase.version),
            W::tr("Render it anew: the template writes it in postPatch."));
}

void buildVersion(const Subject &subject, Report &report)
{
    if (!subject.torch || !subject.torch->attribute)
        return;
    const PackageFacts &torch = *subject.torch;
    const QString &wanted = subject.torchBase.version;
    const VariableFact *variable = torch.variable(u"PYTORCH_BUILD_VERSION");
    if (variable && !wanted.isEmpty() && variable->value != wanted && !variable->value.contains(u'$'))
        report.add(variable->spot,
                   W::tr("PYTORCH_BUILD_VERSION is %1, and the line is for torch %2.").arg(variable->value, wanted),
                   W::tr("Write %1.").arg(wanted),
                   replaced(subject.input.text, variable->spot, variable->value, wanted));
    if (!subject.upgrades)
        return;
    const bool inFile = std::ranges::any_of(
        torch.commands, [](const CommandFact &command) { return command.output == "version.txt"_L1; });
    if (!variable || !inFile)
        report.add(torch.attribute.spot,
                   W::tr("nixpkgs' torch exports the version that it was written for, and torch %1 asserts on it.")
                       .arg(wanted),
                   W::tr("Export PYTORCH_BUILD_VERSION=%1 in preConfigure, and write it to version.txt.").arg(wanted));
}

void parallelism(const Subject &subject, Report &report)
{
    for (const PackageFacts *package : {&subject.package, subject.companion ? subject.torch : nullptr}) {
        if (!package)
            continue;
        for (const VariableFact &variable : package->environment) {
            const bool jobs =
                variable.name == "MAX_JOBS"_L1 && variable.phase != "preBuild"_L1 && variable.phase != "buildPhase"_L1;
            if (jobs || variable.name == "ninjaFlags"_L1)
                report.add(variable.spot,
                           W::tr("%1 has no effect: preBuild sets MAX_JOBS from NIX_BUILD_CORES afterwards.")
                               .arg(variable.name),
                           W::tr("Set cores in NIX_CONFIG of the build's environment."));
        }
    }
}

constexpr RuleEntry rules[] = {
    {"avx-switches-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "What needs AVX2 is not switched off in an AVX recipe."), false, avxSwitches},
    {"mps-switches-missing", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Audit", "Switches of a Metal build are missing."), false, metalSwitches},
    {"cccl-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "The CCCL headers are not where torch looks on CUDA 13."), false, cccl},
    {"find-cudatoolkit-missing", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Audit", "FindCUDAToolkit.cmake is missing on CUDA 13."), false, findCudaToolkit},
    {"build-version", Severity::Error, QT_TRANSLATE_NOOP("tmx::Audit", "torch is not told the version that it is."),
     true, buildVersion},
    {"parallelism-no-effect", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Audit", "A setting for parallel jobs has no effect."), false, parallelism},
};

} // namespace

std::span<const RuleEntry> buildRules()
{
    return rules;
}

} // namespace tmx
