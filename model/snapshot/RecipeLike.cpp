// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeLike.h"

#include "model/base/Tr.h"
#include "model/meaning/Meaning.h"
#include "model/template/RecipeContext.h"
#include "model/template/TableEntry.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Error refusal(const AuditInput &reference, const AuditInput &wanted, const QString &why)
{
    return {Tr::tr("make %1 from").arg(wanted.variant.name()), reference.file, why, {}};
}

/// One value of a recipe before and after an exchange.
struct Followed {
    QString label;
    StatedText before;
    StatedText after;
};

StatedText joined(const StatedList &list)
{
    return {list.values().join(u' '), list.items.isEmpty() ? list.spot : list.items.constFirst().spot, list.known};
}

void addTargets(QList<Followed> &values, const RecipeFacts &before, const RecipeFacts &after)
{
    const QString label = Tr::tr("GPU targets");
    const auto addPackage = [&](const PackageFacts &old, const PackageFacts &now) {
        values.append({label, joined(old.gpuTargets), joined(now.gpuTargets)});
        const auto definition = [](const PackageFacts &of) {
            return definitionOf(of.cmakeFlags, u"CMAKE_CUDA_ARCHITECTURES");
        };
        values.append({label, definition(old), definition(now)});
        const auto variable = [](const PackageFacts &of) {
            const VariableFact *found = of.variable(u"TORCH_CUDA_ARCH_LIST");
            return found ? StatedText{found->value, found->spot, found->known} : StatedText();
        };
        values.append({label, variable(old), variable(now)});
    };
    addPackage(before.compiled(), after.compiled());
    if (before.torch.package && after.torch.package)
        addPackage(*before.torch.package, *after.torch.package);
    for (qsizetype i = 0; i < std::min(before.pins.size(), after.pins.size()); ++i)
        values.append({label, joined(before.pins.at(i).cudaCapabilities), joined(after.pins.at(i).cudaCapabilities)});
}

void addFlags(QList<Followed> &values, const RecipeFacts &before, const RecipeFacts &after)
{
    values.append({Tr::tr("CPU flags"), joined(before.compiled().cxxFlags), joined(after.compiled().cxxFlags)});
    if (before.torch.package && after.torch.package)
        values.append(
            {Tr::tr("CPU flags"), joined(before.torch.package->cxxFlags), joined(after.torch.package->cxxFlags)});
}

/// "lib/gpu.nix:12": a place for people.
QString whereIs(const Spot &spot, const RecipeFacts &facts, const QString &recipe)
{
    const QString file = spot.file > 0 && spot.file <= facts.files.size() ? facts.files.at(spot.file - 1) : recipe;
    return u"%1:%2"_s.arg(shownPath(file)).arg(spot.line);
}

} // namespace

QString brokenPromise(const QString &file, const RecipeFacts &before, const RecipeFacts &after,
                      const QVariantHash &from, const QVariantHash &wanted)
{
    const auto differs = [&](QStringView path) { return textAt(from, path) != textAt(wanted, path); };
    QList<Followed> values;
    if (differs(u"gpu.id"))
        addTargets(values, before, after);
    const bool flags = differs(u"isa.id");
    if (flags)
        addFlags(values, before, after);
    if (differs(u"isa.platform"))
        values.append({Tr::tr("platforms"), joined(before.package.platforms), joined(after.package.platforms)});
    if (differs(u"cuda.version"))
        values.append({Tr::tr("the CUDA package set"), before.toolkit(), after.toolkit()});
    if (differs(u"python.version"))
        values.append({Tr::tr("the Python package set"), before.package.packageSet, after.package.packageSet});
    if (differs(u"pname"))
        values.append({u"pname"_s, before.package.pname, after.package.pname});
    if (before.package.pname.value == textAt(from, u"pname") && after.package.pname.spot.file != 0 &&
        after.package.pname.value != textAt(wanted, u"pname"))
        return Tr::tr("pname is %1, by %2")
            .arg(after.package.pname.value, whereIs(after.package.pname.spot, after, file));
    const auto torchOf = [&](const RecipeFacts &facts) {
        return textAt(wanted, u"family.attribute") == "torch"_L1 ? &facts.compiled() : facts.torch.package.get();
    };
    for (const auto &[path, name] :
         {std::pair(u"gpu.lacks_cudnn"_s, u"USE_CUDNN"_s), {u"isa.lacks_avx2"_s, u"USE_FBGEMM"_s}}) {
        const PackageFacts *built = differs(path) ? torchOf(after) : nullptr;
        const VariableFact *variable = built ? built->variable(name) : nullptr;
        const bool isOff = variable && variable->value == "0"_L1;
        const PackageFacts *old = torchOf(before);
        const VariableFact *former = old ? old->variable(name) : nullptr;
        // Those that never switch it off leave that to nixpkgs.
        const bool wasOff = former && former->value == "0"_L1;
        if (built && isOff && wasOff && textAt(wanted, path) != "true"_L1)
            return Tr::tr("%1=0 at %2 is not for %3")
                .arg(name, whereIs(variable->spot, after, file), textAt(wanted, u"name"));
        if (built && path == "gpu.lacks_cudnn"_L1 && !isOff && textAt(wanted, path) == "true"_L1)
            return Tr::tr("torch at %1 has no %2=0, which %3 needs")
                .arg(whereIs(built->attributesSpot, after, file), name, textAt(wanted, u"gpu.id"));
    }
    bool seen = false;
    for (const Followed &value : std::as_const(values)) {
        seen = seen || value.before;
        // The exchange looked after what is written in the recipe itself.
        if (value.before.spot.file == 0 && value.after.spot.file == 0)
            continue;
        const Spot &spot = value.after ? value.after.spot : value.before.spot;
        const QString where = whereIs(spot, value.after ? after : before, file);
        if (!value.after.known)
            return Tr::tr("%1 are not understood from %2 on").arg(value.label, where);
        if (value.after.value == value.before.value)
            return Tr::tr("%1 stay as they are, by %2").arg(value.label, where);
    }
    const Spot &stopped = after.stopped ? after.stopped.spot : after.package.unread.attributes.spot;
    if (!seen && !values.isEmpty() && stopped)
        return Tr::tr("it is not understood from %1 on").arg(whereIs(stopped, after, file));
    return {};
}

Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted)
{
    const Catalog &catalog = *reference.catalog;
    auto from = recipeContext(catalog, *reference.line, reference.variant);
    if (!from)
        return from.error();
    const auto to = recipeContext(catalog, *wanted.line, wanted.variant);
    if (!to)
        return to.error();
    const RecipeSource before = sourceOf(reference);
    if (before.imports)
        takeImported(*from, *to, reference.text, readFacts(before));
    Result<Exchanged> result = exchanged(reference.text, catalog, *from, *to);
    if (!result)
        return result;

    AuditInput made = wanted;
    made.text = result->text;
    made.facts = nullptr;
    if (before.imports) {
        const auto files = withTableEntries(catalog, made.files, made.file, made.text);
        if (!files)
            return files.error();
        made.files = *files;
        const QString broken = brokenPromise(made.file, readFacts(before), readFacts(sourceOf(made)), *from, *to);
        if (!broken.isEmpty())
            return refusal(reference, wanted, broken);
    }
    if (const QList<Finding> findings = audit(made).findings;
        const Finding *error = newError(audit(reference).findings, findings))
        return refusal(reference, wanted,
                       error->file.isEmpty() && error->line > 0
                           ? Tr::tr("line %1: %2").arg(error->line).arg(error->sentence.chopped(1))
                           : placedSentence(*error).chopped(1));

    const Result<Exchanged> back = exchanged(result->text, catalog, *to, *from);
    // Its flags may be fewer or more than the catalog's, which the exchanged text has.
    const auto plain = [&](const QByteArray &text) {
        return textAt(*from, u"isa.id") == textAt(*to, u"isa.id") ? text : withFlagsOf(text, catalog, *from);
    };
    const QByteArray expected = plain(reference.text);
    const Meaning meaning = readMeaning(expected);
    if (!meaning.isKnown()) {
        result->remarks.append(Tr::tr("%1 has no normal form (%2), so only its facts were compared.")
                                   .arg(reference.file, meaning.problem));
        return result;
    }
    if (!back)
        return refusal(reference, wanted,
                       Tr::tr("it is unclear whether only the named facts change (%1)").arg(back.error().why));
    const QByteArray restored = plain(back->text);
    if (samenessOf(expected, meaning, restored, readMeaning(restored)) != Sameness::Different)
        return result;
    const auto [there, here] = std::ranges::mismatch(expected, restored);
    return refusal(reference, wanted,
                   Tr::tr("line %1: more than the named facts would change")
                       .arg(lineAt(expected, quint32(there - expected.begin()))));
}

std::optional<QByteArray> recipeLikeItsNeighbours(const Catalog &catalog, const BranchSnapshot &snapshot,
                                                  const Variant &variant)
{
    constexpr int tries = 6;
    const ProfileKey key = ProfileKey::of(variant);
    if (isLearned(snapshot.line.profileOf(variant).templateName) && !snapshot.line.learnedFor(variant).isEmpty())
        return std::nullopt;
    QList<const VariantEntry *> models;
    for (const VariantEntry &entry : snapshot.entries) {
        if (ProfileKey::of(entry.variant) != key || entry.variant == variant || !entry.present ||
            entry.committed.isEmpty() || entry.fileStatus != FileStatus::Clean)
            continue;
        if (entry.state == RecipeState::Current)
            return std::nullopt;
        if (!entry.firstError() && entry.duplicates.isEmpty())
            models.append(&entry);
    }
    const auto lacksCudnn = [&catalog](const Variant &of) {
        const GpuRow *row = catalog.row(of.row);
        return row && row->isGpu() && !row->cudnn;
    };
    const auto platform = [&catalog](const Variant &of) {
        const Isa *isa = catalog.isa(of.isa);
        return isa ? isa->platform : QString();
    };
    // The instruction set determines most of a recipe's text, then the GPU's limitations.
    std::ranges::stable_sort(models, {}, [&](const VariantEntry *entry) {
        const Variant &model = entry->variant;
        return std::tuple(model.isa != variant.isa, lacksCudnn(model) != lacksCudnn(variant),
                          platform(model) != platform(variant), model.row != variant.row);
    });
    for (const VariantEntry *model : models.first(std::min<qsizetype>(models.size(), tries))) {
        const AuditInput from = auditInputOf(catalog, snapshot, *model);
        AuditInput wanted = from;
        wanted.variant = variant;
        wanted.file = variant.file();
        wanted.duplicates.clear();
        if (const Result<Exchanged> made = recipeLike(from, wanted))
            return made->text;
    }
    return std::nullopt;
}

} // namespace tmx
