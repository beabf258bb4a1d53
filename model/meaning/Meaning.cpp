// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/meaning/Meaning.h"

#include "model/base/Tr.h"
#include "model/meaning/MeaningForm.h"
#include "model/nix/Fold.h"
#include "model/nix/Parse.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace tmx {

QString toString(UnbuiltKind kind)
{
    switch (kind) {
    case UnbuiltKind::NinjaFlags: return u"ninja_flags"_s;
    case UnbuiltKind::MaxJobs: return u"max_jobs"_s;
    case UnbuiltKind::SystemFeatures: return u"system_features"_s;
    case UnbuiltKind::System: return u"system"_s;
    case UnbuiltKind::Echo: return u"echo"_s;
    case UnbuiltKind::ShellComment: return u"shell_comment"_s;
    case UnbuiltKind::FlagOrder: return u"flag_order"_s;
    case UnbuiltKind::MetaText: return u"meta_text"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

QString labelOf(UnbuiltKind kind)
{
    switch (kind) {
    case UnbuiltKind::NinjaFlags: return u"ninjaFlags"_s;
    case UnbuiltKind::MaxJobs: return u"MAX_JOBS"_s;
    case UnbuiltKind::SystemFeatures: return u"requiredSystemFeatures"_s;
    case UnbuiltKind::System: return Tr::tr("system of nixpkgs");
    case UnbuiltKind::Echo: return Tr::tr("echo lines");
    case UnbuiltKind::ShellComment: return Tr::tr("comments in phases");
    case UnbuiltKind::FlagOrder: return Tr::tr("order of CMake flags");
    case UnbuiltKind::MetaText: return Tr::tr("meta texts");
    }
    Q_UNREACHABLE_RETURN({});
}

QString toString(Sameness sameness)
{
    switch (sameness) {
    case Sameness::Identical: return u"identical"_s;
    case Sameness::Equal: return u"equal"_s;
    case Sameness::SameBuild: return u"same-build"_s;
    case Sameness::Different: return u"different"_s;
    }
    Q_UNREACHABLE_RETURN({});
}

Meaning readMeaning(const RecipeSource &source)
{
    return readMeaning(nix::parse(source.text), source.imports.get());
}

Meaning readMeaning(const nix::ParseResult &parsed, const RecipeImports *imports)
{
    Meaning meaning;
    if (imports)
        meaning.imports = imports->digest;
    if (parsed.error) {
        meaning.problem = parsed.error->message;
        return meaning;
    }
    nix::Terms terms;
    const nix::Term *term = nix::normalForm(parsed.tree, terms, &meaning.problem, foldOptions(imports));
    if (!term)
        return meaning;
    MeaningForm form(terms);
    meaning.exact = nix::hashOf(form.exact(term));
    meaning.build = nix::hashOf(form.build(term));
    meaning.unbuilt = form.unbuilt();
    return meaning;
}

Sameness samenessOf(const QByteArray &text, const Meaning &meaning, const QByteArray &otherText,
                    const Meaning &otherMeaning)
{
    if (text.isEmpty() || otherText.isEmpty())
        return Sameness::Different;
    if (text == otherText && meaning.imports == otherMeaning.imports)
        return Sameness::Identical;
    if (!meaning.isKnown() || !otherMeaning.isKnown())
        return Sameness::Different;
    if (meaning.exact == otherMeaning.exact)
        return Sameness::Equal;
    return meaning.build == otherMeaning.build ? Sameness::SameBuild : Sameness::Different;
}

QList<UnbuiltKind> unbuiltDifferences(const Meaning &meaning, const Meaning &other)
{
    QList<UnbuiltKind> kinds;
    for (const UnbuiltKind kind : allUnbuiltKinds) {
        const auto isOther = [kind](const Unbuilt &one) { return one.kind != kind; };
        QList<Unbuilt> left = meaning.unbuilt;
        QList<Unbuilt> right = other.unbuilt;
        left.removeIf(isOther);
        right.removeIf(isOther);
        if (left != right)
            kinds.append(kind);
    }
    return kinds;
}

} // namespace tmx
