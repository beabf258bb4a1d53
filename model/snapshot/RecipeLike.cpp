// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/RecipeLike.h"

#include "model/base/Tr.h"
#include "model/recipe/Meaning.h"
#include "model/recipe/RecipeContext.h"

#include <algorithm>
#include <tuple>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

Error refusal(const AuditInput &reference, const AuditInput &wanted, const QString &why)
{
    return {Tr::tr("make %1 from").arg(wanted.variant.name()), reference.file, why, {}};
}

} // namespace

Result<Exchanged> recipeLike(const AuditInput &reference, const AuditInput &wanted)
{
    const Catalog &catalog = *reference.catalog;
    const auto from = recipeContext(catalog, *reference.line, reference.variant);
    if (!from)
        return from.error();
    const auto to = recipeContext(catalog, *wanted.line, wanted.variant);
    if (!to)
        return to.error();
    Result<Exchanged> result = exchanged(reference.text, catalog, *from, *to);
    if (!result)
        return result;

    AuditInput made = wanted;
    made.text = result->text;
    made.facts = nullptr;
    if (const QList<Finding> findings = audit(made).findings;
        const Finding *error = newError(audit(reference).findings, findings))
        return refusal(reference, wanted,
                       error->file.isEmpty() ? Tr::tr("line %1: %2").arg(error->line).arg(error->sentence.chopped(1))
                                             : placedSentence(*error).chopped(1));

    const Result<Exchanged> back = exchanged(result->text, catalog, *to, *from);
    const Meaning meaning = readMeaning(reference.text);
    if (!meaning.isKnown()) {
        result->remarks.append(Tr::tr("%1 has no normal form (%2), so only its facts were compared.")
                                   .arg(reference.file, meaning.problem));
    } else if (!back ||
               samenessOf(reference.text, meaning, back->text, readMeaning(back->text)) == Sameness::Different) {
        return refusal(reference, wanted,
                       back ? Tr::tr("more than the named facts would change")
                            : Tr::tr("it is unclear whether only the named facts change (%1)").arg(back.error().why));
    }
    return result;
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
