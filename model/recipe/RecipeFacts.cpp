// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/recipe/RecipeFacts.h"

#include "model/catalog/Versions.h"
#include "model/nix/Parse.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

const EvaluationFailure *RecipeFacts::failure(nix::Fold::Failure::What what) const
{
    const auto found = std::ranges::find(failures, what, &EvaluationFailure::what);
    return found == failures.end() ? nullptr : &*found;
}

StatedText RecipeFacts::version() const
{
    const bool torch = package.attribute.value == "torch"_L1 || package.attribute.value == "pytorch"_L1;
    for (auto overlay = overlays.crbegin(); torch && overlay != overlays.crend(); ++overlay) {
        if (overlay->kind == OverlayFacts::Kind::Torch && overlay->version.known)
            return overlay->version;
    }
    const StatedText own = package.builtVersion();
    return own || libraries.isEmpty() ? own : libraries.constFirst().builtVersion();
}

QString statedVersion(const RecipeFacts &facts, const QByteArray &text, const QStringList &names)
{
    if (const StatedText version = facts.version(); version.known && !version.value.isEmpty())
        return version.value;
    for (const QString &prose : {facts.compiled().description.value, facts.package.description.value, headOf(text)}) {
        for (const QString &name : names) {
            if (const QString version = versionNamedIn(prose, name); !version.isEmpty())
                return version;
        }
    }
    return {};
}

StatedText RecipeFacts::toolkit() const
{
    const PackageFacts *packages[] = {&package, libraries.isEmpty() ? nullptr : &libraries.constFirst(),
                                      torch.package.get()};
    for (const PackageFacts *from : packages) {
        if (const NamedText *argument = from ? from->argument(u"cudaPackages") : nullptr) {
            if (const QString set = argument->value.section(u'.', -1); set.startsWith("cudaPackages_"_L1))
                return {set, argument->spot, true};
        }
    }
    for (auto overlay = overlays.crbegin(); overlay != overlays.crend(); ++overlay) {
        if (overlay->kind == OverlayFacts::Kind::CudaSelection)
            return overlay->value;
    }
    for (const PackageFacts *from : packages) {
        for (const StatedText &input : from ? from->inputs : QList<StatedText>()) {
            for (const QString &step :
                 input.value.split(u'.')) { // "extend.cudaPackages_12_8.libcublas" of an extended nixpkgs
                if (step.startsWith("cudaPackages_"_L1))
                    return {step, package.builder ? package.builder.spot : package.attribute.spot, true};
            }
        }
    }
    return {};
}

StatedText RecipeFacts::blas() const
{
    for (auto overlay = overlays.crbegin(); overlay != overlays.crend(); ++overlay) {
        if (overlay->kind == OverlayFacts::Kind::Blas && overlay->value)
            return overlay->value;
    }
    const PackageFacts *packages[] = {&package, torch.package.get()};
    for (const PackageFacts *from : packages) {
        const VariableFact *variable = from ? from->variable(u"BLAS") : nullptr;
        const QString name = variable ? variable->value.toLower() : QString();
        if (name == "mkl"_L1 || name == "openblas"_L1)
            return {name, variable->spot, true};
    }
    for (const PackageFacts *from : packages) {
        if (from && from->hasInput(u"mkl"))
            return {u"mkl"_s, from->attributesSpot, true};
    }
    return {};
}

QList<StatedText> RecipeFacts::unread() const
{
    QList<StatedText> list;
    const auto add = [&list](const StatedText &stop) {
        if (stop && std::ranges::find(list, stop.spot, &StatedText::spot) == list.end())
            list.append(stop);
    };
    add(stopped);
    for (const PackageFacts *from : {&package, &compiled(), torch.package.get()}) {
        for (const StatedText &stop :
             from ? QList{from->unread.origin, from->unread.arguments, from->unread.attributes} : QList<StatedText>())
            add(stop);
    }
    if (torch.kind == TorchSource::Kind::Other)
        add(torch.unread);
    return list;
}

RecipeFacts readFacts(const RecipeSource &source)
{
    return readFacts(nix::parse(source.text), source.imports.get());
}

} // namespace tmx
