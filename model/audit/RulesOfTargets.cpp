// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/audit/Prose.h"
#include "model/audit/Rules.h"
#include "model/base/Surface.h"
#include "model/base/Tr.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

bool isDigits(QStringView text)
{
    return !text.isEmpty() && std::ranges::all_of(text, [](QChar c) { return c >= u'0' && c <= u'9'; });
}

/// One element of gpuTargets or TORCH_CUDA_ARCH_LIST, as PyTorch's select_compute_arch.cmake reads them.
struct Target {
    QString capability; ///< "9.0"; empty: no numeric architecture
    bool dotted = false;
    bool ptx = false; ///< "+PTX"
    QChar suffix;     ///< 'a': code for this architecture alone; 'f': for its family
};

Target targetOf(const QString &written)
{
    Target target;
    QString text = written;
    if (text.endsWith("+PTX"_L1)) {
        text.chop(4);
        target.ptx = true;
    }
    if (text.endsWith(u'a') || text.endsWith(u'f')) {
        target.suffix = text.back();
        text.chop(1);
    }
    if (const qsizetype dot = text.indexOf(u'.');
        dot > 0 && isDigits(text.first(dot)) && isDigits(text.sliced(dot + 1))) {
        target.capability = text;
        target.dotted = true;
        return target;
    }
    for (const auto prefix : {"sm_"_L1, "compute_"_L1, "sm"_L1}) {
        if (text.startsWith(prefix)) {
            text = text.sliced(prefix.size());
            break;
        }
    }
    if (isDigits(text) && text.size() >= 2)
        target.capability = text.chopped(1) + u'.' + text.last(1);
    return target;
}

struct Written {
    QString value;
    Spot spot;
};
using Targets = QList<Written>;

bool hasCapability(const Targets &targets, const QString &capability)
{
    return std::ranges::any_of(targets,
                               [&capability](const Written &w) { return targetOf(w.value).capability == capability; });
}

/// The elements of a variable, separated by blanks or semicolons.
Targets elementsOf(const VariableFact &variable)
{
    Targets elements;
    for (const QString &part : QString(variable.value).replace(u';', u' ').split(u' ', Qt::SkipEmptyParts))
        elements.append({part, variable.spot});
    return elements;
}

/// The targets set for the recipe's torch, for a companion's own build and for the other packages, each place
/// separately: a variable overrides gpuTargets, so one does not compensate for the other.
QList<Targets> targetsOf(const Subject &subject, bool withOthers = true)
{
    QList<Targets> places;
    const auto addVariable = [&places](const PackageFacts &package) {
        const VariableFact *variable = package.variable(u"TORCH_CUDA_ARCH_LIST");
        if (!variable || !variable->known || variable->value.contains(u'$'))
            return;
        Targets targets = elementsOf(*variable);
        if (targets.isEmpty())
            targets.append({QString(), variable->spot});
        places.append(targets);
    };
    const auto addList = [&places](const StatedList &list) {
        Targets targets;
        for (const StatedText &target : list.items) {
            if (target.known)
                targets.append({target.value, target.spot});
        }
        if (!targets.isEmpty())
            places.append(targets);
    };
    for (const PackageFacts *package : {subject.built, subject.inner}) {
        if (!package)
            continue;
        addList(package->gpuTargets);
        addVariable(*package);
    }
    if (subject.companion)
        addVariable(subject.package);
    for (const PackageFacts &other : withOthers ? subject.facts.others : QList<PackageFacts>()) {
        addList(other.gpuTargets);
        addVariable(other);
    }
    if (const PinFacts *pin = subject.pin(); pin && subject.package.source == "pin"_L1)
        addList(pin->cudaCapabilities);
    return places;
}

/// Reports each written target, once if a let-bound name is used twice: the result of `choose`, if any.
/// `isDoubtful`: the target may be meant, so nothing is fixed.
template <class Choose>
void tellOfTargets(const Subject &subject, Report &report, Choose choose, bool isDoubtful = false)
{
    if (!subject.gpu)
        return;
    const QString &wanted = subject.row->capability;
    const QString target = subject.row->target();
    QSet<quint64> told;
    for (const Targets &targets : targetsOf(subject)) {
        const bool has = hasCapability(targets, wanted);
        for (const Written &written : targets) {
            const QString sentence = choose(written.value, targetOf(written.value), has);
            if (sentence.isEmpty() || told.contains(written.spot.key()))
                continue;
            told.insert(written.spot.key());
            if (isDoubtful)
                report.add(written.spot, sentence,
                           Tr::tr("Write \"%1\", unless its code needs what only that GPU has, such as wgmma or "
                                  "tcgen05.")
                               .arg(target));
            else if (has && targetOf(written.value).capability != wanted)
                report.add(written.spot, sentence, Tr::tr("Leave only \"%1\" in the list.").arg(target));
            else
                report.add(written.spot, sentence, Tr::tr("Write \"%1\".").arg(target),
                           subject.replaced(written.spot, written.value, target));
        }
    }
}

/// The GPU rows that a text names, without their suffixes: "sm_90", "compute_90", "9.0" or "90".
QList<const GpuRow *> rowsIn(const Catalog &catalog, const QString &text)
{
    static const QRegularExpression code(uR"((?<![\w.])(?:sm|compute)?_?(\d{1,2}\.\d|\d{2,3})[af]?(?![\w.]))"_s);
    static const QRegularExpression generated(u"code=(sm_\\d{2,3}[af]?)"_s); // what arch=compute_90 only leads to
    QStringList codes;
    for (const QRegularExpressionMatch &match : generated.globalMatch(text))
        codes.append(match.captured(1));
    QList<const GpuRow *> rows;
    for (const QRegularExpressionMatch &match : code.globalMatch(codes.isEmpty() ? text : codes.join(u' '))) {
        if (const GpuRow *row = catalog.row("sm"_L1 + match.captured(1).remove(u'.')))
            rows.append(row);
    }
    return rows;
}

/// The suffixes of the row's GPU that a text names: "a" and "" in "90a;90".
QStringList suffixesIn(const GpuRow &row, const QString &text)
{
    const QRegularExpression code = compiledOnce(uR"((?<![\w.])(?:sm|compute)?_?(?:%1|%2)([af]?)(?![\w.]))"_s.arg(
        QString(row.capability).remove(u'.'), QRegularExpression::escape(row.capability)));
    QStringList suffixes;
    for (const QRegularExpressionMatch &match : code.globalMatch(text))
        suffixes.append(match.captured(1));
    return suffixes;
}

/// Variables that list GPUs as numbers without a dot. flash-attention, setup.py: cuda_archs(); Transformer Engine,
/// setup.py: cuda_archs(); CMake, variable CUDAARCHS.
constexpr std::array numberVariables{"FLASH_ATTN_CUDA_ARCHS"_L1, "NVTE_CUDA_ARCHS"_L1, "CUDAARCHS"_L1};

/// Names of lists of GPUs that are all that their package compiles for. CuPy, cupy_builder/_compiler.py; OpenCV,
/// cmake/OpenCVDetectCUDAUtils.cmake; XLA, third_party/gpus/cuda/hermetic/cuda_configure.bzl, and what that reads if it
/// is not set.
constexpr std::array wholeLists{"CUPY_NVCC_GENERATE_CODE"_L1, "CUDA_ARCH_BIN"_L1,
                                "HERMETIC_CUDA_COMPUTE_CAPABILITIES"_L1, "TF_CUDA_COMPUTE_CAPABILITIES"_L1};

bool isWholeList(const NamedText &own)
{
    return own.known && (std::ranges::find(wholeLists, own.name) != wholeLists.end() ||
                         std::ranges::find(numberVariables, own.name) != numberVariables.end());
}

/// MAGMA's oldest GPU times ten, "900": kernels for older ones are left out, so if it is above the row, all are.
/// magma, CMakeLists.txt and include/magma_types.h
std::optional<QString> whyNotOldest(const Subject &subject, const NamedText &own)
{
    if (own.name != "MIN_ARCH"_L1)
        return std::nullopt;
    bool isNumber = false;
    const int oldest = own.value.toInt(&isNumber);
    const int number = subject.row->id.sliced(2).toInt() * 10;
    return isNumber && oldest > number ? Tr::tr("MIN_ARCH is %1, so the kernels for %2 (%3) are left out.")
                                             .arg(oldest)
                                             .arg(subject.row->id)
                                             .arg(number)
                                       : QString();
}

/// What is wrong with what a package states of its GPU in a way of its own; empty: nothing, or it is not known.
QString whyNotOwnWay(const Subject &subject, const NamedText &own)
{
    if (const auto why = whyNotOldest(subject, own))
        return *why;
    if (own.name == "CUDA_ARCH_PTX"_L1) // what OpenCV adds to the code for CUDA_ARCH_BIN, which nixpkgs always sets
        return {};
    static const QRegularExpression number(u"^\\d{2,3}[af]?(-real|-virtual)?$"_s);
    if (std::ranges::find(numberVariables, own.name) != numberVariables.end()) {
        for (const QString &value : own.value.split(u';', Qt::SkipEmptyParts)) {
            if (!number.match(value.trimmed()).hasMatch())
                return Tr::tr("%1 is \"%2\", but it takes numbers such as %3: the build has no code for the GPU.")
                    .arg(own.name, own.value, subject.row->id.sliced(2));
        }
    }
    const QList<const GpuRow *> rows = rowsIn(*subject.input.catalog, own.value);
    if (rows.isEmpty())
        return {};
    const QStringList suffixes = suffixesIn(*subject.row, own.value);
    if (!subject.row->suffix.isEmpty() && !suffixes.isEmpty() && !suffixes.contains(subject.row->suffix))
        return Tr::tr("%1 is for sm%2, but its name says %3.")
            .arg(own.name, QString(subject.row->capability).remove(u'.') + suffixes.constFirst(), subject.row->id);
    // Code for sm_80 runs on sm_86.
    const auto runs = [&subject](const GpuRow *row) {
        return row->capability.section(u'.', 0, 0) == subject.row->capability.section(u'.', 0, 0) &&
               compareVersions(row->capability, subject.row->capability) <= 0;
    };
    return std::ranges::any_of(rows, runs)
               ? QString()
               : Tr::tr("%1 is for %2, but its name says %3.").arg(own.name, rows.constFirst()->id, subject.row->id);
}

/// Whether it is for an older GPU alone, whose code runs on this one.
bool isForOlder(const Subject &subject, const NamedText &own)
{
    const QList<const GpuRow *> rows = rowsIn(*subject.input.catalog, own.value);
    return !rows.isEmpty() && std::ranges::all_of(rows, [&subject](const GpuRow *row) {
        return compareVersions(row->capability, subject.row->capability) < 0;
    });
}

/// The GPUs that it lists beside the row's; empty if it does not list that one.
QStringList othersIn(const Subject &subject, const NamedText &own)
{
    QStringList others;
    const QList<const GpuRow *> rows = rowsIn(*subject.input.catalog, own.value);
    for (const GpuRow *row : rows) {
        if (row->id != subject.row->id && !others.contains(row->id))
            others.append(row->id);
    }
    return std::ranges::find(rows, subject.row->id, &GpuRow::id) == rows.cend() ? QStringList() : others;
}

void notation(const Subject &subject, Report &report)
{
    tellOfTargets(subject, report, [&subject](const QString &value, const Target &target, bool) {
        return target.dotted || target.capability != subject.row->capability
                   ? QString()
                   : Tr::tr("PyTorch does not read \"%1\": the build fails when nvcc starts, up to an hour later.")
                         .arg(value);
    });
}

/// "gfx942" of the row rocm6_4-gfx942, in gpuTargets and in PyTorch's variable, with features, "gfx942:xnack+"; and in
/// what a package calls in its own way: rocmGpuTargets, AMDGPU_TARGETS.
void rocmTargets(const Subject &subject, Report &report)
{
    const QString wanted =
        subject.input.variant.row.startsWith("rocm"_L1) ? subject.input.variant.row.section(u'-', 1) : QString();
    if (!wanted.startsWith("gfx"_L1))
        return;
    for (const PackageFacts *package : subject.packages()) {
        Targets targets;
        for (const StatedText &target : package->gpuTargets.items)
            targets.append({target.known ? target.value : QString(), target.spot});
        if (const VariableFact *variable = package->variable(u"PYTORCH_ROCM_ARCH"); variable && variable->known)
            targets += elementsOf(*variable);
        for (const Written &target : std::as_const(targets)) {
            if (target.value.startsWith("gfx"_L1) && target.value.section(u':', 0, 0) != wanted)
                report.add(target.spot, Tr::tr("It is built for %1, but its name says %2.").arg(target.value, wanted),
                           Tr::tr("Write \"%1\".").arg(wanted), subject.replaced(target.spot, target.value, wanted));
        }
        for (const NamedText &own : Subject::ownWays(*package, Subject::Hardware::Gpu)) {
            static const QRegularExpression code(u"\\bgfx[0-9a-f]+\\b"_s);
            QStringList codes;
            for (const QRegularExpressionMatch &match : code.globalMatch(own.value))
                codes.append(match.captured());
            if (own.known && !codes.isEmpty() && !codes.contains(wanted) && own.name != "PYTORCH_ROCM_ARCH"_L1)
                report.add(own.spot,
                           Tr::tr("%1 is for %2, but its name says %3.").arg(own.name, codes.constFirst(), wanted),
                           Tr::tr("Write \"%1\".").arg(wanted));
        }
        if (const NamedText *support = package->argument(u"rocmSupport"); support && support->value == "false"_L1)
            report.add(support->spot, Tr::tr("rocmSupport is off, although its name says ROCm."),
                       Tr::tr("Write rocmSupport = true."), subject.replaced(support->spot, u"false"_s, u"true"_s));
    }
}

void targetsOther(const Subject &subject, Report &report)
{
    rocmTargets(subject, report);
    const QList<Targets> all = subject.gpu ? targetsOf(subject) : QList<Targets>();
    // The torch beside a package need not have the suffix.
    const auto hasSuffix = [&subject](const NamedText &own) {
        return suffixesIn(*subject.row, own.value).contains(subject.row->suffix);
    };
    const bool isSpecific =
        std::ranges::any_of(all,
                            [&subject](const Targets &targets) {
                                return std::ranges::find(targets, subject.row->target(), &Written::value) !=
                                       targets.end();
                            }) ||
        (subject.gpu &&
         std::ranges::any_of(Subject::ownWays(subject.facts.compiled(), Subject::Hardware::Gpu), hasSuffix));
    const auto choose = [&subject, isSpecific](const QString &value, const Target &target, bool has) {
        if (target.capability == subject.row->capability && !subject.row->suffix.isEmpty() && !isSpecific &&
            subject.row->suffix != QStringView(&target.suffix, target.suffix.isNull() ? 0 : 1))
            return Tr::tr("It is built for %1, but its name says %2 (%3).")
                .arg(value, subject.row->id, subject.row->target());
        if (target.capability == subject.row->capability || (has && !target.capability.isEmpty()))
            return QString();
        return target.capability.isEmpty() ? Tr::tr("\"%1\" is not a compute capability; its name says %2 (%3).")
                                                 .arg(value, subject.row->id, subject.row->capability)
                                           : Tr::tr("It is built for %1, but its name says %2 (%3).")
                                                 .arg(target.capability, subject.row->id, subject.row->capability);
    };
    tellOfTargets(subject, report, choose);
    for (const PackageFacts *package : subject.gpu ? subject.packages() : QList<const PackageFacts *>()) {
        for (const NamedText &own : Subject::ownWays(*package, Subject::Hardware::Gpu) +
                                        Subject::waysInCommands(*package, Subject::Hardware::Gpu)) {
            const QString why = own.known ? whyNotOwnWay(subject, own) : QString();
            const QString advice = Tr::tr("Write it for compute capability %1.").arg(subject.row->target());
            const QStringList more = isWholeList(own) ? othersIn(subject, own) : QStringList();
            if (!why.isEmpty())
                report.add(own.spot, why, advice);
            else if (!more.isEmpty())
                report.addNote(own.spot,
                               Tr::tr("It is also built for %1, but its name says only %2.")
                                   .arg(more.join(", "_L1), subject.row->id),
                               Tr::tr("Leave only \"%1\" in the list.").arg(subject.row->capability));
            else if (own.known && isForOlder(subject, own))
                report.addNote(own.spot,
                               Tr::tr("%1 is for an older GPU than the %2 of its name, which runs that code too.")
                                   .arg(own.name, subject.row->id),
                               advice);
        }
    }
}

void targetsExtra(const Subject &subject, Report &report)
{
    const auto choose = [&subject](const QString &value, const Target &target, bool has) {
        if (has && !target.capability.isEmpty() && target.capability != subject.row->capability)
            return Tr::tr("It is also built for %1, but its name says only %2.")
                .arg(target.capability, subject.row->id);
        return target.capability == subject.row->capability && target.dotted && target.ptx
                   ? Tr::tr("\"%1\" is more than the plain %2 of its name.").arg(value, subject.row->capability)
                   : QString();
    };
    tellOfTargets(subject, report, choose);
}

/// The architectures that CMake gets, with their place: -DCMAKE_CUDA_ARCHITECTURES, else the variable.
StatedText cmakeArchitecturesOf(const PackageFacts &package)
{
    const QString name = u"CMAKE_CUDA_ARCHITECTURES"_s;
    if (const StatedText flag = definitionOf(package.cmakeFlags, name))
        return flag;
    const VariableFact *variable = package.variable(name);
    return variable ? StatedText{variable->value, variable->spot, variable->known} : StatedText();
}

bool saysGpu(const PackageFacts &package)
{
    return package.gpuTargets || package.variable(u"TORCH_CUDA_ARCH_LIST") || cmakeArchitecturesOf(package) ||
           !Subject::ownWays(package, Subject::Hardware::Gpu).isEmpty() ||
           !Subject::waysInCommands(package, Subject::Hardware::Gpu).isEmpty();
}

void targetsMissing(const Subject &subject, Report &report)
{
    if (!subject.gpu || !subject.built || !subject.built->attribute || !targetsOf(subject, false).isEmpty())
        return;
    // What is built may be a package that it is given.
    if (!subject.family && std::ranges::any_of(subject.facts.others, saysGpu))
        return;
    const PackageFacts &built = *subject.built;
    const StatedList &list = built.gpuTargets;
    const StatedList capabilities = subject.pin() ? subject.pin()->cudaCapabilities : StatedList();
    const VariableFact *variable = built.variable(u"TORCH_CUDA_ARCH_LIST");
    const StatedText architectures = subject.torch ? StatedText() : cmakeArchitecturesOf(built);
    // Stated, but with an unknown value. That something is no list is another rule's.
    for (const Spot &spot :
         {list && !list.known && !list.notList ? list.spot : Spot(),
          capabilities && !capabilities.known ? capabilities.spot : Spot(), variable ? variable->spot : Spot(),
          architectures && !architectures.known ? architectures.spot : Spot()}) {
        if (spot) {
            subject.stopAt({Tr::tr("the value of the GPU targets is unknown"), spot, false});
            return;
        }
    }
    if ((list && !list.known) || architectures || !subject.wasRead(built, Subject::Everything))
        return;
    if (const QList<NamedText> own =
            Subject::ownWays(built, Subject::Hardware::Gpu) + Subject::waysInCommands(built, Subject::Hardware::Gpu);
        !subject.torch && !own.isEmpty()) {
        if (std::ranges::any_of(own, [&subject](const NamedText &way) {
                return isWholeList(way) && !rowsIn(*subject.input.catalog, way.value).isEmpty();
            }))
            return; // targetsOther() compares them
        subject.stopAt(
            {Tr::tr("what %1 compiles is not known").arg(own.constFirst().name), own.constFirst().spot, false});
        return;
    }
    const QString advice = Tr::tr("Add gpuTargets = [ \"%1\" ] to .override.").arg(subject.row->target());
    if (list)
        report.add(list.spot, Tr::tr("gpuTargets is empty, so it is built for every GPU of the toolkit."), advice);
    else if (subject.torch)
        report.add(built.attribute.spot, Tr::tr("It sets no gpuTargets, so it is built for every GPU of the toolkit."),
                   advice);
    else if (!built.cmakeFlags || built.cmakeFlags.known)
        report.add(built.attribute.spot, Tr::tr("It sets no GPU target, so it is built for every GPU of the toolkit."),
                   Tr::tr("Set config.cudaCapabilities = [ \"%1\" ] for its nixpkgs.").arg(subject.row->target()));
}

/// nixpkgs' torch exports TORCH_CUDA_ARCH_LIST from gpuTargets in its own preConfigure
/// (pkgs/development/python-modules/torch/source).
void targetsUnused(const Subject &subject, Report &report)
{
    const PackageFacts *torch = subject.anyTorch();
    if (!subject.gpu || !torch || !torch->attribute || !torch->gpuTargets || torch->variable(u"TORCH_CUDA_ARCH_LIST"))
        return;
    const auto phase = std::ranges::find(torch->replacedPhases, u"preConfigure"_s, &NamedText::name);
    if (phase != torch->replacedPhases.cend())
        report.add(phase->spot,
                   Tr::tr("Its preConfigure replaces that of nixpkgs, which sets TORCH_CUDA_ARCH_LIST from gpuTargets: "
                          "torch is built for every GPU."),
                   Tr::tr("Begin with (oldAttrs.preConfigure or \"\")."));
}

/// What nvcc and the GPUs make of a suffix: CUDA C++ Programming Guide, "Architecture-Specific Features" (sm_90a, CUDA
/// 12.0) and "Family-Specific Features" (sm_100f and newer, CUDA 12.9).
QString whyNotSuffix(const Target &target, const QString &toolkit)
{
    const QString number = QString(target.capability).remove(u'.');
    const bool family = target.suffix == u'f';
    if (compareVersions(target.capability, family ? u"10.0"_s : u"9.0"_s) < 0)
        return Tr::tr("nvcc has no sm_%1%2: %3 begins with %4.")
            .arg(number, target.suffix, family ? Tr::tr("family-specific code") : Tr::tr("architecture-specific code"),
                 family ? "sm_100f"_L1 : "sm_90a"_L1);
    return family && !toolkit.isEmpty() && compareVersions(toolkit, u"12.9"_s) < 0
               ? Tr::tr("nvcc %1 does not know sm_%2f: it needs CUDA 12.9 or newer.").arg(toolkit, number)
               : QString();
}

void suffixUnknown(const Subject &subject, Report &report)
{
    tellOfTargets(subject, report, [&subject](const QString &, const Target &target, bool) {
        return target.suffix.isNull() || target.capability != subject.row->capability
                   ? QString()
                   : whyNotSuffix(target, subject.toolkitVersion());
    });
}

void suffixLimits(const Subject &subject, Report &report)
{
    const auto choose = [&subject](const QString &value, const Target &target, bool) {
        if (target.suffix.isNull() || !target.dotted || target.capability != subject.row->capability ||
            !subject.row->suffix.isEmpty() || !whyNotSuffix(target, subject.toolkitVersion()).isEmpty())
            return QString();
        return target.suffix == u'a' ? Tr::tr("\"%1\" runs on compute capability %2 only, not on newer ones.")
                                           .arg(value, target.capability)
                                     : Tr::tr("\"%1\" runs on compute capability %2 and newer ones of its family only.")
                                           .arg(value, target.capability);
    };
    tellOfTargets(subject, report, choose, true);
}

/// GPUs beside that of the name, or for all of them, that the toolkit does not compile for: nvcc stops there.
void tellOfOtherGpus(const Subject &subject, Report &report)
{
    const QString toolkit = subject.cuda ? subject.toolkitVersion() : QString();
    if (toolkit.isEmpty())
        return;
    QList<Targets> all = targetsOf(subject);
    for (const PackageFacts *package : subject.packages()) {
        static const QRegularExpression kind(u"-(real|virtual)$"_s);
        const StatedText architectures = cmakeArchitecturesOf(*package);
        Targets targets;
        for (QString one : architectures.known ? architectures.value.split(u';') : QStringList())
            targets.append({one.remove(kind), architectures.spot});
        all.append(targets);
    }
    QSet<QString> told;
    for (const Targets &targets : std::as_const(all)) {
        for (const Written &written : targets) {
            const GpuRow *row = subject.input.catalog->row("sm"_L1 + targetOf(written.value).capability.remove(u'.'));
            const QString why =
                row && row != subject.row ? subject.input.catalog->whyNotToolkit(*row, toolkit) : QString();
            const QString key = QString::number(written.spot.key()) + why;
            if (why.isEmpty() || told.contains(key))
                continue;
            told.insert(key);
            report.add(written.spot, why, Tr::tr("Remove \"%1\" from the list.").arg(written.value));
        }
    }
}

void toolkitLacksGpu(const Subject &subject, Report &report)
{
    tellOfOtherGpus(subject, report);
    const QString why = subject.whyNotToolkit();
    if (why.isEmpty())
        return;
    // Where the recipe selects another toolkit than its name says, that selection is what must change.
    const bool selected = subject.toolkitVersion() != subject.input.variant.cuda;
    report.add(selected ? subject.toolkit().spot : Spot(), why,
               selected
                   ? Tr::tr("Select %1.").arg(subject.wantedToolkit())
                   : forSurface(Tr::tr("Delete the recipe, as \"plan --delete\" does: this toolkit cannot build it."),
                                Tr::tr("Delete the recipe: this toolkit cannot build it.")));
}

void targetsNoList(const Subject &subject, Report &report)
{
    for (const PackageFacts *package : subject.packages()) {
        const StatedList &list = package->gpuTargets;
        if (!list.notList)
            continue;
        const QByteArray written = subject.textAt(list.spot);
        report.add(list.spot, Tr::tr("gpuTargets is %1, but nixpkgs expects a list.").arg(QString::fromUtf8(written)),
                   Tr::tr("Write gpuTargets = [ %1 ].").arg(QString::fromUtf8(written)),
                   {{list.spot.offset, list.spot.length, "[ " + written + " ]"}});
    }
}

void cmakeArchitectures(const Subject &subject, Report &report)
{
    if (!subject.gpu)
        return;
    const QString wanted = subject.row->id.mid(2);
    // "90a", "120f", "90-real"; with "90;100" the package has code for the GPU of its name too. "90-virtual" is
    // compiled when it is first run.
    const QRegularExpression has = compiledOnce(u"(^|;)%1[af]?(-real)?(;|\\z)"_s.arg(wanted));
    static const QRegularExpression other(u"(^|;)(\\d{2,3})[af]?(-real)?(?=;|\\z)"_s);
    for (const PackageFacts *package : subject.packages()) {
        const StatedText stated = cmakeArchitecturesOf(*package);
        if (stated && stated.known && has.match(stated.value).hasMatch()) {
            for (const QRegularExpressionMatch &match : other.globalMatch(stated.value)) {
                if (match.captured(2) != wanted)
                    report.addNote(stated.spot,
                                   Tr::tr("It is also built for %1, but its name says only %2.")
                                       .arg(match.captured(2), subject.row->id),
                                   Tr::tr("Leave only \"%1\" in the list.").arg(wanted));
            }
        } else if (stated && stated.known)
            report.add(stated.spot,
                       Tr::tr("CMAKE_CUDA_ARCHITECTURES is \"%1\", but CMake needs \"%2\".").arg(stated.value, wanted),
                       Tr::tr("Write \"%1\".").arg(wanted), subject.replaced(stated.spot, stated.value, wanted));
    }
}

bool isOn(const VariableFact *variable)
{
    return variable && isTrue(variable->value);
}

bool isOff(const VariableFact *variable)
{
    return variable && isFalse(variable->value);
}

void cudaSupport(const Subject &subject, Report &report)
{
    // nixpkgs' torchvision exports FORCE_CUDA=1 itself if torch has CUDA; a recipe's exports come later.
    if (const VariableFact *forced = subject.package.variable(u"FORCE_CUDA");
        subject.cuda && subject.companion && isOff(forced))
        report.add(forced->spot,
                   Tr::tr("FORCE_CUDA is %1, so the CUDA kernels are left out, although its name says CUDA.")
                       .arg(forced->value),
                   Tr::tr("Write FORCE_CUDA=1."), subject.replaced(forced->spot, forced->value, u"1"_s));
    QList<NamedText> given;
    for (const PackageFacts *package : subject.packages())
        given += package->arguments;
    for (const PinFacts &pin : subject.facts.pins)
        given += pin.otherConfig;
    for (const NamedText &entry : subject.cuda ? given : QList<NamedText>()) {
        if (entry.name == "rocmSupport"_L1 && entry.value == "true"_L1)
            report.add(entry.spot, Tr::tr("rocmSupport is on, although its name says CUDA; nixpkgs refuses both."),
                       Tr::tr("Write rocmSupport = false."), subject.replaced(entry.spot, u"true"_s, u"false"_s));
    }
    const bool isRocm = subject.input.variant.row.startsWith("rocm"_L1);
    if (!subject.built || !subject.built->attribute || (!subject.row && !subject.cuda && !isRocm))
        return;
    const PackageFacts &torch = *subject.built;
    if (isRocm && torch.attribute.value == "torch"_L1 && torch.source == "pin"_L1 && !torch.argument(u"rocmSupport") &&
        std::ranges::none_of(
            given,
            [](const NamedText &entry) { return entry.name == "rocmSupport"_L1 && entry.value != "false"_L1; }) &&
        subject.wasRead(torch, Subject::Everything))
        report.add(torch.attribute.spot, Tr::tr("ROCm is not switched on, although its name says ROCm."),
                   Tr::tr("Add rocmSupport = true to .override."));
    const VariableFact *variable = torch.variable(u"USE_CUDA");
    const StatedFlag config = torch.source == "pin"_L1 && subject.pin() ? subject.pin()->cudaSupport : StatedFlag();
    const auto wrong = [&](const StatedFlag &flag) {
        report.add(
            flag.spot,
            subject.cuda ? Tr::tr("cudaSupport is off, although its name says CUDA.")
                         : Tr::tr("cudaSupport is on in a recipe without CUDA."),
            Tr::tr("Write cudaSupport = %1.").arg(subject.cuda ? "true"_L1 : "false"_L1),
            subject.replaced(flag.spot, flag.value ? u"true"_s : u"false"_s, subject.cuda ? u"true"_s : u"false"_s));
    };
    if (subject.inner && subject.inner->cudaSupport.known && subject.inner->cudaSupport.value != subject.cuda)
        wrong(subject.inner->cudaSupport);
    if (torch.cudaSupport.known) {
        if (torch.cudaSupport.value != subject.cuda)
            wrong(torch.cudaSupport);
    } else if (config.known && config.value != subject.cuda && (!subject.cuda || !subject.torch)) {
        wrong(config); // nixpkgs' packages follow it.
    } else if (subject.cuda && subject.torch && !torch.cudaSupport && !(config.known && config.value) &&
               !isOn(variable) && subject.wasRead(torch, Subject::Everything)) {
        report.add(torch.attribute.spot, Tr::tr("CUDA is not switched on, although its name says CUDA."),
                   Tr::tr("Add cudaSupport = true to .override."));
    }
    if (subject.cuda ? isOff(variable) : isOn(variable))
        report.add(variable->spot, Tr::tr("USE_CUDA is %1, but its name says otherwise.").arg(variable->value),
                   Tr::tr("Write USE_CUDA=%1.").arg(subject.cuda ? 1 : 0),
                   subject.replaced(variable->spot, variable->value, subject.cuda ? u"1"_s : u"0"_s));
    if (const StatedText flag = definitionOf(torch.cmakeFlags, u"USE_CUDA");
        subject.cuda ? isFalse(flag.value) : isTrue(flag.value))
        report.add(flag.spot, Tr::tr("-DUSE_CUDA is %1, but its name says otherwise.").arg(flag.value),
                   Tr::tr("Write -DUSE_CUDA=%1.").arg(subject.cuda ? "ON"_L1 : "OFF"_L1),
                   subject.replaced(flag.spot, flag.value, subject.cuda ? u"ON"_s : u"OFF"_s));
}

/// Whether an input is a CUDA library: "cudaPackages.libcublas", "cudnn".
bool isCudaInput(const QString &input)
{
    const QString name = input.section(u'.', 0, 0);
    return name.startsWith("cuda"_L1) || name.startsWith("cudnn"_L1) || name.startsWith("nccl"_L1) ||
           name.startsWith("libcu"_L1) || input.contains("cudaPackages"_L1);
}

void cudaParts(const Subject &subject, Report &report)
{
    if (subject.gpu || !subject.row)
        return;
    const auto tell = [&report](const Spot &spot, const QString &what) {
        report.add(spot, Tr::tr("%1 is for CUDA, but this recipe does not use CUDA.").arg(what), Tr::tr("Remove it."));
    };
    if (const OverlayFacts *selection = subject.overlay(OverlayFacts::Kind::CudaSelection))
        tell(selection->spot, u"cudaPackages"_s);
    if (const OverlayFacts *magma = subject.overlay(OverlayFacts::Kind::Magma))
        tell(magma->spot, u"magma"_s);
    for (const PackageFacts *package : subject.packages()) {
        if (package->gpuTargets)
            tell(package->gpuTargets.spot, u"gpuTargets"_s);
        if (const VariableFact *variable = package->variable(u"TORCH_CUDA_ARCH_LIST"))
            tell(variable->spot, variable->name);
        if (const VariableFact *variable = package->variable(u"FORCE_CUDA"); isOn(variable))
            tell(variable->spot, variable->name);
        for (const StatedText &input : package->inputs) {
            if (isCudaInput(input.value))
                tell(input.spot ? input.spot : package->attributesSpot, input.value);
        }
    }
}

void cudnn(const Subject &subject, Report &report)
{
    const PackageFacts *torch = subject.anyTorch();
    if (!subject.gpu || !torch || !torch->attribute)
        return;
    const VariableFact *variable = torch->variable(u"USE_CUDNN");
    if (subject.row->cudnn) {
        if (isOff(variable))
            report.addNote(variable->spot,
                           Tr::tr("cuDNN is switched off, although it supports %1.").arg(subject.row->id),
                           Tr::tr("Remove it, unless the package is meant to be without cuDNN."));
        return;
    }
    if (isSwitchedOff(*torch, u"USE_CUDNN"_s) || (!variable && !subject.wasRead(*torch, Subject::Attributes)))
        return;
    const QString sentence =
        Tr::tr("cuDNN 9.11 and newer do not support %1, so it must be switched off.").arg(subject.row->id);
    if (variable)
        report.add(variable->spot, sentence, Tr::tr("Write USE_CUDNN=0."),
                   subject.replaced(variable->spot, variable->value, u"0"_s));
    else
        report.add(torch->attribute.spot, sentence, Tr::tr("Export USE_CUDNN=0 in preConfigure."));
}

constexpr RuleEntry rulesOfTargets[] = {
    {"gpu-targets-no-list", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "gpuTargets is not a list."), true,
     targetsNoList, QT_TRANSLATE_NOOP("tmx::Tr", "It does not evaluate."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"gpu-targets-notation", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "PyTorch cannot read the GPU target."), true,
     notation, QT_TRANSLATE_NOOP("tmx::Tr", "nvcc refuses it up to an hour after the build began."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Older recipes with sm_90.")},
    {"gpu-targets-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The GPU target does not match the name."),
     true, targetsOther, QT_TRANSLATE_NOOP("tmx::Tr", "It has no code for the GPU of its name."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes with \"None\" as their target, or copied from another row.")},
    {"gpu-targets-extra", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "There are more GPU targets than the name says."), true, targetsExtra,
     QT_TRANSLATE_NOOP("tmx::Tr", "Longer builds and larger packages."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"gpu-targets-suffix", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "nvcc does not know the GPU target with its suffix."), true, suffixUnknown,
     QT_TRANSLATE_NOOP("tmx::Tr", "nvcc refuses it up to an hour after the build began."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes with 12.0f for CUDA 12.8.")},
    {"gpu-targets-specific", Severity::Note,
     QT_TRANSLATE_NOOP("tmx::Tr", "The GPU target has code for one architecture or family only."), false, suffixLimits,
     QT_TRANSLATE_NOOP("tmx::Tr", "Newer GPUs of the same generation do not run it."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Recipes with 9.0a (huggingface/kernels issue 707).")},
    {"toolkit-lacks-gpu", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "The toolkit cannot compile for the GPU."),
     false, toolkitLacksGpu, QT_TRANSLATE_NOOP("tmx::Tr", "nvcc refuses the GPU, and nothing is built."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Matrices that generate every row for every toolkit: Volta with CUDA 13.")},
    {"cmake-architectures-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "CMake gets another GPU target."), true,
     cmakeArchitectures, QT_TRANSLATE_NOOP("tmx::Tr", "CMake compiles for another GPU."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"gpu-targets-unused", Severity::Warning,
     QT_TRANSLATE_NOOP("tmx::Tr", "The GPU targets do not reach the build of torch."), false, targetsUnused,
     QT_TRANSLATE_NOOP("tmx::Tr", "It is built for every GPU of the toolkit: hours more, and a larger package."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"gpu-targets-missing", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "No GPU target is set."), false,
     targetsMissing,
     QT_TRANSLATE_NOOP("tmx::Tr", "It compiles for every GPU of the toolkit: hours more, and several times the size."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cuda-support-other", Severity::Error, QT_TRANSLATE_NOOP("tmx::Tr", "CUDA is on or off, contrary to the name."),
     true, cudaSupport, QT_TRANSLATE_NOOP("tmx::Tr", "A GPU build without CUDA, or a CPU build that needs the driver."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cuda-parts-in-cpu", Severity::Warning, QT_TRANSLATE_NOOP("tmx::Tr", "A recipe without CUDA has parts for CUDA."),
     false, cudaParts, QT_TRANSLATE_NOOP("tmx::Tr", "A CPU build that downloads CUDA."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Seen only in tests so far.")},
    {"cudnn-unsupported", Severity::Error,
     QT_TRANSLATE_NOOP("tmx::Tr", "cuDNN is on for a GPU that it has dropped, or off for another."), true, cudnn,
     QT_TRANSLATE_NOOP("tmx::Tr", "cuDNN fails at run time on this GPU, or convolutions are slower."),
     QT_TRANSLATE_NOOP("tmx::Tr", "Pascal and Volta with cuDNN 9.11 and newer.")},
};

} // namespace

std::span<const RuleEntry> targetRules()
{
    return rulesOfTargets;
}

} // namespace tmx
