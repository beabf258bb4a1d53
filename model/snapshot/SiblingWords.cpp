// SPDX-FileCopyrightText: Torch Matrix contributors
// SPDX-License-Identifier: MIT
#include "model/snapshot/SiblingWords.h"

#include "model/git/MergedText.h"
#include "model/meaning/Meaning.h"

#include <algorithm>

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

/// Whether the audit finds nothing in the text that it does not find in the other.
bool isAsGood(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
              const QByteArray &text, const QByteArray &than)
{
    VariantEntry entry;
    entry.variant = variant;
    entry.file = snapshot.fileFor(variant);
    AuditInput input = auditInputOf(*recipes.catalog(), snapshot, entry);
    QStringList rules[2];
    for (const bool isNew : {false, true}) {
        input.text = isNew ? text : than;
        const Judgement judgement = audit(input);
        for (const Finding &finding : judgement.findings)
            rules[isNew].append(finding.rule);
    }
    return std::ranges::all_of(rules[1],
                               [&](const QString &rule) { return rules[1].count(rule) <= rules[0].count(rule); });
}

} // namespace

QByteArray inWordsOfSiblings(const RecipeCache &recipes, const BranchSnapshot &snapshot, const Variant &variant,
                             const QByteArray &text)
{
    constexpr qsizetype tries = 12;
    if (text.isEmpty())
        return text;
    const QString file = snapshot.fileFor(variant);
    const auto sourceOf = [&](const QByteArray &of) {
        return snapshot.files ? snapshot.files->source(file, of) : RecipeSource(of);
    };
    const auto meaning = recipes.meaning(sourceOf(text));
    const Siblings siblings(snapshot, variant);
    for (const auto &[first, second] : {std::pair<Axis, Axis>(&Variant::row, &Variant::isa),
                                        {&Variant::cuda, &Variant::isa},
                                        {&Variant::cuda, &Variant::row}}) {
        QList<std::pair<QByteArray, int>> votes;
        const QList<Corners> corners = siblings.corners(first, second);
        const qsizetype step = std::max<qsizetype>(1, corners.size() / tries); // from all over the matrix
        for (qsizetype i = 0; i < corners.size(); i += step) {
            const auto &[opposite, one, other] = corners.at(i);
            const auto merged = mergedWords(opposite->text, one->text, other->text);
            if (!merged)
                continue;
            const auto known = std::ranges::find(votes, *merged, &std::pair<QByteArray, int>::first);
            if (known != votes.end())
                ++known->second;
            else
                votes.append({*merged, 1});
        }
        std::ranges::stable_sort(votes, std::ranges::greater(), &std::pair<QByteArray, int>::second);
        for (const auto &[merged, count] : std::as_const(votes)) {
            if (2 * count < votes.constFirst().second)
                break;
            if (merged == text ||
                (samenessOf(text, *meaning, merged, *recipes.meaning(sourceOf(merged))) != Sameness::Different &&
                 isAsGood(recipes, snapshot, variant, merged, text)))
                return merged;
        }
    }
    return text;
}

} // namespace tmx
