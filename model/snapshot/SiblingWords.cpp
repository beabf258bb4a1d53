// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SiblingWords.h"

#include "model/git/MergedText.h"
#include "model/meaning/Meaning.h"
#include "model/recipe/Edits.h"
#include "model/snapshot/RecipeLike.h"
#include "model/snapshot/TrueWords.h"
#include "model/template/RecipeContext.h"
#include "model/template/TableEntry.h"
#include "model/template/VariantMentions.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <functional>

using namespace Qt::StringLiterals;

namespace tmx {

namespace {

using Axis = QString Variant::*;

/// Three recipes that make up a fourth: the one in the opposite corner has what the new one has on neither axis.
struct Corners {
    const VariantEntry *opposite;
    const VariantEntry *first;
    const VariantEntry *second;
};

class Siblings
{
public:
    Siblings(const BranchSnapshot &snapshot, const Variant &variant)
        : m_variant(variant)
    {
        for (const VariantEntry &entry : snapshot.entries) {
            const Variant &other = entry.variant;
            if (other != variant && other.family == variant.family && other.python == variant.python &&
                other.rest == variant.rest && isUsable(entry))
                m_there.append(&entry);
        }
    }

    /// Those that have one value of each axis in common with the new recipe.
    [[nodiscard]] QList<Corners> corners(Axis first, Axis second) const
    {
        QList<Corners> found;
        for (const VariantEntry *opposite : m_there) {
            const Variant &far = opposite->variant;
            if (far.*first == m_variant.*first || far.*second == m_variant.*second)
                continue;
            Variant one = m_variant;
            one.*first = far.*first;
            Variant other = m_variant;
            other.*second = far.*second;
            Variant both = one;
            both.*second = far.*second;
            const VariantEntry *a = at(one);
            const VariantEntry *b = at(other);
            if (both == far && a && b)
                found.append({opposite, a, b});
        }
        return found;
    }

private:
    static bool isUsable(const VariantEntry &entry)
    {
        return entry.present && !entry.committed.isEmpty() && entry.fileStatus == FileStatus::Clean &&
               entry.duplicates.isEmpty();
    }
    [[nodiscard]] const VariantEntry *at(const Variant &variant) const
    {
        const auto found = std::ranges::find(m_there, variant, &VariantEntry::variant);
        return found == m_there.cend() ? nullptr : *found;
    }

    const Variant &m_variant;
    QList<const VariantEntry *> m_there;
};

/// A text in the words of the branch's recipes, and how many corners give it.
struct Vote {
    QByteArray text;
    int count = 0;
    QStringList doubts; ///< rules of products and drivers that these recipes break: the branch's words, if not the
                        ///< catalog's
};

/// The rules of words for a row or a toolkit that the recipe breaks.
QStringList doubtsOf(const VariantEntry &entry)
{
    QStringList rules;
    for (const Finding &finding : entry.findings) {
        if (finding.rule == "driver-low"_L1 || finding.rule == "product-elsewhere"_L1)
            rules.append(finding.rule);
    }
    return rules;
}

/// Whether the audit finds nothing in the text that it does not find in the other, but what the branch says everywhere.
bool isAsGood(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant, const Vote &vote,
              const QByteArray &than)
{
    VariantEntry entry;
    entry.variant = variant;
    entry.file = snapshot.fileFor(variant);
    AuditInput input = auditInputOf(*recipes.catalog(), snapshot, entry);
    QStringList rules[2];
    for (const bool isNew : {false, true}) {
        input.text = isNew ? vote.text : than;
        const Judgement judgement = audit(input);
        for (const Finding &finding : judgement.findings)
            rules[isNew].append(finding.rule);
    }
    return std::ranges::all_of(rules[1], [&](const QString &rule) {
        return rules[1].count(rule) <= rules[0].count(rule) || vote.doubts.contains(rule);
    });
}

/// The description that a file of lib/ gives the recipe, with the entries that its tables get; empty: it is the
/// recipe's own.
QString descriptionInLibrary(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                             const QByteArray &text)
{
    const QString file = snapshot.fileFor(variant);
    const auto files = snapshot.files && !pathsNamedIn(file, text).isEmpty()
                           ? withTableEntries(*recipes.catalog(), snapshot.files, file, text, nullptr,
                                              variantsThere(snapshot) + QList<Variant>{variant})
                           : Result<std::shared_ptr<const RecipeFiles>>(Error());
    if (!files)
        return {};
    const WrittenText description = recipes.facts((*files)->source(file, text))->package.description;
    return description.spot.file > 0 ? description.value : QString();
}

/// The drivers that the recipes of the variant's toolkit name: those of its row, else all. It may be the first of its
/// Python, made from one with another toolkit.
QStringList driversOfToolkit(const BranchSnapshot &snapshot, const Variant &variant)
{
    QStringList ofRow;
    QStringList all;
    for (const VariantEntry &entry : snapshot.entries) {
        if (entry.variant == variant || entry.variant.family != variant.family || entry.variant.cuda != variant.cuda ||
            !entry.present)
            continue;
        for (const QRegularExpressionMatch &match : driversInText().globalMatch(QString::fromLatin1(entry.text)))
            (entry.variant.row == variant.row ? ofRow : all).append(match.captured(1));
    }
    QStringList drivers = ofRow.isEmpty() ? all : ofRow;
    drivers.removeDuplicates();
    return drivers;
}

/// With the driver that all other recipes of its toolkit name, in the place of another one.
QByteArray withDriverOfToolkit(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                               const QByteArray &text)
{
    const QString there = QString::fromLatin1(text);
    if (variant.cuda.isEmpty() || !driversInText().match(there).hasMatch())
        return text;
    QStringList drivers; // as lib/ has it
    for (const QRegularExpressionMatch &match :
         driversInText().globalMatch(descriptionInLibrary(recipes, snapshot, variant, text)))
        drivers.append(match.captured(1));
    drivers.removeDuplicates();
    const bool isInLibrary = drivers.size() == 1;
    if (!isInLibrary)
        drivers = driversOfToolkit(snapshot, variant);
    const Result<QVariantHash> context = recipeContext(*recipes.catalog(), snapshot.settings, variant);
    if (drivers.size() != 1 || !context || (!isInLibrary && !newerDriver(drivers.constFirst(), *context).isEmpty()))
        return text;
    Edits edits;
    for (const QRegularExpressionMatch &match : driversInText().globalMatch(there))
        edits.append(
            {quint32(match.capturedStart(1)), quint32(match.capturedLength(1)), drivers.constFirst().toUtf8()});
    return edited(text, edits).value_or(text);
}

/// Products of one row in a text, and whether they are boards with a CPU of their own.
struct NamedProducts {
    Mention mention;
    bool isSuperchip = false;
};

/// Where a text names products of its row that are all such boards, or none of which is.
QList<NamedProducts> productsIn(const Catalog &catalog, const Settings &settings, const Variant &variant,
                                const QByteArray &text)
{
    QList<NamedProducts> found;
    const GpuRow *row = catalog.row(variant.row);
    const Result<QVariantHash> context =
        row && !row->superchips.isEmpty() ? recipeContext(catalog, settings, variant) : Result<QVariantHash>(Error());
    for (const Mention &mention : context ? mentionsIn(text, catalog, *context) : QList<Mention>()) {
        if (mention.path != "gpu.products"_L1)
            continue;
        static const QRegularExpression separator(u", or |, and | or | and |, |/"_s);
        const QStringList names = QString::fromUtf8(mention.text).split(separator);
        const auto count =
            std::ranges::count_if(names, [row](const QString &name) { return row->superchips.contains(name); });
        if (count == 0 || count == names.size())
            found.append({mention, count > 0});
    }
    return found;
}

/// With the products of its row that its CPU goes with: a GH200 has a Grace, which is ARMv9, and an H100 rarely stands
/// beside one. As the other recipes for that kind of CPU have it, if they name any.
QByteArray withProductsOfHost(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                              const QByteArray &text)
{
    const Catalog &catalog = *recipes.catalog();
    const auto isGrace = [](const Variant &of) { return of.isa == "armv9"_L1; };
    const QList<NamedProducts> here = productsIn(catalog, snapshot.settings, variant, text);
    if (here.isEmpty())
        return text;
    QSet<bool> kinds;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.variant == variant || isGrace(entry.variant) != isGrace(variant))
            continue;
        for (const NamedProducts &named : productsIn(catalog, snapshot.settings, entry.variant, entry.text))
            kinds.insert(named.isSuperchip);
    }
    if (kinds.size() > 1)
        return text;
    const bool wanted = kinds.isEmpty() ? isGrace(variant) : kinds.contains(true);
    const GpuRow &row = *catalog.row(variant.row);
    QStringList products = row.products;
    products.removeIf([&](const QString &product) { return row.superchips.contains(product) != wanted; });
    Edits edits;
    for (const auto &[mention, isSuperchip] : here) {
        if (isSuperchip == wanted || products.isEmpty())
            continue;
        const std::optional<QByteArray> by = spelt(mention, {{u"gpu"_s, QVariantHash{{u"products"_s, products}}}});
        if (by)
            edits.append({mention.offset, mention.length, *by});
    }
    return edited(text, edits).value_or(text);
}

/// The products that a text names first; empty: none.
QByteArray firstProducts(const Catalog &catalog, const Settings &settings, const Variant &variant,
                         const QByteArray &text)
{
    const Result<QVariantHash> context = recipeContext(catalog, settings, variant);
    for (const Mention &mention : context ? mentionsIn(text, catalog, *context) : QList<Mention>()) {
        if (mention.path == "gpu.products"_L1)
            return mention.text;
    }
    return {};
}

/// With the products that lib/ has for its row, where the other recipes name those of theirs.
QByteArray withProductsOfLibrary(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                                 const QByteArray &text)
{
    constexpr int enough = 4;
    const Catalog &catalog = *recipes.catalog();
    const QByteArray own = firstProducts(catalog, snapshot.settings, variant, text);
    const QByteArray description = descriptionInLibrary(recipes, snapshot, variant, text).toUtf8();
    const QByteArray wanted = firstProducts(catalog, snapshot.settings, variant, description);
    if (own.isEmpty() || wanted.isEmpty() || own == wanted)
        return text;
    int alike = 0;
    for (const VariantEntry &entry : snapshot.entries) {
        if (!entry.present || entry.variant.family != variant.family || entry.variant.row == variant.row ||
            !entry.facts || alike == enough)
            continue;
        const QByteArray theirs = firstProducts(catalog, snapshot.settings, entry.variant, entry.text);
        if (theirs.isEmpty())
            continue;
        if (firstProducts(catalog, snapshot.settings, entry.variant, entry.facts->package.description.value.toUtf8()) !=
            theirs)
            return text;
        ++alike;
    }
    return alike == 0 ? text : QByteArray(text).replace(own, wanted);
}

/// What those of its row and those of its instruction set say of them, where they agree.
QByteArray inTheirWords(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                        const QByteArray &made)
{
    constexpr qsizetype tries = 12;
    QByteArray text = withDriverOfToolkit(recipes, snapshot, variant, made);
    text = withProductsOfHost(recipes, snapshot, variant, text);
    text = withProductsOfLibrary(recipes, snapshot, variant, text);
    const QString file = snapshot.fileFor(variant);
    const auto sourceOf = [&](const QByteArray &of) {
        return snapshot.files ? snapshot.files->source(file, of) : RecipeSource(of);
    };
    const auto platformOf = [&recipes](const Variant &of) {
        const Isa *isa = recipes.catalog()->isa(of.isa);
        return isa ? isa->platform : QString();
    };
    const auto meaning = recipes.meaning(sourceOf(text));
    const Siblings siblings(snapshot, variant);
    for (const auto &[first, second] : {std::pair<Axis, Axis>(&Variant::row, &Variant::isa),
                                        {&Variant::cuda, &Variant::isa},
                                        {&Variant::cuda, &Variant::row}}) {
        QList<Vote> votes;
        QList<Corners> corners = siblings.corners(first, second);
        // Of some GPUs, a board with an ARM CPU has a name of its own: "GH200", or "A100 (ARM)" in the branch's words.
        const GpuRow *row = recipes.catalog()->row(variant.row);
        const auto isOfPlatform = [&](const Corners &of) {
            return platformOf(of.first->variant) == platformOf(variant) &&
                   platformOf(of.second->variant) == platformOf(variant);
        };
        const auto namesArm = [&](const Corners &of) {
            return isOfPlatform(of) && (of.first->text.contains("(ARM)") || of.second->text.contains("(ARM)"));
        };
        const bool hasOwnName = row && !row->superchips.isEmpty();
        if (std::ranges::any_of(corners, isOfPlatform) && (hasOwnName || std::ranges::any_of(corners, namesArm)))
            corners.removeIf(std::not_fn(isOfPlatform));
        const qsizetype step = std::max<qsizetype>(1, corners.size() / tries); // from all over the matrix
        for (qsizetype i = 0; i < corners.size(); i += step) {
            const auto &[opposite, one, other] = corners.at(i);
            const auto merged = mergedWords(opposite->text, one->text, other->text);
            if (!merged)
                continue;
            const auto known = std::ranges::find(votes, *merged, &Vote::text);
            if (known != votes.end())
                ++known->count;
            else
                votes.append({*merged, 1, doubtsOf(*one) + doubtsOf(*other)});
        }
        std::ranges::stable_sort(votes, std::ranges::greater(), &Vote::count);
        for (Vote &vote : votes) {
            if (2 * vote.count < votes.constFirst().count)
                break;
            // Mistakes that all of them have, and that can be fixed, are not what to take from them.
            if (vote.text != text)
                vote.text = withProductsOfLibrary(recipes, snapshot, variant,
                                                  completedNew(*recipes.catalog(), snapshot, variant, vote.text));
            if (vote.text == text ||
                (samenessOf(text, *meaning, vote.text, *recipes.meaning(sourceOf(vote.text))) != Sameness::Different &&
                 isAsGood(recipes, snapshot, variant, vote, text)))
                return vote.text;
        }
    }
    return text;
}

} // namespace

QByteArray inWordsOfSiblings(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                             const QByteArray &made)
{
    if (made.isEmpty())
        return made;
    return withTrueWords(recipes, snapshot, variant, inTheirWords(recipes, snapshot, variant, made));
}

} // namespace tmx
